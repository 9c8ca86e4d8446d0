// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/recoverydialog.h"

#include "diff/diffview.h"
#include "models/phasetext.h"
#include "style/fonts.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ako {

RecoveryDialog::RecoveryDialog(const KeptEdit &edit, bool canRun, QWidget *parent)
    : QDialog(parent)
{
    const event::Recovered &found = edit.found;
    setWindowTitle(tr("An unfinished iteration was found"));
    resize(900, 600);
    auto *text =
        new QLabel(recoveredText(found) + QLatin1Char('\n') +
                       (found.isInSolution()
                            ? tr("It will be measured with the next run, unless you change it.")
                            : tr("solution/ is as %1 left it. Nothing is done with the edit unless you "
                                 "take it up.")
                                  .arg(found.parent == 0 ? tr("the baseline") : tr("iteration %1").arg(found.parent))),
                   this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *view = new DiffView(this);
    view->setSideNames(found.parent == 0 ? tr("baseline") : tr("iteration %1").arg(found.parent),
                       tr("the unfinished edit"));
    view->showDiff(edit.diff);

    auto *buttons = new QDialogButtonBox(this);
    const auto add = [this, buttons](const QString &label, const QString &tip, void (RecoveryDialog::*signal)()) {
        QPushButton *button = buttons->addButton(label, QDialogButtonBox::ActionRole);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, [this, signal] {
            Q_EMIT(this->*signal)();
            accept();
        });
        return button;
    };
    if (found.isInSolution()) {
        add(tr("&Measure it"), tr("Bench it as the next iteration, then rest"), &RecoveryDialog::measureRequested)
            ->setEnabled(canRun);
        add(tr("&Open it in the editor"), tr("Go on with it yourself; Ctrl+B benches it"),
            &RecoveryDialog::lookRequested);
    } else {
        add(tr("&Keep the edit"), tr("Put it into solution/ to go on with it yourself; Ctrl+B benches it"),
            &RecoveryDialog::takeRequested);
        add(tr("&Go on without it"), tr("Run from where solution/ is now"), &RecoveryDialog::runRequested)
            ->setEnabled(canRun);
    }
    QPushButton *leave = buttons->addButton(tr("&Leave it"), QDialogButtonBox::RejectRole);
    leave->setToolTip(found.isInSolution() ? tr("Decide later; it stays in solution/")
                                           : tr("Decide later; the edit stays in %1").arg(found.kept));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * grid);
    layout->addWidget(text);
    layout->addWidget(view, 1);
    layout->addWidget(buttons);
    leave->setDefault(true); // by a stray Return nothing is begun
    leave->setFocus();
}

} // namespace ako
