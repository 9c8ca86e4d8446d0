// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/severity.h"

namespace ako {

QString iconOfSeverity(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return QStringLiteral("info");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Error:
        return QStringLiteral("error");
    }
    return {};
}

} // namespace ako
