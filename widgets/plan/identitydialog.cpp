// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/identitydialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ako {

IdentityDialog::IdentityDialog(QWidget *parent)
    : QDialog(parent)
    , m_name(new QLineEdit(this))
    , m_email(new QLineEdit(this))
{
    setWindowTitle(tr("Who commits?"));
    auto *why = new QLabel(tr("Each iteration is a commit, and git does not know your name here. It is set for this "
                              "workspace's repository only."),
                           this);
    why->setWordWrap(true);
    m_name->setPlaceholderText(tr("Ada Lovelace"));
    m_name->setAccessibleName(tr("Your name"));
    m_email->setPlaceholderText(tr("ada@example.org"));
    m_email->setAccessibleName(tr("Your e-mail address"));

    auto *form = new QFormLayout;
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&E-mail"), m_email);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton *accepting = buttons->button(QDialogButtonBox::Ok);
    accepting->setText(tr("&Approve the plan"));
    const auto check = [this, accepting] { accepting->setEnabled(!name().isEmpty() && !email().isEmpty()); };
    check();
    connect(m_name, &QLineEdit::textChanged, this, check);
    connect(m_email, &QLineEdit::textChanged, this, check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(why);
    layout->addLayout(form);
    layout->addWidget(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 60);
}

QString IdentityDialog::name() const
{
    return m_name->text().trimmed();
}

QString IdentityDialog::email() const
{
    return m_email->text().trimmed();
}

} // namespace ako
