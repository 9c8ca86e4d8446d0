// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/acpturn.h"

#include "agents/acp/filemethods.h"
#include "base/logging.h"
#include "base/words.h"

#include <algorithm>
#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr int tellMilliseconds = 100;
constexpr int toldNoise = 20;

} // namespace

AcpTurn::AcpTurn(TurnRequest request, QObject *parent)
    : QObject(parent)
    , m_request(std::move(request))
    , m_process(m_request.command, m_request.limits.closeGrace)
    , m_peer(
          *this, [this](const QByteArray &bytes) { m_process.send(bytes); }, m_request.limits.longestLine)
    , m_desk(m_peer, m_log, m_request)
    , m_handshake(m_request, m_peer, m_log,
                  [this](const Result<> &opened) {
                      if (opened)
                          prompt();
                      else
                          fail(opened.error());
                  })
    , m_turnLeft(m_request.limits.turn)
{
    m_process.setMemoryLimit(m_request.limits.memoryBytes);
    connectTimers();
    connectParts();
}

AcpTurn::~AcpTurn()
{
    m_settled = true; // whoever waited for an answer is not to start anything any more
    m_handshake.stop();
    m_peer.close({});
}

void AcpTurn::connectTimers()
{
    m_tell.setInterval(tellMilliseconds);
    for (QTimer *timer : {&m_silence, &m_turn, &m_grace})
        timer->setSingleShot(true);
    m_silence.setInterval(m_request.limits.silence);
    m_grace.setInterval(m_request.limits.cancelGrace);
    connect(&m_tell, &QTimer::timeout, this, &AcpTurn::tell);
    connect(&m_silence, &QTimer::timeout, this,
            [this] { giveUp(tr("It has said nothing for %1 s.").arg(m_request.limits.silence / 1000)); });
    connect(&m_turn, &QTimer::timeout, this,
            [this] { giveUp(tr("Its turn took longer than %1 s.").arg(m_request.limits.turn / 1000)); });
    connect(&m_grace, &QTimer::timeout, this, [this] {
        m_log.line(tr("It did not end its turn when it was asked to; it is ended."));
        settle(m_gaveUpBecause.isEmpty() ? TurnResult::End::Cancelled : TurnResult::End::Failed);
        m_process.kill();
    });
}

void AcpTurn::connectParts()
{
    connect(&m_process, &AgentProcess::received, this, [this](const QByteArray &bytes) {
        watch();
        m_peer.receive(bytes);
    });
    connect(&m_process, &AgentProcess::choked, this, [this] { fail({tr("It does not read what it is sent."), {}}); });
    connect(&m_process, &AgentProcess::ended, this, &AcpTurn::processEnded);
    connect(&m_desk, &PermissionDesk::asked, this, &AcpTurn::permissionAsked);
    connect(&m_desk, &PermissionDesk::settled, this, &AcpTurn::permissionSettled);
    connect(&m_desk, &PermissionDesk::waitingChanged, this, &AcpTurn::watch);
}

// Its time counts while it is its turn, and its silence begins anew; both stand still while a person is waited for.
void AcpTurn::watch()
{
    const bool counts = m_prompting && !m_cancelling && !m_settled && !m_desk.isWaiting();
    if (counts && !m_turn.isActive()) {
        m_turn.start(m_turnLeft);
    } else if (!counts && m_turn.isActive()) {
        m_turnLeft = std::max(m_turn.remainingTime(), 1);
        m_turn.stop();
    }
    if (counts && !m_toolsBusy)
        m_silence.start();
    else
        m_silence.stop();
}

void AcpTurn::setToolsBusy(bool busy)
{
    m_toolsBusy = busy;
    watch();
}

void AcpTurn::start()
{
    m_tell.start();
    m_process.start();
    m_handshake.start();
}

