// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/llm/modelrequest.h"

#include "agents/acp/jsonrpcpeer.h"
#include "base/words.h"

#include <QDateTime>
#include <QNetworkReply>
#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace ako::llm {

namespace {

using acp::memberOf;
using acp::textOf;
using nlohmann::json;

constexpr qsizetype largestErrorBody = 256LL * 1024;
constexpr int authenticationStatus = 401;
constexpr qint64 mostUnread = 1024LL * 1024; // a server that sends faster than is read has to wait

// retry-after-ms, retry-after in seconds or as a date; -1: it asks for nothing.
int askedWait(const QNetworkReply &reply)
{
    bool isNumber = false;
    const double exact = reply.rawHeader("retry-after-ms").toDouble(&isNumber);
    if (isNumber && exact >= 0)
        return int(std::min(exact, 1e9));
    const QByteArray value = reply.rawHeader("retry-after").trimmed();
    const double seconds = value.toDouble(&isNumber);
    if (isNumber && seconds >= 0)
        return int(std::min(1000.0 * seconds, 1e9));
    const QDateTime date = QDateTime::fromString(QString::fromLatin1(value), Qt::RFC2822Date);
    return date.isValid() ? int(std::clamp<qint64>(QDateTime::currentDateTimeUtc().msecsTo(date), 0, 1'000'000'000))
                          : -1;
}

// A limit of money is no limit of the moment.
bool isSpent(const json &body)
{
    const json &error = memberOf(body, "error");
    const QString code = textOf(error, "code");
    const QString kind = textOf(error, "type");
    return code == QLatin1String("insufficient_quota") || kind == QLatin1String("insufficient_quota") ||
           textOf(memberOf(error, "details"), "error_code") == QLatin1String("enforced_spend_limit_reached");
}

} // namespace

ModelRequest::ModelRequest(QNetworkAccessManager &network, const ModelApi &api, RequestLimits limits, QObject *parent)
    : QObject(parent)
    , m_network(network)
    , m_api(api)
    , m_limits(limits)
{
    m_quiet.setSingleShot(true);
    m_wait.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, this, &ModelRequest::attempt);
    connect(&m_quiet, &QTimer::timeout, this, [this] {
        m_wasQuiet = true;
        if (m_reply)
            m_reply->abort(); // ended() follows
    });
}

ModelRequest::~ModelRequest()
{
    dropReply();
}

void ModelRequest::start(const QUrl &base, const QString &key, const json &body, Done done)
{
    m_done = std::move(done);
    m_url = m_api.url(base);
    m_key = key;
    m_body = QByteArray::fromStdString(body.dump(-1, ' ', false, json::error_handler_t::replace));
    m_attempts = 0;
    attempt();
}

void ModelRequest::cancel()
{
    m_wait.stop();
    dropReply();
}

void ModelRequest::dropReply()
{
    m_quiet.stop();
    if (!m_reply)
        return;
    m_reply->disconnect(this);
    m_reply->abort();
    std::exchange(m_reply, nullptr)->deleteLater();
}

void ModelRequest::attempt()
{
    ++m_attempts;
    m_wasQuiet = false;
    m_received = 0;
    m_events = SseReader();
    m_errorBody.clear();
    m_reader = m_api.reader();
    QNetworkRequest request(m_url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setRawHeader("accept", "text/event-stream");
    // A key is for the server that was named and for no other.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    for (const auto &[name, value] : m_api.headers(m_key))
        request.setRawHeader(name, value);
    m_reply = m_network.post(request, m_body);
    m_reply->setReadBufferSize(mostUnread);
    m_quiet.start(m_limits.firstByte);
    connect(m_reply, &QNetworkReply::readyRead, this, &ModelRequest::read);
    connect(m_reply, &QNetworkReply::finished, this, &ModelRequest::ended);
}

void ModelRequest::read()
{
    m_quiet.start(m_limits.silence);
    Q_EMIT heard();
    const QByteArray bytes = m_reply->readAll();
    m_received += bytes.size();
    if (m_errorBody.size() < largestErrorBody) // also what is no event stream
        m_errorBody.append(bytes.left(largestErrorBody));
    if (m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() != 200) {
        if (isTooLong())
            ended();
        return;
    }
    for (const ServerEvent &event : m_events.append(bytes))
        m_reader->take(event);
    if (const QString piece = m_reader->takeThought(); !piece.isEmpty())
        Q_EMIT thought(piece);
    if (const QString piece = m_reader->takeText(); !piece.isEmpty())
        Q_EMIT text(piece);
    const bool hasFailed = !m_reader->error().isEmpty() || m_events.isTooLong() || isTooLong();
    if ((hasFailed || m_reader->isComplete()) && m_reply) // whether the connection is closed or not
        ended();
}

void ModelRequest::ended()
{
    m_quiet.stop();
    if (!m_reply)
        return;
    if (m_reply->bytesAvailable() > 0 && m_reader->error().isEmpty() && !m_reader->isComplete() && !m_wasQuiet &&
        !isTooLong()) {
        read();
        if (!m_reply)
            return;
        m_quiet.stop();
    }
    if (m_reader->isComplete()) {
        dropReply();
        return finish(m_reader->reply());
    }
    const Failure failure = failureOf(*m_reply);
    dropReply();
    failed(failure);
}

ModelRequest::Failure ModelRequest::httpFailure(int status, QNetworkReply &reply) const
{
    const json body = json::parse(m_errorBody.cbegin(), m_errorBody.cend(), nullptr, false);
    const QString message = errorMessage(body);
    Failure failure;
    failure.error.message = message.isEmpty() ? tr("The server answered with status %1.").arg(status)
                                              : tr("The server answered: %1 (status %2)").arg(message).arg(status);
    if (status >= 300 && status < 400)
        failure.error.message = tr("The server sends elsewhere (status %1, %2).")
                                    .arg(status)
                                    .arg(words::shortened(QString::fromUtf8(reply.rawHeader("location")), 200));
    if (status == authenticationStatus || status == 403)
        failure.error.remedy = m_key.isEmpty() ? tr("No key was found for it.") : tr("Check the key.");
    else if (status == 404)
        failure.error.remedy = tr("Check the base address and the model's name.");
    failure.retryable = status == 408 || status == 409 || status == 429 || status >= 500;
    const QByteArray should = reply.rawHeader("x-should-retry");
    if (should == "true" || should == "false")
        failure.retryable = should == "true";
    if (isSpent(body))
        failure.retryable = false;
    failure.askedWait = askedWait(reply);
    return failure;
}

ModelRequest::Failure ModelRequest::failureOf(QNetworkReply &reply)
{
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_wasQuiet)
        return {{tr("The server has sent nothing for %1 s.")
                     .arg((status == 0 ? m_limits.firstByte : m_limits.silence) / 1000),
                 {}},
                true};
    if (isTooLong())
        return {{tr("The server's answer goes on beyond %1 MiB.").arg(m_limits.longestStream / 1024 / 1024), {}},
                false};
    if (m_events.isTooLong())
        return {{tr("The server sent an event that is too long."), {}}, false};
    if (!m_reader->error().isEmpty())
        return {{m_reader->error(), {}}, m_reader->mayBeTriedAgain()};
    if (status != 0 && status != 200)
        return httpFailure(status, reply);
    if (status == 200) {
        const json body = json::parse(m_errorBody.cbegin(), m_errorBody.cend(), nullptr, false);
        if (const QString message = errorMessage(body); !message.isEmpty())
            return {{message, {}}, false};
        return {{tr("The answer broke off before its end."), {}}, true};
    }
    const auto code = reply.error();
    const bool isLasting = code == QNetworkReply::SslHandshakeFailedError || code == QNetworkReply::HostNotFoundError ||
                           code == QNetworkReply::ProtocolUnknownError;
    return {{tr("The server %1 cannot be reached: %2")
                 .arg(m_url.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemovePath), reply.errorString()),
             tr("Check the base address, and whether the server runs.")},
            !isLasting};
}

void ModelRequest::finish(const Result<ModelReply> &reply)
{
    if (const Done done = std::exchange(m_done, {})) // which may want to have this destroyed, later
        done(reply);
}

void ModelRequest::failed(const Failure &failure)
{
    const bool asksTooLong = failure.askedWait > m_limits.longestAsked;
    if (!failure.retryable || m_attempts > m_limits.retries || asksTooLong) {
        Error error = failure.error;
        if (asksTooLong)
            error.remedy = tr("It asks to wait for %1 s.").arg(failure.askedWait / 1000);
        return finish(std::unexpected(error));
    }
    const double own =
        std::min(double(m_limits.firstWait) * double(1 << std::min(m_attempts - 1, 10)), double(m_limits.longestWait));
    const double jittered = own * (1.0 - 0.25 * QRandomGenerator::global()->generateDouble());
    const int wait = failure.askedWait >= 0 ? failure.askedWait : int(jittered);
    Q_EMIT triesAgain(failure.error.message, wait);
    m_wait.start(wait);
}

} // namespace ako::llm
