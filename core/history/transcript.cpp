// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/transcript.h"

#include "history/filewriter.h"
#include "workspace/statefolder.h"

namespace ako::transcript {

namespace {

const QString stateName = QStringLiteral("transcript.txt"); // its first line is the label

} // namespace

Result<void> keep(const QString &workspace, const QString &label, const QByteArray &text)
{
    return writeStateFile(workspace, stateName, label.toUtf8() + '\n' + text);
}

Result<void> moveInto(const QString &workspace, const QString &label, const QString &trajectory)
{
    const auto kept = readStateFile(workspace, stateName);
    const QByteArray head = label.toUtf8() + '\n';
    if (!kept || !kept->startsWith(head) || kept->size() == head.size())
        return {};
    if (const auto done = writeWorkspaceFile(workspace, pathIn(trajectory), kept->mid(head.size())); !done)
        return done;
    return writeStateFile(workspace, stateName, {});
}

QString pathIn(const QString &trajectory)
{
    return trajectory + QStringLiteral("/transcript.txt");
}

} // namespace ako::transcript
