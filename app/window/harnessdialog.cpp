// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/harnessdialog.h"

#include "base/words.h"
#include "diff/diffview.h"
#include "style/fonts.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ako {

HarnessDialog::HarnessDialog(const HarnessChange &change, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("What has changed"));
    resize(900, 600);
    QString said = change.isNone()
                       ? tr("All that the measurement depends on is as it was approved.")
                       : tr("Numbers can only be compared where the same was measured in the same way. This "
                            "has changed since it was approved: %1.")
                             .arg(words::listed(change.files + change.known, 8));
    if (!change.known.isEmpty())
        said += QLatin1Char('\n') + tr("Of some of it no copy was kept; it can be approved, but not put back here.");
    auto *text = new QLabel(said, this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    auto *view = new DiffView(this);
    view->setSideNames(tr("as approved"), tr("as it is"));
    view->showDiff(change.diff);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton *restore = buttons->addButton(tr("&Put back"), QDialogButtonBox::ActionRole);
    restore->setToolTip(tr("Write what was approved; what is there now is kept in .ako/discarded/"));
    restore->setEnabled(!change.files.isEmpty());
    QPushButton *approve = buttons->addButton(tr("&Approve as it is"), QDialogButtonBox::ActionRole);
    approve->setToolTip(tr("Numbers from before will not be compared with new ones"));
    approve->setEnabled(!change.isNone());
    connect(restore, &QPushButton::clicked, this, [this] {
        Q_EMIT restoreRequested();
        accept();
    });
    connect(approve, &QPushButton::clicked, this, [this] {
        Q_EMIT approveRequested();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * grid);
    layout->addWidget(text);
    layout->addWidget(view, 1);
    layout->addWidget(buttons);
    view->setVisible(!change.diff.isEmpty());
    buttons->button(QDialogButtonBox::Close)->setFocus();
}

} // namespace ako
