// SPDX-License-Identifier: GPL-3.0-or-later
// Streams of both forms as servers send them and as they go wrong, byte by byte; what is tried again and what is not.
#include "agents/llm/modelrequest.h"
#include "support/byteserver.h"

#include <QSignalSpy>
#include <QTest>

using namespace ako;
using namespace ako::llm;
using namespace ako::test;
using nlohmann::json;

namespace {

constexpr int patience = 30'000;

QByteArray serverEvent(const char *type, const QByteArray &data)
{
    return QByteArray("event: ") + type + "\ndata: " + data + "\n\n";
}

QByteArray data(const QByteArray &text)
{
    return "data: " + text + "\n\n";
}

const QByteArray anthropicStart =
    serverEvent("message_start", R"({"type":"message_start","message":{"usage":{"input_tokens":7}}})");
const QByteArray anthropicEnd =
    serverEvent("message_delta",
                R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}})") +
    serverEvent("message_stop", R"({"type":"message_stop"})");

QByteArray anthropicText(const QByteArray &text)
{
    return serverEvent("content_block_start",
                       R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})") +
           serverEvent("ping", R"({"type":"ping"})") +
           serverEvent("content_block_delta",
                       R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" + text +
                           "\"}}") +
           serverEvent("content_block_stop", R"({"type":"content_block_stop","index":0})");
}

QByteArray anthropicTool(const QByteArray &first, const QByteArray &second)
{
    const auto delta = [](const QByteArray &piece) {
        json text = piece.toStdString();
        return serverEvent(
            "content_block_delta",
            R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":)" +
                QByteArray::fromStdString(text.dump()) + "}}");
    };
    return serverEvent(
               "content_block_start",
               R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"bench","input":{}}})") +
           delta(first) + delta(second) +
           serverEvent("content_block_stop", R"({"type":"content_block_stop","index":1})");
}

QByteArray openAiDelta(const QByteArray &delta, const QByteArray &finish = "null")
{
    return data("{\"choices\":[{\"delta\":" + delta + ",\"finish_reason\":" + finish + "}]}");
}

const QByteArray done = data("[DONE]");

struct Outcome
{
    std::optional<Result<ModelReply>> reply;
    QString text;
    int retries = 0;
    QList<int> waits;
};

Outcome ask(ByteServer &server, bool anthropic, RequestLimits limits = {})
{
    limits.firstWait = 1;
    limits.longestWait = 1;
    const std::unique_ptr<ModelApi> api = anthropic ? anthropicApi() : openAiApi();
    QNetworkAccessManager network;
    ModelRequest request(network, *api, limits);
    Outcome outcome;
    QObject::connect(&request, &ModelRequest::text, [&outcome](const QString &piece) { outcome.text += piece; });
    QObject::connect(&request, &ModelRequest::triesAgain, [&outcome](const QString &, int wait) {
        ++outcome.retries;
        outcome.waits << wait;
    });
    request.start(server.url(QStringLiteral("/v1")), QStringLiteral("the-key"),
                  api->body(QStringLiteral("m"), QStringLiteral("s"), json::array(), {}),
                  [&outcome](const Result<ModelReply> &reply) { outcome.reply = reply; });
    if (!QTest::qWaitFor([&outcome] { return outcome.reply.has_value(); }, patience))
        qWarning("there was no answer");
    return outcome;
}

} // namespace

class TestModelRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void streams_data();
    void streams();
    void brokenStreams_data();
    void brokenStreams();
    void statuses_data();
    void statuses();
    void refusedConnection();
    void endlessStreams_data();
    void endlessStreams();
    void silence_data();
    void silence();
    void cancelled();
    void addresses_data();
    void addresses();
    void keyGoesNowhereElse();
    void answersGoBackAsTheyCame();
    void events();
};

