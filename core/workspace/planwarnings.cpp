// SPDX-License-Identifier: GPL-3.0-or-later
// What the sources themselves show of a comparison that would mislead.
#include "workspace/planfields.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako::planning {

namespace {

constexpr qsizetype fewOperations = 3; // fewer are no chain that a compiler would fuse

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

bool makesData(const QString &call)
{
    static const QStringList makers{QStringLiteral("rand"),     QStringLiteral("randn"),  QStringLiteral("randint"),
                                    QStringLiteral("randperm"), QStringLiteral("normal"), QStringLiteral("uniform")};
    return (call.startsWith(QLatin1String("torch.")) || call.startsWith(QLatin1String("numpy."))) &&
           makers.contains(call.section(QLatin1Char('.'), -1));
}

void warnOfForward(const PythonNeeds &module, ResolvedPlan &plan)
{
    const auto &calls = module.facts.forwardCalls;
    for (auto call = calls.cbegin(); call != calls.cend(); ++call) {
        if (makesData(call.key()))
            plan.warnings.append(tr("%1:%2 calls %3() in forward(): making the data is timed with the rest.")
                                     .arg(module.path)
                                     .arg(call.value())
                                     .arg(call.key()));
    }
    if (module.facts.forwardLoop > 0)
        plan.warnings.append(
            tr("%1:%2 loops in Python in forward(): the reference may be much slower than it should be, "
               "and a speedup over it says little.")
                .arg(module.path)
                .arg(module.facts.forwardLoop));
}

QString eagerNote(const PythonNeeds &module)
{
    const auto &calls = module.facts.forwardCalls;
    const auto operations = std::count_if(calls.keyBegin(), calls.keyEnd(),
                                          [](const QString &call) { return call.startsWith(QLatin1String("torch.")); });
    if (operations < fewOperations || module.facts.calls.contains(QStringLiteral("torch.compile")))
        return {};
    return tr("%1 runs in eager mode: the speedup contains what torch.compile() would give").arg(module.path);
}

QMap<QString, int> precisionOf(const Inventory &inventory, const QStringList &files)
{
    QMap<QString, int> settings;
    for (const QString &file : files) {
        if (const PythonNeeds *module = inventory.pythonFile(file))
            settings.insert(module->facts.settings);
    }
    return settings;
}

// Said by one of them only: they may compute with different precision.
void warnOfPrecision(const Inventory &inventory, ResolvedPlan &plan)
{
    const QMap<QString, int> kernel = precisionOf(inventory, plan.kernelFiles);
    const QMap<QString, int> reference = precisionOf(inventory, plan.referenceFiles);
    if (plan.referenceFiles.isEmpty() || kernel.keys() == reference.keys())
        return;
    const auto text = [](const QMap<QString, int> &settings) {
        return settings.isEmpty() ? tr("nothing") : QStringList(settings.keys()).join(comma());
    };
    plan.warnings.append(tr("The kernel and the reference set TF32 differently: %1 sets %2, %3 sets %4.")
                             .arg(plan.kernelFiles.value(0), text(kernel), plan.referenceFile, text(reference)));
}

// Only the kernel names types of less precision than float32: being faster than the reference may be being less right.
void warnOfWeakTypes(const Inventory &inventory, ResolvedPlan &plan)
{
    const auto names = [&](const QStringList &files, const PythonNeeds *&first) {
        QMap<QString, int> found;
        for (const QString &file : files) {
            const PythonNeeds *module = inventory.pythonFile(file);
            if (module && !module->facts.weakTypes.isEmpty() && !first)
                first = module;
            if (module)
                found.insert(module->facts.weakTypes);
        }
        return found;
    };
    const PythonNeeds *kernel = nullptr;
    const PythonNeeds *reference = nullptr;
    const QMap<QString, int> weak = names(plan.kernelFiles, kernel);
    const bool isAlone =
        !plan.referenceFiles.isEmpty() && names(plan.referenceFiles + plan.inputFiles, reference).isEmpty();
    if (kernel && isAlone)
        plan.warnings.append(tr("%1:%2 names %3, and %4 no such type: a kernel that computes with less precision than "
                                "its reference is not faster at the same work.")
                                 .arg(kernel->path)
                                 .arg(kernel->facts.weakTypes.first())
                                 .arg(weak.keys().join(comma()), plan.referenceFile));
}

void warnOfBench(const Inventory &inventory, ResolvedPlan &plan)
{
    for (const Finding &script : inventory.withRole(Role::BenchScript)) {
        const PythonNeeds *module = inventory.pythonFile(script.path);
        if (module && module->facts.timedInput > 0 && plan.benchCommand.contains(script.path))
            plan.warnings.append(tr("%1:%2 makes inputs while the clock runs: that time is measured too.")
                                     .arg(module->path)
                                     .arg(module->facts.timedInput));
    }
}

} // namespace

void warnOfSources(const Context &context, ResolvedPlan &plan, PlanField &reference)
{
    if (plan.evaluator == EvaluatorKind::Custom)
        return warnOfBench(context.inventory, plan);
    if (plan.evaluator != EvaluatorKind::KernelBench)
        return;
    const QString file = plan.referenceFile.isEmpty() ? plan.kernelFiles.value(0) : plan.referenceFile;
    if (const PythonNeeds *module = context.inventory.pythonFile(file)) {
        warnOfForward(*module, plan);
        if (const QString note = eagerNote(*module); !note.isEmpty())
            reference.notes.append(note);
    }
    warnOfPrecision(context.inventory, plan);
    warnOfWeakTypes(context.inventory, plan);
}

} // namespace ako::planning
