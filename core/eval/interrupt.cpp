// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/interrupt.h"

#include "eval/status.h"

#include <csignal>

namespace ako::eval {

namespace {

volatile std::sig_atomic_t receivedSignal = 0;

void remember(int signal)
{
    receivedSignal = signal;
}

} // namespace

void installInterruptHandlers()
{
    struct sigaction action = {};
    action.sa_handler = remember;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

int interruptSignal()
{
    return receivedSignal;
}

void throwIfInterrupted()
{
    if (receivedSignal != 0)
        throw Failure(Status::Interrupted,
                      "Stopped by signal " + std::to_string(receivedSignal) + "; nothing was kept.");
}

} // namespace ako::eval
