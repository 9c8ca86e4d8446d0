// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLoggingCategory>

namespace ako {

// Switched with QT_LOGGING_RULES, for example "ako.git.debug=true".
Q_DECLARE_LOGGING_CATEGORY(logApp)
Q_DECLARE_LOGGING_CATEGORY(logProcess)
Q_DECLARE_LOGGING_CATEGORY(logGit)
Q_DECLARE_LOGGING_CATEGORY(logWorkspace)
Q_DECLARE_LOGGING_CATEGORY(logBench)
Q_DECLARE_LOGGING_CATEGORY(logAgent)
Q_DECLARE_LOGGING_CATEGORY(logLoop)
Q_DECLARE_LOGGING_CATEGORY(logHistory)

} // namespace ako
