// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/singleinstance.h"
#include "bench/resultparser.h"
#include "git/repository.h"
#include "history/iterationrecord.h"
#include "loop/harnesswatch.h"
#include "workspace/approval.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace ako {

// The open workspace as the effects share it. What the rules know is in State, not here.
struct Session
{
    QString workspace; // absolute, canonical
    bool readOnly = false;
    QString benchProgram;
    QString scaffoldFolder;
    std::optional<Identity> identity; // to be set for this repository where it has none

    std::optional<SingleInstance> lock;
    std::optional<Repository> repository;
    std::optional<Approval> approval;
    HarnessWatch harness;  // of the approval's manifest
    FolderContent benched; // solution/ as it was handed to the bench
    QString benchedHash;
    QStringList alsoCommit; // workspace-relative, changed by the entry that is being logged

    QString path(const QString &relative) const { return workspace + QLatin1Char('/') + relative; }
    QString solution() const { return path(QStringLiteral("solution")); }
    QString champion() const { return path(QStringLiteral(".ako/champion")); }
    Result<void> takeLock(); // makes .ako/; nothing if it is held already
};

// How the approved plan reads the numbers of a bench of one's own.
CustomReading readingOf(const Session &session);

} // namespace ako
