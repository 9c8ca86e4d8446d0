// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes to lines, lines to messages, and both ends of a connection.
#include "agents/acp/jsonrpcpeer.h"

#include <QTest>

using namespace ako::acp;
using nlohmann::json;

namespace {

// What came, as one text a message.
class Recorder : public JsonRpcPeer::Handler
{
public:
    void requested(const json &id, const QString &method, const json &params) override
    {
        seen << QStringLiteral("request %1 %2").arg(QString::fromStdString(id.dump()), method);
        if (peer && method == QLatin1String("echo"))
            peer->answer(id, params);
        else if (peer)
            peer->refuse(id, {rpc::methodNotFound, QStringLiteral("none"), {}});
    }
    void notified(const QString &method, const json &) override { seen << QStringLiteral("notification ") + method; }
    void noise(const QByteArray &line) override { seen << QStringLiteral("noise ") + QString::fromUtf8(line); }
    void broken(const QString &why) override { seen << QStringLiteral("broken ") + why; }

    JsonRpcPeer *peer = nullptr;
    QStringList seen;
};

} // namespace

class TestAcpWire : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void frames_data();
    void frames();
    void frameOfAnyCut();
    void messages_data();
    void messages();
    void bothDirectionsUseTheSameNumbers();
    void answersInAnyOrder();
    void closingAnswersAll();
    void closedWhileReading();
};

void TestAcpWire::frames_data()
{
    QTest::addColumn<QByteArrayList>("chunks");
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<bool>("tooLong"); // the longest line is 8 bytes
    const auto row = [](const char *name, const QByteArrayList &chunks, const QByteArrayList &lines,
                        bool tooLong = false) { QTest::newRow(name) << chunks << lines << tooLong; };
    row("one", {"abc\n"}, {"abc"});
    row("two in a chunk", {"a\nb\n"}, {"a", "b"});
    row("one in three chunks", {"a", "b", "c\n"}, {"abc"});
    row("carriage return", {"abc\r\n"}, {"abc"});
    row("carriage return in the next chunk", {"abc", "\r", "\n"}, {"abc"});
    row("empty lines", {"\n\r\n\n"}, {"", "", ""});
    row("no end", {"abc"}, {});
    row("a character in two chunks", {"gr\xc3", "\xbc\n"}, {"gr\xc3\xbc"});
    row("zero bytes", {QByteArray("a\0b\n", 4)}, {QByteArray("a\0b", 3)});
    row("as long as may be", {"12345678\n"}, {"12345678"});
    row("too long at once", {"a\n123456789\nb\n"}, {"a"}, true);
    row("too long in parts", {"1234", "5678", "9"}, {}, true);
    row("nothing after a too long one", {"123456789", "\nb\n"}, {}, true);
}

void TestAcpWire::frames()
{
    QFETCH(QByteArrayList, chunks);
    QFETCH(QByteArrayList, lines);
    QFETCH(bool, tooLong);
    LineFrames frames(8);
    QByteArrayList got;
    for (const QByteArray &chunk : chunks)
        got += frames.append(chunk);
    QCOMPARE(got, lines);
    QCOMPARE(frames.isTooLong(), tooLong);
}

void TestAcpWire::frameOfAnyCut()
{
    const QByteArray text = "{\"a\":\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x9a\x80\"}\r\n\n{}\n";
    for (qsizetype first = 0; first <= text.size(); ++first) {
        for (qsizetype second = first; second <= text.size(); ++second) {
            LineFrames frames;
            QByteArrayList got = frames.append(text.left(first));
            got += frames.append(text.mid(first, second - first));
            got += frames.append(text.mid(second));
            QCOMPARE(got, QByteArrayList({"{\"a\":\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x9a\x80\"}", "", "{}"}));
        }
    }
}

void TestAcpWire::messages_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("seen");
    QTest::addColumn<QByteArray>("sent");
    const auto row = [](const char *name, const char *line, const char *seen, const char *sent = "") {
        QTest::newRow(name) << QByteArray(line) << QString::fromUtf8(seen) << QByteArray(sent);
    };
    row("id 0", R"({"jsonrpc":"2.0","id":0,"method":"echo","params":[1]})", "request 0 echo",
        R"({"id":0,"jsonrpc":"2.0","result":[1]})");
    row("id text", R"({"id":"a b","method":"echo","params":{},"jsonrpc":"2.0"})", "request \"a b\" echo",
        R"({"id":"a b","jsonrpc":"2.0","result":{}})");
    row("id null", R"({"jsonrpc":"2.0","id":null,"method":"echo"})", "request null echo",
        R"({"id":null,"jsonrpc":"2.0","result":null})");
    row("id negative", R"({"jsonrpc":"2.0","id":-5,"method":"x"})", "request -5 x",
        R"({"error":{"code":-32601,"message":"none"},"id":-5,"jsonrpc":"2.0"})");
    row("id object", R"({"jsonrpc":"2.0","id":{},"method":"echo"})", "",
        R"({"error":{"code":-32600,"message":"The id is neither null, an integer nor a string."},"id":null,"jsonrpc":"2.0"})");
    row("notification", R"({"jsonrpc":"2.0","method":"n","params":{"a":1}})", "notification n");
    row("notification without params", R"({"jsonrpc":"2.0","method":"n"})", "notification n");
    row("a method that is no text", R"({"jsonrpc":"2.0","method":5})", "notification ");
    row("an answer to nothing", R"({"jsonrpc":"2.0","id":77,"result":{}})", "");
    row("an answer with id null", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}})", "");
    row("text", "Migrating...", "noise Migrating...");
    row("an array", "[1,2]", "noise [1,2]");
    row("an object of another kind", R"({"level":"info"})", "noise {\"level\":\"info\"}");
    row("broken JSON", R"({"jsonrpc":"2.0","method")", "noise {\"jsonrpc\":\"2.0\",\"method\"");
    row("blank", "   ", "");
}

