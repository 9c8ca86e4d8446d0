// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/handshake.h"

#include "agents/acp/sessionlog.h"
#include "base/words.h"

#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr int protocolVersion = 1;

json clientOf()
{
    const QString version = QCoreApplication::applicationVersion();
    return {{"name", "ako4all"},
            {"title", "AKO4ALL"},
            {"version", version.isEmpty() ? std::string("0") : version.toStdString()}};
}

// Whether a mode of that id is offered, either way.
bool isOffered(const json &list, const char *idKey, const QString &wanted)
{
    for (const json &each : list) {
        if (textOf(each, idKey) == wanted || isOffered(memberOf(each, "options"), idKey, wanted))
            return true;
    }
    return false;
}

} // namespace

Handshake::Handshake(const TurnRequest &request, JsonRpcPeer &peer, SessionLog &log, Done done)
    : m_request(request)
    , m_peer(peer)
    , m_log(log)
    , m_done(std::move(done))
{
    m_step.setSingleShot(true);
    m_step.setInterval(request.limits.handshake);
    QObject::connect(&m_step, &QTimer::timeout, &m_step, [this] {
        end(ako::fail(tr("It did not answer %1 within %2 s.").arg(m_waitingFor).arg(m_step.interval() / 1000)));
    });
}

void Handshake::start()
{
    const json capabilities{{"fs", {{"readTextFile", true}, {"writeTextFile", true}}}, {"terminal", false}};
    ask("initialize",
        {{"protocolVersion", protocolVersion}, {"clientCapabilities", capabilities}, {"clientInfo", clientOf()}},
        [this](const json &result) { initialized(result); });
}

void Handshake::stop()
{
    m_ended = true;
    m_step.stop();
}

void Handshake::end(const Result<> &result)
{
    if (m_ended)
        return;
    stop();
    m_done(result);
}

// A failure ends it unless there is another way.
void Handshake::ask(const char *method, const json &params, const Next &next, const Otherwise &otherwise)
{
    m_waitingFor = QLatin1String(method);
    m_step.start();
    m_peer.request(m_waitingFor, params, [this, method, next, otherwise](const RpcReply &reply) {
        if (m_ended)
            return;
        m_step.stop();
        if (!reply.error)
            return next(reply.result);
        if (reply.error->code == rpc::connectionEnded)
            return end(ako::fail(reply.error->message));
        if (otherwise)
            return otherwise(*reply.error);
        end(ako::fail(QStringLiteral("%1: %2").arg(QLatin1String(method), inWords(*reply.error))));
    });
}

void Handshake::initialized(const json &result)
{
    const json &version = memberOf(result, "protocolVersion");
    if (!version.is_number_integer() || version.get<std::int64_t>() != protocolVersion)
        return end(ako::fail(tr("It speaks version %1 of the Agent Client Protocol; this program speaks version %2.")
                                 .arg(QString::fromStdString(version.dump()).left(20))
                                 .arg(protocolVersion),
                             tr("Install a version of the agent that speaks it.")));
    m_capabilities = memberOf(result, "agentCapabilities");
    m_authMethods = memberOf(result, "authMethods");
    const json &agent = memberOf(result, "agentInfo");
    if (!textOf(agent, "name").isEmpty())
        m_log.line(tr("Agent: %1 %2").arg(words::title(textOf(agent, "name")), words::title(textOf(agent, "version"))));
    openSession();
}

// Resumed, else loaded, else new; which of them is said.
void Handshake::openSession()
{
    if (m_request.session.isEmpty())
        return newSession({});
    const json &session = memberOf(m_capabilities, "sessionCapabilities");
    const json &loads = memberOf(m_capabilities, "loadSession");
    if (!memberOf(session, "resume").is_null())
        goOnWithSession("session/resume", false);
    else if (loads.is_boolean() && loads.get<bool>())
        goOnWithSession("session/load", true);
    else
        newSession(tr("the agent cannot go on with an earlier session"));
}

void Handshake::goOnWithSession(const char *method, bool replays)
{
    m_isReplaying = replays; // what it tells until the answer is the past
    const json params{{"sessionId", m_request.session.toStdString()},
                      {"cwd", m_request.place.workspace.toStdString()},
                      {"mcpServers", m_request.mcpServers}};
    ask(
        method, params,
        [this](const json &result) {
            m_isReplaying = false;
            m_isNew = false;
            m_session = m_request.session;
            m_log.line(tr("Goes on with its session %1").arg(words::shortened(m_session)));
            setMode(result);
        },
        [this](const RpcError &error) {
            m_isReplaying = false;
            newSession(inWords(error));
        });
}

void Handshake::newSession(const QString &insteadOf)
{
    if (!insteadOf.isEmpty())
        m_log.line(tr("Its earlier session is gone, so it is told everything anew: %1").arg(insteadOf));
    ask(
        "session/new", {{"cwd", m_request.place.workspace.toStdString()}, {"mcpServers", m_request.mcpServers}},
        [this](const json &result) {
            m_session = textOf(result, "sessionId");
            if (m_session.isEmpty())
                return end(ako::fail(tr("session/new: it gave no session.")));
            setMode(result);
        },
        [this](const RpcError &error) { refusedSession(error); });
}

void Handshake::refusedSession(const RpcError &error)
{
    if (error.code != rpc::authenticationRequired)
        return end(ako::fail(QStringLiteral("session/new: %1").arg(inWords(error))));
    QStringList methods;
    for (const json &method : m_authMethods)
        methods << words::title(textOf(method, "name"));
    methods.removeAll(QString());
    QString remedy = m_request.loginHint;
    if (!methods.isEmpty())
        remedy +=
            (remedy.isEmpty() ? QString() : QStringLiteral(" ")) + tr("It offers: %1.").arg(words::listed(methods, 6));
    end(ako::fail(tr("Nobody is logged in."), remedy));
}

// Agents begin in modes of their own choice ("auto"), so it is set each time; where it is not offered, all the rest
// still holds and it is left.
void Handshake::setMode(const json &session)
{
    const QString wanted = m_request.mode;
    const auto unset = [this, wanted](const RpcError &error) {
        m_log.line(tr("Its mode could not be set to %1: %2").arg(wanted, inWords(error)));
        end({});
    };
    const auto set = [this](const json &) { end({}); };
    if (wanted.isEmpty())
        return end({});
    for (const json &option : memberOf(session, "configOptions")) {
        if (textOf(option, "category") != QLatin1String("mode") ||
            !isOffered(memberOf(option, "options"), "value", wanted))
            continue;
        if (textOf(option, "currentValue") == wanted)
            return end({});
        return ask("session/set_config_option",
                   {{"sessionId", m_session.toStdString()},
                    {"configId", memberOf(option, "id")},
                    {"value", wanted.toStdString()}},
                   set, unset);
    }
    const json &modes = memberOf(session, "modes");
    if (textOf(modes, "currentModeId") == wanted || !isOffered(memberOf(modes, "availableModes"), "id", wanted))
        return end({});
    ask("session/set_mode", {{"sessionId", m_session.toStdString()}, {"modeId", wanted.toStdString()}}, set, unset);
}

} // namespace ako::acp
