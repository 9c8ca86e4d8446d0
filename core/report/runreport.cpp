// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/runreport.h"

#include "base/words.h"
#include "bench/flagtext.h"
#include "bench/jsonread.h"
#include "bench/numbers.h"
#include "bench/resultjson.h"
#include "history/recordjson.h"
#include "report/reportchart.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ako {

namespace {

const char *const style = R"(
:root { color-scheme: light dark; --added: #e2f4e6; --removed: #fbe6e3; }
@media (prefers-color-scheme: dark) { :root { --added: #1d3a26; --removed: #45221f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 900px; margin: 32px auto; padding: 0 16px; }
h1 { font-size: 24px; margin-bottom: 0; } h2 { font-size: 18px; margin-top: 36px; } .soft { color: var(--soft); }
.headline { font-size: 32px; font-variant-numeric: tabular-nums; margin: 16px 0 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; } td.n { text-align: right; white-space: nowrap; }
pre { overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; border: 1px solid var(--line); padding: 8px; } .add { background: var(--added); } .del { background: var(--removed); }
svg { width: 100%; height: auto; }
code { overflow-wrap: anywhere; }
)";

QString text(const char *source)
{
    return QCoreApplication::translate("Report", source);
}

QString escaped(const QString &said)
{
    return said.toHtmlEscaped();
}

QString heading(const char *words)
{
    return QStringLiteral("<h2>%1</h2>\n").arg(escaped(text(words)));
}

QString dash()
{
    return QStringLiteral("–");
}

// What stands in the place of a figure says why there is none.
QString headline(const RunReport &report)
{
    const IterationRecord &best = report.best;
    const QString which = best.number == 0 ? text("The original kernel: nothing faster was confirmed.")
                                           : text("Iteration %1: %2").arg(QString::number(best.number), best.title);
    QString figure = best.number == 0 || !best.speedupOverBaseline
                         ? QString()
                         : text("%1 over the original kernel").arg(intervalText(*best.speedupOverBaseline));
    const QString how = isOverBaselineChained(best)
                            ? text("each step measured side by side with the champion of the moment, and multiplied; "
                                   "finish the run to measure it directly")
                            : text("measured side by side with the original kernel in one session");
    QString said = QStringLiteral("<p>%1</p>\n").arg(escaped(which));
    if (!figure.isEmpty())
        said = QStringLiteral("<p class=\"headline\">%1</p>\n<p class=\"soft\">%2 · %3</p>\n")
                   .arg(escaped(figure), escaped(stateName(best.bench.state)), escaped(how)) +
               said;
    return said;
}

QString overBaseline(const IterationRecord &record)
{
    if (!record.speedupOverBaseline)
        return dash();
    return (isOverBaselineChained(record) ? QStringLiteral("≈") : QString()) +
           intervalText(*record.speedupOverBaseline);
}

QString row(const IterationRecord &record)
{
    const auto ratio = [](const std::optional<Interval> &interval) {
        return interval ? intervalText(*interval) : dash();
    };
    const QString number = record.kind == IterationRecord::Kind::Final ? text("final (%1)").arg(record.number)
                                                                       : QString::number(record.number);
    QStringList state{statusName(record.status)};
    if (record.bench.state == ResultState::Quarantined || record.status != IterationStatus::Failed)
        state << stateName(record.bench.state);
    if (record.triage)
        state << (record.triage->accepted ? text("accepted by a person") : text("upheld by a person"));
    const bool counts = record.status != IterationStatus::Failed;
    const QString runtime = counts && record.bench.solution ? runtimeText(record.bench.solution->median) : dash();
    return QStringLiteral(
               "<tr><td class=\"n\">%1</td><td>%2<br/><span class=\"soft\">%3</span></td><td>%4</td>"
               "<td class=\"n\">%5</td><td class=\"n\">%6</td><td class=\"n\">%7</td><td><code>%8</code></td></tr>\n")
        .arg(number, escaped(record.title), escaped(record.statusReason), escaped(state.join(QStringLiteral(", "))),
             runtime, counts ? overBaseline(record) : dash(), counts ? ratio(record.bench.speedupOverChampion) : dash(),
             escaped(record.commit.left(10)));
}

QString table(const RunReport &report)
{
    QString rows;
    for (const IterationRecord &record : report.records)
        rows += row(record);
    const QStringList names{text("Entry"),         text("What was tried"), text("Result"), text("Runtime"),
                            text("Over baseline"), text("Over champion"),  text("Commit")};
    QString head;
    for (const QString &name : names)
        head += QStringLiteral("<th>%1</th>").arg(escaped(name));
    QString said =
        QStringLiteral("<div class=\"wide\"><table><thead><tr>%1</tr></thead><tbody>\n%2</tbody></table></div>\n")
            .arg(head, rows);
    if (std::ranges::any_of(report.records, isOverBaselineChained))
        said += QStringLiteral("<p class=\"soft\">%1</p>\n")
                    .arg(escaped(text("≈ not measured beside the original kernel but multiplied from steps, each over "
                                      "the champion of its moment")));
    return said;
}

QString workloads(const IterationRecord &best)
{
    QString rows;
    for (const WorkloadResult &workload : best.bench.workloads) {
        const auto time = [](const std::optional<Timing> &timing) {
            return timing ? runtimeText(timing->median) : dash();
        };
        rows += QStringLiteral("<tr><td>%1</td><td class=\"n\">%2</td><td class=\"n\">%3</td><td class=\"n\">%4</td>"
                               "<td class=\"n\">%5</td></tr>\n")
                    .arg(escaped(workload.id), time(workload.solution), time(workload.champion),
                         workload.speedupOverChampion ? intervalText(*workload.speedupOverChampion) : dash(),
                         workload.floorMs ? runtimeText(*workload.floorMs) : dash());
    }
    if (rows.isEmpty())
        return {};
    return heading("Workloads") +
           QStringLiteral("<div class=\"wide\"><table><thead><tr><th>%1</th><th>%2</th><th>%3</th><th>%4</th>"
                          "<th>%5</th></tr></thead><tbody>\n%6</tbody></table></div>\n")
               .arg(escaped(text("Workload")), escaped(text("Runtime (median)")), escaped(text("Compared with")),
                    escaped(text("Speedup over that")), escaped(text("Physical floor")), rows);
}

QString difference(const RunReport &report)
{
    if (report.patch.isEmpty())
        return {};
    QString lines;
    for (const QString &line : QString::fromUtf8(report.patch).chopped(1).split(QLatin1Char('\n'))) {
        const bool isName = line.startsWith(QLatin1String("+++")) || line.startsWith(QLatin1String("---"));
        const char *kind = isName                                 ? "soft"
                           : line.startsWith(QLatin1Char('+'))    ? "add"
                           : line.startsWith(QLatin1Char('-'))    ? "del"
                           : line.startsWith(QLatin1String("@@")) ? "soft"
                                                                  : "";
        lines += QStringLiteral("<span class=\"%1\">%2</span>\n").arg(QLatin1String(kind), escaped(line));
    }
    return heading("What changed in the kernel") + QStringLiteral("<pre>%1</pre>\n").arg(lines);
}

QString facts(const char *title, const QList<QPair<QString, QString>> &pairs)
{
    QString rows;
    for (const auto &[name, value] : pairs) {
        if (!value.isEmpty())
            rows += QStringLiteral("<tr><td>%1</td><td><code>%2</code></td></tr>\n").arg(escaped(name), escaped(value));
    }
    return rows.isEmpty() ? QString()
                          : heading(title) + QStringLiteral("<div class=\"wide\"><table>%1</table></div>\n").arg(rows);
}

QList<QPair<QString, QString>> hashes(const IterationRecord &best)
{
    return {{text("Commit"), best.commit},
            {text("Sources (SHA-256)"), best.solutionHash},
            {text("Problem"), best.bench.problemHash},
            {text("Evaluator"), best.bench.evaluatorHash}};
}

QString notes(const IterationRecord &best)
{
    QString items;
    for (const QString &flag : flagTexts(best.bench.flags))
        items += QStringLiteral("<li>%1</li>").arg(escaped(flag));
    return items.isEmpty() ? QString() : QStringLiteral("<ul>%1</ul>\n").arg(items);
}

QString shown(const nlohmann::json &value)
{
    if (value.is_string())
        return words::oneLine(QString::fromStdString(value.get<std::string>()));
    if (!value.is_array())
        return value.is_number() || value.is_boolean() ? QString::fromStdString(value.dump()) : QString();
    QStringList parts;
    for (const nlohmann::json &part : value)
        parts << shown(part);
    return parts.join(QLatin1Char(' '));
}

} // namespace

QList<QPair<QString, QString>> environmentFacts(const QByteArray &resultJson)
{
    QList<QPair<QString, QString>> facts;
    const nlohmann::json result = jsonread::parse(resultJson);
    const nlohmann::json &environment = jsonread::at(result, "env");
    if (!environment.is_object())
        return facts;
    for (const auto &[name, value] : environment.items()) {
        const QString said = shown(name == "sandbox" ? jsonread::at(value, "level") : value);
        if (!said.isEmpty())
            facts << qMakePair(QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' ')), said);
    }
    return facts;
}

QByteArray reportHtml(const RunReport &report)
{
    const QString chart = chartSvg(report.records);
    QString page = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                                  "<meta name=\"generator\" content=\"AKO4ALL\"/>"
                                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
                                  "<title>%1</title><style>%2</style></head>\n<body>\n<h1>%1</h1>\n")
                       .arg(escaped(report.name), chartStyle() + QString::fromUtf8(style));
    page += QStringLiteral("<p class=\"soft\">%1 · %2 · %3</p>\n")
                .arg(escaped(report.branch),
                     escaped(QLocale::c().toString(report.when, QStringLiteral("yyyy-MM-dd HH:mm"))),
                     escaped(report.program));
    page += headline(report) + notes(report.best);
    if (!chart.isEmpty())
        page += heading("Chart") + chart;
    page += workloads(report.best) + heading("History") + table(report) + difference(report) +
            facts("Environment", report.environment) + facts("Hashes", hashes(report.best));
    if (!report.reproduce.isEmpty())
        page += heading("How to reproduce it") +
                QStringLiteral("<pre>%1</pre>\n").arg(escaped(report.reproduce.join(QLatin1Char('\n'))));
    return (page + QStringLiteral("</body></html>\n")).toUtf8();
}

} // namespace ako
