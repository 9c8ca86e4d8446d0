// SPDX-License-Identifier: GPL-3.0-or-later
// Writing solution/ keeps what a person did there, whether the write is interrupted or fails.
#include "loop/solutionfolder.h"

#include "git/folderfiles.h"
#include "workspace/statefolder.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

using namespace ako;

namespace {

FolderContent folder(const QByteArray &kernel)
{
    FolderContent content;
    content.files.insert(QStringLiteral("kernel.cpp"), kernel);
    return content;
}

// A folder in which nothing can be written, by root neither.
class Unwritable
{
public:
    explicit Unwritable(const QString &path)
        : m_path(QFile::encodeName(path))
    {
        set(true);
    }
    ~Unwritable() { set(false); }
    Q_DISABLE_COPY_MOVE(Unwritable)

    bool holds() const { return !canWrite(); }

private:
    void set(bool on) const
    {
        chmod(m_path.constData(), on ? 0555 : 0755);
        const int descriptor = open(m_path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        unsigned flags = 0;
        if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0) {
            flags = on ? flags | FS_IMMUTABLE_FL : flags & ~unsigned(FS_IMMUTABLE_FL);
            ioctl(descriptor, FS_IOC_SETFLAGS, &flags);
        }
        close(descriptor);
    }
    bool canWrite() const
    {
        QFile file(QFile::decodeName(m_path) + QStringLiteral("/probe"));
        return file.open(QIODevice::WriteOnly) && file.remove();
    }

    QByteArray m_path;
};

} // namespace

class TestSolutionFolder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void interruptedWriteIsCompleted_data();
    void interruptedWriteIsCompleted();
    void failedWriteLeavesLaterEdits();

private:
    QList<QByteArray> discarded() const;
    QString state(const char *name) const
    {
        return stateFolder(m_session.workspace) + QLatin1Char('/') + QLatin1String(name);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    Session m_session;
};

void TestSolutionFolder::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_session.workspace = m_folder->path();
    QVERIFY(QDir().mkpath(stateFolder(m_session.workspace)));
}

QList<QByteArray> TestSolutionFolder::discarded() const
{
    QList<QByteArray> contents;
    QDirIterator files(state("discarded"), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            contents << file.readAll();
    }
    return contents;
}

void TestSolutionFolder::interruptedWriteIsCompleted_data()
{
    QTest::addColumn<QByteArray>("present"); // when the workspace is opened again
    QTest::addColumn<QList<QByteArray>>("kept");
    QTest::newRow("killed after the last file") << QByteArray("new\n") << QList<QByteArray>{};
    QTest::newRow("killed before the first file") << QByteArray("old\n") << QList<QByteArray>{"old\n"};
    QTest::newRow("edited since") << QByteArray("edited\n") << QList<QByteArray>{"edited\n"};
    QTest::newRow("removed since") << QByteArray() << QList<QByteArray>{};
}

void TestSolutionFolder::interruptedWriteIsCompleted()
{
    QFETCH(QByteArray, present);
    QFETCH(QList<QByteArray>, kept);
    QVERIFY(replaceFolder(state("staged-solution"), folder("new\n")));
    QVERIFY(writeStateFile(m_session.workspace, QStringLiteral("writing-solution"), "1\n"));
    QVERIFY(replaceFolder(m_session.solution(), present.isEmpty() ? FolderContent{} : folder(present)));

    SolutionFolder solution(m_session);
    QVERIFY(solution.completeInterruptedWrite());
    QCOMPARE(solution.present()->files.value(QStringLiteral("kernel.cpp")), QByteArray("new\n"));
    QCOMPARE(discarded(), kept);
    QVERIFY(!QFile::exists(state("writing-solution")));

    QVERIFY(replaceFolder(m_session.solution(), folder("edited later\n")));
    QVERIFY(solution.completeInterruptedWrite()); // there is none any more
    QCOMPARE(solution.present()->files.value(QStringLiteral("kernel.cpp")), QByteArray("edited later\n"));
}

void TestSolutionFolder::failedWriteLeavesLaterEdits()
{
    SolutionFolder solution(m_session);
    QVERIFY(solution.write(folder("old\n")));
    {
        const Unwritable lock(m_session.solution());
        if (!lock.holds())
            QSKIP("this file system cannot refuse a write to this user");
        QVERIFY(!solution.write(folder("new\n")));
    }
    QVERIFY(replaceFolder(m_session.solution(), folder("edited\n")));
    QVERIFY(solution.completeInterruptedWrite()); // as the next opening does
    QCOMPARE(solution.present()->files.value(QStringLiteral("kernel.cpp")), QByteArray("edited\n"));
}

QTEST_GUILESS_MAIN(TestSolutionFolder)
#include "tst_solutionfolder.moc"
