// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/gpustate.h"

#include <QWidget>

#include <functional>

class QLabel;
class QTimer;

namespace ako {

class ElidedLabel;

struct MachineSample
{
    QString processor; // as the kernel names it
    int logicalCores = 0;
    double load = -1; // busy share of all cores, 0..1, since the sample before; negative: not known
    quint64 busyTicks = 0;
    quint64 allTicks = 0;
    QList<GpuState> gpus;
};

// Reads /proc; on a worker thread.
MachineSample sampleMachine(const MachineSample &before);

// What the measurements run on: processor, cores, load, and of a GPU its clock, temperature, power and who else is on
// it. Others' load makes numbers unsteady, so it is in sight. While something is measured the GPU is not asked.
class MachineStrip : public QWidget
{
    Q_OBJECT

public:
    explicit MachineStrip(QWidget *parent = nullptr);
    const MachineSample &sample() const { return m_sample; }
    QString gpuText() const; // a line for each
    void setMeasuring(bool measuring) { m_measuring = measuring; }

    using GpuReader = std::function<QList<GpuState>()>; // called on a worker thread
    void setGpuReader(const GpuReader &reader) { m_readGpus = reader; }

Q_SIGNALS:
    void sampled();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void read();
    void adopt(const MachineSample &sample);

    MachineSample m_sample;
    ElidedLabel *m_processor;
    QLabel *m_load;
    QLabel *m_gpu;
    GpuReader m_readGpus = readGpuStates;
    int m_turn = 0;
    bool m_measuring = false;
    QTimer *m_timer;
    bool m_reading = false;
};

} // namespace ako
