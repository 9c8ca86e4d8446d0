// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"
#include "loop/runevent.h"

namespace ako {

// The edit of an entry that an earlier process did not end, to be decided about by a person.
struct KeptEdit
{
    event::Recovered found;
    Diff diff; // from what it was made of to the edit
};

} // namespace ako
