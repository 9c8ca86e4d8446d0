// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/environment.h"

#include "base/installation.h"
#include "base/words.h"
#include "process/childprocess.h"
#include "process/programlookup.h"
#include "workspace/environmentparts.h"
#include "workspace/filetree.h"
#include "workspace/installcommand.h"
#include "workspace/machineload.h"
#include "workspace/pythonenvironments.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStorageInfo>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Environment", text);
}

QString contentOf(const QString &path)
{
    return QString::fromUtf8(readFileHead(path, 64LL * 1024).value_or(QByteArray())).trimmed();
}

class Prober
{
public:
    Prober(const QString &workspace, int timeout)
        : m_workspace(workspace.isEmpty() ? workspace : QDir(workspace).absolutePath())
        , m_timeout(timeout)
    {
    }

    QList<EnvironmentFinding> run()
    {
        evaluator();
        compiler();
        git();
        identity();
        m_findings += sandboxFindings();
        python();
        cudaTool(QStringLiteral("nvcc"), tr("CUDA compiler (nvcc)"),
                 tr("Only for CUDA kernels: %1, or https://developer.nvidia.com/cuda-downloads for the newest")
                     .arg(installCommand(QStringLiteral("nvidia-cuda-toolkit"), QStringLiteral("cuda-toolkit"),
                                         QStringLiteral("cuda"))));
        gpu();
        cudaTool(QStringLiteral("ncu"), tr("Nsight Compute (ncu)"),
                 tr("Only for profiling on the GPU: %1. Without it the next best is used.")
                     .arg(installCommand(QStringLiteral("nsight-compute"), QStringLiteral("nsight-compute"),
                                         QStringLiteral("cuda"))));
        profilingPermission();
        governor();
        load();
        disk();
        m_findings += agentFindings(m_workspace);
        return m_findings;
    }

private:
    void add(const QString &name, bool found, const QString &detail, const QString &remedy, bool required = false)
    {
        m_findings.append({name, found, required, detail, found ? QString() : remedy});
    }

    struct Output
    {
        bool isGood = false;
        QString text; // or why there is none
    };

    Output ask(const QString &program, const QStringList &arguments) const
    {
        CommandSpec spec;
        spec.program = program;
        spec.arguments = arguments;
        spec.workingDirectory = QDir::rootPath(); // nothing of the workspace is picked up by chance
        spec.timeoutMilliseconds = m_timeout;
        spec.outputLimitBytes = 64LL * 1024;
        spec.interruptGraceMilliseconds = spec.terminateGraceMilliseconds = 200;
        spec.environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
        const ProcessEnd end = runToEnd(spec);
        if (end.kind == ProcessEnd::Kind::TimedOut)
            return {false, tr("it did not answer within %1 s").arg((m_timeout + 999) / 1000)};
        const QString text = QString::fromUtf8(end.output).trimmed();
        return {end.succeeded(), end.succeeded() ? text : end.error + text.section(QLatin1Char('\n'), 0, 0)};
    }

    QString find(const QString &program) const { return findProgram(program, m_workspace).value_or(QString()); }

    QString findCudaTool(const QString &tool) const
    {
        QString onPath = find(tool);
        if (!onPath.isEmpty())
            return onPath;
        const QStringList roots{qEnvironmentVariable("CUDA_HOME"), qEnvironmentVariable("CUDA_PATH"),
                                QStringLiteral("/usr/local/cuda"), QStringLiteral("/opt/cuda")};
        for (const QString &root : roots) {
            const QFileInfo file(root + QStringLiteral("/bin/") + tool);
            if (root.startsWith(QLatin1Char('/')) && file.isFile() && file.isExecutable())
                return file.filePath();
        }
        return {};
    }

    void evaluator()
    {
        const QString program = installation::program(QStringLiteral("ako-bench"));
        add(tr("native evaluator (ako-bench)"), !program.isEmpty(), program.isEmpty() ? tr("not found") : program,
            tr("Install AKO4ALL again, or put ako-bench beside ako4all."), true);
    }

    void compiler()
    {
        QStringList working;
        QStringList broken;
        for (const QString &name : {QStringLiteral("g++"), QStringLiteral("clang++")}) {
            const QString path = find(name);
            if (path.isEmpty())
                continue;
            const Output version = ask(path, {QStringLiteral("--version")});
            const QString line = QStringLiteral("%1 (%2)").arg(version.text.section(QLatin1Char('\n'), 0, 0), path);
            (version.isGood ? working : broken).append(line);
        }
        const QString detail = working.isEmpty() && broken.isEmpty() ? tr("neither g++ nor clang++ is on PATH")
                                                                     : (working + broken).join(QStringLiteral("; "));
        add(tr("C++ compiler"), !working.isEmpty(), detail,
            installCommand(QStringLiteral("g++"), QStringLiteral("gcc-c++"), QStringLiteral("gcc")), true);
    }

