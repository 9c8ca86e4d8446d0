// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/acpturn.h"

#include "agents/acp/filemethods.h"
#include "base/logging.h"
#include "base/words.h"

#include <QCoreApplication>

#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr int protocolVersion = 1;
constexpr int tellMilliseconds = 100;
constexpr int toldPermissions = 50; // one by one; the rest only as their number
constexpr int toldNoise = 20;

std::string utf8(const QString &text)
{
    return text.toStdString();
}

json clientOf()
{
    return {
        {"name", "ako4all"},
        {"title", "AKO4ALL"},
        {"version", utf8(QCoreApplication::applicationVersion().isEmpty() ? QStringLiteral("0")
                                                                          : QCoreApplication::applicationVersion())}};
}

// Of an error of the agent's what helps a person.
QString inWords(const RpcError &error)
{
    QString text = words::shortened(words::plain(error.message), 500);
    const QString details = words::shortened(words::oneLine(textOf(error.data, "details")), 300);
    if (!details.isEmpty() && details != text)
        text += QStringLiteral(" (%1)").arg(details);
    return text.isEmpty() ? QStringLiteral("error %1").arg(error.code) : text;
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

AcpTurn::AcpTurn(TurnRequest request, QObject *parent)
    : QObject(parent)
    , m_request(std::move(request))
    , m_process(m_request.command, m_request.limits.closeGrace)
    , m_peer(*this, [this](const QByteArray &bytes) { m_process.send(bytes); }, m_request.limits.longestLine)
{
    m_process.setMemoryLimit(m_request.limits.memoryBytes);
    m_tell.setInterval(tellMilliseconds);
    for (QTimer *timer : {&m_step, &m_silence, &m_turn, &m_grace})
        timer->setSingleShot(true);
    m_step.setInterval(m_request.limits.handshake);
    m_silence.setInterval(m_request.limits.silence);
    m_turn.setInterval(m_request.limits.turn);
    m_grace.setInterval(m_request.limits.cancelGrace);
    connect(&m_tell, &QTimer::timeout, this, &AcpTurn::tell);
    connect(&m_step, &QTimer::timeout, this, [this] {
        fail(tr("It did not answer %1 within %2 s.").arg(m_waitingFor).arg(m_request.limits.handshake / 1000));
    });
    connect(&m_silence, &QTimer::timeout, this,
            [this] { giveUp(tr("It has said nothing for %1 s.").arg(m_request.limits.silence / 1000)); });
    connect(&m_turn, &QTimer::timeout, this,
            [this] { giveUp(tr("Its turn took longer than %1 s.").arg(m_request.limits.turn / 1000)); });
    connect(&m_grace, &QTimer::timeout, this, [this] {
        m_log.line(tr("It did not end its turn when it was asked to; it is ended."));
        settle(m_gaveUpBecause.isEmpty() ? TurnResult::End::Cancelled : TurnResult::End::Failed);
        m_process.kill();
    });
    connect(&m_process, &AgentProcess::received, this, [this](const QByteArray &bytes) {
        heard();
        m_peer.receive(bytes);
    });
    connect(&m_process, &AgentProcess::choked, this, [this] { fail(tr("It does not read what it is sent.")); });
    connect(&m_process, &AgentProcess::ended, this, &AcpTurn::processEnded);
}

void AcpTurn::heard()
{
    if (m_prompting && !m_cancelling && !m_toolsBusy)
        m_silence.start();
}

void AcpTurn::setToolsBusy(bool busy)
{
    m_toolsBusy = busy;
    if (busy)
        m_silence.stop();
    else
        heard();
}

AcpTurn::~AcpTurn()
{
    m_settled = true; // whoever waited for an answer is not to start anything any more
    m_peer.close({});
}

void AcpTurn::start()
{
    m_tell.start();
    m_process.start();
    const json capabilities{{"fs", {{"readTextFile", true}, {"writeTextFile", true}}}, {"terminal", false}};
    ask("initialize",
        {{"protocolVersion", protocolVersion}, {"clientCapabilities", capabilities}, {"clientInfo", clientOf()}},
        [this](const json &result) { initialized(result); });
}

// A step of the handshake: its own limit, and a failure ends the turn unless there is another way.
void AcpTurn::ask(const char *method, const json &params, const Next &next, const Otherwise &otherwise)
{
    m_waitingFor = QLatin1String(method);
    m_step.start();
    m_peer.request(m_waitingFor, params, [this, method, next, otherwise](const RpcReply &reply) {
        m_step.stop();
        if (m_settled)
            return;
        if (!reply.error)
            return next(reply.result);
        if (otherwise && reply.error->code != rpc::connectionEnded)
            return otherwise(*reply.error);
        if (reply.error->code == rpc::connectionEnded)
            return fail(reply.error->message);
        fail(tr("%1: %2").arg(QLatin1String(method), inWords(*reply.error)));
    });
}

void AcpTurn::initialized(const json &result)
{
    const json &version = memberOf(result, "protocolVersion");
    if (!version.is_number_integer() || version.get<std::int64_t>() != protocolVersion)
        return fail(tr("It speaks version %1 of the Agent Client Protocol; this program speaks version %2.")
                        .arg(QString::fromStdString(version.dump()).left(20))
                        .arg(protocolVersion),
                    tr("Install a version of the agent that speaks it."));
    m_capabilities = memberOf(result, "agentCapabilities");
    m_authMethods = memberOf(result, "authMethods");
    const json &agent = memberOf(result, "agentInfo");
    if (!textOf(agent, "name").isEmpty())
        m_log.line(tr("Agent: %1 %2").arg(words::title(textOf(agent, "name")), words::title(textOf(agent, "version"))));
    openSession();
}

// Resumed, else loaded, else new; which of them is said.
void AcpTurn::openSession()
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

void AcpTurn::goOnWithSession(const char *method, bool replays)
{
    m_replaying = replays; // what it tells until the answer is the past
    const json params{{"sessionId", utf8(m_request.session)},
                      {"cwd", utf8(m_request.place.workspace)},
                      {"mcpServers", m_request.mcpServers}};
    ask(
        method, params,
        [this](const json &result) {
            m_replaying = false;
            m_isNew = false;
            m_result.session = m_request.session;
            m_log.line(tr("Goes on with its session %1").arg(words::shortened(m_request.session)));
            sessionOpened(result);
        },
        [this](const RpcError &error) {
            m_replaying = false;
            newSession(inWords(error));
        });
}

void AcpTurn::newSession(const QString &insteadOf)
{
    if (!insteadOf.isEmpty())
        m_log.line(tr("Its earlier session is gone, so it is told everything anew: %1").arg(insteadOf));
    ask(
        "session/new", {{"cwd", utf8(m_request.place.workspace)}, {"mcpServers", m_request.mcpServers}},
        [this](const json &result) {
            m_result.session = textOf(result, "sessionId");
            if (m_result.session.isEmpty())
                return fail(tr("session/new: it gave no session."));
            sessionOpened(result);
        },
        [this](const RpcError &error) {
            if (error.code != rpc::authenticationRequired)
                return fail(tr("session/new: %1").arg(inWords(error)));
            QStringList methods;
            for (const json &method : m_authMethods)
                methods << words::title(textOf(method, "name"));
            methods.removeAll(QString());
            QString remedy = m_request.loginHint;
            if (!methods.isEmpty())
                remedy += (remedy.isEmpty() ? QString() : QStringLiteral(" ")) +
                          tr("It offers: %1.").arg(words::listed(methods, 6));
            fail(tr("Nobody is logged in."), remedy);
        });
}

void AcpTurn::sessionOpened(const json &result)
{
    if (m_cancelling) // asked for while there was nothing to be cancelled yet
        return settle(TurnResult::End::Cancelled);
    setMode(result);
}

// Agents begin in modes of their own choice ("auto"), so it is set each time; where it is not offered, all the rest
// still holds and it is left.
void AcpTurn::setMode(const json &session)
{
    const QString wanted = m_request.mode;
    const auto unset = [this, wanted](const RpcError &error) {
        m_log.line(tr("Its mode could not be set to %1: %2").arg(wanted, inWords(error)));
        prompt();
    };
    const auto set = [this](const json &) { prompt(); };
    if (wanted.isEmpty())
        return prompt();
    for (const json &option : memberOf(session, "configOptions")) {
        if (textOf(option, "category") != QLatin1String("mode") ||
            !isOffered(memberOf(option, "options"), "value", wanted))
            continue;
        if (textOf(option, "currentValue") == wanted)
            return prompt();
        return ask(
            "session/set_config_option",
            {{"sessionId", utf8(m_result.session)}, {"configId", memberOf(option, "id")}, {"value", utf8(wanted)}}, set,
            unset);
    }
    const json &modes = memberOf(session, "modes");
    if (textOf(modes, "currentModeId") == wanted || !isOffered(memberOf(modes, "availableModes"), "id", wanted))
        return prompt();
    ask("session/set_mode", {{"sessionId", utf8(m_result.session)}, {"modeId", utf8(wanted)}}, set, unset);
}

void AcpTurn::prompt()
{
    if (m_cancelling)
        return settle(TurnResult::End::Cancelled);
    m_prompting = true;
    m_turn.start();
    m_silence.start();
    const json text{{"type", "text"}, {"text", utf8(m_request.prompt(m_isNew))}};
    m_peer.request(QStringLiteral("session/prompt"),
                   {{"sessionId", utf8(m_result.session)}, {"prompt", json::array({text})}},
                   [this](const RpcReply &reply) {
                       m_prompting = false;
                       m_silence.stop();
                       if (m_settled)
                           return;
                       if (reply.error)
                           refusedPrompt(*reply.error);
                       else
                           answered(reply.result);
                   });
}

void AcpTurn::answered(const json &result)
{
    m_result.stopReason = textOf(result, "stopReason");
    if (!m_gaveUpBecause.isEmpty())
        return settle(TurnResult::End::Failed);
    if (m_cancelling || m_result.stopReason == QLatin1String("cancelled"))
        return settle(TurnResult::End::Cancelled);
    if (m_result.stopReason == QLatin1String("refusal"))
        return fail(tr("The model refused."));
    m_turn.stop();
    m_completed = true;
    // The last of what it says may come after the answer.
    QTimer::singleShot(m_request.limits.drain, this, [this] {
        if (!m_settled)
            settle(TurnResult::End::Completed);
    });
}

void AcpTurn::refusedPrompt(const RpcError &error)
{
    if (!m_gaveUpBecause.isEmpty())
        return settle(TurnResult::End::Failed);
    if (m_cancelling) // whatever code it gives for it
        return settle(TurnResult::End::Cancelled);
    fail(inWords(error), error.code == rpc::authenticationRequired ? m_request.loginHint : QString());
}

void AcpTurn::requested(const json &id, const QString &method, const json &params)
{
    // Also for sessions that we do not know: an agent's own helpers ask in their own.
    if (method == QLatin1String("session/request_permission"))
        permit(id, params);
    else if (method == QLatin1String("fs/read_text_file") || method == QLatin1String("fs/write_text_file"))
        answerFile(id, method, params);
    else
        m_peer.refuse(id, {rpc::methodNotFound, QStringLiteral("Method not found: %1").arg(method), {}});
}

void AcpTurn::permit(const json &id, const json &params)
{
    if (m_cancelling || m_settled)
        return m_peer.answer(id, cancelledOutcome());
    const json call = m_log.toolCall(memberOf(params, "toolCall"));
    const PermissionAnswer answer = decide(call, memberOf(params, "options"), m_request.place, m_request.permissions);
    m_peer.answer(id, answer.outcome);
    if (++m_permissions > toldPermissions)
        return;
    m_log.line(answer.allowed ? tr("[allowed] %1").arg(answer.what)
                              : tr("[not allowed] %1: %2").arg(answer.what, answer.why));
}

void AcpTurn::answerFile(const json &id, const QString &method, const json &params)
{
    const bool writes = method == QLatin1String("fs/write_text_file");
    if (writes && (m_cancelling || m_settled))
        return m_peer.refuse(id, {rpc::cancelled, tr("The turn has ended."), {}});
    const RpcReply reply = writes ? writeTextFile(params, m_request.place) : readTextFile(params, m_request.place);
    if (writes)
        m_log.line(reply.error ? tr("[not written] %1").arg(reply.error->message)
                               : tr("[written] %1").arg(words::oneLine(textOf(params, "path"))));
    if (reply.error)
        m_peer.refuse(id, *reply.error);
    else
        m_peer.answer(id, reply.result);
}

// Whose session it is does not matter: there is one, and it may speak before it has told its name.
void AcpTurn::notified(const QString &method, const json &params)
{
    if (method == QLatin1String("session/update") && !m_replaying)
        m_log.update(memberOf(params, "update"));
}

void AcpTurn::noise(const QByteArray &line)
{
    if (++m_noise <= toldNoise)
        m_log.line(QStringLiteral("[stdout] ") + words::title(QString::fromUtf8(line)));
}

void AcpTurn::broken(const QString &why)
{
    fail(why);
}

void AcpTurn::cancel()
{
    if (m_settled || m_cancelling)
        return;
    m_cancelling = true;
    m_silence.stop();
    m_turn.stop();
    if (!m_prompting)
        return settle(TurnResult::End::Cancelled);
    m_peer.notify(QStringLiteral("session/cancel"), {{"sessionId", utf8(m_result.session)}});
    m_grace.start();
}

// A limit is reached: as a cancel, but a failure.
void AcpTurn::giveUp(const QString &why)
{
    if (m_settled || m_cancelling)
        return;
    m_gaveUpBecause = why;
    m_result.error = {why, {}};
    m_log.line(why);
    cancel();
}

void AcpTurn::fail(const QString &why, const QString &remedy)
{
    if (m_settled)
        return;
    m_result.error = {why, remedy};
    settle(TurnResult::End::Failed);
}

// The outcome is known: the process ends, and what waits for an answer gets an error.
void AcpTurn::settle(TurnResult::End end)
{
    if (std::exchange(m_settled, true))
        return;
    m_result.end = end;
    for (QTimer *timer : {&m_step, &m_silence, &m_turn, &m_grace})
        timer->stop();
    // It may be what the peer is doing right now, so that its messages are dealt with first.
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_peer.close(tr("The turn has ended."));
            m_process.close();
        },
        Qt::QueuedConnection);
}

