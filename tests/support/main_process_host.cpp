// SPDX-License-Identifier: GPL-3.0-or-later
// An application that runs its arguments as a child and passes the child's output on; a test ends it in unkind ways.
#include "process/childprocess.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    ako::CommandSpec spec;
    spec.program = application.arguments().value(1);
    spec.arguments = application.arguments().mid(2);
    ako::ChildProcess child(spec);
    QObject::connect(&child, &ako::ChildProcess::outputAppended, [](const QByteArray &chunk) {
        std::fwrite(chunk.constData(), 1, size_t(chunk.size()), stdout);
        std::fflush(stdout);
    });
    QObject::connect(&child, &ako::ChildProcess::finished, &application,
                     [](const ako::ProcessEnd &end) { QCoreApplication::exit(end.exitCode); });
    child.start();
    return QCoreApplication::exec();
}
