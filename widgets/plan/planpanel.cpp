// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/planpanel.h"

#include "history/runstore.h"
#include "plan/planrow.h"
#include "plan/requestbox.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "style/palette.h"
#include "workspace/lacks.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace ako {

namespace {

QLabel *wrappedLabel(const QString &text, QWidget *parent, bool muted)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (muted) {
        label->setFont(smallFont());
        QPalette quiet = label->palette();
        quiet.setColor(QPalette::WindowText, mutedText(quiet));
        label->setPalette(quiet);
    }
    return label;
}

QString filesText(qsizetype count)
{
    return count == 1 ? PlanPanel::tr("1 file") : PlanPanel::tr("%1 files").arg(count);
}

QWidget *withIcon(const QString &iconName, QLabel *label, QWidget *parent)
{
    auto *box = new QWidget(parent);
    auto *glyph = new QLabel(box);
    glyph->setPixmap(icon(iconName).pixmap(16, 16));
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(3 * grid, grid, 3 * grid, grid);
    row->setSpacing(2 * grid);
    row->addWidget(glyph, 0, Qt::AlignTop);
    row->addWidget(label, 1);
    return box;
}

} // namespace

PlanPanel::PlanPanel(const RunStore &store, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_request(new RequestBox(this))
    , m_waiting(new QTimer(this))
    , m_scroll(new QScrollArea(this))
    , m_summary(wrappedLabel({}, this, false))
    , m_approve(new QPushButton(tr("&Approve"), this))
    , m_reload(new QToolButton(this))
    , m_copy(new QToolButton(this))
{
    buildFrame();
    m_waiting->setSingleShot(true);
    connect(m_waiting, &QTimer::timeout, this, &PlanPanel::rebuild);
    connect(&store, &RunStore::planChanged, this, &PlanPanel::planChanged);
    connect(&store, &RunStore::phaseChanged, this, &PlanPanel::phaseChanged);
    m_request->hide();
    rebuild();
}

void PlanPanel::buildFrame()
{
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setAccessibleName(tr("Plan"));
    setMinimumWidth(64 * grid);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_reload->setAutoRaise(true);
    m_reload->hide();
    m_copy->setIcon(icon(QStringLiteral("copy")));
    m_copy->setAutoRaise(true);
    m_copy->setToolTip(tr("Copy the plan as text"));
    m_copy->setAccessibleName(tr("Copy the plan as text"));
    connect(m_copy, &QToolButton::clicked, this, &PlanPanel::copyAsText);
    m_approve->setDefault(true);
    connect(m_approve, &QPushButton::clicked, this, &PlanPanel::approveRequested);
    connect(m_request, &RequestBox::edited, this,
            [this](const QString &text) { Q_EMIT fieldEdited(QLatin1String(planKey::request), text); });
    connect(m_request->text(), &QPlainTextEdit::textChanged, this, &PlanPanel::updateApproval);

    auto *bottom = new QHBoxLayout;
    bottom->setContentsMargins(3 * grid, 2 * grid, 2 * grid, 2 * grid);
    bottom->setSpacing(2 * grid);
    bottom->addWidget(m_summary, 1);
    bottom->addWidget(m_reload);
    bottom->addWidget(m_copy);
    bottom->addWidget(m_approve);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_request);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(bottom);
}

void PlanPanel::planChanged()
{
    m_request->setRequest(m_store.plan().request);
    m_request->setVisible(awaitsApproval());
    updateApproval();
    m_waiting->start(0);
}

void PlanPanel::settle()
{
    if (m_waiting->isActive())
        rebuild();
}

void PlanPanel::rebuild()
{
    m_waiting->stop();
    const int scrolled = m_scroll->verticalScrollBar()->value();
    const QHash<QString, QString> drafts = takeDrafts();
    m_rows.clear();
    m_locked = isLocked();
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, grid, 0, grid);
    layout->setSpacing(0);
    if (m_store.plan().fields.isEmpty()) {
        const QString text = m_store.workspace().isEmpty() ? tr("Open a workspace to see what would be run.")
                                                           : tr("Reading the workspace …");
        layout->addWidget(withIcon(QStringLiteral("plan"), wrappedLabel(text, content, false), content));
    }
    addMessages(layout);
    addRequest(layout);
    addRows(layout);
    addHints(layout);
    addFiles(layout);
    layout->addStretch();
    m_scroll->setWidget(content); // deletes the one before
    bringBack(drafts);
    m_scroll->verticalScrollBar()->setValue(scrolled);
    updateApproval();
}

