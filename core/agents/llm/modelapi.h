// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/llm/ssereader.h"
#include "agents/tools/toolbox.h"

#include <QString>
#include <QUrl>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

namespace ako::llm {

// A tool that the model wants to be called.
struct ToolUse
{
    QString id; // to be handed back; ours where the server gave none
    QString name;
    nlohmann::json arguments = nlohmann::json::object();
    bool isReadable = true; // false: its arguments are no JSON
};

// One complete answer of a model.
struct ModelReply
{
    enum class Stop { Done, Tools, Length, Refused };
    Stop stop = Stop::Done;
    QString text;
    QList<ToolUse> calls;
    nlohmann::json message; // as it goes back with the next question
    qint64 inputTokens = 0; // as the server counts them, the cached ones included; 0: not told
    qint64 outputTokens = 0;
};

// Puts one streamed answer together. Nothing of it counts before it is complete.
class ReplyReader
{
public:
    virtual ~ReplyReader() = default;

    void take(const ServerEvent &event);
    bool isComplete() const { return m_complete; }
    QString error() const { return m_error; } // the server's, or what is wrong with the stream; empty: none
    bool mayBeTriedAgain() const { return m_retryable; }
    ModelReply reply() const { return m_reply; }
    QString takeText() { return std::exchange(m_newText, {}); } // that is new, for a person
    QString takeThought() { return std::exchange(m_newThought, {}); }

protected:
    virtual void takeJson(const QByteArray &type, const nlohmann::json &data) = 0;
    virtual bool takeOther(const QByteArray &data); // that is no JSON; false: it is broken
    void fail(const QString &why, bool retryable);
    void say(const QString &text);
    void think(const QString &text);

    ModelReply m_reply;
    bool m_complete = false;

private:
    QString m_error;
    bool m_retryable = true;
    QString m_newText;
    QString m_newThought;
    qsizetype m_size = 0;
};

// How a model is asked over HTTP: one of two forms.
class ModelApi
{
public:
    virtual ~ModelApi() = default;

    virtual QUrl url(const QUrl &base) const = 0;
    virtual QList<std::pair<QByteArray, QByteArray>> headers(const QString &key) const = 0; // no key: an empty one
    virtual nlohmann::json body(const QString &model, const QString &system, const nlohmann::json &messages,
                                const QList<Tool> &tools) const = 0;
    virtual std::unique_ptr<ReplyReader> reader() const = 0;
    // What follows an answer that calls tools: one answer for each call, in order.
    virtual QList<nlohmann::json> toolMessages(const QList<ToolUse> &calls, const QList<ToolAnswer> &answers) const = 0;
};

std::unique_ptr<ModelApi> anthropicApi();
std::unique_ptr<ModelApi> openAiApi();

// A whole number of an object; 0: there is none.
std::int64_t numberOf(const nlohmann::json &object, const char *key);

// The message of an error answer of either; empty: there is none.
QString errorMessage(const nlohmann::json &body);

} // namespace ako::llm
