// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that measure, and what is written about how they are called.
#include "workspace/detectors.h"
#include "workspace/directives.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace ako::detectors {

namespace {

constexpr qsizetype mostCautions = 5;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Inventory", text);
}

int lineMatching(const QByteArray &text, const QRegularExpression &pattern)
{
    const QList<QByteArray> lines = text.split('\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (pattern.match(QString::fromUtf8(lines[i])).hasMatch())
            return int(i) + 1;
    }
    return 0;
}

QString shellWord(const QString &text)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./-]+$"));
    if (plain.match(text).hasMatch())
        return text;
    return QLatin1Char('\'') + QString(text).replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

// What a script does besides measuring that a person would want to know of before approving it.
QStringList cautionsIn(const QString &path, const QByteArray &text)
{
    static const QList<std::pair<QRegularExpression, const char *>> rules{
        {QRegularExpression(QStringLiteral("\\brm\\s+-\\w*[rRf]|\\bfind\\b.*-delete\\b|rmtree\\(|os\\.(remove|unlink|"
                                           "rmdir|removedirs)\\(|\\bshred\\b|\\.unlink\\(")),
         QT_TRANSLATE_NOOP("ako::Inventory", "deletes files")},
        {QRegularExpression(QStringLiteral("\\bgit\\s+(reset\\s+--hard|clean|checkout|restore|push|stash|rebase)\\b")),
         QT_TRANSLATE_NOOP("ako::Inventory", "changes the repository")},
        {QRegularExpression(QStringLiteral("(^|[;&|(]\\s*)sudo\\b|\\bmkfs\\b|\\bdd\\s.*\\bof=|>\\s*/dev/(sd|nvme)")),
         QT_TRANSLATE_NOOP("ako::Inventory", "works on the system")},
        {QRegularExpression(QStringLiteral("\\b(curl|wget)\\b|urlretrieve\\(|requests\\.(get|post)\\(")),
         QT_TRANSLATE_NOOP("ako::Inventory", "uses the network")},
        {QRegularExpression(QStringLiteral("\\b(pip3?|conda|apt(-get)?)\\s+install\\b")),
         QT_TRANSLATE_NOOP("ako::Inventory", "installs packages")},
    };
    QStringList cautions;
    int number = 0;
    for (const QByteArray &bytes : text.split('\n')) {
        const QString line = QString::fromUtf8(bytes).simplified();
        ++number;
        if (line.startsWith(QLatin1Char('#')))
            continue;
        for (const auto &[pattern, what] : rules) {
            if (pattern.match(line).hasMatch() && cautions.size() < mostCautions)
                cautions.append(QStringLiteral("%1:%2 %3: %4").arg(path).arg(number).arg(tr(what), line.left(100)));
        }
    }
    return cautions;
}

// What its numbers look like, as far as its own text says.
QList<Evidence> outputFormOf(const QString &path, const QByteArray &text)
{
    static const QRegularExpression known(QStringLiteral("\\bRUNTIME\\s*:"));
    static const QRegularExpression json(QStringLiteral("\\bjson\\.dump(s)?\\(|--json\\b|--export-json\\b"));
    if (const int line = lineMatching(text, known); line > 0)
        return {{path, line, tr("prints lines that are known (RUNTIME: ...)")}};
    if (const int line = lineMatching(text, json); line > 0)
        return {{path, line, tr("prints JSON")}};
    return {};
}

void addBench(Inventory &inventory, const QString &path, const QString &kind, const QString &command,
              const QByteArray &text, int line, const QString &reason, Certainty certainty = Certainty::Likely)
{
    inventory.findings.append({Role::BenchScript, path, kind, certainty,
                               QList<Evidence>{{path, line, reason}} + outputFormOf(path, text), command,
                               mentionedPaths(QString::fromUtf8(text)), cautionsIn(path, text)});
}

// A name says what a script is called, not what it does: it must time something or print a number that is known.
int lineThatMeasures(const QByteArray &text)
{
    static const QRegularExpression measuring(
        QStringLiteral("\\b(RUNTIME|SPEEDUP|perf_counter|do_bench|cuda\\.Event|elapsed_time|hyperfine|time\\.time|"
                       "timeit|bench\\w*|date \\+%s|time|ncu|nsys|perf stat)\\b"));
    return lineMatching(text, measuring);
}

bool isBenchName(const QString &name)
{
    static const QRegularExpression pattern(
        QStringLiteral("^(run_?)?(bench|benchmark|perf)([_-]?\\w+)?\\.(sh|bash|py)$"),
        QRegularExpression::CaseInsensitiveOption);
    return pattern.match(name).hasMatch();
}

// In Python: the clock that it reads, as its calls say.
std::pair<QString, int> clockOf(const PythonFacts &facts)
{
    static const QStringList clocks{QStringLiteral("triton.testing.do_bench"),
                                    QStringLiteral("triton.testing.do_bench_cudagraph"),
                                    QStringLiteral("torch.cuda.Event"),
                                    QStringLiteral("torch.utils.benchmark.Timer"),
                                    QStringLiteral("time.perf_counter"),
                                    QStringLiteral("time.perf_counter_ns"),
                                    QStringLiteral("time.time"),
                                    QStringLiteral("time.monotonic"),
                                    QStringLiteral("timeit.timeit"),
                                    QStringLiteral("timeit.default_timer")};
    for (const QString &clock : clocks) {
        if (facts.calls.contains(clock))
            return {clock, facts.calls.value(clock)};
    }
    return {};
}

