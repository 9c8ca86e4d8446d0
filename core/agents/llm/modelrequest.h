// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/llm/modelapi.h"
#include "base/result.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>

#include <functional>

class QNetworkReply;

namespace ako::llm {

struct RequestLimits
{
    int retries = 3;
    int firstWait = 500;     // ms; doubles with each attempt
    int longestWait = 8'000; // ms, of our own; a server may ask for up to longestAsked
    int longestAsked = 120'000;
    int firstByte = 300'000;                    // ms; a local server reads a long question first
    int silence = 120'000;                      // ms, between two packets
    qint64 longestStream = 256LL * 1024 * 1024; // bytes of one answer, comments and all
};

// One question to a model, streamed. A failure that may pass is tried again, after the time that the server asks for;
// an answer that breaks off is discarded whole and asked for anew.
class ModelRequest : public QObject
{
    Q_OBJECT

public:
    ModelRequest(QNetworkAccessManager &network, const ModelApi &api, RequestLimits limits, QObject *parent = nullptr);
    ~ModelRequest() override;

    using Done = std::function<void(const Result<ModelReply> &reply)>;

    // `done` is called once, later, unless it is cancelled.
    void start(const QUrl &base, const QString &key, const nlohmann::json &body, Done done);
    void cancel();

Q_SIGNALS:
    void heard(); // anything came
    void text(const QString &piece);
    void thought(const QString &piece);
    void triesAgain(const QString &why, int milliseconds);

private:
    struct Failure
    {
        Error error;
        bool retryable = false;
        int askedWait = -1; // ms
    };

    void attempt();
    bool isTooLong() const { return m_received > m_limits.longestStream; }
    void read();
    void ended();
    void dropReply();
    Failure failureOf(QNetworkReply &reply);
    Failure httpFailure(int status, QNetworkReply &reply) const;
    void failed(const Failure &failure);
    void finish(const Result<ModelReply> &reply);

    QNetworkAccessManager &m_network;
    const ModelApi &m_api;
    RequestLimits m_limits;
    Done m_done;
    QUrl m_url;
    QString m_key;
    QByteArray m_body;
    QNetworkReply *m_reply = nullptr;
    std::unique_ptr<ReplyReader> m_reader;
    SseReader m_events;
    QByteArray m_errorBody;
    QTimer m_quiet;
    qint64 m_received = 0;
    QTimer m_wait;
    int m_attempts = 0;
    bool m_wasQuiet = false;
};

} // namespace ako::llm
