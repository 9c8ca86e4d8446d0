// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/repository.h"

#include <QString>
#include <QStringList>

namespace ako {

// What an agent says of its candidate. Words for the log; what counts is the change itself. A part that was not given
// is empty.
struct CandidateAnswer
{
    QString title;
    QString direction;
    QString hypothesis;
    QString changes;
    QString analysis;
    QStringList exhausted; // directions, where it says that nothing is left
};

// The last block from AKO-ANSWER to END in a message; one without an end goes to the message's end.
CandidateAnswer parseAnswer(const QString &message);

// What became of solution/, from the two themselves: a line for each file, and one for all of them.
struct ChangeSummary
{
    QString title;   // "kernel.cpp: +3 -1 lines", or "4 files changed"
    QString details; // a line for each file
    bool isEmpty() const { return details.isEmpty(); }
};
ChangeSummary summarized(const FolderContent &before, const FolderContent &after);

} // namespace ako