void TestModelRequest::streams_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("call"); // name and arguments of the last one; empty: none
    QTest::addColumn<int>("calls");
    const auto row = [](const char *name, bool anthropic, const QByteArray &body, const char *text,
                        const char *call = "", int calls = -1) {
        QTest::newRow(name) << anthropic << body << QString::fromUtf8(text) << QString::fromUtf8(call)
                            << (calls >= 0 ? calls
                                : *call    ? 1
                                           : 0);
    };
    row("anthropic text", true, anthropicStart + anthropicText("Grüße 🙂") + anthropicEnd, "Grüße 🙂");
    row("anthropic tool", true,
        anthropicStart + anthropicText("a") + anthropicTool("{\"x\": \"ä", "\"}") + anthropicEnd, "a",
        "bench {\"x\":\"ä\"}");
    row("anthropic tool without input", true, anthropicStart + anthropicTool("", "") + anthropicEnd, "", "bench {}");
    row("anthropic tool whose input is cut", true, anthropicStart + anthropicTool("{\"x\": 1", "") + anthropicEnd, "",
        "bench unreadable");
    row("anthropic tool whose input is a list", true, anthropicStart + anthropicTool("[1]", "") + anthropicEnd, "",
        "bench unreadable");
    row("anthropic unknown events", true,
        anthropicStart + serverEvent("news", R"({"type":"news"})") + anthropicText("a") + ": comment\n\n" +
            anthropicEnd,
        "a");
    row("anthropic with returns", true,
        QByteArray(anthropicStart + anthropicText("a") + anthropicEnd).replace("\n", "\r\n"), "a");
    row("anthropic what comes after the end", true, anthropicStart + anthropicText("a") + anthropicEnd + "data: {\n\n",
        "a");
    row("openai text", false,
        openAiDelta(R"({"role":"assistant","content":"Grü"})") + openAiDelta(R"({"content":"ße 🙂"})") +
            openAiDelta("{}", "\"stop\"") + done,
        "Grüße 🙂");
    row("openai usage without choices", false,
        openAiDelta(R"({"content":"a"})", "\"stop\"") +
            data(R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5}})") + done,
        "a");
    row("openai null content beside calls", false,
        openAiDelta(
            R"({"content":null,"tool_calls":[{"index":0,"id":"c","function":{"name":"bench","arguments":""}}]})") +
            openAiDelta(R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}}]})") +
            openAiDelta(R"({"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]})", "\"tool_calls\"") + done,
        "", "bench {\"x\":1}");
    row("openai no index", false,
        openAiDelta(R"({"tool_calls":[{"id":"c","function":{"name":"bench","arguments":"{\"x\":"}}]})") +
            openAiDelta(R"({"tool_calls":[{"function":{"arguments":"1}"}}]})") + done,
        "", "bench {\"x\":1}");
    row("openai one index for two calls", false,
        openAiDelta(R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"read","arguments":"{}"}}]})") +
            openAiDelta(
                R"({"tool_calls":[{"index":0,"id":"d","function":{"name":"bench","arguments":"{\"x\":1}"}}]})") +
            done,
        "", "bench {\"x\":1}", 2);
    row("openai name with every piece", false,
        openAiDelta(R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"bench","arguments":"{\"x\":"}}]})") +
            openAiDelta(R"({"tool_calls":[{"index":0,"function":{"name":"bench","arguments":"1}"}}]})") + done,
        "", "bench {\"x\":1}");
    row("openai arguments as an object", false,
        openAiDelta(R"({"tool_calls":[{"index":0,"id":null,"function":{"name":"bench","arguments":{"x":1}}}]})") + done,
        "", "bench {\"x\":1}");
    row("openai two calls", false,
        openAiDelta(
            R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"read","arguments":"{}"}},{"index":1,"id":"d","function":{"name":"bench","arguments":"{}"}}]})") +
            done,
        "", "bench {}", 2);
    row("openai thoughts", false,
        openAiDelta(R"({"reasoning_content":"hm"})") + openAiDelta(R"({"content":"a"})") + done, "a");
}

void TestModelRequest::streams()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, body);
    QFETCH(QString, text);
    QFETCH(QString, call);
    QFETCH(int, calls);
    for (const bool bytewise : {false, true}) {
        ByteServer server;
        server.addStream(body, bytewise);
        const Outcome outcome = ask(server, anthropic);
        QVERIFY(outcome.reply.has_value());
        if (!outcome.reply->has_value())
            QFAIL(qPrintable(outcome.reply->error().text()));
        const ModelReply &reply = **outcome.reply;
        QCOMPARE(outcome.retries, 0);
        QCOMPARE(reply.text, text);
        QCOMPARE(outcome.text, text);
        QCOMPARE(reply.calls.size(), calls);
        if (calls == 0)
            continue;
        const ToolUse &last = reply.calls.constLast();
        QVERIFY(!last.id.isEmpty());
        QCOMPARE(last.name + QLatin1Char(' ') +
                     (last.isReadable ? QString::fromStdString(last.arguments.dump()) : QStringLiteral("unreadable")),
                 call);
    }
}

