// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/lacks.h"

#include "git/repository.h"
#include "process/programlookup.h"
#include "workspace/installcommand.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <sys/resource.h>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Lacks", text);
}

QString nobodyCommits()
{
    return tr("git does not know who commits here");
}

} // namespace

std::optional<Error> compilerLack(const ResolvedPlan &plan)
{
    if (plan.evaluator != EvaluatorKind::Native)
        return std::nullopt;
    for (const QString &name : {QStringLiteral("g++"), QStringLiteral("clang++")}) {
        if (findProgram(name, plan.workspace))
            return std::nullopt;
    }
    return Error{tr("There is no C++ compiler: neither g++ nor clang++ is on PATH, so the kernel cannot be built"),
                 installCommand(QStringLiteral("g++"), QStringLiteral("gcc-c++"), QStringLiteral("gcc"))};
}

std::optional<Error> cudaLack(const ResolvedPlan &plan, const QString &devices)
{
    const bool isCuda = std::ranges::any_of(plan.kernelFiles, [](const QString &file) {
        return file.endsWith(QLatin1String(".cu")) || file.endsWith(QLatin1String(".cuh"));
    });
    if (plan.evaluator != EvaluatorKind::Native || !isCuda)
        return std::nullopt;
    QStringList folders{qEnvironmentVariable("CUDA_HOME"), qEnvironmentVariable("CUDA_PATH")};
    const QDir usual(QStringLiteral("/usr/local"));
    for (const QString &name : usual.entryList({QStringLiteral("cuda*")}, QDir::Dirs))
        folders << usual.filePath(name);
    const bool hasCompiler =
        findProgram(QStringLiteral("nvcc"), plan.workspace) || std::ranges::any_of(folders, [](const QString &folder) {
            return !folder.isEmpty() && QFileInfo(folder + QStringLiteral("/bin/nvcc")).isExecutable();
        });
    if (!hasCompiler)
        return Error{
            tr("There is no CUDA compiler here: nvcc is neither on PATH nor below CUDA_HOME or /usr/local/cuda, so "
               "the kernel cannot be built"),
            tr("Install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads), or set CUDA_HOME")};
    // The driver's own, and that of the Windows Subsystem for Linux.
    for (const char *name : {"nvidia0", "nvidiactl", "dxg"}) {
        if (QFileInfo::exists(devices + QLatin1Char('/') + QLatin1String(name)))
            return std::nullopt;
    }
    return Error{tr("There is no NVIDIA GPU here, or its driver is not loaded (%1/nvidia0 is missing), so the kernel "
                    "cannot be measured")
                     .arg(devices),
                 tr("Open the workspace on a machine with a GPU; nvidia-smi says there whether the driver works")};
}

std::optional<Error> identityLack(const QString &workspace)
{
    if (Repository::knownIdentity(workspace).isComplete())
        return std::nullopt;
    return Error{
        nobodyCommits(),
        tr("Each iteration is a commit, which names its author. You are asked when you approve, in the window and on "
           "a terminal; without one, ako4all run takes two flags: --git-name \"Your Name\" --git-email "
           "you@example.org. Either way it is written to this repository's .git/config only. For all your "
           "repositories: git config --global user.name \"Your Name\" && git config --global user.email "
           "you@example.org")};
}

std::optional<Error> writingLack(const QString &workspace)
{
    if (QFileInfo(workspace).isWritable())
        return std::nullopt;
    return Error{tr("%1 cannot be written to: its permissions do not allow it").arg(workspace),
                 tr("Give yourself the right to write into the workspace: chmod u+w \"%1\"").arg(workspace)};
}

std::optional<Error> limitLack()
{
    constexpr rlim_t mebibyte = 1024UL * 1024UL;
    const auto allowed = [](__rlimit_resource resource) {
        struct rlimit limit = {};
        return ::getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
    };
    if (const rlim_t size = allowed(RLIMIT_FSIZE); size < 16 * mebibyte) // a build, and the bench's output
        return Error{tr("No file may grow beyond %1 KiB here: too little for a build and a bench").arg(size / 1024),
                     tr("Raise the shell's limit: ulimit -f unlimited")};
    if (const rlim_t memory = allowed(RLIMIT_AS); memory < 1024 * mebibyte) // a compiler, and a kernel's data
        return Error{tr("A program may use only %1 MiB of memory here: too little for a build and a bench")
                         .arg(memory / mebibyte),
                     tr("Raise the shell's limit: ulimit -v unlimited")};
    return std::nullopt;
}

void forgetIdentityLack(ResolvedPlan &plan)
{
    plan.identityMissing = false;
    plan.warnings.removeIf([](const QString &warning) { return warning.startsWith(nobodyCommits()); });
}

void warnOfLacks(ResolvedPlan &plan)
{
    const auto identity = identityLack(plan.workspace);
    plan.identityMissing = identity.has_value();
    for (const auto &lack : {writingLack(plan.workspace), limitLack(), compilerLack(plan), cudaLack(plan), identity}) {
        if (lack)
            plan.warnings << lack->message + QStringLiteral(". ") + lack->remedy;
    }
}

} // namespace ako
