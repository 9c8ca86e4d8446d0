// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace ako {

struct IterationRecord;
class RunStore;

// One side of a difference: an iteration, or what stands for one. The list is made when it is opened, as it can be
// long.
class SideChooser : public QComboBox
{
    Q_OBJECT

public:
    enum Special { Present = -1, Parent = -2, Champion = -3 }; // beside iteration numbers; 0 is the baseline

    SideChooser(const RunStore &store, QList<int> specials, QWidget *parent = nullptr);

    void showChoice(int side, const QString &text); // without a signal
    void fill();
    void showPopup() override;

Q_SIGNALS:
    void chosen(int side);

protected:
    void focusInEvent(QFocusEvent *event) override;

private:
    const RunStore &m_store;
    QList<int> m_specials;
};

QString sideText(const IterationRecord &record); // "7 · vectorized loads"
QString presentText();                           // solution/ as it is on disk

} // namespace ako