void TestModelRequest::brokenStreams_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isTriedAgain");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, bool anthropic, const QByteArray &body, bool again, const char *said) {
        QTest::newRow(name) << anthropic << body << again << QString::fromUtf8(said);
    };
    row("anthropic no end", true, anthropicStart + anthropicText("a"), true, "broke off");
    row("anthropic cut in an event", true, anthropicStart + anthropicText("a") + anthropicEnd.chopped(9), true,
        "broke off");
    row("anthropic no JSON", true, anthropicStart + serverEvent("content_block_start", "{\"type\":"), true, "no JSON");
    row("anthropic overloaded", true,
        anthropicStart +
            serverEvent("error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"),
        true, "Overloaded");
    row("anthropic invalid", true,
        anthropicStart +
            serverEvent("error", R"({"type":"error","error":{"type":"invalid_request_error","message":"bad tool"}})"),
        false, "bad tool");
    row("anthropic delta of nothing", true,
        anthropicStart + serverEvent("content_block_delta", R"({"type":"content_block_delta","index":4,"delta":{}})"),
        true, "never begun");
    row("openai no [DONE]", false, openAiDelta(R"({"content":"a"})"), true, "broke off");
    row("openai error in the stream", false,
        openAiDelta(R"({"content":"a"})") + data(R"({"error":{"message":"out of memory"}})"), true, "out of memory");
    row("openai no JSON", false, data("{\"choices\":["), true, "no JSON");
    row("nothing", false, "", true, "broke off");
    row("a web page", false, "<html>hello</html>", true, "broke off");
    row("an error that is no stream", false, R"({"error":{"message":"model not loaded"}})", false, "model not loaded");
    row("bytes that are no UTF-8", false, data("{\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}"), true, "no JSON");
}

// What was said before it broke is no part of the answer that comes then.
void TestModelRequest::brokenStreams()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, body);
    QFETCH(bool, isTriedAgain);
    QFETCH(QString, said);
    RequestLimits limits;
    limits.retries = 1;
    {
        ByteServer server;
        server.addStream(body);
        server.addStream(body);
        const Outcome outcome = ask(server, anthropic, limits);
        QVERIFY(outcome.reply && !outcome.reply->has_value());
        QVERIFY2(outcome.reply->error().text().contains(said), qPrintable(outcome.reply->error().text()));
        QCOMPARE(server.requests.size(), isTriedAgain ? 2 : 1);
    }
    ByteServer server;
    server.addStream(body);
    server.addStream(anthropic ? anthropicStart + anthropicText("whole") + anthropicEnd
                               : openAiDelta(R"({"content":"whole"})", "\"stop\"") + done);
    const Outcome outcome = ask(server, anthropic, limits);
    QVERIFY(outcome.reply);
    QCOMPARE(outcome.reply->has_value(), isTriedAgain);
    if (isTriedAgain)
        QCOMPARE((*outcome.reply)->text, QStringLiteral("whole"));
}

void TestModelRequest::statuses_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<int>("attempts");
    QTest::addColumn<int>("wait"); // of the first retry; -1: none
    QTest::addColumn<QString>("said");
    const QByteArray error = R"({"error":{"type":"x","message":"told so"}})";
    const auto row = [&error](const char *name, int status, const QByteArray &headers, int attempts, int wait,
                              const char *said = "told so", const QByteArray &body = {}) {
        QTest::newRow(name) << status << (body.isEmpty() ? error : body) << headers << attempts << wait
                            << QString::fromUtf8(said);
    };
    row("400", 400, "", 1, -1);
    row("401", 401, "", 1, -1, "Check the key");
    row("404", 404, "", 1, -1, "base address");
    row("408", 408, "", 3, 0);
    row("409", 409, "", 3, 0);
    row("413", 413, "", 1, -1);
    row("429", 429, "", 3, 0);
    row("429 with seconds", 429, "retry-after: 0.02\r\n", 3, 20);
    row("429 with milliseconds", 429, "retry-after-ms: 30\r\nretry-after: 9\r\n", 3, 30);
    row("429 with a date that is past", 429, "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n", 3, 0);
    row("429 far too long", 429, "retry-after: 86400\r\n", 1, -1, "86400 s");
    row("429 nonsense", 429, "retry-after: soon\r\n", 3, 0);
    row("no money", 429, "", 1, -1, "quota", R"({"error":{"code":"insufficient_quota","message":"quota"}})");
    row("spent", 429, "", 1, -1, "limit",
        R"({"error":{"message":"limit","details":{"error_code":"enforced_spend_limit_reached"}}})");
    row("500", 500, "", 3, 0);
    row("529", 529, "", 3, 0);
    row("500 that is to be left", 500, "x-should-retry: false\r\n", 1, -1);
    row("400 that is to be tried", 400, "x-should-retry: true\r\n", 3, 0);
    row("without JSON", 502, "", 3, 0, "status 502", "<html>");
    row("a redirect", 307, "location: http://127.0.0.1:1/\r\n", 1, -1, "sends elsewhere");
}

