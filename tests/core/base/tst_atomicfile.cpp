// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/atomicfile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using ako::readRegularFile;
using ako::writeFileAtomically;

class TestAtomicFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesNewAndReplaces();
    void keepsPermissions();
    void newFileFollowsTheUmask();
    void neverWritesThroughALink();
    void failsWithoutAFolder();
    void leavesNothingBehindOnFailure();
    void readRefuses();
    void readTakesNoMoreMemoryThanTheFile_data();
    void readTakesNoMoreMemoryThanTheFile();
};

void TestAtomicFile::writesNewAndReplaces()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("naïve file"));
    for (const QByteArray &content : {QByteArray("one"), QByteArray(5'000'000, 'z'), QByteArray()}) {
        const auto written = writeFileAtomically(path, content);
        QVERIFY2(written, written ? "" : qPrintable(written.error().text()));
        QCOMPARE(readRegularFile(path).value(), content);
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

void TestAtomicFile::keepsPermissions()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("script"));
    QVERIFY(writeFileAtomically(path, "one"));
    QCOMPARE(::chmod(QFile::encodeName(path).constData(), 0750), 0);
    QVERIFY(writeFileAtomically(path, "two"));
    struct stat info = {};
    ::stat(QFile::encodeName(path).constData(), &info);
    QCOMPARE(info.st_mode & 07777, mode_t(0750));
}

void TestAtomicFile::newFileFollowsTheUmask()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("file"));
    const mode_t before = ::umask(027);
    const bool written = writeFileAtomically(path, "one").has_value();
    ::umask(before);
    QVERIFY(written);
    struct stat info = {};
    ::stat(QFile::encodeName(path).constData(), &info);
    QCOMPARE(info.st_mode & 07777, mode_t(0640));
}

void TestAtomicFile::neverWritesThroughALink()
{
    const QTemporaryDir folder;
    const QString outside = folder.filePath(QStringLiteral("outside"));
    const QString path = folder.filePath(QStringLiteral("link"));
    QVERIFY(writeFileAtomically(outside, "mine"));
    QVERIFY(QFile::link(outside, path));
    QVERIFY(writeFileAtomically(path, "new"));
    QCOMPARE(readRegularFile(outside).value(), QByteArray("mine"));
    QCOMPARE(readRegularFile(path).value(), QByteArray("new"));
    QVERIFY(!QFileInfo(path).isSymLink());
}

void TestAtomicFile::failsWithoutAFolder()
{
    const auto written = writeFileAtomically(QStringLiteral("/no/such/folder/file"), "x");
    QVERIFY(!written);
    QVERIFY(written.error().message.contains(QStringLiteral("/no/such/folder/file")));
}

void TestAtomicFile::leavesNothingBehindOnFailure()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a folder"));
    QVERIFY(QDir().mkdir(path));
    QVERIFY(!writeFileAtomically(path, "x"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
}

void TestAtomicFile::readRefuses()
{
    const QTemporaryDir folder;
    const QString pipe = folder.filePath(QStringLiteral("pipe"));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QVERIFY(!readRegularFile(pipe));
    QVERIFY(!readRegularFile(folder.path()));
    QVERIFY(!readRegularFile(folder.filePath(QStringLiteral("missing"))));
    const QString large = folder.filePath(QStringLiteral("large"));
    QVERIFY(writeFileAtomically(large, QByteArray(101, 'x')));
    QVERIFY(!readRegularFile(large, 100));
    QVERIFY(readRegularFile(large, 101));
}

void TestAtomicFile::readTakesNoMoreMemoryThanTheFile_data()
{
    QTest::addColumn<int>("bytes");
    for (const int bytes : {0, 1, 100, 65'536, 3'000'001})
        QTest::addRow("%d bytes", bytes) << bytes;
}

void TestAtomicFile::readTakesNoMoreMemoryThanTheFile()
{
    QFETCH(int, bytes);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("file"));
    QVERIFY(writeFileAtomically(path, QByteArray(bytes, 'x')));
    const auto content = readRegularFile(path, 512LL * 1024 * 1024);
    QCOMPARE(content.value(), QByteArray(bytes, 'x'));
    QVERIFY2(content->capacity() <= 2 * bytes + 100'000, qPrintable(QString::number(content->capacity())));
    // Whose size is not told beforehand.
    QVERIFY(readRegularFile(QStringLiteral("/proc/self/status")).value().contains("\nPid:"));
}

QTEST_GUILESS_MAIN(TestAtomicFile)
#include "tst_atomicfile.moc"
