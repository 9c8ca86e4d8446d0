// SPDX-License-Identifier: GPL-3.0-or-later
#include "hints/hintseditor.h"

#include "editor/codeview.h"
#include "editor/sourceeditor.h"
#include "hints/chiprow.h"
#include "style/fonts.h"
#include "workspace/directives.h"
#include "workspace/scaffold.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

namespace ako {

namespace {

constexpr qsizetype mostShown = 3;
constexpr qsizetype longest = 80; // characters

QString hintsTemplate()
{
    const Result<QString> folder = locateScaffold();
    QFile file(folder ? *folder + QStringLiteral("/HINTS.md") : QString());
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QStringLiteral("# Hints\n\n");
}

} // namespace

HintsEditor::HintsEditor(QWidget *parent)
    : QWidget(parent)
    , m_chips(new ChipRow(this))
    , m_refused(new QLabel(this))
    , m_left(new QLabel(this))
    , m_note(new QLabel(this))
    , m_editor(new SourceEditor(this))
    , m_typing(new QTimer(this))
{
    for (QLabel *label : {m_refused, m_left, m_note}) {
        label->setFont(smallFont());
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_editor->view()->setWrapMode(CodeView::WrapWord);

    auto *head = new QVBoxLayout;
    head->setContentsMargins(3 * grid, 2 * grid, 3 * grid, 2 * grid);
    head->setSpacing(grid);
    head->addWidget(m_chips);
    head->addWidget(m_refused);
    head->addWidget(m_left);
    head->addWidget(m_note);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_editor, 1);

    m_typing->setSingleShot(true);
    m_typing->setInterval(200);
    connect(m_typing, &QTimer::timeout, this, &HintsEditor::refresh);
    connect(m_editor->view(), &CodeView::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_editor, &SourceEditor::dirtyChanged, this, &HintsEditor::updateNote);
}

// Where there is none yet it begins as the one that approval would put there.
void HintsEditor::open(const QString &path)
{
    const bool exists = QFileInfo::exists(path);
    if (path == m_path && (exists || m_editor->isDirty()))
        return refresh(); // the editor itself follows the file
    m_path = path;
    if (exists)
        m_editor->load(path);
    else
        m_editor->startNew(path, hintsTemplate());
    m_told = m_editor->view()->text();
    refresh();
}

void HintsEditor::setAwaitsApproval(bool awaits)
{
    m_awaitsApproval = awaits;
    updateNote();
}

void HintsEditor::setNextIteration(int iteration)
{
    m_nextIteration = iteration;
    updateNote();
}

void HintsEditor::setPlanCap(int iterations)
{
    if (m_planCap == iterations)
        return;
    m_planCap = iterations;
    refresh();
}

QStringList HintsEditor::recognised() const
{
    return m_chips->texts();
}

void HintsEditor::refresh()
{
    const Directives directives = recogniseDirectives(m_editor->view()->text());
    QStringList found = directives.descriptions;
    if (const QString holds = capInForce(directives, m_planCap); !holds.isEmpty())
        found << holds;
    m_chips->setTexts(found);
    m_chips->setVisible(!found.isEmpty());
    showUnkept(directives);
    m_chips->setAccessibleName(tr("Kept by the program: %1").arg(found.join(QLatin1String("; "))));
    updateNote();
    if (m_told == m_editor->view()->text())
        return;
    m_told = m_editor->view()->text();
    Q_EMIT textEdited(m_told);
}

// The editor below keeps its room: of a long file the first are named and the others counted.
void HintsEditor::showUnkept(const Directives &read)
{
    m_refusals = read.refused;
    m_others = read.unrecognised;
    m_refused->setText(QStringLiteral("\u26a0 ") + tr("Cannot be kept: %1").arg(m_refusals.join(QStringLiteral("; "))));
    m_refused->setVisible(!m_refusals.isEmpty());
    QStringList shown;
    for (const QString &other : std::as_const(m_others).first(qMin(m_others.size(), mostShown)))
        shown << QStringLiteral("\u201c%1\u201d")
                     .arg(other.size() > longest ? other.left(longest - 1) + QChar(0x2026) : other);
    const qsizetype more = m_others.size() - shown.size();
    if (more > 0)
        shown << tr("%1 more").arg(more);
    m_left->setText(tr("For the agent, word for word: %1").arg(shown.join(QStringLiteral(", "))));
    m_left->setVisible(!m_others.isEmpty());
}

void HintsEditor::updateNote()
{
    const QString kept = m_chips->texts().isEmpty() ? QString() : tr("The program itself keeps the above. ");
    if (m_awaitsApproval)
        m_note->setText(kept + tr("The plan follows what you write here; approving it saves this file."));
    else
        m_note->setText(kept + (m_editor->isDirty() ? tr("Save, and the edit counts from iteration %1 on.")
                                                    : tr("An edit counts from iteration %1 on."))
                                   .arg(m_nextIteration));
}

} // namespace ako
