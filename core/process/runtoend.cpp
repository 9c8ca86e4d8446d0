// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/childprocess.h"
#include "process/childsupervisor.h"

#include <poll.h>

namespace ako {

// Waits in poll() and not in an event loop: nothing else of the caller's runs meanwhile, and it works on any thread.
ProcessEnd runToEnd(const CommandSpec &spec)
{
    ChildSupervisor supervisor(spec);
    supervisor.start();
    while (!supervisor.isDone()) {
        pollfd descriptors[] = {{supervisor.outputDescriptor(), POLLIN, 0}, {supervisor.deathDescriptor(), POLLIN, 0}};
        ::poll(descriptors, 2, supervisor.millisecondsToWait());
        if (descriptors[0].revents != 0)
            supervisor.readOutput();
        supervisor.advance();
    }
    return supervisor.takeEnd();
}

} // namespace ako