// A plan may change by itself while somebody types into it.
QHash<QString, QString> PlanPanel::takeDrafts() const
{
    QHash<QString, QString> drafts;
    for (const PlanRow *row : m_rows) {
        if (const auto draft = row->draft())
            drafts.insert(row->field().key, *draft);
    }
    return drafts;
}

void PlanPanel::bringBack(const QHash<QString, QString> &drafts)
{
    for (PlanRow *row : std::as_const(m_rows)) {
        const auto draft = drafts.constFind(row->field().key);
        if (draft != drafts.cend())
            row->setDraft(*draft);
    }
}

void PlanPanel::addMessages(QVBoxLayout *layout)
{
    const ResolvedPlan &plan = m_store.plan();
    if (!plan.refusal.isEmpty())
        layout->addWidget(withIcon(QStringLiteral("error"), wrappedLabel(plan.refusal, this, false), this));
    ResolvedPlan shown = plan;
    if (plan.identityMissing) { // told in the terminal's words; here it is asked
        forgetIdentityLack(shown);
        shown.warnings << tr("git does not know who commits here. Approve asks for your name and e-mail address and "
                             "keeps them for this repository only.");
    }
    for (const QString &warning : std::as_const(shown.warnings))
        layout->addWidget(withIcon(QStringLiteral("warning"), wrappedLabel(warning, this, false), this));
}

// As it was approved; before that it is written in the box above.
void PlanPanel::addRequest(QVBoxLayout *layout)
{
    const ResolvedPlan &plan = m_store.plan();
    if (awaitsApproval() || plan.request.isEmpty())
        return;
    PlanField field;
    field.key = QLatin1String(planKey::request);
    field.label = tr("Request");
    field.value = plan.request.simplified();
    layout->addWidget(new PlanRow(field, true, this));
}

void PlanPanel::addRows(QVBoxLayout *layout)
{
    for (const PlanField &field : m_store.plan().fields) {
        auto *row = new PlanRow(field, m_locked, this, m_store.workspace());
        row->setEvidenceShown(!m_store.isApproved()); // afterwards it is known: a hover away
        connect(row, &PlanRow::edited, this, &PlanPanel::fieldEdited);
        m_rows << row;
        layout->addWidget(row);
    }
}

void PlanPanel::addHints(QVBoxLayout *layout)
{
    if (m_store.plan().field(QLatin1String(planKey::hints)) != nullptr)
        return; // said in its row
    for (const Hint &hint : m_store.plan().hints) {
        QString text = QStringLiteral("%1 (%2)").arg(hint.text, hint.origin);
        if (!hint.recognised.isEmpty())
            text += tr("\nkept by the program: %1").arg(hint.recognised);
        layout->addWidget(withIcon(QStringLiteral("hints"), wrappedLabel(text, this, false), this));
    }
}

void PlanPanel::addFiles(QVBoxLayout *layout)
{
    const ResolvedPlan &plan = m_store.plan();
    if (plan.filesToWrite.isEmpty() || m_store.isApproved())
        return;
    addExpander(layout, tr("%1 that approval will write").arg(filesText(plan.filesToWrite.size())),
                plan.filesToWrite.join(QLatin1Char('\n')), &PlanPanel::m_filesShown);
    if (!plan.problemDraft.isEmpty())
        addExpander(layout, tr("%1, as it will be written").arg(plan.problemFile), plan.problemDraft.trimmed(),
                    &PlanPanel::m_draftShown);
}

