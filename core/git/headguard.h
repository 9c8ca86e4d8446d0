// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ako {

// Where a repository stands while somebody else works in its work tree: HEAD, the branch that HEAD names, and what git
// runs by itself (hooks) or is set to (config). Other branches are left alone: they may be a person's own work in
// another work tree. Nothing is lost: commits that are taken back are kept below refs/ako4all/taken-back/, and what was
// staged in the quarantine.
class HeadGuard
{
public:
    static Result<HeadGuard> take(const QString &workspace);

    // Puts back what is different now, and says it in one line each. What was written anew goes below `quarantine`.
    Result<QStringList> putBack(const QString &quarantine) const;

private:
    using Files = QMap<QString, QByteArray>;
    QStringList putBackHead(const QString &quarantine) const;
    void putBackIndex(const QString &quarantine) const;
    QStringList putBackFiles(const QString &quarantine) const;
    Files readFiles() const;

    QString m_workspace;
    QString m_folder;    // of this work tree in git
    QString m_common;    // of the whole repository
    QString m_reference; // "refs/heads/opt/x", or "HEAD" when detached
    QString m_commit;    // empty: unborn
    QByteArray m_index;
    Files m_files; // hooks/..., config, locks; by their paths
};

} // namespace ako
