// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/kernelbenchscript.h"

#include "workspace/kernelbenchfolder.h"
#include "workspace/pythonenvironments.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("KernelBenchScript", source);
}

// Without one of its own, the kernel as it was is the reference.
QString referenceOf(const ResolvedPlan &plan)
{
    return plan.referenceFile.isEmpty() ? plan.kernelFiles.value(0) : plan.referenceFile;
}

// A module with get_inputs() apart from the reference; data files are the reference's own business.
QString inputsOf(const ResolvedPlan &plan)
{
    const bool isModule = plan.inputFiles.size() == 1 && plan.inputFiles.first().endsWith(QLatin1String(".py"));
    return isModule ? plan.inputFiles.first() : QString();
}

QString command(const ResolvedPlan &plan)
{
    QString line = QStringLiteral("\"$AKO_PYTHON\" -I %1/bench.py --ref %2 --solution solution")
                       .arg(kernelBenchFolder(plan.workspace), shellQuoted(referenceOf(plan)));
    if (const QString inputs = inputsOf(plan); !inputs.isEmpty())
        line += QStringLiteral(" --inputs ") + shellQuoted(inputs);
    return line + QStringLiteral(" ${AKO_RESULT_JSON:+--json \"$AKO_RESULT_JSON\"} \"$@\"");
}

QStringList condaLines(const QString &prefix)
{
    // <root>/envs/<name>, or the root itself.
    const QDir environments(QFileInfo(prefix).path());
    const QString root =
        environments.dirName() == QLatin1String("envs") ? QFileInfo(environments.path()).path() : prefix;
    const QString script = root + QStringLiteral("/etc/profile.d/conda.sh");
    if (!QFileInfo::exists(prefix + QStringLiteral("/conda-meta")) || !QFileInfo::exists(script))
        return {};
    return {QStringLiteral(". ") + shellQuoted(script), QStringLiteral("conda activate ") + shellQuoted(prefix)};
}

QStringList cudaLines()
{
    const QString usual = QStringLiteral("/usr/local/cuda");
    const bool isNeeded = QStandardPaths::findExecutable(QStringLiteral("nvcc")).isEmpty();
    if (!isNeeded || !QFileInfo(usual + QStringLiteral("/bin/nvcc")).isExecutable())
        return {};
    return {QStringLiteral("export CUDA_HOME=\"${CUDA_HOME:-%1}\"").arg(usual),
            QStringLiteral("export PATH=\"$CUDA_HOME/bin:$PATH\"")};
}

} // namespace

QStringList pythonSetUpLines(const QString &interpreter)
{
    const QString folder = QFileInfo(interpreter).path();
    QStringList lines = condaLines(QFileInfo(folder).path());
    lines.append(QStringLiteral("AKO_PYTHON=") + shellQuoted(interpreter));
    // What a kernel starts by name (python, ninja) is this environment's too.
    lines.append(QStringLiteral("export PATH=%1:\"$PATH\"").arg(shellQuoted(folder)));
    return lines + cudaLines();
}

Result<BenchScriptSpec> kernelBenchScript(const ResolvedPlan &plan)
{
    const QList<PythonEnvironment> environments = findPythonEnvironments(plan.workspace);
    for (const PythonEnvironment &environment : environments) {
        if (!environment.torchVersion.isEmpty())
            return BenchScriptSpec{command(plan), pythonSetUpLines(environment.interpreter)};
    }
    return fail(text("No Python with PyTorch was found on this machine, but the kernel needs it"),
                text("Install it, for example: python3 -m venv .venv && .venv/bin/pip install torch. Looked at: the "
                     "active environment, the workspace's, conda's, pyenv's and the system's."));
}

} // namespace ako
