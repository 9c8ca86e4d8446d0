// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/planfields.h"

namespace ako::planning {

struct KernelCandidate
{
    QString path;
    Evidence evidence;
};
using KernelCandidates = QList<KernelCandidate>;

// All that could be the kernel: what defines the entry of the problem, else what was seen to be one.
KernelCandidates kernelCandidates(const Context &context, const ResolvedPlan &plan, const ProblemFacts *problem);

// Those that are left when references and what only goes with another one are taken out; why stands in `dropped`. Never
// empty where `candidates` is not.
KernelCandidates narrowedByContent(const Context &context, const ResolvedPlan &plan, KernelCandidates candidates,
                                   QList<Evidence> &dropped);

// By what it is called, or by what its functions are called.
bool looksLikeReference(const Inventory &inventory, const QString &path);

} // namespace ako::planning
