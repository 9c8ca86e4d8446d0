// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/keptedit.h"

#include <QDialog>

namespace ako {

// After a crash: what was found, what has been done about it, and the unfinished edit with what can be done with it.
class RecoveryDialog : public QDialog
{
    Q_OBJECT

public:
    // canRun: the plan is approved and nothing is under way.
    RecoveryDialog(const KeptEdit &edit, bool canRun, QWidget *parent = nullptr);

Q_SIGNALS:
    void takeRequested();    // into solution/, to go on with by hand
    void measureRequested(); // it is in solution/ already
    void runRequested();     // without it
    void lookRequested();    // at solution/, in the editor
};

} // namespace ako
