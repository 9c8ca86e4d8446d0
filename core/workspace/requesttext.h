// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/directives.h"
#include "workspace/resolvedplan.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace ako {

// A request understood by rules. What no rule understands is a hint for the agent, word for word.
struct ParsedRequest
{
    Directives directives;
    QStringList mentionedPaths; // as written, in order
    QStringList kernelPaths;    // those said to be made faster ("optimise a.cpp"); a subset
    QStringList referencePaths; // "against ref.cpp"
    QStringList followPaths;    // "follow rules.md"
    QList<Hint> hints;          // origin "from your request"
    QString refusal;            // not about making an existing kernel faster: why
};

ParsedRequest parseRequest(const QString &text);

} // namespace ako
