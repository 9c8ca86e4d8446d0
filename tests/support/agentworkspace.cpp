// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentworkspace.h"

#include <QCoreApplication>
#include <QDir>

namespace ako::test::agentworkspace {

const QByteArray &bench()
{
    static const QByteArray text = R"sh(#!/bin/sh
g++ -fsyntax-only solution/scale.cpp || { echo "COMPILED: False"; exit 1; }
echo "COMPILED: True"
grep -q "2.0 \* x" solution/scale.cpp || { echo "CORRECT: False"; exit 1; }
echo "CORRECT: True"
echo "RUNTIME: $(sed -n 's/.*round < \([0-9]\).*/\1/p' solution/scale.cpp)"
)sh";
    return text;
}

const QByteArray &kernel()
{
    static const QByteArray text = R"(extern "C" void scale_run(const double *x, double *y, long n)
{
    for (int round = 0; round < 4; ++round) {
        for (long i = 0; i < n; ++i)
            y[i] = 2.0 * x[i];
        asm volatile("" ::: "memory");
    }
}
)";
    return text;
}

const QByteArray &reference()
{
    static const QByteArray text = R"(extern "C" void scale_run(const double *x, double *y, long n)
{
    for (long i = 0; i < n; ++i)
        y[i] = x[i] + x[i];
}
)";
    return text;
}

void writeTo(const ScratchRepository &repository)
{
    repository.write(QStringLiteral("bench.sh"), bench());
    repository.makeExecutable(QStringLiteral("bench.sh"));
    repository.write(QStringLiteral("scale.cpp"), kernel());
    repository.write(QStringLiteral("reference.cpp"), reference());
}

QStringList run(const ScratchRepository &repository, const QString &switches, int iterations, const QStringList &more)
{
    const QString fake = QCoreApplication::applicationDirPath() + QStringLiteral("/fake_agent");
    return QStringList{QStringLiteral("run"),
                       repository.path(),
                       QStringLiteral("--agent-command"),
                       QStringLiteral("\"%1\" %2").arg(fake, switches),
                       QStringLiteral("--isolation"),
                       QStringLiteral("none"),
                       QStringLiteral("--iterations"),
                       QString::number(iterations),
                       QStringLiteral("--approve"),
                       QStringLiteral("--git-name"),
                       QStringLiteral("T"),
                       QStringLiteral("--git-email"),
                       QStringLiteral("t@example.org")} +
           more;
}

} // namespace ako::test::agentworkspace
