// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/resolvedplan.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

namespace ako {

struct FileChange
{
    enum class What { Added, Removed, Modified, Unreadable };
    QString file;
    What what = What::Modified;
    bool operator==(const FileChange &) const = default;
};
QString changeText(const FileChange &change); // "ref.cpp was changed"

// SHA-256 of every file that the measurement depends on.
struct IntegrityManifest
{
    QMap<QString, QByteArray> hashes; // workspace-relative or, for the evaluator, absolute path -> hexadecimal
    bool operator==(const IntegrityManifest &) const = default;

    // The problem, the reference with its local includes, input data, the user's bench script, and these programs
    // (absolute; the evaluator). Fails on a file that cannot be read.
    static Result<IntegrityManifest> of(const ResolvedPlan &plan, const QStringList &programs);
    static Result<IntegrityManifest> ofFiles(const QString &workspace, const QStringList &files);

    // What is different on disk now.
    QList<FileChange> changes(const QString &workspace) const;

    nlohmann::json toJson() const;
    static Result<IntegrityManifest> fromJson(const nlohmann::json &json);
};

Result<QByteArray> sha256OfFile(const QString &path); // hexadecimal; regular files only

} // namespace ako