    // Commits are made by the program itself; git on the command line is for the user.
    void git()
    {
        m_git = find(QStringLiteral("git"));
        const Output version = m_git.isEmpty() ? Output{false, tr("not on PATH; only needed for your own use")}
                                               : ask(m_git, {QStringLiteral("--version")});
        add(QStringLiteral("git"), version.isGood, version.text,
            installCommand(QStringLiteral("git"), QStringLiteral("git"), QStringLiteral("git")));
    }

    QString gitSetting(const char *key) const
    {
        QStringList arguments{QStringLiteral("config"), QStringLiteral("--get"), QLatin1String(key)};
        if (!m_workspace.isEmpty())
            arguments = QStringList{QStringLiteral("-C"), m_workspace} + arguments;
        const Output value = m_git.isEmpty() ? Output() : ask(m_git, arguments);
        return value.isGood ? value.text : QString();
    }

    void identity()
    {
        const QString name = qEnvironmentVariable("GIT_AUTHOR_NAME", gitSetting("user.name"));
        const QString email = qEnvironmentVariable("GIT_AUTHOR_EMAIL", gitSetting("user.email"));
        const bool isComplete = !name.isEmpty() && !email.isEmpty();
        const QString detail =
            isComplete
                ? QStringLiteral("%1 <%2>").arg(name, email)
                : tr("user.name or user.email is not set; the run will ask, for the workspace's repository only");
        add(tr("git identity"), isComplete, detail,
            QStringLiteral("git config --global user.name \"...\" && git config --global user.email \"...\""));
    }

    void python()
    {
        QStringList withTorch;
        const QList<PythonEnvironment> environments = findPythonEnvironments(m_workspace);
        for (const PythonEnvironment &environment : environments) {
            if (!environment.torchVersion.isEmpty())
                withTorch.append(tr("torch %1 in %2").arg(environment.torchVersion, environment.interpreter));
        }
        const QString detail = !withTorch.isEmpty() ? withTorch.join(QStringLiteral("; "))
                               : environments.isEmpty()
                                   ? tr("no Python was found")
                                   : tr("%1 Python installations, none with torch").arg(environments.size());
        add(tr("Python with torch"), !withTorch.isEmpty(), detail,
            tr("Only for Python kernels: %1 && python3 -m venv .venv && .venv/bin/pip install torch")
                .arg(installCommand(QStringLiteral("python3-venv"), QStringLiteral("python3"),
                                    QStringLiteral("python"))));
    }

    void cudaTool(const QString &tool, const QString &name, const QString &remedy)
    {
        const QString path = findCudaTool(tool);
        const Output version =
            path.isEmpty() ? Output{false, tr("not found")} : ask(path, {QStringLiteral("--version")});
        const QString detail = path.isEmpty()
                                   ? version.text
                                   : QStringLiteral("%1 (%2)").arg(version.text.section(QLatin1Char('\n'), -1), path);
        add(name, version.isGood, detail, remedy);
    }

    void gpu()
    {
        const QString program = find(QStringLiteral("nvidia-smi"));
        const Output list = program.isEmpty()
                                ? Output{false, tr("no nvidia-smi: C++ kernels are measured on the CPU")}
                                : ask(program, {QStringLiteral("--query-gpu=name,driver_version,memory.total"),
                                                QStringLiteral("--format=csv,noheader")});
        add(QStringLiteral("GPU"), list.isGood && !list.text.isEmpty(),
            QString(list.text).replace(QLatin1Char('\n'), QStringLiteral("; ")),
            tr("Only for CUDA kernels: %1, then restart").arg(driverCommand()));
        if (!list.isGood || list.text.isEmpty())
            return;
        gpuUsers(program);
        gpuClocks(program);
    }

    // Whoever else computes there is measured too.
    void gpuUsers(const QString &program)
    {
        const Output users = ask(program, {QStringLiteral("--query-compute-apps=pid,process_name,used_memory"),
                                           QStringLiteral("--format=csv,noheader")});
        if (!users.isGood)
            return;
        const QStringList lines = users.text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QStringList ids;
        for (const QString &line : lines)
            ids.append(line.section(QLatin1Char(','), 0, 0).trimmed());
        add(tr("GPU free of others"), lines.isEmpty(),
            lines.isEmpty() ? tr("no other process computes on it")
                            : tr("used by: %1").arg(lines.join(QStringLiteral("; "))),
            tr("Let them end, or end them where they are yours: kill %1").arg(ids.join(QLatin1Char(' '))));
    }

