// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/environmentparts.h"

#include "eval/landlock.h"
#include "eval/ownmemory.h"
#include "eval/seccompfilter.h"

#include <QCoreApplication>

#include <cerrno>
#include <linux/seccomp.h>
#include <sys/prctl.h>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Environment", text);
}

// Without a program for it, a kernel that has filters says that the address is bad.
bool hasCallFilters()
{
    return eval::FilterBuilder::isPossible() && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) != 0 &&
           errno == EFAULT;
}

EnvironmentFinding finding(const QString &name, bool found, const QString &has, const QString &lacks,
                           const QString &remedy)
{
    EnvironmentFinding result;
    result.name = name;
    result.found = found;
    result.detail = found ? has : lacks;
    result.remedy = found ? QString() : remedy;
    return result;
}

} // namespace

QList<EnvironmentFinding> sandboxFindings()
{
    const int landlock = eval::landlockVersion();
    return {finding(tr("sandbox: files (Landlock)"), landlock > 0,
                    tr("ABI %1: kernel and compiler reach only the files that they need").arg(landlock),
                    tr("not there: kernel and compiler can read every file that you can, and a result says so"),
                    tr("Linux 5.13 or newer, started with landlock among lsm= (see /sys/kernel/security/lsm)")),
            finding(tr("sandbox: calls (seccomp)"), hasCallFilters(),
                    tr("a kernel cannot start programs, open the network or signal others"),
                    tr("not there: the system calls of a kernel are not filtered, and a result says so"),
                    tr("a Linux with CONFIG_SECCOMP_FILTER, on x86-64 or AArch64")),
            finding(tr("sandbox: memory (mseal)"), eval::sealMemory({{0, 0}}),
                    tr("the evaluator's own code and tables are sealed"),
                    tr("not there: they are kept by the call filter alone"), tr("Linux 6.10 or newer"))};
}

} // namespace ako
