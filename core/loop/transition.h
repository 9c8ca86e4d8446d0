// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/state.h"

#include <QList>

namespace ako {

struct Transition
{
    State state;
    QList<Effect> effects; // in this order; at most one of them has an outcome to wait for, and it is the last
};

// Every rule of spec 5 to 8. Pure: no clock, no disk, no signals.
Transition transition(State state, const LoopEvent &event);

} // namespace ako
