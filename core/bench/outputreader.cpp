// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/jsonread.h"
#include "bench/resultparser.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <cmath>
#include <nlohmann/json.hpp>

namespace ako {

using nlohmann::json;
namespace read = jsonread;

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("BenchResult", source);
}

using Lines = QMap<QString, QString>;

// "KEY: value" lines; of a repeated key the last counts, so that an evaluator's closing lines win over the bench's own.
Lines keyedLines(const QString &output)
{
    static const QRegularExpression keyed(QStringLiteral("^([A-Z][A-Z0-9_]{1,39}):[ \\t]*(.*?)[ \\t\\r]*$"),
                                          QRegularExpression::MultilineOption);
    Lines lines;
    for (auto match = keyed.globalMatch(output); match.hasNext();) {
        const auto line = match.next();
        lines.insert(line.captured(1), line.captured(2));
    }
    return lines;
}

// The number at the start of a value such as "0.123 ms" or "2.77x"; positive ones only (-1 stands for "not measured").
std::optional<double> leadingNumber(const QString &value)
{
    static const QRegularExpression number(QStringLiteral("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?"));
    bool ok = false;
    const double result = number.match(value).captured().toDouble(&ok);
    return ok && std::isfinite(result) && result > 0.0 ? std::optional(result) : std::nullopt;
}

bool isTrue(const QString &value)
{
    static const QStringList words{QStringLiteral("true"), QStringLiteral("yes"),    QStringLiteral("ok"),
                                   QStringLiteral("pass"), QStringLiteral("passed"), QStringLiteral("correct"),
                                   QStringLiteral("1")};
    return words.contains(value.section(QLatin1Char(' '), 0, 0).toLower());
}

Timing single(double value)
{
    return {value, value, value, value};
}

Interval exactly(double ratio)
{
    return {ratio, ratio, ratio};
}

std::optional<double> named(const QString &value, const QString &name)
{
    const QRegularExpression pattern(QStringLiteral("\\b%1[ =:]+([0-9.eE+-]+)").arg(name));
    const auto match = pattern.match(value);
    return match.hasMatch() ? leadingNumber(match.captured(1)) : std::nullopt;
}

// "mean 0.1 min 0.09 max 0.2", beside a runtime that is the median.
void readStatistics(std::optional<Timing> &timing, const QString &value)
{
    if (!timing || value.isEmpty())
        return;
    timing->mean = named(value, QStringLiteral("mean")).value_or(timing->mean);
    timing->minimum = named(value, QStringLiteral("min")).value_or(timing->minimum);
    timing->maximum = named(value, QStringLiteral("max")).value_or(timing->maximum);
}

// "2.774x [2.761, 2.787]"
std::optional<Interval> bracketed(const QString &value)
{
    static const QRegularExpression form(
        QStringLiteral("([0-9.eE+-]+)x?\\s*\\[\\s*([0-9.eE+-]+)x?\\s*,\\s*([0-9.eE+-]+)x?\\s*\\]"));
    const auto match = form.match(value);
    const auto estimate = leadingNumber(match.captured(1));
    const auto low = leadingNumber(match.captured(2));
    const auto high = leadingNumber(match.captured(3));
    if (!estimate || !low || !high)
        return std::nullopt;
    return Interval{*estimate, *low, *high};
}

void readSpeedups(BenchResult &result, const Lines &lines)
{
    result.speedupOverReference = bracketed(lines.value(QStringLiteral("SPEEDUP_CI")));
    if (!result.speedupOverReference) {
        if (const auto speedup = leadingNumber(lines.value(QStringLiteral("SPEEDUP"))))
            result.speedupOverReference = exactly(*speedup);
    }
    const QString versus = lines.value(QStringLiteral("VS_BEST"));
    result.speedupOverChampion = bracketed(versus);
    const QString word = versus.section(QLatin1Char(' '), 0, 0);
    if (word == QLatin1String("IMPROVED"))
        result.comparison = Comparison::Improved;
    else if (word == QLatin1String("REGRESSED"))
        result.comparison = Comparison::Regressed;
    else if (word == QLatin1String("SAME"))
        result.comparison = Comparison::Same;
    else if (word == QLatin1String("AMBIGUOUS"))
        result.comparison = Comparison::Ambiguous;
}

// Lines that say where or how, not what came out.
bool isKnown(const QString &key)
{
    static const QStringList known{
        QStringLiteral("COMPILED"),      QStringLiteral("CORRECT"),   QStringLiteral("RUNTIME"),
        QStringLiteral("REF_RUNTIME"),   QStringLiteral("SPEEDUP"),   QStringLiteral("SPEEDUP_CI"),
        QStringLiteral("VS_BEST"),       QStringLiteral("STATUS"),    QStringLiteral("MESSAGE"),
        QStringLiteral("RESULT_JSON"),   QStringLiteral("FLAGS"),     QStringLiteral("WORST_SHAPE"),
        QStringLiteral("RUNTIME_STATS"), QStringLiteral("DEVIATION"), QStringLiteral("BEST_RUNTIME"),
        QStringLiteral("VS_REF")};
    return known.contains(key);
}

