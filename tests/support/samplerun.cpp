// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplerun.h"

#include "history/runstore.h"

#include <QDir>
#include <QFile>

#include <initializer_list>

namespace ako::sampleRun {

namespace {

constexpr double baselineMs = 4.82;
constexpr double referenceOverBaseline = 1.0 / 1.04;

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

QString hexadecimal(quint64 seed, int length)
{
    return QString::number(seed, 16).leftJustified(length, QLatin1Char('7'));
}

QDateTime startOf(int iteration)
{
    return QDateTime(QDate(2026, 1, 15), QTime(9, 30), Qt::UTC).addSecs(40LL * iteration);
}

Interval around(double estimate, double half)
{
    return {estimate, estimate - half, estimate + half};
}

Timing timingOf(double median)
{
    return {median, median * 1.01, median * 0.97, median * 1.12};
}

QList<WorkloadResult> workloads(double runtime)
{
    QList<WorkloadResult> list;
    int index = 0;
    for (const char *id : {"rows=4096 columns=1024", "rows=512 columns=8192"}) {
        WorkloadResult workload;
        workload.id = text(id);
        const double scale = index++ == 0 ? 0.9 : 1.1;
        workload.solution = timingOf(runtime * scale);
        workload.reference = timingOf(baselineMs / 1.04 * scale);
        workload.speedupOverReference = around(baselineMs / 1.04 / runtime, 0.01);
        workload.speedupOverChampion = around(1.05, 0.01);
        workload.floorMs = baselineMs / 2.6 * scale;
        list << workload;
    }
    return list;
}

IterationRecord entry(int number, const char *title, IterationStatus status, int parent)
{
    IterationRecord record;
    record.number = number;
    record.label = number == 0 ? text("baseline") : QStringLiteral("iter-%1").arg(number);
    record.kind = number == 0 ? IterationRecord::Kind::Baseline : IterationRecord::Kind::Iteration;
    record.title = text(title);
    record.status = status;
    record.parent = parent;
    record.agent = text("tuner");
    record.commit = hexadecimal(0xa1b2c3d4e5ULL + quint64(number) * 7919, 40);
    record.solutionHash = hexadecimal(0x51f0c0ffeeULL + quint64(number) * 104729, 64);
    record.startedAt = startOf(number);
    record.agentMilliseconds = 900 + 131 * number;
    record.benchMilliseconds = 7'400 + 350 * (number % 5);
    record.trajectory =
        QStringLiteral("trajectory/20260115-0930%1_%2").arg(number, 2, 10, QLatin1Char('0')).arg(record.label);
    record.bench.compiled = true;
    record.bench.correct = true;
    record.bench.exitCode = 0;
    record.bench.status = text("OK");
    return record;
}

IterationRecord measured(int number, const char *title, IterationStatus status, int parent, double speedup, double half)
{
    IterationRecord record = entry(number, title, status, parent);
    const double runtime = baselineMs / speedup;
    record.bench.solution = timingOf(runtime);
    record.bench.workloads = workloads(runtime);
    record.speedupOverBaseline = around(speedup, half);
    record.speedup = around(speedup * referenceOverBaseline, half);
    record.speedupIsChained = number > 0;
    record.hypothesis = text("Fewer passes over the row mean fewer bytes from memory.");
    record.changes = text("kernel.cpp: the two loops over the row are one.");
    record.bench.state = ResultState::Provisional;
    return record;
}

IterationRecord improved(int number, const char *title, int parent, double speedup, double half)
{
    IterationRecord record = measured(number, title, IterationStatus::Improved, parent, speedup, half);
    record.becameChampion = true;
    record.bench.state = ResultState::Confirmed;
    record.bench.mode = BenchMode::Verdict;
    record.verdictTrajectory = record.trajectory + text("-verdict");
    record.bench.speedupOverChampion = around(1.12, half);
    record.statusReason = text("1.12x the champion, and the interval lies above 1.03x");
    record.analysis = text("The gain is where it was expected: the memory traffic of one pass is gone.");
    return record;
}

IterationRecord failed(int number, const char *title, int parent, const char *reason, const char *status)
{
    IterationRecord record = entry(number, title, IterationStatus::Failed, parent);
    record.bench.state = ResultState::Provisional;
    record.bench.correct = false;
    record.bench.status = text(status);
    record.bench.message = text(reason);
    record.bench.exitCode = 1;
    record.statusReason = text(reason);
    record.hypothesis = text("Staging the row in a local tile avoids the second read.");
    return record;
}

IterationRecord quarantined(int number)
{
    IterationRecord record = measured(number, "skip rows that repeat", IterationStatus::Failed, 7, 31.4, 0.9);
    record.bench.state = ResultState::Quarantined;
    record.bench.flags = {text("SUSPICIOUS"), text("BELOW_FLOOR")};
    record.speedup.reset();
    record.speedupOverBaseline.reset();
    record.statusReason = text("faster than the physical floor: 31x, where memory allows 2.6x");
    return record;
}

PlanField field(const char *key, const char *label, const QString &value, QList<Evidence> evidence,
                bool editable = false, QStringList candidates = {})
{
    PlanField made;
    made.key = QLatin1String(key);
    made.label = text(label);
    made.value = value;
    made.evidence = std::move(evidence);
    made.editable = editable;
    made.candidates = std::move(candidates);
    return made;
}

bool write(const QString &path, const char *content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) >= 0;
}

constexpr char kernelSource[] = R"(// Row softmax: y[i] = exp(x[i] - max) / sum, one row after the other.
#include <algorithm>
#include <cmath>
#include <cstddef>

constexpr int unroll = 8; // ako: tune 4,8,16

extern "C" void softmax(const float *__restrict__ x, float *__restrict__ y, std::size_t rows, std::size_t columns)
{
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row) {
        const float *in = x + row * columns;
        float *out = y + row * columns;
        float largest = in[0];
        for (std::size_t i = 1; i < columns; ++i)
            largest = std::max(largest, in[i]);
        float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
        for (std::size_t i = 0; i < columns; ++i) {
            out[i] = std::exp(in[i] - largest);
            sum += out[i];
        }
        const float scale = 1.0F / sum;
        for (std::size_t i = 0; i < columns; ++i)
            out[i] *= scale;
    }
}
)";

