// SPDX-License-Identifier: GPL-3.0-or-later
// The tools' server as a client of the Model Context Protocol sees it: in memory, and through its socket.
#include "agents/mcp/mcpserver.h"
#include "agents/mcp/toolsocket.h"

#include <QFileInfo>
#include <QLocalSocket>
#include <QTest>

using namespace ako;
using namespace ako::mcp;
using nlohmann::json;

namespace {

class EchoTools : public Toolbox
{
public:
    QList<Tool> tools() const override
    {
        return {{QStringLiteral("echo"), QStringLiteral("Says it again."), schemaOf({{"text", "string", "What."}})},
                {QStringLiteral("later"), QStringLiteral("Answers when it is told to."), schemaOf({})}};
    }
    void call(const QString &name, const json &arguments, const Reply &reply) override
    {
        if (name == QLatin1String("later"))
            waiting << reply;
        else if (textArgument(arguments, "text").isEmpty())
            reply({QStringLiteral("there is no text"), true});
        else
            reply({textArgument(arguments, "text")});
    }
    QList<Reply> waiting;
};

json request(int id, const char *method, const json &params = json::object())
{
    return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
}

QByteArray line(const json &message)
{
    return QByteArray::fromStdString(message.dump()) + '\n';
}

class Client
{
public:
    Client()
        : server(tools, [this](const QByteArray &bytes) { said << json::parse(bytes.cbegin(), bytes.cend()); })
    {
    }
    json ask(const json &message)
    {
        said.clear();
        server.receive(line(message));
        return said.isEmpty() ? json() : said.constLast();
    }
    EchoTools tools;
    QList<json> said;
    McpServer server;
};

} // namespace

class TestMcpServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messages_data();
    void messages();
    void versions_data();
    void versions();
    void answersLater();
    void isLeftBeforeAnAnswer();
    void throughTheSocket();
};

void TestMcpServer::messages_data()
{
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QByteArray>("member"); // of the answer, as a JSON pointer
    QTest::addColumn<QByteArray>("value");  // JSON
    const auto call = [](const json &params) { return line(request(7, "tools/call", params)); };
    const auto row = [](const char *name, const QByteArray &sent, const QByteArray &member, const QByteArray &value) {
        QTest::newRow(name) << sent << member << value;
    };
    row("ping", line(request(3, "ping")), "/result", "{}");
    row("the id comes back", line({{"jsonrpc", "2.0"}, {"id", "seven"}, {"method", "ping"}}), "/id", "\"seven\"");
    row("first tool", line(request(3, "tools/list")), "/result/tools/0/name", "\"echo\"");
    row("its schema", line(request(3, "tools/list")), "/result/tools/0/inputSchema/required", "[\"text\"]");
    row("without parameters", line(request(3, "tools/list")), "/result/tools/1/inputSchema/type", "\"object\"");
    row("a call", call({{"name", "echo"}, {"arguments", {{"text", "ä"}}}}), "/result/content/0/text", "\"ä\"");
    row("it went well", call({{"name", "echo"}, {"arguments", {{"text", "a"}}}}), "/result/isError", "false");
    row("without arguments", call({{"name", "echo"}}), "/result/isError", "true");
    row("arguments of another kind", call({{"name", "echo"}, {"arguments", "text"}}), "/result/isError", "true");
    row("an argument of another kind", call({{"name", "echo"}, {"arguments", {{"text", 3}}}}), "/result/isError",
        "true");
    row("an unknown tool", call({{"name", "rm"}}), "/error/code", "-32602");
    row("no tool", call(json::object()), "/error/code", "-32602");
    row("an unknown method", line(request(3, "resources/list")), "/error/code", "-32601");
    row("not JSON", "hello\n", "/error/code", "-32700");
    row("a batch", "[" + line(request(1, "ping")).trimmed() + "]\n", "/error/code", "-32700");
    row("a carriage return", line(request(3, "ping")).trimmed() + "\r\n", "/result", "{}");
}

