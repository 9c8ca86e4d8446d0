// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/search.h"

#include "agents/tuner/unit.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ako::tuner {
namespace {

using Json = nlohmann::json;

const QLatin1String tagStart("tuner: {");
constexpr int closingFailures = 4; // so many attempts in a row without improvement close a direction

std::optional<long long> optionalInteger(const Json &object, const char *name)
{
    return object.contains(name) && object[name].is_number_integer() ? std::optional(object[name].get<long long>())
                                                                     : std::nullopt;
}

std::string textOf(const Json &object, const char *name)
{
    return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : std::string();
}

std::optional<Attempt> attemptFrom(const IterationRecord &record)
{
    const QString &kept = record.agentData.isEmpty() ? record.changes : record.agentData;
    const qsizetype start = kept.lastIndexOf(tagStart);
    if (start < 0)
        return std::nullopt;
    const QString line = kept.mid(start + tagStart.size() - 1).section(QLatin1Char('\n'), 0, 0).trimmed();
    const Json tag = Json::parse(line.toStdString(), nullptr, false);
    if (!tag.is_object())
        return std::nullopt;
    Attempt attempt;
    attempt.iteration = record.number;
    attempt.parent = record.parent;
    attempt.direction = textOf(tag, "direction");
    attempt.key = textOf(tag, "key");
    attempt.from = optionalInteger(tag, "from");
    attempt.to = optionalInteger(tag, "to");
    attempt.status = record.status;
    const auto &ratio = record.bench.speedupOverChampion;
    attempt.gain = ratio && ratio->estimate > 0.0 ? std::log(ratio->estimate) : 0.0;
    return attempt;
}

int failuresInARow(const std::vector<const Attempt *> &attempts)
{
    int count = 0;
    for (auto each = attempts.rbegin(); each != attempts.rend() && (*each)->status != IterationStatus::Improved; ++each)
        ++count;
    return count;
}

QString percent(double logarithm)
{
    return QString::number((std::exp(logarithm) - 1.0) * 100.0, 'f', 1) + QLatin1Char('%');
}

} // namespace

