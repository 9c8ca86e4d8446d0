// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/singleinstance.h"

#include <QFile>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>

using ako::SingleInstance;

class TestSingleInstance : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void secondIsRefusedAndNamesTheHolder();
    void isFreeAfterRelease();
    void isFreeAfterTheHolderWasKilled();
    void oldTextDoesNotHold();
    void replacedFileIsNoticed();
    void clearErrors();
};

void TestSingleInstance::secondIsRefusedAndNamesTheHolder()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("lock"));
    const auto first = SingleInstance::acquire(path);
    QVERIFY(first);
    const auto second = SingleInstance::acquire(path);
    QVERIFY(!second);
    QVERIFY2(second.error().message.contains(QStringLiteral("pid %1").arg(getpid())),
             qPrintable(second.error().message));
    QVERIFY(second.error().message.contains(QSysInfo::machineHostName()));
    QVERIFY(!second.error().remedy.isEmpty());
}

void TestSingleInstance::isFreeAfterRelease()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("lock"));
    {
        auto first = SingleInstance::acquire(path);
        QVERIFY(first);
        const SingleInstance moved = std::move(*first);
        QVERIFY(!SingleInstance::acquire(path));
    }
    QVERIFY(SingleInstance::acquire(path));
}

void TestSingleInstance::isFreeAfterTheHolderWasKilled()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("lock"));
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t holder = ::fork();
    if (holder == 0) {
        const auto lock = SingleInstance::acquire(path);
        const char answer = lock ? 'y' : 'n';
        [[maybe_unused]] const ssize_t count = ::write(ready[1], &answer, 1);
        ::pause();
        ::_exit(0);
    }
    char answer = 0;
    QCOMPARE(::read(ready[0], &answer, 1), ssize_t(1));
    QCOMPARE(answer, 'y');
    const auto refused = SingleInstance::acquire(path);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.contains(QStringLiteral("pid %1").arg(holder)));
    ::kill(holder, SIGKILL);
    ::waitpid(holder, nullptr, 0);
    QVERIFY(SingleInstance::acquire(path));
    ::close(ready[0]);
    ::close(ready[1]);
}

void TestSingleInstance::oldTextDoesNotHold()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("lock")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("pid 1 on this very host since ever, and a text longer than the next one will be, by far\n");
    file.close();
    const auto lock = SingleInstance::acquire(file.fileName());
    QVERIFY(lock);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(QStringLiteral("pid %1 on ").arg(getpid()).toUtf8()));
}

void TestSingleInstance::replacedFileIsNoticed()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("lock"));
    const auto first = SingleInstance::acquire(path);
    QVERIFY(first);
    QVERIFY(QFile::remove(path)); // somebody deletes .ako/: the next one locks the new file, and that lock counts
    const auto second = SingleInstance::acquire(path);
    QVERIFY(second);
    QVERIFY(!SingleInstance::acquire(path));
}

void TestSingleInstance::clearErrors()
{
    const QTemporaryDir folder;
    const auto missing = SingleInstance::acquire(folder.filePath(QStringLiteral("none/lock")));
    QVERIFY(!missing);
    QVERIFY(missing.error().message.contains(QStringLiteral("none/lock")));
    QVERIFY(!SingleInstance::acquire(folder.path()));
    const QString pipe = folder.filePath(QStringLiteral("pipe"));
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QVERIFY(!SingleInstance::acquire(pipe));
    const QString link = folder.filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(folder.filePath(QStringLiteral("target")), link));
    QVERIFY(!SingleInstance::acquire(link)); // never makes a file somewhere else
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("target"))));
}

QTEST_GUILESS_MAIN(TestSingleInstance)
#include "tst_singleinstance.moc"