bool detectMakeTarget(const QString &path, const QByteArray &text, Inventory &inventory)
{
    static const QRegularExpression target(
        QStringLiteral("^((?:run[-_]?)?(?:bench|benchmark|perf)(?:[-_]\\w+)?)\\s*:(?!=)"),
        QRegularExpression::MultilineOption);
    const auto match = target.match(QString::fromUtf8(text));
    if (match.hasMatch())
        addBench(inventory, path, QStringLiteral("make"),
                 QStringLiteral("make -C %1 %2").arg(shellWord(QFileInfo(path).path()), match.captured(1)), text,
                 lineMatching(text, target), tr("has a target that benches"));
    return match.hasMatch();
}

// The file that a documented command runs; empty where it is none of this workspace.
QString scriptOf(const QStringList &words, const QString &folder, const Inventory &inventory)
{
    static const QStringList runners{QStringLiteral("python"), QStringLiteral("python3"), QStringLiteral("bash"),
                                     QStringLiteral("sh")};
    const auto beside = [&](const QString &name) {
        const QString path = QDir::cleanPath(folder == QLatin1String(".") ? name : folder + QLatin1Char('/') + name);
        return inventory.files.contains(path) ? path : QString();
    };
    if (words.value(0) == QLatin1String("make") && words.size() == 2)
        return beside(QStringLiteral("Makefile"));
    if (words.value(0).startsWith(QLatin1String("./")))
        return beside(words[0]);
    return runners.contains(words.value(0)) && words.size() > 1 ? beside(words[1]) : QString();
}

} // namespace

QString scriptCommand(const QString &path)
{
    const QString interpreter =
        path.endsWith(QLatin1String(".py")) ? QStringLiteral("python3 ") : QStringLiteral("bash ");
    return interpreter + shellWord(path);
}

bool detectBenchScript(const QString &path, const QByteArray &text, Inventory &inventory)
{
    const QFileInfo info(path);
    if (path == QLatin1String("scripts/bench.sh") || path == QLatin1String("bench-wrapper.sh") || text.contains('\0'))
        return false; // the loop's own; a binary
    if (info.fileName().endsWith(QLatin1String("akefile")))
        return detectMakeTarget(path, text, inventory);
    const int line = lineThatMeasures(text);
    if (line == 0)
        return false;
    if (isBenchName(info.fileName()))
        addBench(inventory, path, QStringLiteral("shell"), scriptCommand(path), text, line,
                 tr("a bench script by its name, and it measures"));
    else
        addBench(inventory, path, QStringLiteral("shell"), scriptCommand(path), text, line, tr("it measures"),
                 Certainty::Open);
    return true;
}

bool detectPythonBench(const QString &path, const QByteArray &text, const PythonFacts &facts, Inventory &inventory)
{
    const auto [clock, clockLine] = clockOf(facts);
    const QString command = scriptCommand(path);
    if (isBenchName(QFileInfo(path).fileName())) {
        const int line = clockLine > 0 ? clockLine : lineThatMeasures(text);
        if (line > 0)
            addBench(inventory, path, QStringLiteral("python"), command, text, line,
                     tr("a bench script by its name, and it measures"));
        return line > 0;
    }
    if (clockLine > 0)
        addBench(inventory, path, QStringLiteral("python"), command, text, clockLine, tr("measures with %1").arg(clock),
                 Certainty::Open);
    return clockLine > 0;
}

bool isReadme(const QString &path)
{
    static const QRegularExpression name(QStringLiteral("^readme(\\.(md|markdown|rst|txt))?$"),
                                         QRegularExpression::CaseInsensitiveOption);
    return path.count(QLatin1Char('/')) <= 1 && name.match(QFileInfo(path).fileName()).hasMatch();
}

// Only a plain command that runs a file of the workspace counts: no pipes, no substitution, no other programs.
void detectDocumentedCommands(const QString &path, const QByteArray &text, Inventory &inventory)
{
    static const QRegularExpression prefix(QStringLiteral("^(\\s|[-*>$`]|\\d+\\.)*"));
    static const QRegularExpression plain(QStringLiteral("^[\\w./=:,+ -]+$"));
    int number = 0;
    for (const QByteArray &bytes : text.split('\n')) {
        QString line = QString::fromUtf8(bytes).remove(prefix).section(QLatin1String(" #"), 0, 0).trimmed();
        ++number;
        if (line.endsWith(QLatin1Char('`')))
            line.chop(1);
        const QString script = plain.match(line).hasMatch() ? scriptOf(line.split(QLatin1Char(' '), Qt::SkipEmptyParts),
                                                                       QFileInfo(path).path(), inventory)
                                                            : QString();
        if (!script.isEmpty())
            inventory.commands.append({line, script, path, number});
    }
}

} // namespace ako::detectors
