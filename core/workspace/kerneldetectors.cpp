// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detectors.h"
#include "workspace/problemreader.h"
#include "workspace/pythonscanner.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

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

// What a caller could time: visible to other files and working on memory.
const FunctionFact *launcherOf(const SourceFacts &facts)
{
    const auto usable = [](const FunctionFact &f) {
        return !f.isStatic && !f.isGlobal && f.hasPointers && f.name != QLatin1String("main");
    };
    auto found = std::find_if(facts.functions.cbegin(), facts.functions.cend(),
                              [&](const FunctionFact &f) { return usable(f) && f.isExternC; });
    if (found == facts.functions.cend())
        found = std::find_if(facts.functions.cbegin(), facts.functions.cend(), usable);
    return found == facts.functions.cend() ? nullptr : &*found;
}

void add(Inventory &inventory, Role role, const QString &path, const QString &kind, Certainty certainty, int line,
         const QString &reason)
{
    inventory.findings.append({role, path, kind, certainty, {Evidence{path, line, reason}}});
}

// The Python frameworks a kernel may be written in, by what only they use.
struct Framework
{
    QString kind;
    QStringList imports;    // a module or its parent
    QStringList decorators; // proof that a kernel is defined here
    QString name;
};

const QList<Framework> &frameworks()
{
    static const QList<Framework> list{
        {QStringLiteral("triton"),
         {QStringLiteral("triton")},
         {QStringLiteral("triton.jit"), QStringLiteral("jit"), QStringLiteral("triton.autotune")},
         QStringLiteral("Triton")},
        {QStringLiteral("tilelang"),
         {QStringLiteral("tilelang")},
         {QStringLiteral("T.prim_func"), QStringLiteral("tilelang.jit")},
         QStringLiteral("TileLang")},
        {QStringLiteral("cute"),
         {QStringLiteral("cutlass.cute"), QStringLiteral("cutlass")},
         {QStringLiteral("cute.kernel"), QStringLiteral("cute.jit")},
         QStringLiteral("CuTe DSL")},
        {QStringLiteral("cutile"),
         {QStringLiteral("cuda.tile")},
         {QStringLiteral("ct.kernel"), QStringLiteral("cuda.tile.kernel")},
         QStringLiteral("cuTile")},
    };
    return list;
}

bool importsFramework(const PythonFacts &facts, const Framework &framework)
{
    return std::any_of(framework.imports.cbegin(), framework.imports.cend(),
                       [&](const QString &module) { return facts.imports.contains(module); });
}

bool detectFrameworkKernel(const QString &path, const PythonFacts &facts, Inventory &inventory)
{
    for (const Framework &framework : frameworks()) {
        if (!importsFramework(facts, framework))
            continue;
        for (const QString &decorator : framework.decorators) {
            if (!facts.decorators.contains(decorator))
                continue;
            add(inventory, Role::Kernel, path, framework.kind, Certainty::Likely, facts.decorators.value(decorator),
                tr("@%1 defines a %2 kernel").arg(decorator, framework.name));
            return true;
        }
    }
    return false;
}

bool detectKernelBench(const QString &path, const PythonFacts &facts, Inventory &inventory)
{
    const QString inputs = QStringLiteral("get_inputs");
    const bool hasModel = facts.classes.contains(QStringLiteral("Model"));
    const bool hasNewModel = facts.classes.contains(QStringLiteral("ModelNew"));
    if (!hasModel && !hasNewModel)
        return false;
    const QString model = hasModel ? QStringLiteral("Model") : QStringLiteral("ModelNew");
    const bool isComplete = facts.functions.contains(inputs);
    if (!isComplete && !facts.imports.contains(QStringLiteral("torch")))
        return false;
    Finding finding{Role::Kernel,
                    path,
                    QStringLiteral("kernelbench"),
                    isComplete ? Certainty::Certain : Certainty::Likely,
                    {Evidence{path, facts.classes.value(model), tr("class %1 of a KernelBench module").arg(model)}}};
    if (isComplete)
        finding.evidence.append({path, facts.functions.value(inputs), tr("get_inputs() makes its inputs")});
    inventory.findings.append(finding);
    return true;
}

// Sources that a Python file hands to a compiler by name.
QStringList mentionedSources(const QByteArray &text)
{
    static const QRegularExpression name(QStringLiteral("[\\w./-]+\\.(?:cu|cuh|cpp|cc|cxx|h|hpp|hxx|hip)\\b"));
    QStringList names;
    for (const QRegularExpressionMatch &match : name.globalMatch(QString::fromUtf8(text)))
        names.append(match.captured());
    names.removeDuplicates();
    return names;
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
    add(inventory, Role::Kernel, path, sourceKind(facts), facts.hasMain ? Certainty::Open : Certainty::Likely,
        launcher->line, tr("defines %1(), which works on memory it is given").arg(launcher->name));
    return true;
}

bool detectPython(const QString &path, const QByteArray &text, Inventory &inventory)
{
    const PythonFacts facts = scanPython(text);
    inventory.pythonFiles.append(
        {path, facts.imports, mentionedSources(text), facts.functions.contains(QStringLiteral("run"))});
    if (detectKernelBench(path, facts, inventory) || detectFrameworkKernel(path, facts, inventory))
        return true;
    const QString load = QStringLiteral("load_inline");
    const bool buildsExtension = facts.imports.contains(QStringLiteral("torch.utils.cpp_extension")) ||
                                 facts.imports.contains(QStringLiteral("torch.utils.cpp_extension.load_inline"));
    if (!buildsExtension || !facts.calls.contains(load))
        return false;
    add(inventory, Role::Kernel, path, QStringLiteral("load-inline"), Certainty::Likely, facts.calls.value(load),
        tr("load_inline() builds a kernel from source in this file"));
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
