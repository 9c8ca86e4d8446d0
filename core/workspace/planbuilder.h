// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/answers.h"
#include "workspace/inventory.h"
#include "workspace/requesttext.h"
#include "workspace/resolvedplan.h"

#include <QString>

#include <optional>

namespace ako {

// What this build can measure; a plan that needs more says so in its bench mode.
struct EvaluatorSupport
{
    bool nativeCpu = true;
    bool nativeCuda = true;
    bool kernelBench = true;
    bool custom = true;
};

// The plan of what was seen, what was asked for and what was answered. Reads at most the files that the request says
// to follow; writes nothing.
ResolvedPlan buildPlan(const Inventory &inventory, const QString &request, const Answers &answers,
                       const EvaluatorSupport &support = {});

// The same, kept for editing: each answer builds the plan anew, so that all that depends on it is checked again.
class PlanBuilder
{
public:
    PlanBuilder(Inventory inventory, QString request, Answers answers, const EvaluatorSupport &support = {});

    const ResolvedPlan &plan() const { return m_plan; }
    const Answers &answers() const { return m_answers; }
    const Inventory &inventory() const { return m_inventory; }

    // An empty value forgets the answer. Fails for a key that is unknown or not editable; a value that cannot work is
    // taken and shown as that field's problem. planKey::request and planKey::hintsText are taken as they are and are
    // no answers: nothing keeps them but the plan.
    Result<void> setAnswer(const QString &key, const QString &value);
    // The workspace was looked at again. Request, answers and hints that are not saved yet stay.
    void setInventory(Inventory inventory);

private:
    bool setSource(const QString &key, const QString &value);
    void takeHints(const QByteArray &content);

    Inventory m_inventory;
    QString m_request;
    Answers m_answers;
    std::optional<QByteArray> m_writtenHints; // in an editor, not (yet) what the file says
    EvaluatorSupport m_support;
    ResolvedPlan m_plan;
};

// A name that can stand after "opt/" in a git branch: lower-case letters, digits, '-', '_' and '.'.
QString branchComponent(const QString &text);

} // namespace ako
