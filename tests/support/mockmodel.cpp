// SPDX-License-Identifier: GPL-3.0-or-later
#include "mockmodel.h"

#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace ako::test {

namespace {

constexpr int patience = 120'000;

QString program()
{
    return QStringLiteral("@copilotkit/aimock/dist/cli.js");
}

bool answers(quint16 port)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, port);
    return socket.waitForConnected(200);
}

} // namespace

QString agentModules()
{
    return QStringLiteral(AKO_SOURCE_DIR "/build/agents/node_modules");
}

bool isInstalled(const QString &module)
{
    return QFile::exists(agentModules() + QLatin1Char('/') + module);
}

MockModel::~MockModel()
{
    stop();
}

bool MockModel::isThere()
{
    return isInstalled(program());
}

bool MockModel::start(const nlohmann::json &fixtures)
{
    QTcpServer probe; // a port that is free now
    if (!probe.listen(QHostAddress::LocalHost))
        return false;
    m_port = probe.serverPort();
    probe.close();
    QFile file(m_folder.filePath(QStringLiteral("turns.json")));
    const std::string text = nlohmann::json{{"fixtures", fixtures}}.dump();
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) != qint64(text.size()))
        return false;
    file.close();
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(QStringLiteral("node"),
                    {agentModules() + QLatin1Char('/') + program(), QStringLiteral("-p"), QString::number(m_port),
                     QStringLiteral("-h"), QStringLiteral("127.0.0.1"), QStringLiteral("-f"), m_folder.path(),
                     QStringLiteral("--strict"), QStringLiteral("--log-level"), QStringLiteral("warn")});
    return m_process.waitForStarted(patience) && QTest::qWaitFor([this] { return answers(m_port); }, patience);
}

void MockModel::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

} // namespace ako::test
