// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/filemethods.h"

#include "base/atomicfile.h"
#include "history/filewriter.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr qint64 largestRead = 4LL * 1024 * 1024;
constexpr qint64 largestAnswer = 1LL * 1024 * 1024; // longer ones have broken agents; they can ask for a part

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::acp::FileMethods", text);
}

RpcReply refused(int code, const QString &why)
{
    return {{}, RpcError{code, why, {}}};
}

qint64 numberOf(const json &params, const char *key, qint64 otherwise)
{
    const json &member = memberOf(params, key);
    return member.is_number_integer() ? std::max<qint64>(member.get<std::int64_t>(), 0) : otherwise;
}

// The lines from `line` on, at most `limit` of them.
QByteArray part(const QByteArray &bytes, qint64 line, qint64 limit)
{
    qsizetype from = 0;
    for (qint64 skipped = 1; skipped < line && from >= 0; ++skipped) {
        const qsizetype end = bytes.indexOf('\n', from);
        from = end < 0 ? bytes.size() : end + 1;
        if (from == bytes.size())
            break;
    }
    if (limit < 0)
        return bytes.mid(from);
    qsizetype end = from;
    for (qint64 taken = 0; taken < limit && end < bytes.size(); ++taken) {
        const qsizetype next = bytes.indexOf('\n', end);
        end = next < 0 ? bytes.size() : next + 1;
    }
    return bytes.mid(from, end - from);
}

} // namespace

RpcReply readTextFile(const json &params, const WorkPlace &place)
{
    const QString asked = textOf(params, "path");
    const QString path = realPath(asked, place);
    if (!isBelow(place.workspace, path) || isBelow(place.workspace + QStringLiteral("/.ako"), path))
        return refused(rpc::invalidParams, tr("%1 is not a file of the workspace.").arg(asked));
    if (!QFileInfo::exists(path))
        return refused(rpc::resourceNotFound, tr("%1 does not exist.").arg(asked));
    const auto bytes = readRegularFile(path, largestRead);
    if (!bytes)
        return refused(rpc::internalError, bytes.error().message);
    const QByteArray wanted = part(*bytes, numberOf(params, "line", 1), numberOf(params, "limit", -1));
    if (wanted.size() > largestAnswer)
        return refused(rpc::invalidParams,
                       tr("%1 is too long for one answer: ask for a part with line and limit.").arg(asked));
    // As text: bytes that are no UTF-8 are replaced, so that the answer is always JSON.
    return {{{"content", QString::fromUtf8(wanted).toStdString()}}, std::nullopt};
}

RpcReply writeTextFile(const json &params, const WorkPlace &place)
{
    const QString asked = textOf(params, "path");
    const json &content = memberOf(params, "content");
    if (!content.is_string())
        return refused(rpc::invalidParams, tr("There is no content to write."));
    const QString path = realPath(asked, place);
    if (!isBelow(place.solution, path))
        return refused(rpc::invalidParams, tr("%1 is not below solution/: nothing else may be written.").arg(asked));
    const std::string &text = content.get_ref<const std::string &>();
    const auto written = writeWorkspaceFile(place.solution, QDir(place.solution).relativeFilePath(path),
                                            QByteArray(text.data(), qsizetype(text.size())));
    if (!written)
        return refused(rpc::internalError, written.error().message);
    return {json::object(), std::nullopt};
}

} // namespace ako::acp