void AcpTurn::processEnded(const QString &how)
{
    if (m_completed)
        settle(TurnResult::End::Completed);
    if (!m_settled) {
        const QString errors = m_process.lastErrors();
        m_result.error = {errors.isEmpty() ? how : how + QLatin1Char('\n') + errors, {}};
        settle(m_cancelling && m_gaveUpBecause.isEmpty() ? TurnResult::End::Cancelled : TurnResult::End::Failed);
    }
    m_peer.close(how);
    m_tell.stop();
    if (m_permissions > toldPermissions)
        m_log.line(tr("Permissions that it asked for besides: %1").arg(m_permissions - toldPermissions));
    if (m_log.unknownUpdates() > 0)
        qCDebug(logAgent) << "updates of an unknown kind:" << m_log.unknownUpdates();
    m_result.message = m_log.message();
    m_result.usedTokens = m_log.usedTokens();
    m_result.cost = m_log.cost();
    if (const QString rest = m_log.takeNew(true); !rest.isEmpty())
        Q_EMIT said(rest.endsWith(QLatin1Char('\n')) ? rest : rest + QLatin1Char('\n'));
    Q_EMIT finished(m_result);
}

void AcpTurn::tell()
{
    if (const QString lines = m_log.takeNew(); !lines.isEmpty())
        Q_EMIT said(lines);
}

} // namespace ako::acp
