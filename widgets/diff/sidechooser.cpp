// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/sidechooser.h"

#include "history/runstore.h"
#include "style/status.h"

#include <QCoreApplication>
#include <QSignalBlocker>

#include <utility>

namespace ako {

QString sideText(const IterationRecord &record)
{
    return QStringLiteral("%1 · %2").arg(nameOf(record), record.title);
}

QString presentText()
{
    return QCoreApplication::translate("ako::SideChooser", "solution/ as it is now");
}

namespace {

QString specialText(int special)
{
    switch (special) {
    case SideChooser::Parent:
        return SideChooser::tr("what it started from");
    case SideChooser::Champion:
        return SideChooser::tr("the champion");
    default:
        return presentText();
    }
}

} // namespace

SideChooser::SideChooser(const RunStore &store, QList<int> specials, QWidget *parent)
    : QComboBox(parent)
    , m_store(store)
    , m_specials(std::move(specials))
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(12);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QComboBox::activated, this, [this](int index) { Q_EMIT chosen(itemData(index).toInt()); });
}

void SideChooser::showChoice(int side, const QString &text)
{
    const QSignalBlocker quiet(this);
    clear();
    addItem(text, side);
    setToolTip(text);
}

void SideChooser::fill()
{
    if (count() > 1)
        return;
    const QSignalBlocker quiet(this);
    const QVariant now = currentData();
    clear();
    for (const int special : std::as_const(m_specials))
        addItem(specialText(special), special);
    insertSeparator(count());
    const QList<IterationRecord> &records = m_store.records();
    for (auto record = records.crbegin(); record != records.crend(); ++record) {
        if (record->kind != IterationRecord::Kind::Final) // which is the iteration that it restored
            addItem(glyphIcon(toneOf(*record), palette()), sideText(*record), record->number);
    }
    setCurrentIndex(findData(now));
}

void SideChooser::showPopup()
{
    fill();
    QComboBox::showPopup();
}

void SideChooser::focusInEvent(QFocusEvent *event)
{
    fill(); // for the arrow keys
    QComboBox::focusInEvent(event);
}

} // namespace ako
