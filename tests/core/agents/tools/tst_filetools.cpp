// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace's files as a model gets at them: it reads much and writes solution/ only.
#include "agents/tools/filetools.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using nlohmann::json;

class TestFileTools : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void calls_data();
    void calls();

private:
    void write(const QString &name, const QByteArray &content) const;
    QByteArray read(const QString &name) const;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_root;
};

void TestFileTools::write(const QString &name, const QByteArray &content) const
{
    QDir().mkpath(QFileInfo(m_root + name).path());
    QFile file(m_root + name);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(content) == content.size(), qPrintable(name));
}

QByteArray TestFileTools::read(const QString &name) const
{
    QFile file(m_root + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
}

void TestFileTools::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_root = QFileInfo(m_folder->path()).canonicalFilePath() + QStringLiteral("/ws/");
    write(QStringLiteral("solution/k.cpp"), "int a;\nint b;\nint a2;\n");
    write(QStringLiteral("reference.cpp"), "reference\n");
    write(QStringLiteral("data.bin"), QByteArray("a\0b", 3));
    write(QStringLiteral(".git/config"), "secret git\n");
    write(QStringLiteral(".ako/approval.json"), "secret ako\n");
    write(QStringLiteral("../outside.txt"), "secret outside\n");
    QVERIFY(QFile::link(m_root + QStringLiteral("../outside.txt"), m_root + QStringLiteral("solution/link.txt")));
    QVERIFY(QFile::link(m_root, m_root + QStringLiteral("solution/up")));
}

void TestFileTools::calls_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<QString>("part");
    QTest::addColumn<bool>("fails");
    QTest::addColumn<QByteArray>("kernel"); // afterwards; empty: as it was
    const auto row = [](const char *name, const char *tool, const char *arguments, const char *part, bool fails,
                        const char *kernel = "") {
        QTest::newRow(name) << QString::fromLatin1(tool) << QByteArray(arguments) << QString::fromUtf8(part) << fails
                            << QByteArray(kernel);
    };
    row("list", "list_files", "{}", "reference.cpp  10 bytes", false);
    row("list of a folder", "list_files", R"({"folder":"solution"})", "k.cpp", false);
    row("list of git", "list_files", R"({"folder":".git"})", "no folder", true);
    row("list outside", "list_files", R"({"folder":".."})", "no folder", true);
    row("read", "read_file", R"({"path":"solution/k.cpp"})", "int b;", false);
    row("read absolute", "read_file", R"({"path":"/etc/passwd"})", "no file", true);
    row("read up", "read_file", R"({"path":"../outside.txt"})", "no file", true);
    row("read through a link", "read_file", R"({"path":"solution/link.txt"})", "no file", true);
    row("read ours", "read_file", R"({"path":".ako/approval.json"})", "no file", true);
    row("read ours through a link", "read_file", R"({"path":"solution/up/.ako/approval.json"})", "no file", true);
    row("read bytes", "read_file", R"({"path":"data.bin"})", "not a text file", true);
    row("read nothing", "read_file", "{}", "no file", true);
    row("read a folder", "read_file", R"({"path":"solution"})", "no file", true);
    row("search", "search", R"({"text":"int b"})", "solution/k.cpp:2: int b;", false);
    row("search what is hidden", "search", R"({"text":"secret"})", "No line contains it.", false);
    row("search for nothing", "search", "{}", "Give a text", true);
    row("edit", "edit_file", R"({"path":"solution/k.cpp","old_text":"int b;","new_text":"int c;"})", "Written", false,
        "int a;\nint c;\nint a2;\n");
    row("edit twice there", "edit_file", R"({"path":"solution/k.cpp","old_text":"int a","new_text":"x"})", "2 times",
        true);
    row("edit not there", "edit_file", R"({"path":"solution/k.cpp","old_text":"int z","new_text":"x"})",
        "does not occur", true);
    row("edit without old text", "edit_file", R"({"path":"solution/k.cpp","new_text":"x"})", "does not occur", true);
    row("edit elsewhere", "edit_file", R"({"path":"reference.cpp","old_text":"reference","new_text":"x"})",
        "not below solution/", true);
    row("edit upwards", "edit_file", R"({"path":"solution/../reference.cpp","old_text":"reference","new_text":"x"})",
        "not below solution/", true);
    row("edit through a folder's link", "edit_file",
        R"({"path":"solution/up/reference.cpp","old_text":"reference","new_text":"x"})", "not below solution/", true);
    row("write", "write_file", R"({"path":"solution/k.cpp","content":"ü"})", "Written", false, "ü");
    row("write a new one", "write_file", R"({"path":"solution/new/k.h","content":"x"})", "Written", false);
    row("write nothing", "write_file", R"({"path":"solution/k.cpp","content":7})", "no content", true);
    row("write through a link", "write_file", R"({"path":"solution/link.txt","content":"x"})", "not below", true);
    row("write elsewhere", "write_file", R"({"path":"bench.sh","content":"x"})", "not below solution/", true);
    row("write solution itself", "write_file", R"({"path":"solution","content":"x"})", "not below solution/", true);
    row("delete", "delete_file", R"({"path":"solution/k.cpp"})", "Deleted", false, "(none)");
    row("delete elsewhere", "delete_file", R"({"path":"reference.cpp"})", "not below solution/", true);
    row("no tool", "run", "{}", "no tool named run", true);
    row("no object", "read_file", "[1]", "no file", true);
    row("no object to write", "write_file", "\"x\"", "not below", true);
}

void TestFileTools::calls()
{
    QFETCH(QString, tool);
    QFETCH(QByteArray, arguments);
    QFETCH(QString, part);
    QFETCH(bool, fails);
    QFETCH(QByteArray, kernel);
    const QString root = m_root.chopped(1);
    FileTools tools({root, root + QStringLiteral("/solution"), true});
    QList<ToolAnswer> given;
    tools.call(tool, json::parse(arguments.toStdString()), [&given](const ToolAnswer &answer) { given << answer; });
    QCOMPARE(given.size(), 1);
    QVERIFY2(given.constFirst().text.contains(part), qPrintable(given.constFirst().text));
    QVERIFY2(!given.constFirst().text.contains(QLatin1String("secret")), qPrintable(given.constFirst().text));
    QCOMPARE(given.constFirst().failed, fails);
    QCOMPARE(read(QStringLiteral("solution/k.cpp")),
             kernel.isEmpty() ? QByteArray("int a;\nint b;\nint a2;\n") : kernel);
    QCOMPARE(read(QStringLiteral("reference.cpp")), QByteArray("reference\n"));
    QCOMPARE(read(QStringLiteral("../outside.txt")), QByteArray("secret outside\n"));
}

QTEST_GUILESS_MAIN(TestFileTools)
#include "tst_filetools.moc"