QString tagOf(const Change &change)
{
    Json tag{{"direction", change.direction}, {"key", change.key}};
    if (change.from && change.to) {
        tag["from"] = *change.from;
        tag["to"] = *change.to;
    }
    return QLatin1String("tuner: ") + QString::fromStdString(tag.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Memory Memory::fromHistory(const QList<IterationRecord> &history)
{
    Memory memory;
    for (const IterationRecord &record : history) {
        if (!record.solutionHash.isEmpty())
            memory.measured.insert(record.solutionHash.toStdString());
        if (record.kind != IterationRecord::Kind::Iteration)
            continue;
        if (record.status == IterationStatus::Improved)
            memory.lastImprovement = std::max(memory.lastImprovement, record.number);
        if (const auto attempt = attemptFrom(record))
            memory.attempts.push_back(*attempt);
    }
    std::stable_sort(memory.attempts.begin(), memory.attempts.end(),
                     [](const Attempt &a, const Attempt &b) { return a.iteration < b.iteration; });
    return memory;
}

Search::Search(Memory memory, int champion)
    : m_memory(std::move(memory))
    , m_champion(champion)
{
}

std::vector<const Attempt *> Search::attemptsOf(const std::string &direction) const
{
    std::vector<const Attempt *> result;
    for (const Attempt &attempt : m_memory.attempts) {
        if (attempt.direction == direction)
            result.push_back(&attempt);
    }
    return result;
}

// A change is not tried again from the same champion, at most twice in all, and never after it failed; a direction is
// left after too many attempts in a row that brought nothing.
bool Search::isClosed(const Change &change) const
{
    int same = 0;
    int broken = 0;
    for (const Attempt *attempt : attemptsOf(change.direction)) {
        const bool failed = attempt->status == IterationStatus::Failed;
        broken += failed ? 1 : 0;
        if (attempt->key != change.key)
            continue;
        ++same;
        if (failed || attempt->parent == m_champion)
            return true;
    }
    const bool isConstant = change.from.has_value();
    return same >= 2 || (isConstant && broken >= 2) ||
           (isConstant && failuresInARow(attemptsOf(change.direction)) >= closingFailures);
}

// How the values tried so far bear on another value of the same constant: further in the direction that helped, not
// beyond a value that did not.
double Search::momentum(const Change &change, const std::vector<const Attempt *> &attempts, QString &reason) const
{
    double factor = 1.0;
    const double step = std::log2(static_cast<double>(*change.to) / static_cast<double>(*change.from));
    for (const Attempt *attempt : attempts) {
        if (!attempt->from || !attempt->to || *attempt->from <= 0 || *attempt->to <= 0)
            continue;
        const double tried = std::log2(static_cast<double>(*attempt->to) / static_cast<double>(*attempt->from));
        const bool sameWay = (tried > 0) == (step > 0);
        if (attempt->status == IterationStatus::Improved) {
            factor = !sameWay ? 0.15 : step == tried ? 1.0 : 0.9; // in steps of the same size
            if (sameWay)
                reason = translated("%1 to %2 helped by %3, so it goes further that way")
                             .arg(*attempt->from)
                             .arg(*attempt->to)
                             .arg(percent(attempt->gain));
            continue;
        }
        // Not further than what failed; a smaller step the same way, or the other way, remains open.
        const bool beyond = sameWay && (step > 0 ? *change.to >= *attempt->to : *change.to <= *attempt->to);
        factor *= beyond ? 0.25 : sameWay ? 0.6 : 0.8;
    }
    return factor;
}

Ranked Search::judge(const Change &change) const
{
    Ranked ranked{&change, change.gain, translated("expected by its kind")};
    const auto attempts = attemptsOf(change.direction);
    if (attempts.empty())
        return ranked;
    const Attempt &last = *attempts.back();
    const int failures = failuresInARow(attempts);
    if (failures == 0) {
        ranked.worth = std::max(ranked.worth, 0.5 * last.gain);
        ranked.reason = translated("its direction helped in iteration %1").arg(last.iteration);
    } else {
        ranked.worth *= std::pow(0.55, failures);
        ranked.reason = failures == 1 ? translated("its direction did not help the last time")
                                      : translated("its direction did not help %1 times in a row").arg(failures);
    }
    const bool isRetry =
        std::any_of(attempts.begin(), attempts.end(), [&](const auto *each) { return each->key == change.key; });
    if (isRetry) {
        ranked.worth = change.gain * 0.15;
        ranked.reason = translated("tried before, but from another champion");
    } else if (change.from && change.to) {
        ranked.worth *= momentum(change, attempts, ranked.reason);
    }
    return ranked;
}

std::vector<Ranked> Search::rank(const std::vector<Change> &changes, bool reassess) const
{
    std::vector<Ranked> result;
    for (const Change &change : changes) {
        if (!isClosed(change))
            result.push_back(judge(change));
    }
    std::map<std::string, std::size_t> tried;
    for (const Attempt &attempt : m_memory.attempts)
        ++tried[attempt.direction];
    const auto before = [&](const Ranked &a, const Ranked &b) {
        const auto countOf = [&tried](const Ranked &each) {
            const auto found = tried.find(each.change->direction);
            return found == tried.end() ? std::size_t(0) : found->second;
        };
        if (reassess && countOf(a) != countOf(b))
            return countOf(a) < countOf(b);
        if (a.worth != b.worth)
            return a.worth > b.worth;
        return a.change->gain != b.change->gain ? a.change->gain > b.change->gain : a.change->key < b.change->key;
    };
    std::sort(result.begin(), result.end(), before);
    return result;
}

const Change *Search::choose(const std::vector<Ranked> &ranked, const Hash &hash) const
{
    for (const Ranked &each : ranked) {
        if (!m_memory.measured.contains(hash(each.change->files)))
            return each.change;
    }
    return nullptr;
}

QStringList Search::directions() const
{
    std::map<std::string, QStringList> numbers;
    std::vector<std::string> order;
    for (const Attempt &attempt : m_memory.attempts) {
        if (!numbers.contains(attempt.direction))
            order.push_back(attempt.direction);
        numbers[attempt.direction].append(QString::number(attempt.iteration));
    }
    QStringList result;
    for (const std::string &direction : order)
        result.append(translated("%1: iterations %2")
                          .arg(directionName(direction), numbers[direction].join(QLatin1String(", "))));
    return result;
}

QStringList Search::untried(const std::vector<Ranked> &ranked) const
{
    QStringList result;
    for (const Ranked &each : ranked) {
        const QString name = directionName(each.change->direction);
        if (attemptsOf(each.change->direction).empty() && !result.contains(name))
            result.append(name);
    }
    return result;
}

QString Search::lastInWords() const
{
    if (m_memory.attempts.empty())
        return {};
    const Attempt &last = m_memory.attempts.back();
    const QString direction = directionName(last.direction);
    switch (last.status) {
    case IterationStatus::Improved:
        return translated("%1 helped: the candidate is %2 faster than the champion before it. The direction is "
                          "followed further.")
            .arg(direction, percent(last.gain));
    case IterationStatus::Failed:
        return translated("%1 led to a candidate that failed. This change is not tried again.").arg(direction);
    case IterationStatus::Regression:
        return translated("%1 made it slower (%2). The direction is put back.").arg(direction, percent(last.gain));
    default:
        return translated("%1 made no difference that can be told from noise (%2). The direction is put back.")
            .arg(direction, percent(last.gain));
    }
}

QString directionName(const std::string &direction)
{
    const QString text = QString::fromStdString(direction);
    if (text.startsWith(QLatin1String("constant:")))
        return translated("constant %1 (%2)")
            .arg(text.section(QLatin1Char(':'), 2), text.section(QLatin1Char(':'), 1, 1));
    if (text.startsWith(QLatin1String("flags:")))
        return translated("compiler flag %1").arg(text.section(QLatin1Char(':'), 1));
    static const std::map<std::string, const char *> names{
        {"threads", QT_TRANSLATE_NOOP("Tuner", "threads")},
        {"schedule", QT_TRANSLATE_NOOP("Tuner", "sharing between threads")},
        {"simd", QT_TRANSLATE_NOOP("Tuner", "vector pragmas")},
        {"interchange", QT_TRANSLATE_NOOP("Tuner", "loop order")},
        {"unroll", QT_TRANSLATE_NOOP("Tuner", "unrolling")},
        {"restrict", QT_TRANSLATE_NOOP("Tuner", "pointers that do not overlap")},
        {"alignment", QT_TRANSLATE_NOOP("Tuner", "alignment")},
        {"float-math", QT_TRANSLATE_NOOP("Tuner", "single-precision functions")},
        {"float-literals", QT_TRANSLATE_NOOP("Tuner", "single-precision literals")},
        {"reciprocal", QT_TRANSLATE_NOOP("Tuner", "division by a constant value")},
    };
    const auto found = names.find(direction);
    return found == names.end() ? text : translated(found->second);
}

} // namespace ako::tuner