void AcpTurn::prompt()
{
    m_result.session = m_handshake.session();
    m_prompting = true;
    watch();
    const json text{{"type", "text"}, {"text", m_request.prompt(m_handshake.isNewSession()).toStdString()}};
    m_peer.request(QStringLiteral("session/prompt"),
                   {{"sessionId", m_result.session.toStdString()}, {"prompt", json::array({text})}},
                   [this](const RpcReply &reply) {
                       m_prompting = false;
                       watch();
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
    m_result.spentTokens = boundedTokens(memberOf(memberOf(result, "usage"), "totalTokens"));
    if (!m_gaveUpBecause.isEmpty())
        return settle(TurnResult::End::Failed);
    if (m_cancelling || m_result.stopReason == QLatin1String("cancelled"))
        return settle(TurnResult::End::Cancelled);
    if (m_result.stopReason == QLatin1String("refusal"))
        return fail({tr("The model refused."), {}});
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
    fail({inWords(error), error.code == rpc::authenticationRequired ? m_request.loginHint : QString()});
}

void AcpTurn::requested(const json &id, const QString &method, const json &params)
{
    // Also for sessions that we do not know: an agent's own helpers ask in their own.
    if (method == QLatin1String("session/request_permission"))
        m_desk.requested(id, params);
    else if (method == QLatin1String("fs/read_text_file") || method == QLatin1String("fs/write_text_file"))
        answerFile(id, method, params);
    else
        m_peer.refuse(id, {rpc::methodNotFound, QStringLiteral("Method not found: %1").arg(method), {}});
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
    if (method == QLatin1String("session/update") && !m_handshake.isReplaying())
        m_log.update(memberOf(params, "update"));
}

void AcpTurn::noise(const QByteArray &line)
{
    if (++m_noise <= toldNoise)
        m_log.line(QStringLiteral("[stdout] ") + words::title(QString::fromUtf8(line)));
}

void AcpTurn::broken(const QString &why)
{
    fail({why, {}});
}

void AcpTurn::cancel()
{
    if (m_settled || m_cancelling)
        return;
    m_cancelling = true;
    watch();
    m_desk.close();
    if (!m_prompting)
        return settle(TurnResult::End::Cancelled);
    m_peer.notify(QStringLiteral("session/cancel"), {{"sessionId", m_result.session.toStdString()}});
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

void AcpTurn::fail(const Error &error)
{
    if (m_settled)
        return;
    m_result.error = error;
    settle(TurnResult::End::Failed);
}

// The outcome is known: the process ends, and what waits for an answer gets an error.
void AcpTurn::settle(TurnResult::End end)
{
    if (std::exchange(m_settled, true))
        return;
    m_result.end = end;
    m_result.session = m_handshake.session();
    m_handshake.stop();
    m_desk.close();
    m_grace.stop();
    watch();
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
    m_desk.tellRepeats();
    m_result.usedTokens = m_log.usedTokens();
    m_result.cost = m_log.cost();
    if (m_result.spentTokens == 0)
        m_result.spentTokens = m_log.spentTokens();
    tellUsage();
    if (m_log.unknownUpdates() > 0)
        qCDebug(logAgent) << "updates of an unknown kind:" << m_log.unknownUpdates();
    m_result.message = m_log.message();
    if (const QString rest = m_log.takeNew(true); !rest.isEmpty())
        Q_EMIT said(rest.endsWith(QLatin1Char('\n')) ? rest : rest + QLatin1Char('\n'));
    Q_EMIT finished(m_result);
}

// As far as it tells; the budgets go by it.
void AcpTurn::tellUsage()
{
    QStringList parts;
    if (m_result.spentTokens > 0)
        parts << tr("%1 tokens in this turn").arg(m_result.spentTokens);
    else if (m_result.usedTokens > 0)
        parts << tr("%1 tokens in its session").arg(m_result.usedTokens);
    if (!m_result.cost.isEmpty())
        parts << tr("%1 since its session began").arg(m_result.cost);
    if (!parts.isEmpty())
        m_log.line(tr("[usage] %1").arg(parts.join(QStringLiteral(", "))));
}

void AcpTurn::tell()
{
    if (const QString lines = m_log.takeNew(); !lines.isEmpty())
        Q_EMIT said(lines);
}

} // namespace ako::acp
