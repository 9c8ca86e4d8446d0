// SPDX-License-Identifier: GPL-3.0-or-later
// What a Python file is for, by what it defines and calls.
#include "workspace/detectors.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace ako::detectors {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Inventory", text);
}

// The Python frameworks a kernel may be written in, by what only they use.
struct Framework
{
    QString kind;
    QStringList imports;    // a module or its parent
    QStringList decorators; // proof that a kernel is defined here: as Python resolves them, and as they are written
    QString name;
};

const QList<Framework> &frameworks()
{
    static const QList<Framework> list{
        {QStringLiteral("triton"),
         {QStringLiteral("triton")},
         {QStringLiteral("triton.jit"), QStringLiteral("triton.autotune"), QStringLiteral("triton.heuristics"),
          QStringLiteral("jit")},
         QStringLiteral("Triton")},
        {QStringLiteral("tilelang"),
         {QStringLiteral("tilelang")},
         {QStringLiteral("tilelang.language.prim_func"), QStringLiteral("tilelang.jit"), QStringLiteral("T.prim_func")},
         QStringLiteral("TileLang")},
        {QStringLiteral("cute"),
         {QStringLiteral("cutlass.cute"), QStringLiteral("cutlass")},
         {QStringLiteral("cutlass.cute.kernel"), QStringLiteral("cutlass.cute.jit"), QStringLiteral("cute.kernel"),
          QStringLiteral("cute.jit")},
         QStringLiteral("CuTe DSL")},
        {QStringLiteral("cutile"),
         {QStringLiteral("cuda.tile")},
         {QStringLiteral("cuda.tile.kernel"), QStringLiteral("ct.kernel")},
         QStringLiteral("cuTile")},
    };
    return list;
}

// The module itself, or something of it: "from triton import jit".
bool importsAny(const PythonFacts &facts, const QStringList &modules)
{
    return std::any_of(modules.cbegin(), modules.cend(), [&](const QString &module) {
        const auto from = facts.imports.lowerBound(module);
        return from != facts.imports.cend() &&
               (from.key() == module || from.key().startsWith(module + QLatin1Char('.')));
    });
}

PythonKernel frameworkKernel(const PythonFacts &facts)
{
    for (const Framework &framework : frameworks()) {
        if (!importsAny(facts, framework.imports))
            continue;
        for (const QString &decorator : framework.decorators) {
            if (facts.decorators.contains(decorator))
                return {framework.kind, facts.decorators.value(decorator),
                        tr("@%1 defines a %2 kernel").arg(decorator, framework.name)};
        }
    }
    return {};
}

// Source that is compiled when the module is loaded.
PythonKernel builtKernel(const PythonFacts &facts)
{
    const QString extension = QStringLiteral("torch.utils.cpp_extension");
    if (!importsAny(facts, {extension}) && !facts.calls.contains(extension + QStringLiteral(".load_inline")))
        return {};
    for (const char *name : {"load_inline", "load"}) {
        const QString function = QLatin1String(name);
        for (const QString &call : {extension + QLatin1Char('.') + function, function}) {
            if (facts.calls.contains(call))
                return {function == QLatin1String("load") ? QStringLiteral("load") : QStringLiteral("load-inline"),
                        facts.calls.value(call),
                        function == QLatin1String("load")
                            ? tr("load() builds a kernel from the sources it names")
                            : tr("load_inline() builds a kernel from source in this file")};
        }
    }
    return {};
}

bool definesModel(const PythonFacts &facts)
{
    return facts.classes.contains(QStringLiteral("Model")) || facts.classes.contains(QStringLiteral("ModelNew"));
}