    void gpuClocks(const QString &program)
    {
        const Output clocks = ask(program, {QStringLiteral("--query-gpu=clocks.sm,clocks.max.sm,persistence_mode"),
                                            QStringLiteral("--format=csv,noheader")});
        if (!clocks.isGood || clocks.text.isEmpty())
            return;
        const bool isSteady = !clocks.text.contains(QLatin1String("Disabled"));
        QStringList shown;
        for (const QString &line : clocks.text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            shown.append(tr("%1 of %2")
                             .arg(line.section(QLatin1Char(','), 0, 0).trimmed(),
                                  line.section(QLatin1Char(','), 1, 1).trimmed()));
        add(tr("GPU clocks"), isSteady,
            isSteady ? shown.join(QStringLiteral("; "))
                     : tr("%1; without persistence mode the driver leaves and comes back between runs")
                           .arg(shown.join(QStringLiteral("; "))),
            QStringLiteral("sudo nvidia-smi -pm 1"));
    }

    void profilingPermission()
    {
        const QString parameters = contentOf(QStringLiteral("/proc/driver/nvidia/params"));
        if (parameters.isEmpty())
            return;
        const bool isAdminOnly = parameters.contains(QLatin1String("RmProfilingAdminOnly: 1"));
        add(tr("permission to profile the GPU"), !isAdminOnly,
            isAdminOnly ? tr("only root may read the GPU's counters") : tr("everybody may read the GPU's counters"),
            QStringLiteral("echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
                           "/etc/modprobe.d/nvidia-profiling.conf && ") +
                initramfsCommand() + QStringLiteral(" && sudo reboot"));
    }

    void governor()
    {
        const QString now = contentOf(QStringLiteral("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
        if (now.isEmpty())
            return; // a virtual machine: nothing to set
        const bool isSteady = now == QLatin1String("performance");
        add(tr("CPU governor"), isSteady, isSteady ? now : tr("%1: clocks vary while measuring").arg(now),
            QStringLiteral("echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"));
    }

    void load()
    {
        const MachineLoad now = measureMachineLoad();
        const auto lack = loadLack(now);
        const QString quiet = tr("others use %1 of %2 cores; load average %3")
                                  .arg(QString::number(now.busyCores, 'f', 1), QString::number(now.cores),
                                       QString::number(now.average, 'f', 1));
        add(tr("quiet enough to measure"), !lack, lack ? lack->message : quiet, lack ? lack->remedy : QString());
    }

    void disk()
    {
        const QStorageInfo storage(m_workspace.isEmpty() ? QDir::homePath() : m_workspace);
        const double free = double(storage.bytesAvailable()) / (1024.0 * 1024 * 1024);
        add(tr("free disk"), free >= 1.0, tr("%1 GiB on %2").arg(QString::number(free, 'f', 1), storage.rootPath()),
            tr("Free at least 1 GiB, as every iteration keeps its sources and its output. The largest: du -xh -d2 %1 | "
               "sort -h | tail")
                .arg(words::shellWord(m_workspace.isEmpty() ? QDir::homePath() : m_workspace)));
    }

    QString m_workspace;
    int m_timeout;
    QString m_git;
    QList<EnvironmentFinding> m_findings;
};

} // namespace

QList<EnvironmentFinding> discoverEnvironment(const QString &workspace, int probeMilliseconds)
{
    if (!workspace.isEmpty())
        distrustPrograms(workspace);
    return Prober(workspace, probeMilliseconds).run();
}

nlohmann::json toJson(const QList<EnvironmentFinding> &findings)
{
    nlohmann::json array = nlohmann::json::array();
    for (const EnvironmentFinding &finding : findings) {
        array.push_back({{"name", finding.name.toStdString()},
                         {"found", finding.found},
                         {"required", finding.required},
                         {"detail", finding.detail.toStdString()},
                         {"remedy", finding.remedy.toStdString()}});
    }
    return array;
}

bool isFit(const QList<EnvironmentFinding> &findings)
{
    return std::ranges::all_of(findings,
                               [](const EnvironmentFinding &finding) { return finding.found || !finding.required; });
}

QString toText(const QList<EnvironmentFinding> &findings)
{
    constexpr int markWidth = 8, nameWidth = 31;
    QString text;
    for (const EnvironmentFinding &finding : findings) {
        const QString mark = finding.found ? tr("ok") : finding.required ? tr("MISSING") : QStringLiteral("-");
        text +=
            mark.leftJustified(markWidth) + finding.name.leftJustified(nameWidth) + finding.detail + QLatin1Char('\n');
        if (!finding.found && !finding.remedy.isEmpty())
            text += QString(markWidth + nameWidth, QLatin1Char(' ')) + QStringLiteral("-> ") + finding.remedy +
                    QLatin1Char('\n');
    }
    return text + QLatin1Char('\n') +
           (isFit(findings) ? tr("The main job can run on this machine.")
                            : tr("Something that the main job needs is missing.")) +
           QLatin1Char('\n');
}

} // namespace ako
