// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/sessionlog.h"

#include "agents/acp/jsonrpcpeer.h"
#include "base/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace ako::acp {

namespace {

using nlohmann::json;

constexpr qsizetype longestMessage = 64LL * 1024; // of the message, in which the answer is looked for
constexpr qsizetype longestPiece = 256LL * 1024;  // of one update; the rest is left out
constexpr qsizetype mostTools = 2000;             // that are remembered
constexpr qsizetype longestKept = 64LL * 1024;    // of one tool call's content and input
constexpr qsizetype mostText = 1024LL * 1024;     // of a turn's words, and of its lines, in the transcript

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::acp::SessionLog", text);
}

QString textOfContent(const json &content)
{
    const QString type = textOf(content, "type");
    if (type == QLatin1String("text"))
        return textOf(content, "text").left(longestPiece);
    return type.isEmpty() ? QString() : QStringLiteral("[%1]").arg(words::oneLine(type));
}

QString statusOf(const json &call)
{
    const QString status = textOf(call, "status");
    return status.isEmpty() ? QStringLiteral("pending") : words::shortened(words::oneLine(status), 40);
}

} // namespace

qint64 boundedTokens(const json &number)
{
    constexpr qint64 most = 1'000'000'000'000; // far from what could overflow when it is added up
    return number.is_number_integer() ? std::clamp<qint64>(number.get<std::int64_t>(), 0, most) : 0;
}

SessionLog::SessionLog()
    : m_textLeft(mostText)
    , m_linesLeft(mostText)
{
}

// Says once that there is more.
bool SessionLog::takes(qsizetype count, qsizetype &left)
{
    if (left <= 0)
        return false;
    left -= count;
    if (left <= 0)
        write(QLatin1Char('\n') + tr("… (what follows is left out)") + QLatin1Char('\n'));
    return left > 0;
}

void SessionLog::update(const json &update)
{
    const QString kind = textOf(update, "sessionUpdate");
    // Qwen's way: beside an empty piece of its message.
    if (const json &total = memberOf(memberOf(memberOf(update, "_meta"), "usage"), "totalTokens"); !total.is_null())
        m_spentTokens += boundedTokens(total);
    if (kind == QLatin1String("agent_message_chunk"))
        text(update, 'm');
    else if (kind == QLatin1String("agent_thought_chunk"))
        text(update, 't');
    else if (kind == QLatin1String("tool_call") || kind == QLatin1String("tool_call_update"))
        tool(update);
    else if (kind == QLatin1String("plan"))
        plan(update);
    else if (kind == QLatin1String("usage_update"))
        usage(update);
    else
        ++m_unknown;
}

void SessionLog::line(const QString &text)
{
    if (m_lastKind != '\0' && !m_new.isEmpty() && !m_new.endsWith(QLatin1Char('\n')))
        write(QStringLiteral("\n"));
    m_lastKind = '\0';
    const QString line = words::plain(text) + QLatin1Char('\n');
    if (takes(line.size(), m_linesLeft))
        write(line);
}

// A message that begins anew with the same text (an agent that tries again) is simply said twice.
void SessionLog::text(const json &update, char kind)
{
    const QString piece = words::plain(textOfContent(memberOf(update, "content")));
    const QString id = textOf(update, "messageId");
    if (piece.isEmpty())
        return;
    if (m_lastKind != kind || (!id.isEmpty() && id != m_lastMessageId))
        line(kind == 'm' ? tr("Agent:") : tr("Thought:"));
    m_lastKind = kind;
    m_lastMessageId = id;
    if (takes(piece.size(), m_textLeft))
        write(piece);
    if (kind != 'm')
        return;
    m_message += piece;
    if (m_message.size() > 2 * longestMessage) // cut rarely, so that a character is moved once on average
        m_message = m_message.right(longestMessage);
}

json SessionLog::toolCall(const json &update)
{
    const QString id = textOf(update, "toolCallId");
    json call = m_tools.value(id, json::object());
    if (!update.is_object())
        return call;
    for (const auto &[key, value] : update.items()) {
        if (!value.is_null() && key != "sessionUpdate")
            call[key] = value;
    }
    if (m_tools.size() >= mostTools && !m_tools.contains(id))
        return call;
    json kept = call;
    for (const char *key : {"content", "rawInput", "rawOutput"}) {
        if (kept.contains(key) && kept[key].dump(-1, ' ', false, json::error_handler_t::replace).size() > longestKept)
            kept.erase(key);
    }
    m_tools.insert(id, kept);
    return call;
}

void SessionLog::tool(const json &update)
{
    const QString id = textOf(update, "toolCallId");
    const json call = toolCall(update);
    const QString told = QStringLiteral("[%1] %2").arg(statusOf(call), words::title(textOf(call, "title")));
    if (m_toldOfTool.value(id) == told)
        return;
    line(told);
    if (m_toldOfTool.size() < mostTools)
        m_toldOfTool.insert(id, told);
}

void SessionLog::plan(const json &update)
{
    QStringList entries;
    for (const json &entry : memberOf(update, "entries"))
        entries << QStringLiteral("  - [%1] %2").arg(statusOf(entry), words::title(textOf(entry, "content")));
    line(tr("Plan:") + QLatin1Char('\n') + entries.mid(0, 50).join(QLatin1Char('\n')));
}

void SessionLog::usage(const json &update)
{
    const json &used = memberOf(update, "used");
    if (used.is_number_integer())
        m_usedTokens = boundedTokens(used);
    const json &cost = memberOf(update, "cost");
    const json &amount = memberOf(cost, "amount");
    if (amount.is_number())
        m_cost = QStringLiteral("%1 %2")
                     .arg(amount.get<double>(), 0, 'g', 6)
                     .arg(words::shortened(words::oneLine(textOf(cost, "currency")), 8));
}

void SessionLog::write(const QString &text)
{
    m_new += text;
}

QString SessionLog::takeNew(bool all)
{
    const qsizetype end = all ? m_new.size() : m_new.lastIndexOf(QLatin1Char('\n')) + 1;
    // A line without an end is not held back for ever.
    const qsizetype count = end == 0 && m_new.size() > longestMessage ? m_new.size() : end;
    QString taken = m_new.left(count);
    m_new.remove(0, count);
    return taken;
}

} // namespace ako::acp
