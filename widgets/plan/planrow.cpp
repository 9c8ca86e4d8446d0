// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/planrow.h"

#include "style/elidedlabel.h"
#include "style/fonts.h"
#include "style/palette.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QStringList>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

namespace ako {

namespace {

constexpr int labelWidth = 30 * grid;
constexpr int longestWord = 22; // that a narrow panel has room for

QString evidenceText(const Evidence &evidence)
{
    if (evidence.file.isEmpty())
        return evidence.reason;
    const QString place =
        evidence.line > 0 ? QStringLiteral("%1:%2").arg(evidence.file).arg(evidence.line) : evidence.file;
    return evidence.reason.isEmpty() ? place : QStringLiteral("%1 — %2").arg(place, evidence.reason);
}

} // namespace

PlanRow::PlanRow(const PlanField &field, bool locked, QWidget *parent, const QString &folder)
    : QWidget(parent)
    , m_field(field)
{
    auto *label = new ElidedLabel(field.label, this);
    label->setMuted(true);
    label->setFixedWidth(labelWidth);
    auto *column = new QVBoxLayout;
    column->setSpacing(grid / 2);
    m_value = makeValue(locked);
    column->addWidget(m_value);
    addNote(column, field.question, true);
    addNote(column, field.problem, true);
    for (const QString &note : field.notes)
        m_evidence << addNote(column, note, false);
    for (const Evidence &evidence : field.evidence)
        m_evidence << addNote(column, evidenceText(evidence), false);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(3 * grid, grid, 3 * grid, grid);
    layout->setSpacing(2 * grid);
    layout->addWidget(label, 0, Qt::AlignTop);
    layout->addLayout(column, 1);
    addPicker(layout, folder);
    if (m_input != nullptr)
        label->setFixedHeight(m_input->sizeHint().height());
    setAccessibleName(tr("%1: %2").arg(field.label, field.value));
}

QWidget *PlanRow::makeValue(bool locked)
{
    if (m_field.editable && !locked) {
        m_input = makeInput();
        m_input->setAccessibleName(m_field.label);
        m_input->setToolTip(m_field.value); // a path may be longer than the panel is wide
        lineEdit()->installEventFilter(this);
        m_input->setAcceptDrops(true);
        return m_input;
    }
    return makeText();
}

// A path gives way in its middle; words go on in the next line.
QWidget *PlanRow::makeText()
{
    const QStringList words = m_field.value.split(QLatin1Char(' '));
    const bool wraps = std::ranges::all_of(words, [](const QString &word) { return word.size() <= longestWord; });
    if (!wraps)
        return new ElidedLabel(m_field.value, this);
    auto *label = new QLabel(m_field.value, this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void PlanRow::setEvidenceShown(bool shown)
{
    QStringList lines = m_field.notes;
    for (const Evidence &evidence : std::as_const(m_field.evidence))
        lines << evidenceText(evidence);
    for (QWidget *note : std::as_const(m_evidence)) {
        if (note != nullptr)
            note->setVisible(shown);
    }
    if (!shown && !lines.isEmpty())
        m_value->setToolTip(m_field.value + QLatin1Char('\n') + lines.join(QLatin1Char('\n')));
}

QWidget *PlanRow::makeInput()
{
    if (m_field.candidates.isEmpty()) {
        auto *edit = new QLineEdit(m_field.value, this);
        edit->setCursorPosition(0);
        connect(edit, &QLineEdit::editingFinished, this, [this, edit] { submitTyped(edit, edit->text()); });
        return edit;
    }
    auto *combo = new QComboBox(this);
    combo->setEditable(true);
    combo->setInsertPolicy(QComboBox::NoInsert);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(8);
    combo->addItems(m_field.candidates);
    combo->lineEdit()->setPlaceholderText(tr("Choose or type"));
    // One that is open may have a value, which is doubted.
    combo->setCurrentIndex(m_field.value.isEmpty() ? -1 : combo->findText(m_field.value));
    if (!m_field.value.isEmpty())
        combo->setEditText(m_field.value);
    connect(combo, &QComboBox::activated, this, [this, combo](int index) { submit(combo->itemText(index)); });
    connect(combo->lineEdit(), &QLineEdit::editingFinished, this,
            [this, combo] { submitTyped(combo->lineEdit(), combo->currentText()); });
    return combo;
}

QLineEdit *PlanRow::lineEdit() const
{
    const auto *combo = qobject_cast<QComboBox *>(m_input);
    return combo != nullptr ? combo->lineEdit() : qobject_cast<QLineEdit *>(m_input);
}

std::optional<QString> PlanRow::draft() const
{
    const QLineEdit *edit = lineEdit();
    if (edit == nullptr || !edit->isModified() || edit->text().trimmed() == m_field.value)
        return std::nullopt;
    return edit->text();
}

void PlanRow::setDraft(const QString &text)
{
    QLineEdit *edit = lineEdit();
    if (edit == nullptr)
        return;
    edit->setText(text);
    edit->setModified(true);
    m_input->setFocus(Qt::OtherFocusReason);
}

bool PlanRow::namesFiles() const
{
    static const QStringList keys{QLatin1String(planKey::kernel), QLatin1String(planKey::reference),
                                  QLatin1String(planKey::input), QLatin1String(planKey::knowledge),
                                  QLatin1String(planKey::benchMode)};
    return m_input != nullptr && keys.contains(m_field.key);
}

// A file that is dropped is the answer: its path, not its address, and in the place of what stands there.
bool PlanRow::eventFilter(QObject *watched, QEvent *event)
{
    const bool isDrag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
    if (!namesFiles() || (!isDrag && event->type() != QEvent::Drop))
        return QWidget::eventFilter(watched, event);
    auto *drop = static_cast<QDropEvent *>(event); // of which those two are kinds
    const QList<QUrl> urls = drop->mimeData()->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return QWidget::eventFilter(watched, event);
    drop->acceptProposedAction();
    if (!isDrag)
        submit(urls.first().toLocalFile());
    return true;
}

// Beside the value, where it is a file of the workspace.
void PlanRow::addPicker(QHBoxLayout *layout, const QString &folder)
{
    if (!namesFiles() || folder.isEmpty())
        return;
    auto *button = new QToolButton(this);
    button->setText(QStringLiteral("…"));
    button->setAutoRaise(true);
    button->setToolTip(tr("Choose a file"));
    button->setAccessibleName(tr("Choose a file: %1").arg(m_field.label));
    connect(button, &QToolButton::clicked, this, [this, folder] {
        auto *dialog = new QFileDialog(this, m_field.label, folder);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &PlanRow::submit);
        dialog->open();
    });
    layout->addWidget(button, 0, Qt::AlignTop);
}

QWidget *PlanRow::addNote(QVBoxLayout *layout, const QString &text, bool strong)
{
    if (text.isEmpty())
        return nullptr;
    auto *note = new QLabel(text, this);
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    note->setFont(strong ? textFont() : smallFont());
    note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (!strong) {
        QPalette quiet = note->palette();
        quiet.setColor(QPalette::WindowText, mutedText(quiet));
        note->setPalette(quiet);
    }
    layout->addWidget(note);
    return note;
}

// An answer that was doubted counts when it is given again: by Return, and not by leaving the field.
void PlanRow::submitTyped(const QLineEdit *edit, const QString &text)
{
    if (edit->hasFocus() || text.trimmed() != m_field.value)
        submit(text);
}

// Leaving a field without having changed it says nothing.
void PlanRow::submit(const QString &value)
{
    const QString trimmed = value.trimmed();
    if (trimmed == m_field.value && !isOpen())
        return;
    if (trimmed.isEmpty() && m_field.value.isEmpty())
        return;
    m_field.value = trimmed;
    m_field.question.clear(); // answered once; the plan will say whether the answer holds
    Q_EMIT edited(m_field.key, trimmed);
}

void PlanRow::paintEvent(QPaintEvent *)
{
    if (m_field.certainty != Certainty::Open && !isOpen())
        return;
    QPainter painter(this);
    painter.fillRect(rect(), toneColour(Tone::OpenBackground, palette()));
    painter.fillRect(QRect(0, 0, grid, height()), toneColour(Tone::Warning, palette()));
}

} // namespace ako
