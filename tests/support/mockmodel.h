// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace ako::test {

// What tests/run.sh installs from npm where it can: coding agents and a mock of their models' servers.
QString agentModules();
bool isInstalled(const QString &module); // a file below agentModules()

// The mock model (aimock) on a port of this machine, answering as its fixtures say; ended when this goes.
class MockModel
{
public:
    ~MockModel();

    static bool isThere();
    bool start(const nlohmann::json &fixtures); // false: it does not answer; output() may say why
    void stop();
    QString address() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }
    QString output() { return QString::fromLocal8Bit(m_process.readAll()); }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    quint16 m_port = 0;
};

} // namespace ako::test