constexpr char logText[] = R"(# Iteration Log

## Summary

| Iter | Title | Speedup(mean) | Runtime(mean) | Status |
|------|-------|---------------|---------------|--------|
| 0 | original kernel | 1.00x | 4.87 ms | baseline |
| 1 | restrict qualifiers | 1.01x | 4.82 ms | no-change |
| 2 | parallel rows | 1.31x | 3.72 ms | improved |

## Iterations

### Iteration 2: parallel rows

- **Hypothesis:** rows are independent.
- **Changes:** `omp parallel for` over rows.
)";

} // namespace

ResolvedPlan plan(const QString &workspace)
{
    ResolvedPlan plan;
    plan.workspace = workspace;
    plan.kernelName = text("softmax");
    plan.kernelFiles = {text("softmax.cpp")};
    plan.problemFile = text("problem.json");
    plan.referenceFile = text("reference.cpp");
    plan.knowledgeFiles = {text("knowledge/notes.md")};
    plan.scaffoldToCopy = {text("bench-wrapper.sh"), text("ITERATIONS.md"), text(".gitignore")};
    plan.filesToWrite = {text("bench-wrapper.sh"), text("ITERATIONS.md"),    text(".gitignore"),
                         text("HINTS.md"),         text("scripts/bench.sh"), text("solution/softmax.cpp")};
    plan.iterationCap = 20;
    plan.hints = {{text("stop after 20 iterations"), text("from your request"), text("cap: 20 iterations")}};
    plan.warnings = {text("Other programs use 35 % of the processor; intervals will be wider.")};
    plan.fields = {
        field(planKey::workspace, "Workspace", workspace, {}),
        field(planKey::kernel, "Kernel", text("softmax.cpp"),
              {{text("problem.json"), 4, text("its entry point is defined here")}}, true, {text("softmax.cpp")}),
        field(planKey::reference, "Reference", text("reference.cpp"),
              {{text("problem.json"), 9, text("named as reference")}}, true, {text("reference.cpp"), text("none")}),
        field(planKey::input, "Input data", text("inline in problem.json"),
              {{text("problem.json"), 14, text("two inputs with distributions")}}),
        field(planKey::knowledge, "Knowledge", text("knowledge/notes.md"), {}),
        field(planKey::benchMode, "Bench mode", text("default (native)"),
              {{text("problem.json"), 1, text("format ako.problem/1")}}),
        field(planKey::scaffold, "Scaffold to copy", text("bench-wrapper.sh, ITERATIONS.md, .gitignore"), {}),
        field(planKey::agent, "Agent", text("tuner"), {}, true, {text("tuner"), text("user")}),
        field(planKey::iterationCap, "Iteration cap", text("20"), {{QString(), 0, text("from your request")}}, true),
        field(planKey::metric, "Primary metric", text("median runtime, all workloads"), {}),
    };
    return plan;
}

