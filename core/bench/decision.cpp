// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/decision.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("Decision", source);
}

QString percent(double ratio)
{
    return QLocale::c().toString(std::abs(ratio - 1.0) * 100.0, 'f', 1);
}

QString figure(double value)
{
    return QLocale::c().toString(value, 'f', 3);
}

QString ratioText(const Interval &ratio)
{
    return QStringLiteral("%1x [%2, %3]").arg(figure(ratio.estimate), figure(ratio.low), figure(ratio.high));
}

QString championName(const IterationRecord &champion)
{
    return champion.number == 0 ? text("the baseline") : text("iteration %1").arg(champion.number);
}

// Why this result counts as no result; empty when it does count.
QString failure(const BenchResult &bench)
{
    const auto withMessage = [&bench](const QString &what) {
        return bench.message.isEmpty() ? what : what + QLatin1String(": ") + bench.message;
    };
    if (bench.state == ResultState::Quarantined)
        return withMessage(bench.flags.isEmpty() ? text("quarantined")
                                                 : text("quarantined (%1)").arg(bench.flags.join(QLatin1String(", "))));
    if (bench.state == ResultState::Invalid)
        return withMessage(text("the measurement is invalid"));
    if (bench.status == benchStatus::interrupted || bench.status == benchStatus::unusable)
        return bench.message;
    // Without a word of the evaluator's nothing is known about the kernel.
    if (bench.status.isEmpty() && !bench.compiled && bench.exitCode != 0)
        return withMessage(text("the bench itself failed with status %1").arg(bench.exitCode));
    if (!bench.compiled)
        return withMessage(text("it did not compile"));
    if (!bench.correct)
        return withMessage(text("the result is not correct"));
    if (bench.exitCode != 0)
        return withMessage(text("the bench ended with status %1").arg(bench.exitCode));
    return {};
}

double meanOf(const BenchResult &bench)
{
    return bench.solution ? bench.solution->mean : 0.0;
}

// The shortest and the longest of its runs, of which a custom bench has one or two.
std::pair<double, double> spanOf(const BenchResult &bench, const std::optional<BenchResult> &signal)
{
    const double last = meanOf(bench);
    const double first = signal && meanOf(*signal) > 0.0 ? meanOf(*signal) : last;
    return {std::min(first, last), std::max(first, last)};
}

// Candidate against champion: interleaved where the evaluator did that, else the runtimes of a custom bench.
std::optional<Interval> ratioTo(const IterationRecord &champion, const IterationRecord &record)
{
    if (record.bench.speedupOverChampion)
        return record.bench.speedupOverChampion;
    if (record.bench.mode != BenchMode::Custom)
        return std::nullopt;
    return runtimeRatio(champion, record.bench, record.signal);
}

// As far below 1 as 1 + margin lies above it.
double slowerBound(double margin)
{
    return 1.0 / (1.0 + margin);
}

// What an interval has to clear; of a custom bench no more is known of the noise than how much its runs differ.
QString marginText(const BenchResult &bench, double bound)
{
    if (bench.mode == BenchMode::Custom)
        return text("%1x").arg(figure(bound));
    return text("%1x (margin %2 %, twice the noise of this machine)").arg(figure(bound), percent(1.0 + bench.margin));
}

struct Judgement
{
    IterationStatus status;
    QString reason;
};

Judgement judge(const Interval &ratio, const BenchResult &bench, const IterationRecord &champion,
                const DecisionPolicy &policy)
{
    const double margin = bench.margin;
    const QString name = championName(champion);
    const QString figures = ratioText(ratio);
    if (ratio.estimate >= 1.0 + policy.improvement && ratio.low > 1.0 + margin)
        return {IterationStatus::Improved, text("%1 % faster than %2: %3").arg(percent(ratio.estimate), name, figures)};
    if (ratio.estimate <= 1.0 - policy.improvement && ratio.high < slowerBound(margin))
        return {IterationStatus::Regression,
                text("%1 % slower than %2: %3").arg(percent(ratio.estimate), name, figures)};
    if (ratio.estimate >= 1.0 + policy.improvement)
        return {IterationStatus::NoChange,
                text("%1 % faster than %2, but within the noise: %3 would have to begin above %4")
                    .arg(percent(ratio.estimate), name, figures, marginText(bench, 1.0 + margin))};
    if (ratio.estimate <= 1.0 - policy.improvement)
        return {IterationStatus::NoChange,
                text("%1 % slower than %2, but within the noise: %3 would have to end below %4")
                    .arg(percent(ratio.estimate), name, figures, marginText(bench, slowerBound(margin)))};
    return {IterationStatus::NoChange,
            text("as fast as %1 within %2 %: %3")
                .arg(name, QLocale::c().toString(policy.improvement * 100.0, 'g', 3), figures)};
}

