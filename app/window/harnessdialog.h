// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/harnesschange.h"

#include <QDialog>

namespace ako {

// What has changed of what the measurement depends on: to be put back, or approved as it is.
class HarnessDialog : public QDialog
{
    Q_OBJECT

public:
    explicit HarnessDialog(const HarnessChange &change, QWidget *parent = nullptr);

Q_SIGNALS:
    void restoreRequested();
    void approveRequested();
};

} // namespace ako