void TestModelRequest::statuses()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, headers);
    QFETCH(int, attempts);
    QFETCH(int, wait);
    QFETCH(QString, said);
    ByteServer server;
    for (int time = 0; time < 3; ++time)
        server.addStatus(status, body, headers);
    RequestLimits limits;
    limits.retries = 2;
    const Outcome outcome = ask(server, false, limits);
    QVERIFY(outcome.reply && !outcome.reply->has_value());
    QVERIFY2(outcome.reply->error().text().contains(said), qPrintable(outcome.reply->error().text()));
    QVERIFY2(!outcome.reply->error().text().contains(QLatin1String("the-key")), "a key was shown");
    QCOMPARE(server.requests.size(), attempts);
    if (wait >= 0)
        QVERIFY2(std::abs(outcome.waits.constFirst() - wait) <= 1, qPrintable(QString::number(outcome.waits.first())));
}

void TestModelRequest::refusedConnection()
{
    ByteServer server;
    const quint16 port = server.serverPort();
    server.close();
    Q_UNUSED(port)
    const std::unique_ptr<ModelApi> api = openAiApi();
    QNetworkAccessManager network;
    RequestLimits limits;
    limits.firstWait = limits.longestWait = limits.retries = 1;
    ModelRequest request(network, *api, limits);
    std::optional<Result<ModelReply>> reply;
    request.start(QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(port)), {}, json::object(),
                  [&reply](const Result<ModelReply> &given) { reply = given; });
    QTRY_VERIFY_WITH_TIMEOUT(reply.has_value(), patience);
    QVERIFY2(reply->error().text().contains(QLatin1String("cannot be reached")), qPrintable(reply->error().text()));
}

void TestModelRequest::endlessStreams_data()
{
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("comments") << QByteArray(": ping\n\n");
    QTest::newRow("text") << openAiDelta(R"({"content":"a"})");
    QTest::newRow("thoughts") << openAiDelta(R"({"reasoning_content":"a"})");
    QTest::newRow("unknown fields") << QByteArray("colour: red\n");
}

// Ended at a limit, as no event of it is too long by itself; and never held in memory as a whole.
void TestModelRequest::endlessStreams()
{
    QFETCH(QByteArray, part);
    RequestLimits limits;
    limits.retries = 1;
    limits.longestStream = 3LL * 1024 * 1024;
    ByteServer server;
    server.addStream(part.repeated(int(2 * limits.longestStream / part.size())), false, true);
    const Outcome outcome = ask(server, false, limits);
    QVERIFY(outcome.reply && !outcome.reply->has_value());
    QVERIFY2(outcome.reply->error().text().contains(QLatin1String("goes on beyond 3 MiB")),
             qPrintable(outcome.reply->error().text()));
    QCOMPARE(server.requests.size(), 1);
}

void TestModelRequest::silence_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("before the answer") << QByteArray();
    QTest::newRow("in the answer") << openAiDelta(R"({"content":"a"})");
}

void TestModelRequest::silence()
{
    QFETCH(QByteArray, body);
    ByteServer server;
    if (body.isEmpty())
        server.add({{}, true});
    else
        server.addStream(body, false, true);
    RequestLimits limits;
    limits.retries = 0;
    limits.firstByte = 200;
    limits.silence = 200;
    const Outcome outcome = ask(server, false, limits);
    QVERIFY(outcome.reply && !outcome.reply->has_value());
    QVERIFY2(outcome.reply->error().text().contains(QLatin1String("has sent nothing")),
             qPrintable(outcome.reply->error().text()));
}

