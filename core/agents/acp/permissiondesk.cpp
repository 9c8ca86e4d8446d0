// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/permissiondesk.h"

#include "agents/acp/sessionlog.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr std::size_t mostQuestions = 50; // that wait for a person at a time
constexpr qsizetype mostRequests = 1000;  // that wait for the same answer
constexpr int mostDenials = 3;            // of the same thing in a turn; then the answer is known
constexpr int mostLines = 500;            // different ones; the rest only as their number

} // namespace

PermissionDesk::PermissionDesk(JsonRpcPeer &peer, SessionLog &log, const TurnRequest &request)
    : m_peer(peer)
    , m_log(log)
    , m_place(request.place)
    , m_rules(request.permissions)
    , m_allowedKinds(request.allowedKinds)
{
}

void PermissionDesk::requested(const json &id, const json &params)
{
    if (m_closed)
        return m_peer.answer(id, cancelledOutcome());
    const Request request{id, memberOf(params, "options")};
    const PermissionAnswer answer =
        decide(m_log.toolCall(memberOf(params, "toolCall")), request.options, m_place, m_rules);
    const bool isAllowedForTheRun = answer.isForAPerson && m_allowedKinds.contains(answer.kind);
    if (answer.isForAPerson && !isAllowedForTheRun)
        return ask(request, answer);
    if (!answer.allowed && !isAllowedForTheRun)
        return deny(request, answer.what, answer.why);
    m_peer.answer(id, chosenOutcome(request.options, true));
    tell(tr("[allowed] %1").arg(answer.what));
}

void PermissionDesk::deny(const Request &request, const QString &what, const QString &why)
{
    m_peer.answer(request.id, chosenOutcome(request.options, false));
    tell(tr("[not allowed] %1: %2").arg(what, why));
}

void PermissionDesk::ask(const Request &request, const PermissionAnswer &answer)
{
    const QString &what = answer.what;
    if (m_denials.value(what) >= mostDenials)
        return deny(request, what, tr("you have denied it %1 times in this turn").arg(mostDenials));
    const auto same = std::ranges::find_if(m_questions, [&](const auto &waiting) {
        return waiting.second.what == what && waiting.second.kind == answer.kind;
    });
    const bool isTooMuch =
        same == m_questions.end() ? m_questions.size() >= mostQuestions : same->second.requests.size() >= mostRequests;
    if (isTooMuch)
        return deny(request, what, tr("too many questions wait already"));
    tell(tr("[asked] %1").arg(what));
    if (same != m_questions.end())
        same->second.requests << request;
    else
        put({answer.kind, answer.subject, what, {request}});
}

void PermissionDesk::put(const Question &question)
{
    static std::atomic<quint64> lastNumber = 0; // never the same twice: an answer that comes late is for nobody
    const quint64 number = ++lastNumber;
    m_questions.emplace(number, question);
    if (m_questions.size() == 1)
        Q_EMIT waitingChanged();
    Q_EMIT asked({number, {}, question.kind, question.subject});
}

void PermissionDesk::answer(quint64 number, PermissionChoice choice)
{
    const auto found = m_questions.find(number);
    if (found == m_questions.end())
        return;
    const Question question = found->second;
    m_questions.erase(found);
    if (choice == PermissionChoice::Deny)
        ++m_denials[question.what];
    settle(question, number, choice);
    if (choice == PermissionChoice::ForThisRun) { // so are others of its kind that wait already
        m_allowedKinds << question.kind;
        for (auto other = m_questions.begin(); other != m_questions.end();) {
            const bool isAlike = other->second.kind == question.kind;
            if (isAlike)
                settle(other->second, other->first, choice);
            other = isAlike ? m_questions.erase(other) : std::next(other);
        }
    }
    if (choice == PermissionChoice::Once && question.requests.size() > 1) // once is once
        put({question.kind, question.subject, question.what, question.requests.mid(1)});
    if (m_questions.empty())
        Q_EMIT waitingChanged();
}

void PermissionDesk::settle(const Question &question, quint64 number, PermissionChoice choice)
{
    const bool isAllowed = choice != PermissionChoice::Deny;
    const QString outcome = choice == PermissionChoice::ForThisRun ? tr("allowed for this run")
                            : isAllowed                            ? tr("allowed once")
                                                                   : tr("denied");
    const qsizetype answered = choice == PermissionChoice::Once ? 1 : question.requests.size();
    for (const Request &request : question.requests.mid(0, answered)) {
        m_peer.answer(request.id, chosenOutcome(request.options, isAllowed));
        tell(QStringLiteral("[%1] %2").arg(outcome, question.what));
    }
    Q_EMIT settled(number, outcome);
}

void PermissionDesk::close()
{
    m_closed = true;
    const auto questions = std::exchange(m_questions, {});
    for (const auto &[number, question] : questions) {
        for (const Request &request : question.requests) {
            m_peer.answer(request.id, cancelledOutcome());
            tell(tr("[not allowed] %1: the turn ended").arg(question.what));
        }
        Q_EMIT settled(number, tr("the turn ended"));
    }
}

// The same line once, however often: an agent may ask a thousand times.
void PermissionDesk::tell(const QString &line)
{
    if (m_told.size() >= mostLines && !m_times.contains(line)) {
        ++m_untold;
        return;
    }
    if (m_times[line]++ > 0)
        return;
    m_told << line;
    m_log.line(line);
}

void PermissionDesk::tellRepeats()
{
    for (const QString &line : std::as_const(m_told)) {
        if (const int times = m_times.value(line); times > 1)
            m_log.line(tr("%1 (%2 times)").arg(line, QString::number(times)));
    }
    if (m_untold > 0)
        m_log.line(tr("Permissions that it asked for besides: %1").arg(m_untold));
}

} // namespace ako::acp
