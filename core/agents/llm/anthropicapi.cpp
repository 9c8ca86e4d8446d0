// SPDX-License-Identifier: GPL-3.0-or-later
// The Anthropic Messages API (https://docs.anthropic.com/en/api/messages), version 2023-06-01.
#include "agents/acp/jsonrpcpeer.h"
#include "agents/llm/modelapi.h"

#include <QCoreApplication>

#include <map>

namespace ako::llm {

namespace {

using acp::memberOf;
using acp::textOf;
using nlohmann::json;

constexpr int mostTokens = 16'384; // of one answer
constexpr std::int64_t mostBlocks = 1000;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::llm::AnthropicApi", text);
}

// The blocks go back as they came, thoughts with their signatures among them.
class Reader : public ReplyReader
{
protected:
    void takeJson(const QByteArray &type, const json &data) override
    {
        const QString kind = textOf(data, "type").isEmpty() ? QString::fromUtf8(type) : textOf(data, "type");
        if (kind == QLatin1String("error"))
            takeError(data);
        else if (kind == QLatin1String("message_start"))
            takeUsage(memberOf(memberOf(data, "message"), "usage"));
        else if (kind == QLatin1String("content_block_start"))
            begin(numberOf(data, "index"), memberOf(data, "content_block"));
        else if (kind == QLatin1String("content_block_delta"))
            grow(numberOf(data, "index"), memberOf(data, "delta"));
        else if (kind == QLatin1String("message_delta"))
            takeEnd(data);
        else if (kind == QLatin1String("message_stop"))
            complete();
    }

private:
    void takeError(const json &data)
    {
        const QString kind = textOf(memberOf(data, "error"), "type");
        const bool passes = kind == QLatin1String("overloaded_error") || kind == QLatin1String("api_error") ||
                            kind == QLatin1String("rate_limit_error") || kind.isEmpty();
        const QString message = errorMessage(data);
        fail(message.isEmpty() ? tr("The server reports an error in the middle of its answer.") : message, passes);
    }

    void takeUsage(const json &usage)
    {
        if (!usage.is_object())
            return;
        const auto input = numberOf(usage, "input_tokens") + numberOf(usage, "cache_read_input_tokens") +
                           numberOf(usage, "cache_creation_input_tokens");
        if (input > 0)
            m_reply.inputTokens = input;
        if (numberOf(usage, "output_tokens") > 0) // it is of the whole answer each time
            m_reply.outputTokens = numberOf(usage, "output_tokens");
    }

    void begin(std::int64_t index, const json &block)
    {
        if (index < 0 || index > mostBlocks || !block.is_object())
            return fail(tr("The server sent a part of an answer that cannot be read."), true);
        m_blocks[index] = block;
        say(textOf(block, "text"));
        think(textOf(block, "thinking"));
    }

    void append(json &block, const char *key, const QString &text)
    {
        block[key] = (textOf(block, key) + text).toStdString();
    }

    void grow(std::int64_t index, const json &delta)
    {
        const auto found = m_blocks.find(index);
        if (found == m_blocks.end())
            return fail(tr("The server sent a part of an answer that was never begun."), true);
        const QString kind = textOf(delta, "type");
        if (kind == QLatin1String("text_delta")) {
            say(textOf(delta, "text"));
            m_texts[index] += textOf(delta, "text");
        } else if (kind == QLatin1String("input_json_delta")) {
            m_inputs[index] += memberOf(delta, "partial_json").is_string()
                                   ? memberOf(delta, "partial_json").get_ref<const std::string &>()
                                   : std::string();
        } else if (kind == QLatin1String("thinking_delta")) {
            think(textOf(delta, "thinking"));
            append(found->second, "thinking", textOf(delta, "thinking"));
        } else if (kind == QLatin1String("signature_delta")) {
            append(found->second, "signature", textOf(delta, "signature"));
        }
    }

    void takeEnd(const json &data)
    {
        takeUsage(memberOf(data, "usage"));
        const QString reason = textOf(memberOf(data, "delta"), "stop_reason");
        if (reason == QLatin1String("tool_use"))
            m_reply.stop = ModelReply::Stop::Tools;
        else if (reason == QLatin1String("max_tokens") || reason == QLatin1String("model_context_window_exceeded"))
            m_reply.stop = ModelReply::Stop::Length;
        else if (reason == QLatin1String("refusal"))
            m_reply.stop = ModelReply::Stop::Refused;
    }

    void complete()
    {
        json content = json::array();
        for (auto &[index, block] : m_blocks) {
            const QString kind = textOf(block, "type");
            if (kind == QLatin1String("text")) {
                append(block, "text", m_texts[index]);
                if (textOf(block, "text").isEmpty())
                    continue; // refused when it comes back
            } else if (kind == QLatin1String("tool_use")) {
                takeCall(block, m_inputs[index]);
            }
            content.push_back(block);
        }
        m_reply.message = {{"role", "assistant"}, {"content", content}};
        m_complete = true;
    }

    // Its input may come whole with the block, or in pieces; none at all is an empty object.
    void takeCall(json &block, const std::string &pieces)
    {
        ToolUse call;
        call.id = textOf(block, "id");
        call.name = textOf(block, "name");
        json input = pieces.empty() ? memberOf(block, "input") : json::parse(pieces, nullptr, false);
        if (input.is_null())
            input = json::object();
        call.isReadable = input.is_object();
        call.arguments = call.isReadable ? input : json::object();
        block["input"] = call.arguments;
        m_reply.calls << call;
    }

    std::map<std::int64_t, json> m_blocks;
    std::map<std::int64_t, QString> m_texts;
    std::map<std::int64_t, std::string> m_inputs;
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
        if (path.endsWith(QLatin1String("/v1"))) // as the other form wants it
            path.chop(3);
        url.setPath(path + QStringLiteral("/v1/messages"));
        return url;
    }

    QList<std::pair<QByteArray, QByteArray>> headers(const QString &key) const override
    {
        using Header = std::pair<QByteArray, QByteArray>;
        QList<Header> list;
        list << Header("anthropic-version", "2023-06-01");
        if (!key.isEmpty())
            list << Header("x-api-key", key.toUtf8());
        return list;
    }

    json body(const QString &model, const QString &system, const json &messages,
              const QList<Tool> &tools) const override
    {
        json offered = json::array();
        for (const Tool &tool : tools)
            offered.push_back({{"name", tool.name.toStdString()},
                               {"description", tool.description.toStdString()},
                               {"input_schema", tool.parameters}});
        return {{"model", model.toStdString()}, {"max_tokens", mostTokens}, {"system", system.toStdString()},
                {"messages", messages},         {"tools", offered},         {"stream", true}};
    }

    std::unique_ptr<ReplyReader> reader() const override { return std::make_unique<Reader>(); }

    // All of them in one message.
    QList<json> toolMessages(const QList<ToolUse> &calls, const QList<ToolAnswer> &answers) const override
    {
        json results = json::array();
        for (qsizetype at = 0; at < calls.size(); ++at)
            results.push_back({{"type", "tool_result"},
                               {"tool_use_id", calls.at(at).id.toStdString()},
                               {"content", answers.at(at).text.toStdString()},
                               {"is_error", answers.at(at).failed}});
        return {{{"role", "user"}, {"content", results}}};
    }
};

} // namespace

std::unique_ptr<ModelApi> anthropicApi()
{
    return std::make_unique<Api>();
}

} // namespace ako::llm