// A custom bench has no verdict mode: a second run of the same script stands for it.
bool isVerdict(const IterationRecord &record)
{
    const BenchResult &bench = record.bench;
    return (bench.mode == BenchMode::Custom && record.signal.has_value()) ||
           (bench.mode == BenchMode::Verdict && bench.state == ResultState::Confirmed);
}

// Why the evaluator itself does not stand by a ratio that looks good; empty: it does, or has no opinion.
QString doubt(const BenchResult &bench)
{
    if (bench.flags.contains(QStringLiteral("NOT_CONFIRMED")))
        return text("; but the evaluator's own clock does not bear it out: measure again when less runs beside it");
    return bench.comparison == Comparison::Ambiguous ? text("; but the evaluator calls it ambiguous") : QString();
}

// A shape that lost more than the policy's share keeps a candidate from being called better.
const WorkloadResult *slowerWorkload(const BenchResult &bench, const DecisionPolicy &policy)
{
    for (const WorkloadResult &workload : bench.workloads) {
        const auto &ratio = workload.speedupOverChampion;
        if (ratio && ratio->estimate < 1.0 - policy.improvement && ratio->high < slowerBound(bench.margin))
            return &workload;
    }
    return nullptr;
}

std::optional<Interval> overReference(const BenchResult &bench)
{
    if (bench.speedupOverReference)
        return bench.speedupOverReference;
    if (!bench.solution || !bench.reference || bench.solution->mean <= 0.0)
        return std::nullopt;
    const double ratio = bench.reference->mean / bench.solution->mean;
    return Interval{ratio, ratio, ratio};
}

// The final is measured with the baseline in the champion's place.
std::optional<Interval> overBaseline(const IterationRecord &record)
{
    if (record.kind == IterationRecord::Kind::Baseline)
        return Interval{1.0, 1.0, 1.0};
    if (record.kind == IterationRecord::Kind::Final && !record.bench.speedupOverBaseline)
        return record.bench.speedupOverChampion;
    return record.bench.speedupOverBaseline;
}

void chain(Decision &decision, const IterationRecord &record, const IterationRecord *champion)
{
    decision.speedup = overReference(record.bench);
    decision.speedupOverBaseline = overBaseline(record);
    const auto ratio = champion ? ratioTo(*champion, record) : std::nullopt;
    if (!ratio)
        return;
    if (!decision.speedup && champion->speedup) {
        decision.speedup = product(*champion->speedup, *ratio);
        decision.speedupIsChained = true;
    }
    if (!decision.speedupOverBaseline && champion->speedupOverBaseline)
        decision.speedupOverBaseline = product(*champion->speedupOverBaseline, *ratio);
}

Decision failed(const QString &reason)
{
    Decision decision;
    decision.reason = reason;
    return decision;
}

Decision judgeIteration(const IterationRecord &record, const IterationRecord *champion, const DecisionPolicy &policy)
{
    if (!champion)
        return failed(text("there is no champion to compare with: the baseline is missing"));
    const auto ratio = ratioTo(*champion, record);
    Decision decision;
    if (!ratio) {
        decision.status = IterationStatus::NoChange;
        decision.reason = text("correct, but not compared with %1").arg(championName(*champion));
        return decision;
    }
    const Judgement judgement = judge(*ratio, record.bench, *champion, policy);
    decision.status = judgement.status;
    decision.reason = judgement.reason;
    if (decision.status != IterationStatus::Improved)
        return decision;
    if (const WorkloadResult *slower = slowerWorkload(record.bench, policy)) {
        decision.status = IterationStatus::NoChange;
        decision.reason += text("; but workload %1 is %2 % slower")
                               .arg(slower->id, percent(slower->speedupOverChampion.value_or(Interval{}).estimate));
        return decision;
    }
    if (const QString why = doubt(record.bench); !why.isEmpty()) {
        decision.status = IterationStatus::NoChange;
        decision.reason += why;
        return decision;
    }
    if (record.bench.mode == BenchMode::Custom && !record.bench.speedupOverChampion && !champion->signal)
        decision.reason +=
            text("; %1 was run once only, so how much its runs differ is not known").arg(championName(*champion));
    decision.becomesChampion = isVerdict(record);
    if (!decision.becomesChampion) {
        decision.status = IterationStatus::NoChange;
        decision.reason += text("; a verdict has not confirmed it");
    }
    return decision;
}

