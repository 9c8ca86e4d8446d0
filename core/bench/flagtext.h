// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace ako {

// What an evaluator's flag (REF_SLOWER, SHAPE_REGRESSED ...) means for whoever looks at the result, in a sentence that
// ends with the flag's own name; a flag that is not known stands for itself.
QString flagText(const QString &flag);
QStringList flagTexts(const QStringList &flags);

} // namespace ako
