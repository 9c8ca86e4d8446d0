// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/filewriter.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace ako;

class TestFileWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noRoomKeepsTheOldContent_data();
    void noRoomKeepsTheOldContent();
};

void TestFileWriter::noRoomKeepsTheOldContent_data()
{
    QTest::addColumn<int>("size");
    // Smaller than a write buffer, whose failure comes only with the flush, and larger.
    QTest::newRow("small") << 3000;
    QTest::newRow("large") << 300000;
}

void TestFileWriter::noRoomKeepsTheOldContent()
{
    QFETCH(int, size);
    QTemporaryDir folder;
    const QString name = QStringLiteral("ITERATIONS.md");
    QVERIFY(writeWorkspaceFile(folder.path(), name, QByteArray("the user's words"), false));

    rlimit before = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none = {1000, before.rlim_max}; // as a full disk: what is over it finds no room
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &none), 0);
    const Result<void> written = writeWorkspaceFile(folder.path(), name, QByteArray(size, 'x'), false);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);

    QVERIFY(!written);
    QVERIFY(written.error().message.contains(name));
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("the user's words"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
}

QTEST_GUILESS_MAIN(TestFileWriter)
#include "tst_filewriter.moc"
