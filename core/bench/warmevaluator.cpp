// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/warmevaluator.h"

#include "base/atomicfile.h"
#include "workspace/integritymanifest.h"
#include "workspace/kernelbenchfolder.h"

#include <QRegularExpression>

namespace ako {

namespace {

// As bench.sh was rendered: the Python that the evaluator runs in.
QString interpreterOf(const QString &workspace)
{
    static const QRegularExpression line(QStringLiteral("^AKO_PYTHON='([^'\\n]+)'$"),
                                         QRegularExpression::MultilineOption);
    const auto script = readRegularFile(workspace + QStringLiteral("/scripts/bench.sh"), 1024LL * 1024);
    const QString text = QString::fromUtf8(script.value_or(QByteArray()));
    return text.contains(QLatin1String("kernelbench/bench.py")) ? line.match(text).captured(1) : QString();
}

QByteArray keyOf(const QString &workspace, const QString &interpreter)
{
    const auto files = IntegrityManifest::ofFiles(workspace, presentKernelBenchFiles(workspace));
    if (!files || files->hashes.isEmpty())
        return {};
    QByteArray key = workspace.toUtf8() + '\n' + interpreter.toUtf8();
    for (auto it = files->hashes.cbegin(); it != files->hashes.cend(); ++it)
        key += '\n' + it.key().toUtf8() + ' ' + it.value();
    return key;
}

} // namespace

QString WarmEvaluator::socketFor(const QString &workspace)
{
    const QString interpreter = interpreterOf(workspace);
    const QByteArray key = interpreter.isEmpty() ? QByteArray() : keyOf(workspace, interpreter);
    if (key.isEmpty())
        return {};
    if (!m_process || !m_process->isRunning() || m_key != key) {
        start(workspace, interpreter);
        m_key = key;
    }
    return m_folder->filePath(QStringLiteral("warm-%1").arg(m_started));
}

void WarmEvaluator::start(const QString &workspace, const QString &interpreter)
{
    if (!m_folder)
        m_folder = std::make_unique<QTemporaryDir>();
    ++m_started;
    CommandSpec spec;
    spec.program = interpreter;
    spec.workingDirectory = workspace;
    spec.arguments = {QStringLiteral("-I"), kernelBenchFolder(workspace) + QStringLiteral("/bench.py"),
                      QStringLiteral("--serve"), m_folder->filePath(QStringLiteral("warm-%1").arg(m_started))};
    spec.outputLimitBytes = 64LL * 1024;
    m_process = std::make_unique<ChildProcess>(spec);
    m_process->start();
}

} // namespace ako
