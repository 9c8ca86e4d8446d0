// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/acp/lineframes.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace ako::acp {

namespace rpc {
inline constexpr int invalidParams = -32602;
inline constexpr int methodNotFound = -32601;
inline constexpr int internalError = -32603;
inline constexpr int authenticationRequired = -32000;
inline constexpr int resourceNotFound = -32002;
inline constexpr int cancelled = -32800;
inline constexpr int connectionEnded = -1; // ours: nobody answers any more
} // namespace rpc

struct RpcError
{
    int code = rpc::internalError;
    QString message;
    nlohmann::json data;
};

// What came of a request: a result or an error. "{}" and "null" mean the same to whoever asks for nothing.
struct RpcReply
{
    nlohmann::json result;
    std::optional<RpcError> error;
};

// One end of a JSON-RPC 2.0 connection, one message a line. Knows nothing of what the methods mean and of where the
// bytes come from; both ends of a test may live in memory.
class JsonRpcPeer
{
public:
    class Handler
    {
    public:
        virtual ~Handler() = default;
        // A request, to be answered once by answer() or refuse(), now or later. The id is only ever handed back.
        virtual void requested(const nlohmann::json &id, const QString &method, const nlohmann::json &params) = 0;
        virtual void notified(const QString &method, const nlohmann::json &params) = 0;
        virtual void noise(const QByteArray &line) = 0; // no message: a log line that got onto standard output
        virtual void broken(const QString &why) = 0;    // cannot go on; close() follows from whoever owns both
    };
    using Reply = std::function<void(const RpcReply &)>;
    using Send = std::function<void(const QByteArray &)>;

    JsonRpcPeer(Handler &handler, Send send, qsizetype longestLine = 32LL * 1024 * 1024);

    void request(const QString &method, const nlohmann::json &params, Reply reply);
    void notify(const QString &method, const nlohmann::json &params);
    void answer(const nlohmann::json &id, const nlohmann::json &result);
    void refuse(const nlohmann::json &id, const RpcError &error);

    void receive(const QByteArray &bytes);
    // The connection has ended: whoever waits for an answer gets this error, and so does whoever asks from now on.
    void close(const QString &why);
    bool isClosed() const { return m_closed; }
    qsizetype waitingReplies() const { return qsizetype(m_waiting.size()); }

private:
    void send(const nlohmann::json &message);
    void read(const QByteArray &line);
    void readReply(const nlohmann::json &message);
    void breakOff(const QString &why);

    Handler &m_handler;
    Send m_send;
    LineFrames m_frames;
    std::map<qint64, Reply> m_waiting; // our ids; theirs are another space and may be the same numbers
    qint64 m_nextId = 1;
    int m_noise = 0;
    bool m_closed = false;
    QString m_closedBecause;
};

// Of an error of the other end's what helps a person.
QString inWords(const RpcError &error);

// A member that is text; empty where there is none.
QString textOf(const nlohmann::json &object, const char *key);
// A member of any kind; null where there is none.
const nlohmann::json &memberOf(const nlohmann::json &object, const char *key);

} // namespace ako::acp
