// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace ako {

// Why a value was chosen: a place in a file and one short sentence.
struct Evidence
{
    QString file; // workspace-relative; empty for the request text or the machine
    int line = 0; // 1-based; 0 for the whole file
    QString reason;
};

enum class Certainty { Certain, Likely, Open };

// Keys of the plan's fields, as used by `--answer KEY=VALUE` and by the panel.
namespace planKey {
inline constexpr char workspace[] = "workspace";
inline constexpr char kernel[] = "kernel";
inline constexpr char reference[] = "reference";
inline constexpr char input[] = "input";
inline constexpr char knowledge[] = "knowledge";
inline constexpr char benchMode[] = "bench-mode";
inline constexpr char scaffold[] = "scaffold";
inline constexpr char evaluator[] = "evaluator"; // only where the program has another than the workspace
inline constexpr char agent[] = "agent";
inline constexpr char iterationCap[] = "iterations";
inline constexpr char metric[] = "metric";                // of a bench of one's own: the unit of its number
inline constexpr char metricPattern[] = "metric-pattern"; // of such a bench only: where its number stands
inline constexpr char hints[] = "hints";
// No rows of the plan, but what it is made of; changed the same way while the plan waits for approval.
inline constexpr char request[] = "request";
inline constexpr char hintsText[] = "hints-text"; // HINTS.md as it is being written, not yet on disk
} // namespace planKey

// One row of the plan.
struct PlanField
{
    QString key;
    QString label;
    QString value; // display and text form: a workspace-relative path, a number, or "none"
    Certainty certainty = Certainty::Certain;
    QList<Evidence> evidence;
    QStringList candidates; // offered when the value is open or can sensibly be changed
    bool editable = false;
    QString question;       // non-empty: open; nothing runs until it is answered
    QString problem;        // non-empty: the value cannot work, with the reason
    QStringList notes = {}; // what a person should know of it also when nothing is wrong; always shown
};

enum class EvaluatorKind { Native, KernelBench, Custom };

// A directive found in the request text or in a file it points to.
struct Hint
{
    QString text;
    QString origin;     // "from your request", "from rules.md: 3"
    QString recognised; // what the program itself honours ("cap: 20 iterations"); empty when for the agent only
};

struct ResolvedPlan
{
    QString workspace;          // absolute
    QString kernelName;         // for the branch opt/<kernelName>
    QStringList kernelFiles;    // workspace-relative, what becomes solution/
    QString kernelRoot;         // folder that kernelFiles are relative to inside solution/, workspace-relative
    QString problemFile;        // native: workspace-relative problem.json
    QString problemDraft;       // non-empty: the text of problemFile, which approval writes
    QString referenceFile;      // workspace-relative; empty: the original kernel is the golden
    QStringList referenceFiles; // that file and, where the problem names several, the others
    QStringList inputFiles;     // data files, workspace-relative; empty: inline in the problem or the reference
    QStringList knowledgeFiles;
    EvaluatorKind evaluator = EvaluatorKind::Native;
    QString metricPattern, metricUnit; // custom: bench/resultparser.h; empty: the usual lines, in ms
    QString benchCommand;              // custom: the user's command; else rendered from the mode
    QStringList scaffoldToCopy;
    QString newEvaluator; // version of the program's bench/kernelbench that is to replace the workspace's; else empty
    QStringList filesToWrite; // everything that approval will write, workspace-relative
    QString agent = QStringLiteral("tuner");
    int iterationCap = 0;   // 0: none
    int timeCapSeconds = 0; // 0: none
    QList<Hint> hints;
    QString request;
    bool resumed = false;         // an earlier run was found here
    bool identityMissing = false; // git knows nobody who commits here; also among the warnings
    QList<PlanField> fields;
    QStringList warnings;
    QString refusal; // non-empty: not a request for making a kernel faster; the reason

    bool hasOpenQuestions() const
    {
        for (const PlanField &field : fields) {
            if (!field.question.isEmpty() || !field.problem.isEmpty())
                return true;
        }
        return !refusal.isEmpty();
    }

    // The same, but for what only an agent needs: what is measured, and how, is certain without it.
    bool isMeasurementOpen() const;
    // What is to be seen to first: a value that cannot work is often why a question is open. Null: nothing is.
    const PlanField *firstOpen() const;

    // The text of spec.md section 2, then the app's own rows. With evidence: below each row, why.
    QString toMarkdown(bool withEvidence = false) const;
    nlohmann::json toJson() const;
    static Result<ResolvedPlan> fromJson(const nlohmann::json &json);

    const PlanField *field(const QString &key) const;
};

} // namespace ako

Q_DECLARE_METATYPE(ako::ResolvedPlan)
