// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detectors.h"
#include "workspace/problemreader.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <functional>
#include <initializer_list>

namespace ako::detectors {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Inventory", text);
}

bool includesAny(const SourceFacts &facts, const QStringList &beginnings)
{
    return std::any_of(facts.systemIncludes.cbegin(), facts.systemIncludes.cend(), [&](const QString &include) {
        return std::any_of(beginnings.cbegin(), beginnings.cend(),
                           [&](const QString &beginning) { return include.startsWith(beginning); });
    });
}

QString sourceKind(const SourceFacts &facts)
{
    const QString suffix = QFileInfo(facts.path).suffix().toLower();
    if (suffix == QLatin1String("hip") || includesAny(facts, {QStringLiteral("hip/")}))
        return QStringLiteral("hip");
    if (includesAny(facts, {QStringLiteral("torch/"), QStringLiteral("ATen/"), QStringLiteral("pybind11/")}))
        return QStringLiteral("torch-cpp");
    const bool hasDeviceCode = std::any_of(facts.functions.cbegin(), facts.functions.cend(),
                                           [](const FunctionFact &function) { return function.isGlobal; });
    if (hasDeviceCode || suffix == QLatin1String("cu") || suffix == QLatin1String("cuh"))
        return QStringLiteral("cuda");
    return QStringLiteral("cpp");
}

// Given memory to work on: a pointer, a view of an array or a tensor.
bool takesMemory(const FunctionFact &function)
{
    static const QRegularExpression views(QStringLiteral("\\b(Tensor|TensorList|vector\\s*<|span\\s*<|mdspan\\s*<)"));
    return function.hasPointers || views.match(function.parameters).hasMatch();
}

// What a caller could time: visible to other files and working on memory. Device code counts where nothing calls it.
const FunctionFact *launcherOf(const SourceFacts &facts)
{
    const auto isHost = [](const FunctionFact &f) {
        return !f.isStatic && !f.isGlobal && takesMemory(f) && f.name != QLatin1String("main");
    };
    const std::initializer_list<std::function<bool(const FunctionFact &)>> preferences{
        [&](const FunctionFact &f) { return isHost(f) && f.isExternC; }, isHost,
        [](const FunctionFact &f) { return f.isGlobal && takesMemory(f); }};
    for (const auto &isWanted : preferences) {
        const auto found = std::find_if(facts.functions.cbegin(), facts.functions.cend(), isWanted);
        if (found != facts.functions.cend())
            return &*found;
    }
    return nullptr;
}

void add(Inventory &inventory, Role role, const QString &path, const QString &kind, Certainty certainty, int line,
         const QString &reason)
{
    inventory.findings.append({role, path, kind, certainty, {Evidence{path, line, reason}}});
}

} // namespace

bool isSourceName(const QString &path)
{
    static const QStringList suffixes{QStringLiteral("c"),   QStringLiteral("cc"),  QStringLiteral("cpp"),
                                      QStringLiteral("cxx"), QStringLiteral("cu"),  QStringLiteral("cuh"),
                                      QStringLiteral("h"),   QStringLiteral("hh"),  QStringLiteral("hpp"),
                                      QStringLiteral("hxx"), QStringLiteral("hip"), QStringLiteral("inl"),
                                      QStringLiteral("inc")};
    return suffixes.contains(QFileInfo(path).suffix().toLower());
}

bool detectSource(const QString &path, const QByteArray &text, Inventory &inventory)
{
    if (text.contains('\0'))
        return false; // binary under a source file's name
    const SourceFacts facts = scanSource(path, text);
    inventory.sources.append(facts);
    const FunctionFact *launcher = launcherOf(facts);
    if (facts.hasMain)
        add(inventory, Role::Test, path, sourceKind(facts), Certainty::Likely, facts.mainLine,
            tr("main() makes it a program of its own"));
    if (facts.isHeader() || !launcher)
        return facts.hasMain;
    const QString what = launcher->isGlobal ? tr("defines the device function %1()")
                                            : tr("defines %1(), which works on memory it is given");
    add(inventory, Role::Kernel, path, sourceKind(facts), facts.hasMain ? Certainty::Open : Certainty::Likely,
        launcher->line, what.arg(launcher->name));
    return true;
}

bool detectProblem(const QString &path, const QByteArray &text, Inventory &inventory)
{
    const std::optional<ProblemFacts> facts = readProblemFacts(path, text);
    if (!facts)
        return false;
    inventory.problems.append(*facts);
    add(inventory, Role::Problem, path, QStringLiteral("ako.problem/1"), Certainty::Certain, 0,
        tr("describes a native problem"));
    return true;
}

bool detectDefinition(const FileTree &tree, const QString &path, const QByteArray &text, Inventory &inventory)
{
    const QFileInfo info(path);
    if (info.fileName() != QLatin1String("definition.json") || !text.contains("\"axes\""))
        return false;
    const QString workload = path.chopped(info.fileName().size()) + QStringLiteral("workload.jsonl");
    const bool hasWorkload = std::any_of(tree.files.cbegin(), tree.files.cend(),
                                         [&](const FileTree::File &file) { return file.path == workload; });
    if (!hasWorkload)
        return false;
    add(inventory, Role::Reference, path, QStringLiteral("definition"), Certainty::Certain, 0,
        tr("a SOL-ExecBench or FlashInfer-Bench definition with its workloads beside it"));
    return true;
}

} // namespace ako::detectors
