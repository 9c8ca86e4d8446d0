// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;

namespace ako {

// Asks who commits, where git knows nobody. What is given counts for the workspace's repository only.
class IdentityDialog : public QDialog
{
    Q_OBJECT

public:
    explicit IdentityDialog(QWidget *parent = nullptr);

    QString name() const;
    QString email() const;

private:
    QLineEdit *m_name;
    QLineEdit *m_email;
};

} // namespace ako
