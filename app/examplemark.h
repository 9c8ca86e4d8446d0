// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QString>

namespace ako {

// What stands in a folder that an example is to be copied to. An example leaves a mark in its .ako/: its name and the
// hash of each of its files, so that a later call knows its own folder again, and whether somebody worked in it.
struct ExampleFolder
{
    enum class State {
        Free,     // it does not exist, or is empty
        Foreign,  // something else is in it
        Other,    // another example's
        Touched,  // a file of the example was changed, or one was added
        Finished, // its final verdict is in
        Begun,    // the example's own, to be gone on with: copied, perhaps interrupted or failed
    };
    State state = State::Free;
    QString detail; // Other: that example's name; Touched: the first such file
};

// `source` is the folder that the example is installed in.
ExampleFolder lookAtExampleFolder(const QString &folder, const QString &example, const QString &source);

// Before the files are copied, so that an interrupted copy is known too.
Result<void> markExampleFolder(const QString &folder, const QString &example, const QString &source);

// Whether another program works in it now.
bool isInUse(const QString &folder);

} // namespace ako
