// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/jsonrpcpeer.h"

#include "base/words.h"

#include <QCoreApplication>

#include <limits>
#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr int mostNoise = 2000; // lines that are no messages; a program that says nothing else speaks another protocol

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::acp::JsonRpcPeer", text);
}

RpcError errorOf(const json &error)
{
    RpcError result;
    const json &code = memberOf(error, "code");
    if (code.is_number_integer()) {
        const auto number = code.get<std::int64_t>();
        if (number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max())
            result.code = int(number);
    }
    result.message = textOf(error, "message");
    result.data = memberOf(error, "data");
    return result;
}

bool isId(const json &id)
{
    return id.is_null() || id.is_number_integer() || id.is_string();
}

} // namespace

const json &memberOf(const json &object, const char *key)
{
    static const json none;
    if (!object.is_object())
        return none;
    const auto member = object.find(key);
    return member == object.cend() ? none : *member;
}

QString inWords(const RpcError &error)
{
    QString text = words::shortened(words::plain(error.message), 500);
    const QString details = words::shortened(words::oneLine(textOf(error.data, "details")), 300);
    if (!details.isEmpty() && details != text)
        text += QStringLiteral(" (%1)").arg(details);
    return text.isEmpty() ? QStringLiteral("error %1").arg(error.code) : text;
}

QString textOf(const json &object, const char *key)
{
    const json &member = memberOf(object, key);
    return member.is_string() ? QString::fromStdString(member.get_ref<const std::string &>()) : QString();
}

JsonRpcPeer::JsonRpcPeer(Handler &handler, Send send, qsizetype longestLine)
    : m_handler(handler)
    , m_send(std::move(send))
    , m_frames(longestLine)
{
}

void JsonRpcPeer::send(const json &message)
{
    if (!m_closed)
        m_send(QByteArray::fromStdString(message.dump(-1, ' ', false, json::error_handler_t::replace)) + '\n');
}

void JsonRpcPeer::request(const QString &method, const json &params, Reply reply)
{
    if (m_closed)
        return reply({{}, RpcError{rpc::connectionEnded, m_closedBecause, {}}});
    const qint64 id = m_nextId++;
    m_waiting.emplace(id, std::move(reply));
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method.toStdString()}, {"params", params}});
}

void JsonRpcPeer::notify(const QString &method, const json &params)
{
    send({{"jsonrpc", "2.0"}, {"method", method.toStdString()}, {"params", params}});
}

void JsonRpcPeer::answer(const json &id, const json &result)
{
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void JsonRpcPeer::refuse(const json &id, const RpcError &error)
{
    json body{{"code", error.code}, {"message", error.message.toStdString()}};
    if (!error.data.is_null())
        body["data"] = error.data;
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", body}});
}

void JsonRpcPeer::receive(const QByteArray &bytes)
{
    if (m_closed)
        return;
    for (const QByteArray &line : m_frames.append(bytes)) {
        if (m_closed) // by what the line before has set off
            return;
        if (!line.trimmed().isEmpty())
            read(line);
    }
    if (m_frames.isTooLong() && !m_closed)
        breakOff(tr("It sent a message of more than %1 MiB.").arg(m_frames.longestBytes() / (1024LL * 1024)));
}

void JsonRpcPeer::read(const QByteArray &line)
{
    const json message = json::parse(line.cbegin(), line.cend(), nullptr, false);
    if (!message.is_object() || !memberOf(message, "jsonrpc").is_string()) {
        m_handler.noise(line);
        if (++m_noise > mostNoise)
            breakOff(tr("What it writes to its standard output is not the Agent Client Protocol."));
        return;
    }
    const json &id = memberOf(message, "id");
    if (!message.contains("method"))
        return readReply(message);
    const QString method = textOf(message, "method");
    if (!message.contains("id"))
        return m_handler.notified(method, memberOf(message, "params"));
    if (!isId(id))
        return refuse(nullptr, {-32600, QStringLiteral("The id is neither null, an integer nor a string."), {}});
    m_handler.requested(id, method, memberOf(message, "params"));
}

void JsonRpcPeer::readReply(const json &message)
{
    const json &id = memberOf(message, "id");
    auto waiting = m_waiting.end();
    if (id.is_number_integer())
        waiting = m_waiting.find(id.get<std::int64_t>());
    if (waiting == m_waiting.end()) // twice, late, or to a line that it could not read
        return;
    const Reply reply = std::move(waiting->second);
    m_waiting.erase(waiting);
    if (message.contains("error"))
        reply({{}, errorOf(message["error"])});
    else
        reply({memberOf(message, "result"), std::nullopt});
}

void JsonRpcPeer::breakOff(const QString &why)
{
    m_handler.broken(why);
}

void JsonRpcPeer::close(const QString &why)
{
    if (m_closed)
        return;
    m_closed = true;
    m_closedBecause = why;
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &[id, reply] : waiting)
        reply({{}, RpcError{rpc::connectionEnded, why, {}}});
}

} // namespace ako::acp
