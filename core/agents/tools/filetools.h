// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/permissionpolicy.h"
#include "agents/tools/toolbox.h"

namespace ako {

// The workspace's files for a model that has no tools of its own: all can be read but .git and .ako, and only what lies
// below solution/ is ever written, links followed. Paths are relative to the workspace.
class FileTools : public Toolbox
{
    Q_OBJECT

public:
    explicit FileTools(acp::WorkPlace place, QObject *parent = nullptr);

    QList<Tool> tools() const override;
    void call(const QString &name, const nlohmann::json &arguments, const Reply &reply) override;

private:
    ToolAnswer list(const nlohmann::json &arguments) const;
    ToolAnswer read(const nlohmann::json &arguments) const;
    ToolAnswer search(const nlohmann::json &arguments) const;
    ToolAnswer edit(const nlohmann::json &arguments) const;
    ToolAnswer write(const nlohmann::json &arguments) const;
    ToolAnswer remove(const nlohmann::json &arguments) const;
    QString readable(const QString &path) const; // absolute; empty: it may not be read
    QString writable(const QString &path) const;
    ToolAnswer put(const QString &path, const QByteArray &content) const;

    acp::WorkPlace m_place;
};

} // namespace ako
