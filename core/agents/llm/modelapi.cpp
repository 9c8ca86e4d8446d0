// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/llm/modelapi.h"

#include "agents/acp/jsonrpcpeer.h"
#include "base/words.h"

#include <QCoreApplication>

namespace ako::llm {

using acp::memberOf;
using acp::textOf;
using nlohmann::json;

namespace {

constexpr qsizetype largestReply = 32LL * 1024 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::llm::ModelApi", text);
}

} // namespace

void ReplyReader::take(const ServerEvent &event)
{
    if (!m_error.isEmpty() || m_complete)
        return;
    m_size += event.data.size();
    if (m_size > largestReply)
        return fail(tr("The answer is longer than %1 MiB.").arg(largestReply / (1024LL * 1024)), false);
    const json data = json::parse(event.data.cbegin(), event.data.cend(), nullptr, false);
    if (!data.is_discarded())
        return takeJson(event.type, data);
    if (!takeOther(event.data))
        fail(tr("The server sent what is no JSON."), true);
}

bool ReplyReader::takeOther(const QByteArray &)
{
    return false;
}

void ReplyReader::fail(const QString &why, bool retryable)
{
    m_error = why;
    m_retryable = retryable;
}

void ReplyReader::say(const QString &text)
{
    m_reply.text += text;
    m_newText += text;
}

void ReplyReader::think(const QString &text)
{
    m_newThought += text;
}

std::int64_t numberOf(const json &object, const char *key)
{
    const json &member = memberOf(object, key);
    return member.is_number_integer() ? member.get<std::int64_t>() : 0;
}

QString errorMessage(const json &body)
{
    const json &error = memberOf(body, "error");
    QString message = error.is_string() ? textOf(body, "error") : textOf(error, "message");
    if (message.isEmpty())
        message = textOf(body, "message");
    return words::shortened(words::oneLine(message), 500);
}

} // namespace ako::llm