void TestMcpServer::messages()
{
    QFETCH(QByteArray, sent);
    QFETCH(QByteArray, member);
    QFETCH(QByteArray, value);
    Client client;
    for (const char byte : sent) // however it is cut
        client.server.receive(QByteArray(1, byte));
    QCOMPARE(client.said.size(), 1);
    const json::json_pointer pointer(member.toStdString());
    QVERIFY2(client.said.constFirst().contains(pointer), client.said.constFirst().dump().c_str());
    QCOMPARE(QByteArray::fromStdString(client.said.constFirst()[pointer].dump()), value);
}

void TestMcpServer::versions_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("answered");
    QTest::newRow("old") << QStringLiteral("2024-11-05") << QStringLiteral("2024-11-05");
    QTest::newRow("new") << QStringLiteral("2025-11-25") << QStringLiteral("2025-11-25");
    QTest::newRow("unknown") << QStringLiteral("2099-01-01") << QStringLiteral("2025-11-25");
    QTest::newRow("none") << QString() << QStringLiteral("2025-11-25");
}

void TestMcpServer::versions()
{
    QFETCH(QString, asked);
    QFETCH(QString, answered);
    Client client;
    const json answer = client.ask(request(0, "initialize", {{"protocolVersion", asked.toStdString()}}));
    QCOMPARE(answer["result"]["protocolVersion"].get<std::string>(), answered.toStdString());
    QCOMPARE(answer["result"]["serverInfo"]["name"].get<std::string>(), std::string("ako4all"));
    QVERIFY(answer["result"]["capabilities"].contains("tools"));
    QVERIFY(client.ask({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}).is_null());
}

void TestMcpServer::answersLater()
{
    Client client;
    QVERIFY(client.ask(request(1, "tools/call", {{"name", "later"}})).is_null());
    QVERIFY(client.ask(request(2, "tools/call", {{"name", "later"}})).is_null());
    QVERIFY(client.server.isBusy());
    QCOMPARE(client.ask(request(3, "ping"))["id"].get<int>(), 3); // in the meantime
    client.tools.waiting.takeLast()({QStringLiteral("second")});
    QCOMPARE(client.said.constLast()["id"].get<int>(), 2);
    client.ask({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}});
    client.tools.waiting.takeLast()({QStringLiteral("first")});
    QVERIFY(client.said.isEmpty()); // nobody waits for it
    QVERIFY(!client.server.isBusy());
}

void TestMcpServer::isLeftBeforeAnAnswer()
{
    Toolbox::Reply reply;
    {
        Client client;
        client.ask(request(1, "tools/call", {{"name", "later"}}));
        reply = client.tools.waiting.constFirst();
    }
    reply({QStringLiteral("too late")}); // and nothing happens
    QVERIFY(reply);
}

void TestMcpServer::throughTheSocket()
{
    EchoTools tools;
    QString folder;
    {
        ToolSocket socket(tools);
        QVERIFY(socket.listen().has_value());
        folder = socket.folder();
        QVERIFY(socket.path().toUtf8().size() < 108);
        QCOMPARE(QFileInfo(folder).permissions() &
                     (QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::ExeGroup | QFileDevice::ExeOther),
                 QFileDevice::Permissions());
        bool busy = false;
        connect(&socket, &ToolSocket::busyChanged, this, [&busy](bool now) { busy = now; });
        QLocalSocket client;
        client.connectToServer(socket.path());
        QVERIFY(client.waitForConnected(5000));
        client.write(line(request(1, "tools/call", {{"name", "echo"}, {"arguments", {{"text", "hello"}}}})));
        QTRY_VERIFY(client.canReadLine());
        QVERIFY(client.readLine().contains("hello"));
        QTRY_VERIFY(!busy);
        client.write(line(request(2, "tools/call", {{"name", "later"}})));
        QTRY_VERIFY(busy);
        client.abort();
        QTRY_VERIFY(!busy);
        tools.waiting.constFirst()({QStringLiteral("too late")});
        QLocalSocket left; // still there when the socket goes
        left.connectToServer(socket.path());
        QVERIFY(left.waitForConnected(5000));
        left.write(line(request(3, "tools/call", {{"name", "later"}})));
        QTRY_COMPARE(tools.waiting.size(), 2);
    }
    tools.waiting.constLast()({QStringLiteral("too late")});
    QVERIFY(!QFileInfo::exists(folder));
}

QTEST_GUILESS_MAIN(TestMcpServer)
#include "tst_mcpserver.moc"
