// SPDX-License-Identifier: GPL-3.0-or-later
// What stands above the chart: what its axes mean, and writing it to a file.
#include "chart/chartexport.h"
#include "chart/chartlegend.h"
#include "chart/charttickers.h"
#include "chart/speedupchart.h"
#include "history/runstore.h"
#include "style/fonts.h"
#include "style/icons.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace ako {

QToolButton *SpeedupChart::makeButton(const QString &iconName, const QString &tip)
{
    auto *button = new QToolButton(this);
    button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

void SpeedupChart::buildControls()
{
    m_scale->addItem(tr("Over baseline"), int(ChartScale::OverBaseline));
    m_scale->addItem(tr("Over reference"), int(ChartScale::OverReference));
    m_scale->addItem(tr("Runtime"), int(ChartScale::Runtime));
    m_scale->setAccessibleName(tr("Scale of the chart"));
    m_scale->setToolTip(tr("What the chart's height means"));
    m_axis->addItem(tr("by iteration"), int(ChartAxis::Iteration));
    m_axis->addItem(tr("by wall time"), int(ChartAxis::WallTime));
    m_axis->addItem(tr("by time spent"), int(ChartAxis::TimeSpent));
    m_axis->setAccessibleName(tr("Horizontal axis of the chart"));
    m_axis->setToolTip(tr("What the chart's width means; time spent is that of agent and bench alone"));
    m_logarithmic = makeButton(QStringLiteral("logarithm"), tr("Logarithmic scale"));
    m_logarithmic->setCheckable(true);
    QToolButton *reset = makeButton(QStringLiteral("reset"), tr("Show everything (Home, or double-click the chart)"));
    reset->setAccessibleName(tr("Reset the chart's view"));
    QToolButton *save = makeButton(QStringLiteral("save"), tr("Write the chart to a file (PNG, SVG, PDF, CSV)"));
    for (QComboBox *box : {m_scale, m_axis}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(6);
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            m_userRange = false;
            refresh();
        });
    }
    connect(m_logarithmic, &QToolButton::toggled, this, &SpeedupChart::applyScaleType);
    connect(reset, &QToolButton::clicked, this, &SpeedupChart::resetView);
    connect(save, &QToolButton::clicked, this, &SpeedupChart::chooseExport);
    m_summary->setFont(smallFont());
    m_summary->setWordWrap(true);

    auto *top = new QHBoxLayout;
    top->setSpacing(grid);
    top->addWidget(m_scale, 3);
    top->addWidget(m_axis, 2);
    for (QToolButton *button : {m_logarithmic, reset, save})
        top->addWidget(button);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(top);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_legend);
    layout->addWidget(m_summary);
    setMinimumHeight(45 * grid);
}

ChartScale SpeedupChart::scale() const
{
    return ChartScale(m_scale->currentData().toInt());
}

void SpeedupChart::setScale(ChartScale scale)
{
    m_scale->setCurrentIndex(m_scale->findData(int(scale)));
}

ChartAxis SpeedupChart::axis() const
{
    return ChartAxis(m_axis->currentData().toInt());
}

void SpeedupChart::setAxis(ChartAxis axis)
{
    m_axis->setCurrentIndex(m_axis->findData(int(axis)));
}

bool SpeedupChart::isLogarithmic() const
{
    return m_logarithmic->isChecked();
}

void SpeedupChart::setLogarithmic(bool logarithmic)
{
    m_logarithmic->setChecked(logarithmic);
}

void SpeedupChart::applyScaleType()
{
    m_values->setLogarithmic(isLogarithmic());
    m_userRange = false;
    // The range has to suit the type: a logarithmic axis has none that reaches below zero.
    m_plot->yAxis->setRange(fittingRange());
    m_plot->yAxis->setScaleType(isLogarithmic() ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    refresh();
}

// The ticks and the words along the edges.
void SpeedupChart::describeAxes()
{
    m_plot->yAxis->setLabel(m_scale->currentText() + (scale() == ChartScale::Runtime ? tr(" (ms)") : QString()));
    if (axis() == ChartAxis::Iteration) {
        auto wholeNumbers = QSharedPointer<QCPAxisTickerFixed>::create();
        wholeNumbers->setTickStep(1);
        wholeNumbers->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        m_plot->xAxis->setTicker(wholeNumbers);
        m_plot->xAxis->setLabel(tr("iteration"));
    } else {
        m_plot->xAxis->setTicker(m_durations);
        m_plot->xAxis->setLabel(axis() == ChartAxis::WallTime ? tr("time since the first bench")
                                                              : tr("time spent by agent and bench"));
    }
}

QString SpeedupChart::writeTo(const QString &path)
{
    return writeChart(path, *m_plot, m_store.records());
}

void SpeedupChart::chooseExport()
{
    auto *dialog = new QFileDialog(this, tr("Write the chart"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(
        {tr("Picture (*.png)"), tr("Drawing (*.svg)"), tr("Document (*.pdf)"), tr("Numbers (*.csv)")});
    const auto suffix = [dialog] {
        dialog->setDefaultSuffix(dialog->selectedNameFilter().section(QLatin1Char('.'), -1).chopped(1));
    };
    connect(dialog, &QFileDialog::filterSelected, dialog, suffix);
    suffix();
    dialog->selectFile(QStringLiteral("speedup"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString &path) { Q_EMIT exported(path, writeTo(path)); });
    dialog->open();
}

} // namespace ako
