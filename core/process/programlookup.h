// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QString>

namespace ako {

// The absolute path of an executable: `program` itself where it is absolute, else found on this application's PATH.
// Empty and relative PATH entries are skipped, and so are this process's working directory, what lies in or below
// `workingDirectory`, and what is distrusted: a file that happens to lie in a workspace is never run in place of the
// tool of that name.
Result<QString> findProgram(const QString &program, const QString &workingDirectory = {});

// From now on, in every thread, no program in or below that folder is found by its name.
void distrustPrograms(const QString &folder);

} // namespace ako
