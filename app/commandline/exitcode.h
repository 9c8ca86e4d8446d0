// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ako {

// The command line's exit statuses (spec 13).
enum ExitCode {
    ExitDone = 0,
    ExitFailed = 1,
    ExitUsage = 2,
    ExitQuestionOpen = 3,
    ExitNotApproved = 4,
    ExitBaselineNotCorrect = 5,
    ExitIterationFailed = 6, // recorded, and not correct: iterate, restore, revert
    ExitInterrupted = 130,
};

} // namespace ako