void TestAcpWire::messages()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, seen);
    QFETCH(QByteArray, sent);
    Recorder recorder;
    QByteArray out;
    JsonRpcPeer peer(recorder, [&out](const QByteArray &bytes) { out += bytes; });
    recorder.peer = &peer;
    peer.receive(line + '\n');
    QCOMPARE(recorder.seen.join(QLatin1Char('|')), seen);
    QCOMPARE(out.trimmed(), sent);
}

void TestAcpWire::bothDirectionsUseTheSameNumbers()
{
    Recorder ours;
    Recorder theirs;
    QByteArrayList toUs;
    QByteArrayList toThem;
    JsonRpcPeer us(ours, [&toThem](const QByteArray &bytes) { toThem << bytes; });
    JsonRpcPeer them(theirs, [&toUs](const QByteArray &bytes) { toUs << bytes; });
    ours.peer = &us;
    theirs.peer = &them;
    QStringList replies;
    us.request(QStringLiteral("echo"), {{"from", "us"}},
               [&replies](const RpcReply &reply) { replies << QString::fromStdString("us " + reply.result.dump()); });
    them.request(QStringLiteral("echo"), {{"from", "them"}}, [&replies](const RpcReply &reply) {
        replies << QString::fromStdString("them " + reply.result.dump());
    });
    them.request(QStringLiteral("unknown"), {}, [&replies](const RpcReply &reply) {
        replies << QString::number(reply.error ? reply.error->code : 0);
    });
    while (!toUs.isEmpty() || !toThem.isEmpty()) {
        if (!toUs.isEmpty())
            us.receive(toUs.takeFirst());
        if (!toThem.isEmpty())
            them.receive(toThem.takeFirst());
    }
    replies.sort();
    QCOMPARE(replies, QStringList({QStringLiteral("-32601"), QStringLiteral("them {\"from\":\"them\"}"),
                                   QStringLiteral("us {\"from\":\"us\"}")}));
}

void TestAcpWire::answersInAnyOrder()
{
    Recorder recorder;
    JsonRpcPeer peer(recorder, [](const QByteArray &) {});
    QStringList replies;
    for (const char *name : {"a", "b", "c"})
        peer.request(QLatin1String(name), {}, [&replies, name](const RpcReply &reply) {
            replies << QStringLiteral("%1=%2").arg(QLatin1String(name), QString::fromStdString(reply.result.dump()));
        });
    peer.receive("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":null}\n{\"result\":{},\"id\":1,\"jsonrpc\":\"2.0\"}\n"
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"twice\"}\n{\"jsonrpc\":\"2.0\",\"id\":2}\n");
    QCOMPARE(replies, QStringList({QStringLiteral("c=null"), QStringLiteral("a={}"), QStringLiteral("b=null")}));
    QCOMPARE(peer.waitingReplies(), 0);
}

void TestAcpWire::closingAnswersAll()
{
    Recorder recorder;
    JsonRpcPeer peer(recorder, [](const QByteArray &) {});
    QStringList errors;
    const auto note = [&errors](const RpcReply &reply) { errors << (reply.error ? reply.error->message : QString()); };
    peer.request(QStringLiteral("a"), {}, note);
    // One that asks again from its own answer must not wait for ever either.
    peer.request(QStringLiteral("b"), {}, [&](const RpcReply &reply) {
        note(reply);
        peer.request(QStringLiteral("c"), {}, note);
    });
    peer.close(QStringLiteral("gone"));
    peer.close(QStringLiteral("again"));
    QCOMPARE(errors, QStringList({QStringLiteral("gone"), QStringLiteral("gone"), QStringLiteral("gone")}));
    QCOMPARE(peer.waitingReplies(), 0);
    peer.receive("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n");
    QVERIFY(recorder.seen.isEmpty());
}

void TestAcpWire::closedWhileReading()
{
    Recorder recorder;
    JsonRpcPeer peer(recorder, [](const QByteArray &) {});
    peer.request(QStringLiteral("a"), {}, [&peer](const RpcReply &) { peer.close(QStringLiteral("enough")); });
    peer.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n{\"jsonrpc\":\"2.0\",\"method\":\"later\"}\n");
    QVERIFY(recorder.seen.isEmpty());
}

QTEST_APPLESS_MAIN(TestAcpWire)
#include "tst_acpwire.moc"
