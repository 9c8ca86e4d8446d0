// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor/doctordialog.h"

#include "style/fonts.h"
#include "style/icons.h"
#include "style/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ako {

namespace {

QString iconOf(const EnvironmentFinding &finding)
{
    if (finding.found)
        return QStringLiteral("check");
    return finding.required ? QStringLiteral("error") : QStringLiteral("info");
}

// Said where the icon alone would say it.
QString stateOf(const EnvironmentFinding &finding)
{
    if (finding.found)
        return DoctorDialog::tr("found");
    return finding.required ? DoctorDialog::tr("missing, and needed") : DoctorDialog::tr("not found, not needed");
}

QLabel *textLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel *mutedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = textLabel(text, parent);
    QPalette quiet = label->palette();
    quiet.setColor(QPalette::WindowText, mutedText(quiet));
    label->setPalette(quiet);
    return label;
}

void addRow(QGridLayout *layout, const EnvironmentFinding &finding, QWidget *content)
{
    const int row = layout->rowCount();
    auto *glyph = new QLabel(content);
    glyph->setPixmap(icon(iconOf(finding)).pixmap(16, 16));
    glyph->setToolTip(stateOf(finding));
    glyph->setAccessibleName(QStringLiteral("%1: %2").arg(finding.name, stateOf(finding)));
    QLabel *name = finding.found ? textLabel(finding.name, content) : mutedLabel(finding.name, content);
    name->setWordWrap(false);
    auto *column = new QVBoxLayout;
    column->setSpacing(grid / 2);
    column->addWidget(finding.found || finding.required ? textLabel(finding.detail, content)
                                                        : mutedLabel(finding.detail, content));
    if (!finding.found && !finding.remedy.isEmpty()) {
        QLabel *remedy = textLabel(finding.remedy, content);
        remedy->setFont(smallFont());
        column->addWidget(remedy);
    }
    layout->addWidget(glyph, row, 0, Qt::AlignTop);
    layout->addWidget(name, row, 1, Qt::AlignTop);
    layout->addLayout(column, row, 2);
}

} // namespace

DoctorDialog::DoctorDialog(QWidget *parent)
    : QDialog(parent)
    , m_scroll(new QScrollArea(this))
    , m_summary(new QLabel(this))
    , m_copy(new QPushButton(icon(QStringLiteral("copy")), tr("&Copy as text"), this))
    , m_again(new QPushButton(tr("&Look again"), this))
{
    setWindowTitle(tr("Doctor: what this machine has and lacks"));
    m_summary->setWordWrap(true);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(tr("What was found"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton *close = buttons->button(QDialogButtonBox::Close);
    close->setIcon({});
    close->setDefault(true);
    close->setFocus();
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    connect(m_copy, &QPushButton::clicked, this, &DoctorDialog::copyAsText);
    connect(m_again, &QPushButton::clicked, this, &DoctorDialog::look);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_summary);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(buttons);
    resize(200 * grid, 152 * grid);
}

void DoctorDialog::look()
{
    m_summary->setText(tr("Looking: compilers, git, Python, CUDA, the sandbox, agents …"));
    m_again->setEnabled(false);
    m_copy->setEnabled(!m_findings.isEmpty());
    Q_EMIT lookRequested();
}

void DoctorDialog::showFindings(const QList<EnvironmentFinding> &findings)
{
    m_findings = findings;
    m_summary->setText(isFit(findings) ? tr("The main job can run on this machine.")
                                       : tr("Something that the main job needs is missing."));
    m_again->setEnabled(true);
    m_copy->setEnabled(true);
    fill();
}

void DoctorDialog::fill()
{
    auto *content = new QWidget;
    auto *layout = new QGridLayout(content);
    layout->setContentsMargins(0, grid, 2 * grid, grid);
    layout->setHorizontalSpacing(3 * grid);
    layout->setVerticalSpacing(2 * grid);
    layout->setColumnStretch(2, 1);
    for (const EnvironmentFinding &finding : std::as_const(m_findings))
        addRow(layout, finding, content);
    layout->setRowStretch(layout->rowCount(), 1);
    m_scroll->setWidget(content); // deletes the one before
}

void DoctorDialog::copyAsText() const
{
    QApplication::clipboard()->setText(toText(m_findings));
}

// Icons and quiet text have the colours of the palette they were made with.
void DoctorDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_findings.isEmpty())
        fill();
}

} // namespace ako
