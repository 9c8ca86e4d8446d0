// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/machinestrip.h"

#include "style/elidedlabel.h"
#include "style/fonts.h"
#include "style/palette.h"

#include <QFile>
#include <QFuture>
#include <QLabel>
#include <QPainter>
#include <QPromise>
#include <QThread>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace ako {

namespace {

constexpr int meterHeight = grid;
constexpr int turnsBetweenGpus = 5; // of reading: asking a GPU costs more than reading /proc

QString processorName()
{
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("model name") || line.startsWith("Model"))
            return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).simplified();
    }
    return {};
}

// The first line of /proc/stat: ticks of all cores together by what they were spent on.
void readTicks(MachineSample &sample)
{
    QFile file(QStringLiteral("/proc/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return;
    const QList<QByteArray> words = file.readLine().simplified().split(' ');
    for (qsizetype i = 1; i < std::min<qsizetype>(words.size(), 9); ++i) {
        const quint64 ticks = words.at(i).toULongLong();
        sample.allTicks += ticks;
        if (i != 4 && i != 5) // idle, waiting for I/O
            sample.busyTicks += ticks;
    }
}

} // namespace

MachineSample sampleMachine(const MachineSample &before)
{
    MachineSample sample;
    sample.processor = before.processor.isEmpty() ? processorName() : before.processor;
    sample.logicalCores = QThread::idealThreadCount();
    readTicks(sample);
    if (before.allTicks > 0 && sample.allTicks > before.allTicks)
        sample.load = double(sample.busyTicks - before.busyTicks) / double(sample.allTicks - before.allTicks);
    return sample;
}

MachineStrip::MachineStrip(QWidget *parent)
    : QWidget(parent)
    , m_processor(new ElidedLabel({}, this))
    , m_load(new QLabel(this))
    , m_gpu(new QLabel(this))
    , m_timer(new QTimer(this))
{
    m_processor->setElideMode(Qt::ElideRight);
    m_load->setFont(smallFont());
    m_gpu->setFont(smallFont());
    m_gpu->setWordWrap(true);
    m_gpu->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * grid, 2 * grid, 3 * grid, 3 * grid + meterHeight);
    layout->setSpacing(grid);
    layout->addWidget(m_processor);
    layout->addWidget(m_load);
    layout->addWidget(m_gpu);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_timer->setInterval(2000);
    connect(m_timer, &QTimer::timeout, this, &MachineStrip::read);
}

void MachineStrip::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    read();
    m_timer->start();
}

void MachineStrip::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_timer->stop();
}

void MachineStrip::read()
{
    if (m_reading)
        return;
    m_reading = true;
    auto promise = std::make_shared<QPromise<MachineSample>>();
    promise->future().then(this, [this](const MachineSample &sample) { adopt(sample); });
    const bool asksGpu = !m_measuring && m_turn++ % turnsBetweenGpus == 0;
    QThreadPool::globalInstance()->start([promise, before = m_sample, readGpus = asksGpu ? m_readGpus : GpuReader()] {
        promise->start();
        MachineSample sample = sampleMachine(before);
        sample.gpus = readGpus ? readGpus() : before.gpus;
        promise->addResult(sample);
        promise->finish();
    });
}

void MachineStrip::adopt(const MachineSample &sample)
{
    m_reading = false;
    m_sample = sample;
    m_processor->setText(sample.processor.isEmpty() ? tr("Unknown processor") : sample.processor);
    QString text = sample.logicalCores == 1 ? tr("1 logical core") : tr("%1 logical cores").arg(sample.logicalCores);
    if (sample.load >= 0)
        text += tr(" · %1 % busy").arg(qRound(sample.load * 100));
    m_load->setText(text);
    m_gpu->setText(gpuText());
    m_gpu->setVisible(!sample.gpus.isEmpty());
    QStringList spoken{m_processor->text(), text};
    if (!sample.gpus.isEmpty())
        spoken << m_gpu->text();
    setAccessibleName(tr("Machine: %1").arg(spoken.join(QStringLiteral(", "))));
    update();
    Q_EMIT sampled();
}

QString MachineStrip::gpuText() const
{
    QStringList lines;
    for (const GpuState &gpu : m_sample.gpus) {
        QStringList parts{gpu.name};
        if (gpu.clockMhz >= 0)
            parts << tr("%1 MHz").arg(gpu.clockMhz);
        if (gpu.temperature >= 0)
            parts << tr("%1 °C").arg(gpu.temperature);
        if (gpu.watts >= 0)
            parts << tr("%1 W").arg(qRound(gpu.watts));
        if (!gpu.throttled.isEmpty())
            parts << tr("slowed down: %1").arg(gpu.throttled.join(QStringLiteral(", ")));
        lines << parts.join(QStringLiteral(" · "));
    }
    if (!m_sample.gpus.isEmpty() && m_sample.gpus.constFirst().processes > 0)
        lines << tr("shared: programs computing on it: %1").arg(m_sample.gpus.constFirst().processes);
    return lines.join(QLatin1Char('\n'));
}

void MachineStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect meter(3 * grid, height() - 2 * grid - meterHeight, width() - 6 * grid, meterHeight);
    painter.fillRect(meter, separator(palette()));
    if (m_sample.load > 0)
        painter.fillRect(QRect(meter.topLeft(), QSize(int(meter.width() * std::min(1.0, m_sample.load)), meterHeight)),
                         toneColour(Tone::Champion, palette()));
}

} // namespace ako