constexpr qsizetype mostExtraColumns = 64;

void keepExtraColumns(BenchResult &result, const Lines &lines)
{
    for (auto line = lines.cbegin(); line != lines.cend(); ++line) {
        if (!isKnown(line.key()) && result.extraColumns.size() < mostExtraColumns)
            result.extraColumns.insert(line.key(), line.value().left(200));
    }
}

BenchResult nothing()
{
    BenchResult result;
    result.status = QStringLiteral("NO_RESULT");
    result.message = text("The bench said neither CORRECT nor RUNTIME, and wrote no result that can be read");
    return result;
}

void settle(BenchResult &result)
{
    if (result.correct)
        result.compiled = true;
    if (!result.status.isEmpty())
        return;
    result.status = result.correct    ? QStringLiteral("OK")
                    : result.compiled ? QStringLiteral("INCORRECT")
                                      : QStringLiteral("COMPILE_ERROR");
    if (!result.correct && result.message.isEmpty())
        result.message = result.compiled ? text("The bench says that the result is not correct")
                                         : text("The bench says that the solution did not compile");
}

} // namespace

BenchResult resultFromLines(const QString &output)
{
    const Lines lines = keyedLines(output);
    const auto runtime = leadingNumber(lines.value(QStringLiteral("RUNTIME")));
    if (!runtime && !lines.contains(QStringLiteral("CORRECT")) && !lines.contains(QStringLiteral("COMPILED")))
        return nothing();
    BenchResult result;
    // A custom bench that gives a time and says nothing about correctness checks it by its exit status.
    result.correct = isTrue(lines.value(QStringLiteral("CORRECT"), QStringLiteral("true")));
    result.compiled = isTrue(lines.value(QStringLiteral("COMPILED"), QStringLiteral("true")));
    result.correct = result.correct && result.compiled;
    if (runtime)
        result.solution = single(*runtime);
    readStatistics(result.solution, lines.value(QStringLiteral("RUNTIME_STATS")));
    readStatistics(result.solution, lines.value(QStringLiteral("RUNTIME")));
    if (const auto reference = leadingNumber(lines.value(QStringLiteral("REF_RUNTIME"))))
        result.reference = single(*reference);
    readSpeedups(result, lines);
    result.status = lines.value(QStringLiteral("STATUS"));
    result.message = lines.value(QStringLiteral("MESSAGE"), lines.value(QStringLiteral("DEVIATION")));
    result.worstWorkload = lines.value(QStringLiteral("WORST_SHAPE")).section(QLatin1Char(' '), 0, 0);
    result.flags = lines.value(QStringLiteral("FLAGS")).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    keepExtraColumns(result, lines);
    settle(result);
    return result;
}

namespace {

const json &byPath(const json &object, const QString &path)
{
    const json *place = &object;
    const QStringList keys = path.split(QLatin1Char('.'), Qt::SkipEmptyParts);
    for (const QString &key : keys)
        place = &read::at(*place, key.toUtf8().constData());
    return *place;
}

const json &firstOf(const json &object, const QString &wanted, std::initializer_list<const char *> usual)
{
    if (!wanted.isEmpty())
        return byPath(object, wanted);
    for (const char *key : usual) {
        const QString path = QLatin1String(key); // named, or newer compilers take the answer for a part of it
        const json &value = byPath(object, path);
        if (!value.is_null())
            return value;
    }
    static const json absent;
    return absent;
}

std::optional<double> positive(const json &value)
{
    const auto number = value.is_string() ? leadingNumber(read::string(value)) : read::number(value);
    return number && *number > 0.0 ? number : std::nullopt;
}

std::optional<bool> truth(const json &value)
{
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_string())
        return isTrue(read::string(value));
    if (const auto number = read::number(value))
        return *number != 0.0;
    return std::nullopt;
}

// The whole text, or its last line that is a JSON object.
json objectIn(const QByteArray &bytes)
{
    json whole = read::parse(bytes);
    if (whole.is_object())
        return whole;
    const QList<QByteArray> lines = bytes.split('\n');
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        if (!line->trimmed().startsWith('{'))
            continue;
        json object = read::parse(*line);
        if (object.is_object())
            return object;
    }
    return {};
}

void setTimes(BenchResult &result, std::optional<double> runtime, std::optional<double> reference,
              std::optional<double> speedup, double unit)
{
    if (runtime)
        result.solution = single(*runtime * unit);
    if (reference)
        result.reference = single(*reference * unit);
    if (speedup)
        result.speedupOverReference = exactly(*speedup);
}

QString shown(const json &value)
{
    return value.is_string() ? read::string(value).left(200) : QString::fromUtf8(read::dump(value)).left(200);
}

} // namespace