void TestModelRequest::cancelled()
{
    ByteServer server;
    server.addStream(openAiDelta(R"({"content":"a"})"), false, true);
    const std::unique_ptr<ModelApi> api = openAiApi();
    QNetworkAccessManager network;
    ModelRequest request(network, *api, {});
    QSignalSpy text(&request, &ModelRequest::text);
    int answers = 0;
    request.start(server.url(), {}, json::object(), [&answers](const Result<ModelReply> &) { ++answers; });
    QTRY_COMPARE_WITH_TIMEOUT(text.count(), 1, patience);
    request.cancel();
    QCoreApplication::processEvents();
    QCOMPARE(answers, 0);
}

void TestModelRequest::addresses_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("url");
    const auto row = [](const char *name, bool anthropic, const char *base, const char *url) {
        QTest::newRow(name) << anthropic << QString::fromLatin1(base) << QString::fromLatin1(url);
    };
    row("anthropic", true, "https://api.anthropic.com", "https://api.anthropic.com/v1/messages");
    row("anthropic with a slash", true, "https://a.com/x/", "https://a.com/x/v1/messages");
    row("anthropic with v1", true, "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/messages");
    row("openai", false, "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions");
    row("openai with a slash", false, "https://a.com/v1/", "https://a.com/v1/chat/completions");
    row("openai without v1", false, "https://a.com", "https://a.com/chat/completions");
}

void TestModelRequest::addresses()
{
    QFETCH(bool, anthropic);
    QFETCH(QString, base);
    QFETCH(QString, url);
    QCOMPARE((anthropic ? anthropicApi() : openAiApi())->url(QUrl(base)).toString(), url);
}

void TestModelRequest::keyGoesNowhereElse()
{
    for (const bool anthropic : {true, false}) {
        ByteServer other;
        ByteServer server;
        server.addStatus(302, "{}", "location: " + other.url().toEncoded() + "/steal\r\n");
        const Outcome outcome = ask(server, anthropic);
        QVERIFY(outcome.reply && !outcome.reply->has_value());
        QCOMPARE(other.requests.size(), 0);
        const QByteArray request = server.requests.constFirst().toLower();
        QVERIFY2(request.contains(anthropic ? "x-api-key: the-key" : "authorization: bearer the-key"),
                 request.constData());
        QVERIFY(!request.mid(request.indexOf("\r\n\r\n")).contains("the-key"));
    }
}

void TestModelRequest::answersGoBackAsTheyCame()
{
    ByteServer server;
    server.addStream(
        anthropicStart +
        serverEvent("content_block_start",
                    R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})") +
        serverEvent("content_block_delta",
                    R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})") +
        serverEvent(
            "content_block_delta",
            R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}})") +
        anthropicTool("{\"x\":1}", "") + anthropicEnd);
    const Outcome outcome = ask(server, true);
    QVERIFY(outcome.reply && outcome.reply->has_value());
    const ModelReply &reply = **outcome.reply;
    QCOMPARE(reply.inputTokens, 7);
    QCOMPARE(reply.outputTokens, 5);
    QCOMPARE(QString::fromStdString(reply.message["content"][0].dump()),
             QStringLiteral(R"({"signature":"sig","thinking":"hm","type":"thinking"})"));
    QCOMPARE(QString::fromStdString(reply.message["content"][1]["input"].dump()), QStringLiteral(R"({"x":1})"));
    const QList<json> back = anthropicApi()->toolMessages(reply.calls, {{QStringLiteral("done"), true}});
    QCOMPARE(back.size(), 1);
    QCOMPARE(QString::fromStdString(back.first()["content"][0].dump()),
             QStringLiteral(R"({"content":"done","is_error":true,"tool_use_id":"t1","type":"tool_result"})"));
}

void TestModelRequest::events()
{
    SseReader reader(100);
    const QList<ServerEvent> some =
        reader.append(":hello\n\nevent: a\ndata: 1\ndata:2\nid: 7\n\nevent: b\n\ndata\n\ndata: last");
    QCOMPARE(some.size(), 2);
    QCOMPARE(some.at(0).type, QByteArray("a"));
    QCOMPARE(some.at(0).data, QByteArray("1\n2"));
    QCOMPARE(some.at(1).type, QByteArray("message"));
    QCOMPARE(some.at(1).data, QByteArray());
    QCOMPARE(reader.append("\r\r").size(), 1);
    QVERIFY(!reader.isTooLong());
    reader.append("data: " + QByteArray(200, 'x'));
    QVERIFY(reader.isTooLong());
    QCOMPARE(reader.append("\n\n").size(), 0);
}

QTEST_GUILESS_MAIN(TestModelRequest)
#include "tst_modelrequest.moc"
