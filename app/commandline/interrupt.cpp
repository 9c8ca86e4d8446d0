// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/interrupt.h"

#include <QSocketNotifier>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace ako {

namespace {

std::atomic<int> interruptCount{0};
std::atomic<int> firstNumber{0};
int pipeEnds[2] = {-1, -1};

void onSignal(int number)
{
    if (interruptCount.fetch_add(1) > 0)
        _exit(128 + number);
    firstNumber.store(number);
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = write(pipeEnds[1], &byte, 1);
}

} // namespace

Interrupt::Interrupt(QObject *parent)
    : QObject(parent)
{
    if (pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        Q_EMIT interrupted();
    });
    // No SA_RESTART: a prompt that waits for an answer has to end.
    struct sigaction action = {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction before = {}; // its terminal is closed
    if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);
    // A closed standard output (a pipe into head) must not kill a run in the middle of an iteration.
    std::signal(SIGPIPE, SIG_IGN);
}

Interrupt::~Interrupt()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

int Interrupt::number()
{
    return firstNumber.load();
}

bool Interrupt::hasCome()
{
    return interruptCount.load() > 0;
}

} // namespace ako
