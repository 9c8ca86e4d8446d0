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
    std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes is then an error of the call that writes, with a message
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