bool detectKernelBench(const QString &path, const PythonFacts &facts, const PythonKernel &kernel, Inventory &inventory)
{
    const QString inputs = QStringLiteral("get_inputs");
    if (!definesModel(facts))
        return false;
    const bool hasModel = facts.classes.contains(QStringLiteral("Model"));
    const QString model = hasModel ? QStringLiteral("Model") : QStringLiteral("ModelNew");
    const bool isComplete = facts.functions.contains(inputs);
    if (!isComplete && !importsAny(facts, {QStringLiteral("torch")}))
        return false;
    Finding finding{Role::Kernel,
                    path,
                    QStringLiteral("kernelbench"),
                    isComplete ? Certainty::Certain : Certainty::Likely,
                    {Evidence{path, facts.classes.value(model), tr("class %1 of a KernelBench module").arg(model)}}};
    if (isComplete)
        finding.evidence.append({path, facts.functions.value(inputs), tr("get_inputs() makes its inputs")});
    if (!kernel.kind.isEmpty())
        finding.evidence.append({path, kernel.line, kernel.reason});
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

// Functions that check: named so, and they do.
int testLine(const PythonFacts &facts)
{
    static const QStringList checks{QStringLiteral("assert"), QStringLiteral("torch.allclose"),
                                    QStringLiteral("torch.testing.assert_close"),
                                    QStringLiteral("numpy.testing.assert_allclose"), QStringLiteral("numpy.allclose")};
    const bool checksAnything =
        importsAny(facts, {QStringLiteral("pytest"), QStringLiteral("unittest")}) ||
        std::any_of(checks.cbegin(), checks.cend(), [&](const QString &call) { return facts.calls.contains(call); });
    if (!checksAnything && !facts.python.isEmpty() && facts.syntaxError.isEmpty())
        return 0;
    const auto test = facts.functions.lowerBound(QStringLiteral("test_"));
    if (test != facts.functions.cend() && test.key().startsWith(QLatin1String("test_")))
        return test.value();
    return checksAnything && facts.hasMainGuard ? 1 : 0;
}

// Plain PyTorch: functions that compute with tensors, where no module says how they are called.
int torchFunctionLine(const PythonFacts &facts)
{
    const bool computes = std::any_of(facts.calls.keyBegin(), facts.calls.keyEnd(), [](const QString &call) {
        return call.startsWith(QLatin1String("torch.")) && !call.startsWith(QLatin1String("torch.utils."));
    });
    if (!computes || facts.functions.isEmpty() || !importsAny(facts, {QStringLiteral("torch")}))
        return 0;
    return *std::min_element(facts.functions.cbegin(), facts.functions.cend());
}

void add(Inventory &inventory, Role role, const QString &path, const QString &kind, Certainty certainty, int line,
         const QString &reason)
{
    inventory.findings.append({role, path, kind, certainty, {Evidence{path, line, reason}}});
}

bool detectRole(const QString &path, const QByteArray &text, const PythonFacts &facts, const PythonKernel &kernel,
                Inventory &inventory)
{
    if (detectKernelBench(path, facts, kernel, inventory))
        return true;
    if (!kernel.kind.isEmpty()) {
        add(inventory, Role::Kernel, path, kernel.kind, Certainty::Likely, kernel.line, kernel.reason);
        return true;
    }
    if (detectPythonBench(path, text, facts, inventory))
        return true;
    if (const int line = testLine(facts); line > 0) {
        add(inventory, Role::Test, path, QStringLiteral("python"), Certainty::Likely, line,
            tr("checks results and defines no kernel"));
        return true;
    }
    const int line = torchFunctionLine(facts);
    if (line > 0)
        add(inventory, Role::Kernel, path, QStringLiteral("torch"), Certainty::Open, line,
            tr("functions that compute with torch"));
    return line > 0;
}

} // namespace

PythonKernel kernelDefinedIn(const PythonFacts &facts)
{
    const PythonKernel kernel = frameworkKernel(facts);
    return kernel.kind.isEmpty() ? builtKernel(facts) : kernel;
}

bool mayMatter(const QString &path, const QByteArray &text)
{
    static const QList<QByteArray> words{"torch", "triton", "tilelang", "cutlass", "cuda", "get_inputs", "class Model"};
    return !path.contains(QLatin1Char('/')) ||
           std::any_of(words.cbegin(), words.cend(), [&](const QByteArray &word) { return text.contains(word); });
}

bool detectPython(const QString &path, const QByteArray &text, const PythonFacts &facts, Inventory &inventory)
{
    const PythonKernel kernel = kernelDefinedIn(facts);
    inventory.pythonFiles.append({path, facts.imports, mentionedSources(text),
                                  facts.functions.contains(QStringLiteral("run")), kernel.kind, facts});
    return detectRole(path, text, facts, kernel, inventory);
}

} // namespace ako::detectors