void PlanPanel::addExpander(QVBoxLayout *layout, const QString &title, const QString &text, bool PlanPanel::*shown)
{
    auto *expander = new QToolButton(this);
    expander->setText(title);
    expander->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    expander->setAutoRaise(true);
    QLabel *list = wrappedLabel(text, this, true);
    list->setContentsMargins(8 * grid, 0, 3 * grid, grid);
    const auto show = [this, expander, list, shown](bool on) {
        this->*shown = on;
        expander->setIcon(icon(on ? QStringLiteral("down") : QStringLiteral("right")));
        list->setVisible(on);
    };
    connect(expander, &QToolButton::clicked, this, [this, show, shown] { show(!(this->*shown)); });
    auto *indent = new QHBoxLayout;
    indent->setContentsMargins(2 * grid, 2 * grid, 0, 0);
    indent->addWidget(expander);
    indent->addStretch();
    layout->addLayout(indent);
    layout->addWidget(list);
    show(this->*shown);
}

// Icons and quiet text have the colours of the palette they were made with.
void PlanPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_waiting->start(0);
}

bool PlanPanel::isLocked() const
{
    return m_store.isApproved() && m_store.isBusy();
}

void PlanPanel::phaseChanged()
{
    if (isLocked() != m_locked)
        m_waiting->start(0);
    updateApproval();
}

bool PlanPanel::awaitsApproval() const
{
    return !m_store.plan().fields.isEmpty() && !m_store.isApproved();
}

QString PlanPanel::whatApprovalWrites() const
{
    const ResolvedPlan &plan = m_store.plan();
    const QString files = filesText(plan.filesToWrite.size());
    return plan.kernelName.isEmpty() ? tr("Writes %1 in this workspace.").arg(files)
                                     : tr("Writes %1 on branch opt/%2.").arg(files, plan.kernelName);
}

void PlanPanel::updateApproval()
{
    const bool open = m_store.plan().hasOpenQuestions();
    m_approve->setVisible(awaitsApproval());
    m_reload->setVisible(awaitsApproval() && m_reload->defaultAction() != nullptr);
    // What is approved is what is read: not while a request is being written that the plan does not know yet.
    const bool unread = m_request->request() != m_store.plan().request.trimmed();
    m_approve->setEnabled(awaitsApproval() && !open && !unread && !m_store.isBusy());
    m_copy->setEnabled(!m_store.plan().fields.isEmpty());
    if (!m_store.plan().refusal.isEmpty())
        m_summary->setText(tr("Not a task for this program."));
    else if (m_store.isApproved())
        m_summary->setText(open ? tr("Approved. Answer what is marked before the next run.") : tr("Approved."));
    else if (awaitsApproval())
        m_summary->setText(open     ? tr("Answer what is marked; then it can be approved.")
                           : unread ? tr("Reading your request …")
                                    : whatApprovalWrites());
    else
        m_summary->clear();
    m_approve->setToolTip(m_summary->text());
    m_approve->setAccessibleDescription(m_summary->text());
}

QList<PlanRow *> PlanPanel::rows()
{
    settle();
    return m_rows;
}

PlanRow *PlanPanel::row(const QString &key)
{
    settle();
    for (PlanRow *candidate : m_rows) {
        if (candidate->field().key == key)
            return candidate;
    }
    return nullptr;
}

PlanRow *PlanPanel::openRow()
{
    settle();
    PlanRow *question = nullptr;
    for (PlanRow *candidate : m_rows) {
        if (!candidate->field().problem.isEmpty())
            return candidate;
        if (question == nullptr && candidate->isOpen())
            question = candidate;
    }
    return question;
}

void PlanPanel::goToOpenRow()
{
    PlanRow *open = openRow();
    if (open == nullptr)
        return;
    m_scroll->ensureWidgetVisible(open, 0, 4 * grid);
    if (open->input() != nullptr)
        open->input()->setFocus(Qt::ShortcutFocusReason);
}

// While the plan waits for a person; afterwards it is what was approved.
void PlanPanel::setReloadAction(QAction *action)
{
    m_reload->setDefaultAction(action);
    m_reload->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_reload->setAccessibleName(action->toolTip());
    updateApproval();
}

void PlanPanel::copyAsText() const
{
    QApplication::clipboard()->setText(m_store.plan().toMarkdown());
}

} // namespace ako
