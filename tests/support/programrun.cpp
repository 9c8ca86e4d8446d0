// SPDX-License-Identifier: GPL-3.0-or-later
#include "programrun.h"

#include "process/childprocess.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

namespace ako::test {

ProgramRun runProgram(const QStringList &arguments, const QProcessEnvironment &environment, const QStringList &before)
{
    const QStringList words = before + QStringList{QStringLiteral(AKO_BINARY_DIR "/app/ako4all")} + arguments;
    CommandSpec spec;
    spec.program = words.first();
    spec.arguments = words.mid(1);
    spec.environment = environment;
    spec.timeoutMilliseconds = 540000; // a loaded machine is slow, and what hangs hangs for ever
    const ProcessEnd end = runToEnd(spec);
    const int exitCode = end.kind == ProcessEnd::Kind::Exited ? end.exitCode : -1;
    return {exitCode, QString::fromUtf8(end.output) + end.error};
}

QHash<QString, QByteArray> filesBelow(const QString &folder)
{
    QHash<QString, QByteArray> files;
    QDirIterator entries(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        const QString name = path.mid(folder.size() + 1);
        if (name == QLatin1String(".ako") || name.startsWith(QLatin1String(".ako/")))
            continue;
        const QFileInfo info(path);
        QFile file(path);
        if (info.isSymLink())
            files.insert(name, "link to " + info.symLinkTarget().toUtf8());
        else if (info.isDir())
            files.insert(name, "folder");
        else
            files.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read"));
    }
    return files;
}

QStringList differences(const QHash<QString, QByteArray> &before, const QHash<QString, QByteArray> &after)
{
    QStringList found;
    for (auto file = before.cbegin(); file != before.cend(); ++file) {
        const auto now = after.constFind(file.key());
        if (now == after.cend())
            found << QStringLiteral("- ") + file.key();
        else if (*now != *file)
            found << QStringLiteral("~ ") + file.key();
    }
    for (auto file = after.cbegin(); file != after.cend(); ++file) {
        if (!before.contains(file.key()))
            found << QStringLiteral("+ ") + file.key();
    }
    found.sort();
    return found;
}

QHash<QString, QByteArray> smallProblem()
{
    const QByteArray kernel = R"(// y = 2 x
extern "C" void scale_run(const double *x, double *y, long n)
{
    constexpr long block = 8;
    for (long start = 0; start < n; start += block) {
        for (long i = start; i < start + block && i < n; ++i)
            y[i] = 2.0 * x[i];
    }
}
)";
    const QByteArray reference = R"(extern "C" void scale_run(const double *x, double *y, long n)
{
    for (long i = 0; i < n; ++i)
        y[i] = x[i] + x[i];
}
)";
    const QByteArray problem = R"({
  "schema": "ako.problem/1",
  "name": "scale",
  "device": "cpu",
  "axes": {"n": {"type": "var"}},
  "inputs": {"x": {"shape": ["n"], "dtype": "float64"}},
  "outputs": {"y": {"shape": ["n"], "dtype": "float64"}},
  "entry": {"symbol": "scale_run", "args": ["x", "y", "n"]},
  "reference": {"source": "reference.cpp"},
  "workloads": [
    {"id": "main", "axes": {"n": 20000}, "weight": 1, "inputs": {"x": {"type": "random", "dist": "normal"}},
     "tolerance": {"rtol": 1e-12, "atol_rms": 1e-13, "matched_ratio": 1.0}}
  ]
}
)";
    return {{QStringLiteral("scale.cpp"), kernel},
            {QStringLiteral("reference.cpp"), reference},
            {QStringLiteral("problem.json"), problem}};
}

} // namespace ako::test