Decision judgeBaseline()
{
    Decision decision;
    decision.status = IterationStatus::Baseline;
    decision.becomesChampion = true;
    decision.reason = text("the original kernel, correct");
    return decision;
}

Decision judgeFinal(const IterationRecord &record)
{
    Decision decision;
    const auto ratio = overBaseline(record);
    decision.status = IterationStatus::NoChange;
    decision.reason = text("not compared with the baseline directly");
    if (!ratio)
        return decision;
    decision.reason = (record.bench.mode == BenchMode::Custom ? text("against the baseline's own run: %1")
                                                              : text("against the baseline directly: %1"))
                          .arg(ratioText(*ratio));
    if (record.number == 0) { // whatever differs is noise
        decision.reason += text("; the sources are the same");
    } else if (ratio->low > 1.0 + record.bench.margin) {
        const QString why = doubt(record.bench);
        decision.status = why.isEmpty() ? IterationStatus::Improved : IterationStatus::NoChange;
        decision.reason += why;
    } else if (ratio->high < slowerBound(record.bench.margin))
        decision.status = IterationStatus::Regression;
    return decision;
}

} // namespace

Interval product(const Interval &left, const Interval &right)
{
    return {left.estimate * right.estimate, left.low * right.low, left.high * right.high};
}

std::optional<Interval> runtimeRatio(const IterationRecord &champion, const BenchResult &bench,
                                     const std::optional<BenchResult> &signal)
{
    if (meanOf(champion.bench) <= 0.0 || meanOf(bench) <= 0.0)
        return std::nullopt;
    const auto [championLeast, championMost] = spanOf(champion.bench, champion.signal);
    const auto [least, most] = spanOf(bench, signal);
    return Interval{std::sqrt(championLeast / least * championMost / most), championLeast / most, championMost / least};
}

bool deservesVerdict(const BenchResult &signal, const IterationRecord *champion, const DecisionPolicy &policy)
{
    if (!failure(signal).isEmpty())
        return false;
    if (!champion)
        return true;
    IterationRecord candidate;
    candidate.bench = signal;
    const auto ratio = ratioTo(*champion, candidate);
    // Where nothing but the noise speaks against it, it is measured once more.
    return ratio && ratio->estimate >= 1.0 + policy.improvement && !slowerWorkload(signal, policy);
}

Decision decide(const IterationRecord &record, const IterationRecord *champion, const DecisionPolicy &policy)
{
    if (const QString why = failure(record.bench); !why.isEmpty())
        return failed(why);
    Decision decision;
    switch (record.kind) {
    case IterationRecord::Kind::Baseline:
        decision = judgeBaseline();
        break;
    case IterationRecord::Kind::Iteration:
        decision = judgeIteration(record, champion, policy);
        break;
    case IterationRecord::Kind::Final:
        decision = judgeFinal(record);
        break;
    }
    chain(decision, record, record.kind == IterationRecord::Kind::Iteration ? champion : nullptr);
    return decision;
}

void applyDecision(IterationRecord &record, const IterationRecord *champion, const DecisionPolicy &policy)
{
    const Decision decision = decide(record, champion, policy);
    record.status = decision.status;
    record.statusReason = decision.reason;
    record.becameChampion = decision.becomesChampion;
    record.speedup = decision.speedup;
    record.speedupOverBaseline = decision.speedupOverBaseline;
    record.speedupIsChained = decision.speedupIsChained;
}

} // namespace ako
