// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/applydialog.h"

#include "base/words.h"
#include "diff/diffview.h"
#include "style/fonts.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ako {

ApplyDialog::ApplyDialog(const Diff &diff, const QStringList &files, const QString &advice, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Apply to my source"));
    resize(900, 600);
    QString said =
        tr("This will be written to %1. What you changed there yourself stays.").arg(words::listed(files, 8));
    if (!advice.isEmpty())
        said += QLatin1Char('\n') + advice;
    auto *text = new QLabel(said, this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    auto *view = new DiffView(this);
    view->setSideNames(tr("your source as it is"), tr("your source with the champion"));
    view->showDiff(diff);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton *write = buttons->addButton(tr("Write"), QDialogButtonBox::AcceptRole);
    write->setToolTip(tr("Write the file; nothing is committed"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * grid);
    layout->addWidget(text);
    layout->addWidget(view, 1);
    layout->addWidget(buttons);
    buttons->button(QDialogButtonBox::Cancel)->setFocus();
}

} // namespace ako
