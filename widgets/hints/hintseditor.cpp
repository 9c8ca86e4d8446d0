// SPDX-License-Identifier: GPL-3.0-or-later
#include "hints/hintseditor.h"

#include "editor/codeview.h"
#include "editor/sourceeditor.h"
#include "hints/chiprow.h"
#include "style/fonts.h"
#include "workspace/directives.h"

#include <QFileInfo>
#include <QLabel>
#include <QStackedLayout>
#include <QTimer>

namespace ako {

HintsEditor::HintsEditor(QWidget *parent)
    : QWidget(parent)
    , m_chips(new ChipRow(this))
    , m_note(new QLabel(this))
    , m_empty(new QLabel(this))
    , m_editor(new SourceEditor(this))
    , m_typing(new QTimer(this))
{
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    m_empty->setText(
        tr("HINTS.md is made when you approve the plan.\n\nIt holds what the agent must know or avoid, and "
           "what the program keeps for you: “stop after 20 iterations”, “no ncu”."));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(4 * grid);
    m_editor->view()->setWrapMode(CodeView::WrapWord);

    auto *head = new QVBoxLayout;
    head->setContentsMargins(3 * grid, 2 * grid, 3 * grid, 2 * grid);
    head->setSpacing(grid);
    head->addWidget(m_chips);
    head->addWidget(m_note);
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_editor, 1);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);

    m_typing->setSingleShot(true);
    m_typing->setInterval(200);
    connect(m_typing, &QTimer::timeout, this, &HintsEditor::refresh);
    connect(m_editor->view(), &CodeView::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_editor, &SourceEditor::dirtyChanged, this, &HintsEditor::updateNote);
}

void HintsEditor::open(const QString &path)
{
    const bool exists = QFileInfo::exists(path);
    if (exists && (path != m_path || m_stack->currentIndex() == 0))
        m_editor->load(path);
    m_path = path;
    m_stack->setCurrentIndex(exists ? 1 : 0);
    refresh();
}

void HintsEditor::setNextIteration(int iteration)
{
    m_nextIteration = iteration;
    updateNote();
}

QStringList HintsEditor::recognised() const
{
    return m_chips->texts();
}

void HintsEditor::refresh()
{
    const QStringList found = recogniseDirectives(m_editor->view()->text()).descriptions;
    m_chips->setTexts(found);
    m_chips->setVisible(!found.isEmpty());
    m_chips->setAccessibleName(tr("Kept by the program: %1").arg(found.join(QLatin1String("; "))));
    updateNote();
}

void HintsEditor::updateNote()
{
    const QString kept = m_chips->texts().isEmpty() ? QString() : tr("The program itself keeps the above. ");
    m_note->setText(kept + (m_editor->isDirty() ? tr("Save, and the edit counts from iteration %1 on.")
                                                : tr("An edit counts from iteration %1 on."))
                               .arg(m_nextIteration));
}

} // namespace ako
