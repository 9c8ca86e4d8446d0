// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QMap>
#include <QString>

namespace ako {

using Answers = QMap<QString, QString>; // planKey -> value

// .ako/answers.json. No file: no answers. A broken one is an error that names it.
Result<Answers> loadAnswers(const QString &workspace);
Result<void> saveAnswers(const QString &workspace, const Answers &answers);

} // namespace ako
