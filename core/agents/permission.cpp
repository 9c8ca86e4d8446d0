// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/permission.h"

#include "base/words.h"

#include <QCoreApplication>

namespace ako {

QString sentence(const PermissionQuestion &question)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("ako::PermissionQuestion", text); };
    const QString agent = words::title(question.agent);
    const QString what = words::oneLine(question.what);
    if (question.kind == QLatin1String("execute"))
        return tr("%1 asks to run: %2").arg(agent, what);
    if (question.kind == QLatin1String("fetch"))
        return tr("%1 asks to use the network: %2").arg(agent, what);
    return tr("%1 asks for a permission (%2): %3").arg(agent, words::title(question.kind), what);
}

} // namespace ako
