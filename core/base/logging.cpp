// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/logging.h"

namespace ako {

Q_LOGGING_CATEGORY(logApp, "ako.app", QtInfoMsg)
Q_LOGGING_CATEGORY(logProcess, "ako.process", QtInfoMsg)
Q_LOGGING_CATEGORY(logGit, "ako.git", QtInfoMsg)
Q_LOGGING_CATEGORY(logWorkspace, "ako.workspace", QtInfoMsg)
Q_LOGGING_CATEGORY(logBench, "ako.bench", QtInfoMsg)
Q_LOGGING_CATEGORY(logAgent, "ako.agent", QtInfoMsg)
Q_LOGGING_CATEGORY(logLoop, "ako.loop", QtInfoMsg)
Q_LOGGING_CATEGORY(logHistory, "ako.history", QtInfoMsg)

} // namespace ako
