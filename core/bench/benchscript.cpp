// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/benchscript.h"

#include "history/filewriter.h"

#include <QCoreApplication>
#include <QDir>
#include <QList>
#include <QRegularExpression>

#include <algorithm>

namespace ako {

namespace {

constexpr char commandPlaceholder[] = "{{BENCH_COMMAND}}";
constexpr char environmentPlaceholder[] = "{{ENVIRONMENT}}";

QString text(const char *source)
{
    return QCoreApplication::translate("BenchScript", source);
}

bool isComment(const QByteArray &line)
{
    return line.trimmed().startsWith('#');
}

bool holds(const QByteArray &line, const char *placeholder)
{
    return !isComment(line) && line.contains(placeholder);
}

// The wrapper of the terminal AKO4ALL expects the command itself to record its output and to set the status.
QByteArray selfRecording(const QByteArray &command)
{
    return "bench_command() {\n" + command +
           "\n}\nbench_command \"${@:2}\" 2>&1 | tee _bench_output.txt\n(exit \"${PIPESTATUS[0]}\")";
}

QByteArray commandFor(const QByteArray &line, const QByteArray &command, bool wrapperRecords)
{
    const bool alone = line.trimmed() == commandPlaceholder;
    QByteArray result = line;
    return result.replace(commandPlaceholder, alone && !wrapperRecords ? selfRecording(command) : command);
}

void insertEnvironment(QList<QByteArray> &lines, const QByteArray &block)
{
    const auto place =
        std::ranges::find_if(lines, [](const QByteArray &l) { return holds(l, environmentPlaceholder); });
    if (place != lines.end())
        *place = block;
    else if (!block.isEmpty())
        lines.insert(!lines.isEmpty() && lines.first().startsWith("#!") ? 1 : 0, block);
}

} // namespace

Result<QByteArray> renderBenchScript(const QByteArray &wrapper, const BenchScriptSpec &spec)
{
    const QByteArray command = spec.command.trimmed().toUtf8();
    if (command.isEmpty())
        return fail(text("There is no bench command to put into scripts/bench.sh"));
    QByteArray unix = wrapper;
    QList<QByteArray> lines = unix.replace("\r\n", "\n").split('\n');
    const bool wrapperRecords = unix.contains("AKO_RESULT_JSON");
    bool found = false;
    for (QByteArray &line : lines) {
        if (!holds(line, commandPlaceholder))
            continue;
        line = commandFor(line, command, wrapperRecords);
        found = true;
    }
    if (!found)
        return fail(text("bench-wrapper.sh has no line with {{BENCH_COMMAND}}, so the bench cannot be put into it"),
                    text("Put {{BENCH_COMMAND}} on a line of its own where the bench is to run, or remove "
                         "bench-wrapper.sh to get the one that comes with the program."));
    insertEnvironment(lines, spec.setUpLines.join(QLatin1Char('\n')).toUtf8());
    return lines.join('\n');
}

Result<QByteArray> benchScriptFor(const QString &workspace, const BenchScriptSpec &spec)
{
    const auto wrapper = readFile(QDir(workspace).filePath(QStringLiteral("bench-wrapper.sh")));
    if (!wrapper)
        return std::unexpected(wrapper.error());
    return renderBenchScript(*wrapper, spec);
}

Result<void> writeBenchScript(const QString &workspace, const BenchScriptSpec &spec)
{
    const auto script = benchScriptFor(workspace, spec);
    if (!script)
        return std::unexpected(script.error());
    return writeWorkspaceFile(workspace, QStringLiteral("scripts/bench.sh"), *script, true);
}

QString nativeBenchCommand(const QString &benchProgram, const QString &problemFile, const QString &reference)
{
    return QStringLiteral("%1 --problem %2 --solution solution%3 --build-dir .ako/build "
                          "${AKO_RESULT_JSON:+--json \"$AKO_RESULT_JSON\"} \"$@\"")
        .arg(shellQuoted(benchProgram), shellQuoted(problemFile),
             reference.isEmpty() ? QString() : QStringLiteral(" --reference ") + shellQuoted(reference));
}

QString shellQuoted(const QString &text)
{
    QString quoted = text;
    quoted.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

bool isValidBenchLabel(const QString &label)
{
    static const QRegularExpression valid(QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9._-]{0,63}\\z"));
    return valid.match(label).hasMatch();
}

} // namespace ako
