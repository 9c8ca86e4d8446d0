// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowprocess.h"

#include "scratchrepository.h"

#include <QFile>
#include <QProcessEnvironment>
#include <QRegularExpression>

namespace ako::test {

namespace {

QString contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

double megabytes(const QString &status, const char *name)
{
    const QRegularExpression line(QStringLiteral("^%1:\\s+(\\d+) kB").arg(QString::fromLatin1(name)),
                                  QRegularExpression::MultilineOption);
    return line.match(status).captured(1).toDouble() / 1024.0;
}

} // namespace

WindowProcess::WindowProcess()
{
    isolateGitConfiguration(); // and with it whose settings are read
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("AKO_TRACE_STARTUP"), QStringLiteral("1"));
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    QObject::connect(&m_process, &QProcess::readyRead, &m_process, [this] {
        const double seconds = double(m_sinceStart.nsecsElapsed()) / 1e9;
        while (m_process.canReadLine())
            m_lines.insert(QString::fromUtf8(m_process.readLine()).trimmed(), seconds);
    });
}

WindowProcess::~WindowProcess()
{
    m_process.kill();
    m_process.waitForFinished();
}

bool WindowProcess::hasDisplay()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
}

void WindowProcess::start(const QStringList &arguments)
{
    m_sinceStart.start();
    m_process.start(QStringLiteral(AKO_BINARY_DIR "/app/ako4all"), arguments);
}

qint64 WindowProcess::processorTicks() const
{
    const QString stat = contentOf(QStringLiteral("/proc/%1/stat").arg(m_process.processId()));
    const QStringList fields = stat.section(QLatin1String(") "), -1).split(QLatin1Char(' '));
    return fields.value(11).toLongLong() + fields.value(12).toLongLong();
}

bool WindowProcess::isSettled()
{
    const qint64 ticks = processorTicks();
    if (ticks != m_ticks) {
        m_ticks = ticks;
        m_quiet.start();
    }
    return m_quiet.isValid() && m_quiet.elapsed() >= 500;
}

WindowProcess::Memory WindowProcess::memory() const
{
    const QString status = contentOf(QStringLiteral("/proc/%1/status").arg(m_process.processId()));
    return {megabytes(status, "VmRSS"), megabytes(status, "RssAnon"), megabytes(status, "RssFile"),
            megabytes(status, "VmHWM")};
}

} // namespace ako::test
