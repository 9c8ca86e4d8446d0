// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/numbersview.h"

#include "bench/numbers.h"
#include "style/fonts.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <cmath>

namespace ako {

namespace {

QString figure(const std::optional<double> &value)
{
    return value ? plainFigure(*value, 5) : QStringLiteral("–");
}

} // namespace

QString changeText(const MovedNumber &number)
{
    if (!number.before || !number.after)
        return QStringLiteral("–");
    if (*number.before == *number.after)
        return NumbersView::tr("same");
    if (*number.before == 0)
        return NumbersView::tr("from zero");
    const double percent = (*number.after / *number.before - 1) * 100;
    const QString size = plainFigure(std::abs(percent), 3);
    return QStringLiteral("%1%2 %").arg(percent < 0 ? QStringLiteral("−") : QStringLiteral("+"), size);
}

NumbersView::NumbersView(QWidget *parent)
    : QWidget(parent)
    , m_note(new QLabel(this))
    , m_list(new QTreeWidget(this))
{
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long word does not widen the panel
    m_note->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    m_list->setHeaderLabels({tr("Number"), tr("Before"), tr("After"), tr("Change")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Numbers of the iteration beside those of the one it was made from"));
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addWidget(m_list, 1);
    choose(-1, {});
}

QString NumbersView::note() const
{
    return m_note->text();
}

void NumbersView::choose(int iteration, const QString &heading)
{
    m_iteration = iteration;
    m_heading = heading;
    m_isStale = true;
    m_list->clear();
    m_note->setText(iteration < 0 ? tr("Choose an iteration to see what moved beside its time: registers and spills of "
                                       "its kernels, counters of a profile, times of each workload.")
                                  : heading);
    request();
}

void NumbersView::setLookedAt(bool lookedAt)
{
    m_lookedAt = lookedAt;
    request();
}

void NumbersView::request()
{
    if (!m_lookedAt || !m_isStale || m_iteration < 0)
        return;
    m_isStale = false;
    Q_EMIT requested(m_iteration, ++m_token);
}

void NumbersView::showNumbers(quint64 token, const QList<MovedNumber> &numbers, const QString &error)
{
    if (token != m_token)
        return;
    m_list->clear();
    const QString nothing = tr("No numbers were kept of it: a bench of your own reports none.");
    m_note->setText(!error.isEmpty() ? error : numbers.isEmpty() ? nothing : m_heading);
    for (const MovedNumber &number : numbers) {
        auto *item =
            new QTreeWidgetItem(m_list, {number.name, figure(number.before), figure(number.after), changeText(number)});
        for (int column = 1; column < 4; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace ako
