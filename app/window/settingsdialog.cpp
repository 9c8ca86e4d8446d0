// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/settingsdialog.h"

#include "style/fonts.h"
#include "style/palette.h"
#include "window/settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ako {

namespace {

QString reopenKey()
{
    return QStringLiteral("reopenLast");
}

QString appearanceKey()
{
    return QStringLiteral("appearance");
}

} // namespace

SettingsDialog::SettingsDialog(QWidget *parent)
    : QDialog(parent)
    , m_search(new QLineEdit(this))
{
    setWindowTitle(tr("Settings"));
    resize(560, 480);
    m_search->setPlaceholderText(tr("Search settings"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsDialog::filter);
    auto *content = new QWidget;
    m_rows = new QVBoxLayout(content);
    m_rows->setSpacing(4 * grid);
    auto *area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(content);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_search);
    layout->addWidget(area, 1);

    auto *look = new QComboBox(content);
    look->addItem(tr("As the system"), int(Appearance::System));
    look->addItem(tr("Light"), int(Appearance::Light));
    look->addItem(tr("Dark"), int(Appearance::Dark));
    look->setCurrentIndex(look->findData(int(appearance())));
    connect(look, &QComboBox::currentIndexChanged, this,
            [this, look] { Q_EMIT appearanceChosen(Appearance(look->currentData().toInt())); });
    addRow(tr("Appearance"), tr("Colours of the window."), look);
    addCheck(tr("Open the last workspace at start"), tr("Else the start page with examples and recent workspaces."),
             reopenKey(), true);
    addCheck(tr("Desktop notifications"),
             tr("When a question is open, a champion is confirmed, something is quarantined or the run ends, while "
                "another window is in use."),
             QStringLiteral("notifications"), true);
    addCheck(tr("Compact timeline"), tr("One line for each iteration. Counts from the next start."),
             QStringLiteral("timeline/compact"), false);
    m_rows->addStretch();
    m_search->setFocus();
}

bool SettingsDialog::reopensLast()
{
    return settings::value(reopenKey(), true).toBool();
}

Appearance SettingsDialog::appearance()
{
    return Appearance(settings::value(appearanceKey(), int(Appearance::System)).toInt());
}

void SettingsDialog::addRow(const QString &title, const QString &words, QWidget *control)
{
    auto *row = new QWidget(control->parentWidget() != nullptr ? control->parentWidget() : this);
    row->setProperty("searched", title + QLatin1Char(' ') + words);
    auto *label = new QLabel(words, row);
    label->setWordWrap(true);
    label->setFont(smallFont());
    QPalette quiet = label->palette();
    quiet.setColor(QPalette::WindowText, mutedText(quiet));
    label->setPalette(quiet);
    control->setAccessibleName(title);
    control->setAccessibleDescription(words);
    auto *column = new QVBoxLayout(row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid);
    if (qobject_cast<QCheckBox *>(control) == nullptr)
        column->addWidget(new QLabel(title, row));
    column->addWidget(control, 0, Qt::AlignLeft);
    column->addWidget(label);
    m_rows->addWidget(row);
}

void SettingsDialog::addCheck(const QString &title, const QString &words, const QString &key, bool otherwise)
{
    auto *box = new QCheckBox(title, m_rows->parentWidget());
    box->setObjectName(key);
    box->setChecked(settings::value(key, otherwise).toBool());
    connect(box, &QCheckBox::toggled, this, [key](bool on) { settings::setValue(key, on); });
    addRow(title, words, box);
}

void SettingsDialog::filter(const QString &text)
{
    for (int index = 0; index < m_rows->count(); ++index) {
        QWidget *row = m_rows->itemAt(index)->widget();
        if (row != nullptr)
            row->setVisible(row->property("searched").toString().contains(text.trimmed(), Qt::CaseInsensitive));
    }
}

} // namespace ako
