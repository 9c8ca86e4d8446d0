// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/killpoint.h"

#include <QStringList>

#include <csignal>

namespace ako {

void killPoint(const QString &effect, const char *when)
{
    static const QStringList wanted = qEnvironmentVariable("AKO_TEST_KILL_AT").split(QLatin1Char(':'));
    if (wanted.size() < 2 || wanted.at(0) != effect || wanted.at(1) != QLatin1String(when))
        return;
    static int passed = 0; // only the place that was asked for counts
    const int nth = wanted.size() > 2 ? wanted.at(2).toInt() : 1;
    if (++passed == nth)
        ::raise(SIGKILL);
}

} // namespace ako