ResolvedPlan planWithQuestion(const QString &workspace)
{
    ResolvedPlan open = plan(workspace);
    PlanField &kernel = open.fields[1];
    kernel.value.clear();
    kernel.certainty = Certainty::Open;
    kernel.question = text("Two files define softmax(). Which one is to be made faster?");
    kernel.candidates = {text("softmax.cpp"), text("softmax_blocked.cpp")};
    kernel.evidence = {{text("softmax.cpp"), 12, text("defines softmax()")},
                       {text("softmax_blocked.cpp"), 31, text("defines softmax()")}};
    return open;
}

IterationRecord baseline()
{
    IterationRecord record = measured(0, "original kernel", IterationStatus::Baseline, -1, 1.0, 0.0);
    record.bench.state = ResultState::Confirmed;
    record.bench.mode = BenchMode::Verdict;
    record.bench.reference = timingOf(baselineMs / 1.04);
    record.speedup = around(referenceOverBaseline, 0.006);
    record.becameChampion = true;
    record.hypothesis.clear();
    record.changes.clear();
    record.statusReason = text("the kernel as it was found");
    return record;
}

QList<IterationRecord> records()
{
    return {
        baseline(),
        measured(1, "restrict qualifiers", IterationStatus::NoChange, 0, 1.012, 0.011),
        improved(2, "parallel rows", 0, 1.31, 0.02),
        failed(3, "shared-memory tile", 2, "wrong: output 0 differs at [17, 3], 0.251 instead of 0.248", "INCORRECT"),
        improved(4, "one pass, online maximum", 2, 1.62, 0.013),
        measured(5, "schedule(dynamic)", IterationStatus::Regression, 4, 1.38, 0.036),
        measured(6, "two rows a block", IterationStatus::NoChange, 4, 1.63, 0.021),
        improved(7, "vectorized loads", 4, 1.96, 0.012),
        failed(8, "unroll 32", 7, "did not compile: softmax.cpp:41: no matching function for call to ‘load’",
               "COMPILE_ERROR"),
        quarantined(9),
        improved(10, "polynomial exponential within tolerance", 7, 2.14, 0.018),
        measured(11, "aligned stores", IterationStatus::NoChange, 10, 2.15, 0.024),
        measured(12, "prefetch next row", IterationStatus::Regression, 10, 2.01, 0.03),
    };
}

IterationRecord finalRecord()
{
    IterationRecord record = improved(10, "Restore iter-10 (2.14x) — best confirmed", 10, 2.13, 0.016);
    record.kind = IterationRecord::Kind::Final;
    record.label = text("final");
    record.becameChampion = false;
    record.bench.speedupOverBaseline = around(2.13, 0.016);
    record.speedupIsChained = false;
    return record;
}

QList<RunEvent> opened(const QString &workspace)
{
    return {event::WorkspaceOpened{workspace, text("main")}, event::PhaseChanged{Phase::Inventory, -1, {}, startOf(0)},
            event::PlanResolved{plan(workspace), false}, event::HistoryLoaded{},
            event::PhaseChanged{Phase::AwaitingApproval, -1, {}, startOf(0)}};
}

