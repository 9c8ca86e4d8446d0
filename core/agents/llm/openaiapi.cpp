// SPDX-License-Identifier: GPL-3.0-or-later
// Chat completions as OpenAI, llama.cpp, vLLM and Ollama serve them.
#include "agents/acp/jsonrpcpeer.h"
#include "agents/llm/modelapi.h"

#include <QCoreApplication>
#include <QUuid>

#include <vector>

namespace ako::llm {

namespace {

using acp::memberOf;
using acp::textOf;
using nlohmann::json;

constexpr std::size_t mostCalls = 200;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::llm::OpenAiApi", text);
}

// Local servers leave out indices and ids, repeat names, or send arguments as an object; all of that is taken.
class Reader : public ReplyReader
{
protected:
    void takeJson(const QByteArray &, const json &data) override
    {
        if (!memberOf(data, "error").is_null()) {
            const QString message = errorMessage(data);
            return fail(message.isEmpty() ? tr("The server reports an error in the middle of its answer.") : message,
                        true);
        }
        if (const json &usage = memberOf(data, "usage"); usage.is_object()) {
            m_reply.inputTokens = numberOf(usage, "prompt_tokens");
            m_reply.outputTokens = numberOf(usage, "completion_tokens");
        }
        const json &choices = memberOf(data, "choices");
        if (!choices.is_array() || choices.empty())
            return;
        const json &choice = choices.front();
        const json &delta = memberOf(choice, "delta");
        say(textOf(delta, "content"));
        think(textOf(delta, "reasoning_content"));
        think(textOf(delta, "reasoning"));
        for (const json &call : memberOf(delta, "tool_calls"))
            takeCall(call);
        if (const QString reason = textOf(choice, "finish_reason"); !reason.isEmpty())
            m_finish = reason;
    }

    bool takeOther(const QByteArray &data) override
    {
        if (data.trimmed() != "[DONE]")
            return false;
        complete();
        return true;
    }

private:
    struct Pieces
    {
        std::int64_t index = 0;
        QString id;
        QString name;
        std::string arguments;
    };

    // By its index; where there is none, an id that is new begins a call and all else belongs to the last one.
    Pieces *callFor(const json &delta)
    {
        const json &index = memberOf(delta, "index");
        const QString id = textOf(delta, "id");
        const bool hasIndex = index.is_number_integer();
        for (Pieces &call : m_calls) {
            const bool isSame = hasIndex ? call.index == index.get<std::int64_t>() : !id.isEmpty() && call.id == id;
            const bool isAnother = !id.isEmpty() && !call.id.isEmpty() && call.id != id; // one index for several calls
            if (isSame && !isAnother)
                return &call;
        }
        if (!hasIndex && id.isEmpty() && textOf(memberOf(delta, "function"), "name").isEmpty() && !m_calls.empty())
            return &m_calls.back();
        if (m_calls.size() >= mostCalls)
            return nullptr;
        m_calls.push_back({hasIndex ? index.get<std::int64_t>() : -1 - std::int64_t(m_calls.size()), id, {}, {}});
        return &m_calls.back();
    }

    void takeCall(const json &delta)
    {
        Pieces *call = callFor(delta);
        if (!call)
            return fail(tr("The answer calls more than %1 tools.").arg(mostCalls), false);
        const json &function = memberOf(delta, "function");
        if (const QString name = textOf(function, "name"); call->name.isEmpty()) // some send it with every piece
            call->name = name;
        if (call->id.isEmpty())
            call->id = textOf(delta, "id");
        const json &arguments = memberOf(function, "arguments");
        if (arguments.is_string())
            call->arguments += arguments.get_ref<const std::string &>();
        else if (arguments.is_object())
            call->arguments = arguments.dump();
    }

    void complete()
    {
        json message{{"role", "assistant"}, {"content", m_reply.text.toStdString()}};
        json list = json::array();
        for (Pieces &pieces : m_calls) {
            ToolUse call;
            call.id =
                pieces.id.isEmpty() ? QStringLiteral("call_") + QUuid::createUuid().toString(QUuid::Id128) : pieces.id;
            call.name = pieces.name;
            const json arguments =
                pieces.arguments.empty() ? json::object() : json::parse(pieces.arguments, nullptr, false);
            call.isReadable = arguments.is_object();
            if (call.isReadable)
                call.arguments = arguments;
            m_reply.calls << call;
            list.push_back({{"id", call.id.toStdString()},
                            {"type", "function"},
                            {"function", {{"name", call.name.toStdString()}, {"arguments", call.arguments.dump()}}}});
        }
        if (!list.empty())
            message["tool_calls"] = list;
        m_reply.message = message;
        if (m_finish == QLatin1String("length"))
            m_reply.stop = ModelReply::Stop::Length;
        else if (m_finish == QLatin1String("content_filter"))
            m_reply.stop = ModelReply::Stop::Refused;
        else if (!list.empty())
            m_reply.stop = ModelReply::Stop::Tools;
        m_complete = true;
    }

    std::vector<Pieces> m_calls;
    QString m_finish;
};

class Api : public ModelApi
{
public:
    QUrl url(const QUrl &base) const override
    {
        QUrl url = base;
        QString path = base.path();
        while (path.endsWith(QLatin1Char('/')))
            path.chop(1);
        url.setPath(path + QStringLiteral("/chat/completions"));
        return url;
    }

    QList<std::pair<QByteArray, QByteArray>> headers(const QString &key) const override
    {
        if (key.isEmpty())
            return {};
        return {std::pair<QByteArray, QByteArray>("authorization", "Bearer " + key.toUtf8())};
    }

    json body(const QString &model, const QString &system, const json &messages,
              const QList<Tool> &tools) const override
    {
        json all = json::array({{{"role", "system"}, {"content", system.toStdString()}}});
        for (const json &message : messages)
            all.push_back(message);
        json offered = json::array();
        for (const Tool &tool : tools)
            offered.push_back({{"type", "function"},
                               {"function",
                                {{"name", tool.name.toStdString()},
                                 {"description", tool.description.toStdString()},
                                 {"parameters", tool.parameters}}}});
        return {{"model", model.toStdString()},
                {"messages", all},
                {"tools", offered},
                {"stream", true},
                {"stream_options", {{"include_usage", true}}}};
    }

    std::unique_ptr<ReplyReader> reader() const override { return std::make_unique<Reader>(); }

    QList<json> toolMessages(const QList<ToolUse> &calls, const QList<ToolAnswer> &answers) const override
    {
        QList<json> messages;
        for (qsizetype at = 0; at < calls.size(); ++at)
            messages << json{{"role", "tool"},
                             {"tool_call_id", calls.at(at).id.toStdString()},
                             {"content", answers.at(at).text.toStdString()}};
        return messages;
    }
};

} // namespace

std::unique_ptr<ModelApi> openAiApi()
{
    return std::make_unique<Api>();
}

} // namespace ako::llm