BenchResult resultFromUserJson(const QByteArray &bytes, const CustomReading &reading)
{
    const json object = objectIn(bytes);
    const auto runtime = positive(firstOf(
        object, reading.runtimeKey, {"runtime", "runtime_ms", "time_ms", "latency_ms", "mean_ms", "mean", "median"}));
    const auto correct = truth(firstOf(object, reading.correctKey, {"correct", "correctness", "passed", "pass", "ok"}));
    if (!runtime && !correct)
        return nothing();
    BenchResult result;
    setTimes(result, runtime,
             positive(firstOf(object, reading.referenceKey, {"ref_runtime", "reference_ms", "ref_ms", "baseline_ms"})),
             positive(firstOf(object, reading.speedupKey, {"speedup", "speedup_factor"})), reading.millisecondsPerUnit);
    result.correct = correct.value_or(true);
    result.compiled = truth(read::at(object, "compiled")).value_or(true);
    result.correct = result.correct && result.compiled;
    result.message = read::string(object, "message");
    for (const auto &[key, value] : object.items()) {
        if (value.is_primitive() && !value.is_null() && result.extraColumns.size() < mostExtraColumns)
            result.extraColumns.insert(QString::fromStdString(key), shown(value));
    }
    settle(result);
    return result;
}

const QStringList &metricUnits()
{
    static const QStringList units{QStringLiteral("ms"), QStringLiteral("us"), QStringLiteral("ns"),
                                   QStringLiteral("s"), QStringLiteral("rate")};
    return units;
}

Result<CustomReading> readingFrom(const QString &pattern, const QString &unit)
{
    CustomReading reading;
    const QHash<QString, double> milliseconds{{metricUnits().at(0), 1.0},
                                              {metricUnits().at(1), 1e-3},
                                              {metricUnits().at(2), 1e-6},
                                              {metricUnits().at(3), 1e3},
                                              {metricUnits().at(4), 1.0}};
    if (!unit.isEmpty() && !milliseconds.contains(unit))
        return fail(text("\"%1\" is no unit of the metric").arg(unit.left(60)),
                    text("Units: %1").arg(metricUnits().join(QStringLiteral(", "))));
    reading.pattern = pattern;
    reading.millisecondsPerUnit = milliseconds.value(unit, 1.0);
    reading.isRate = unit == metricUnits().constLast();
    if (pattern.isEmpty())
        return reading;
    const QRegularExpression expression(pattern, QRegularExpression::MultilineOption);
    if (!expression.isValid())
        return fail(text("The metric's pattern is no regular expression: %1, at character %2")
                        .arg(expression.errorString())
                        .arg(expression.patternErrorOffset() + 1));
    if (expression.captureCount() == 0)
        return fail(text("The metric's pattern has no group"),
                    text("Put round brackets around the number: \"Time: ([0-9.]+) us\""));
    return reading;
}

BenchResult resultFromPattern(const QString &output, const CustomReading &reading)
{
    const QRegularExpression pattern(reading.pattern, QRegularExpression::MultilineOption);
    if (!pattern.isValid()) {
        BenchResult result = nothing();
        result.message = text("The pattern for the bench's numbers is not a regular expression: %1 (at %2)")
                             .arg(pattern.errorString())
                             .arg(pattern.patternErrorOffset());
        return result;
    }
    Lines found;
    const QString runtimeName = QStringLiteral("runtime");
    QStringList names = pattern.namedCaptureGroups();
    if (!names.contains(runtimeName) && names.value(1).isEmpty() && names.size() > 1)
        names[1] = runtimeName;
    for (auto match = pattern.globalMatch(output); match.hasNext();) {
        const auto hit = match.next();
        int group = 0;
        for (const QString &name : std::as_const(names)) {
            const QString value = hit.captured(group++);
            if (!name.isEmpty() && !value.isEmpty())
                found.insert(name, value);
        }
    }
    auto runtime = leadingNumber(found.value(runtimeName));
    if (!runtime && !found.contains(QStringLiteral("correct"))) {
        BenchResult result = nothing();
        result.message = found.contains(runtimeName)
                             ? text("What the pattern finds in the bench's output is no number above zero: %1")
                                   .arg(found.value(runtimeName).left(60))
                             : text("The pattern for the bench's numbers matches nothing in its output");
        return result;
    }
    auto reference = leadingNumber(found.value(QStringLiteral("reference")));
    if (reading.isRate) {
        for (auto *value : {&runtime, &reference}) {
            if (*value)
                *value = 1000.0 / **value;
        }
    }
    BenchResult result;
    setTimes(result, runtime, reference, leadingNumber(found.value(QStringLiteral("speedup"))),
             reading.millisecondsPerUnit);
    result.compiled = true;
    result.correct = isTrue(found.value(QStringLiteral("correct"), QStringLiteral("true")));
    static const QStringList own{QStringLiteral("runtime"), QStringLiteral("reference"), QStringLiteral("speedup"),
                                 QStringLiteral("correct")};
    for (auto column = found.cbegin(); column != found.cend(); ++column) {
        if (!own.contains(column.key()))
            result.extraColumns.insert(column.key(), column.value().left(200));
    }
    settle(result);
    return result;
}

} // namespace ako
