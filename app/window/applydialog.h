// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QDialog>

namespace ako {

// What is about to be written into a person's own source, to be confirmed.
class ApplyDialog : public QDialog
{
    Q_OBJECT

public:
    ApplyDialog(const Diff &diff, const QStringList &files, const QString &advice, QWidget *parent = nullptr);
};

} // namespace ako
