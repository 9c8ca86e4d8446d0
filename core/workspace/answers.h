// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QMap>
#include <QString>

namespace ako {

// planKey -> value; and planKey with this suffix -> the value that was given again after it was doubted.
using Answers = QMap<QString, QString>;
inline constexpr QLatin1String confirmedSuffix(".confirmed");

// Whether it answers a row that the plan has only for some agents.
bool isOfAnAgent(const QString &key);

// Whether an answer is for this start of the program only (agent-command, isolation, permissions, base-url).
bool isForThisCallOnly(const QString &key);

// .ako/answers.json, without those that are for one call only. No file: no answers. A broken one is an error that names
// it.
Result<Answers> loadAnswers(const QString &workspace);
Result<void> saveAnswers(const QString &workspace, const Answers &answers);

} // namespace ako