QList<RunEvent> underWay(const QString &workspace)
{
    QList<RunEvent> events{event::WorkspaceOpened{workspace, text("opt/softmax")},
                           event::PlanResolved{plan(workspace), true},
                           event::PhaseChanged{Phase::Baseline, 0, {}, QDateTime::currentDateTime().addSecs(-252)}};
    for (const IterationRecord &record : records()) {
        events << event::IterationRecorded{record};
        if (record.becameChampion)
            events << event::ChampionChanged{record.number};
        events << event::OutputAppended{event::OutputAppended::Source::Agent,
                                        QStringLiteral("iteration %1: %2\n").arg(record.number).arg(record.title)};
    }
    events << event::HintsSeen{8, {text("stay with C++")}, {}, {text("language: C++")}};
    events << event::Notice{Severity::Warning, text("Other programs use 35 % of the processor."),
                            text("Close them, or expect wider intervals.")};
    events << event::PhaseChanged{Phase::Benching, 13, {}, QDateTime::currentDateTime().addSecs(-12)};
    events << event::BenchProgress{text("iter-13"), text("timing"), 0.62};
    events << event::OutputAppended{event::OutputAppended::Source::Bench, benchOutput()};
    return events;
}

QList<RunEvent> paused(const QString &workspace)
{
    QList<RunEvent> events = underWay(workspace);
    events << event::PhaseChanged{Phase::Ready, -1, {}, startOf(13)};
    events << event::RunStopped{event::RunStopped::Why::Paused, text("As you asked, after iteration 12."), 0};
    return events;
}

QList<RunEvent> finished(const QString &workspace)
{
    QList<RunEvent> events = underWay(workspace);
    events << event::IterationRecorded{finalRecord()};
    events << event::PhaseChanged{Phase::Finished, -1, {}, startOf(14)};
    events << event::RunStopped{event::RunStopped::Why::Finished,
                                text("Iteration 10 is the best: 2.13x ± 0.02 over the baseline."), 0};
    return events;
}

void replay(RunStore &store, const QList<RunEvent> &events)
{
    for (const RunEvent &event : events)
        store.apply(event);
}

Diff diff()
{
    const auto lines = [](std::initializer_list<DiffLine> list) { return QList<DiffLine>(list); };
    FileDiff kernel;
    kernel.path = text("softmax.cpp");
    kernel.hunks = {
        {text("@@ -5,4 +5,5 @@"), lines({{' ', 5, 5, {}},
                                         {'-', 6, -1, text("constexpr int unroll = 8; // ako: tune 4,8,16")},
                                         {'+', -1, 6, text("constexpr int unroll = 16; // ako: tune 4,8,16")},
                                         {'+', -1, 7, text("constexpr int rowsAtOnce = 2;")},
                                         {' ', 7, 8, {}}})},
        {text("@@ -16,4 +17,3 @@ extern \"C\" void softmax("),
         lines({{' ', 16, 17, text("        float sum = 0.0F;")},
                {'-', 17, -1, text("#pragma omp simd reduction(+ : sum)")},
                {'-', 18, -1, text("        for (std::size_t i = 0; i < columns; ++i) {")},
                {'+', -1, 18, text("        for (std::size_t i = 0; i < columns; i += unroll) {")},
                {' ', 19, 19, text("            out[i] = std::exp(in[i] - largest);")}})},
    };
    FileDiff flags;
    flags.kind = FileDiff::Kind::Added;
    flags.path = text("build.json");
    flags.hunks = {{text("@@ -0,0 +1 @@"), lines({{'+', -1, 1, text("{\"flags\": [\"-O3\", \"-march=native\"]}")}})}};
    return {kernel, flags};
}

QString benchOutput()
{
    return text(
        "Problem   softmax (2 workloads)\nCompiling solution …\nCOMPILED: true\nChecking 5 seeds, 2 workloads …\n"
        "CORRECT: true\nRUNTIME: 2.252 (ms)\nREF_RUNTIME: 4.635 (ms)\nSPEEDUP: 2.06x\n");
}

bool writeWorkspace(const QString &workspace)
{
    const QDir folder(workspace);
    return folder.mkpath(text("solution")) && write(folder.filePath(text("solution/softmax.cpp")), kernelSource) &&
           write(folder.filePath(text("softmax.cpp")), kernelSource) &&
           write(folder.filePath(text("solution/build.json")), "{\"flags\": [\"-O3\", \"-march=native\"]}\n") &&
           write(folder.filePath(text("HINTS.md")), "# Hints\n\n- stop after 20 iterations\n- do not install "
                                                    "packages\n- rows are never longer than 8192\n") &&
           write(folder.filePath(text("ITERATIONS.md")), logText);
}

} // namespace ako::sampleRun
