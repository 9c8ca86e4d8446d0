// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/harnesswatch.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class TestHarnessWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void seesEveryKindOfChange();
    void seesAChangeOfTheSameSize();
    void isRightAgainWhenPutBack();
    void anotherManifestIsReadAnew();
    void seesAModuleBesideTheEvaluators();

private:
    void write(const QString &name, const QByteArray &bytes) const;
    QTemporaryDir m_folder;
    IntegrityManifest m_manifest;
};

void TestHarnessWatch::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(bytes);
}

void TestHarnessWatch::init()
{
    write(QStringLiteral("a"), "one");
    write(QStringLiteral("b"), "two");
    const auto manifest = IntegrityManifest::ofFiles(m_folder.path(), {QStringLiteral("a"), QStringLiteral("b")});
    QVERIFY(manifest);
    m_manifest = *manifest;
}

void TestHarnessWatch::seesEveryKindOfChange()
{
    HarnessWatch watch;
    QVERIFY(watch.changes(m_manifest, m_folder.path()).isEmpty());
    QVERIFY(watch.changes(m_manifest, m_folder.path()).isEmpty());
    write(QStringLiteral("a"), "three");
    QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("b"))));
    const auto changes = watch.changes(m_manifest, m_folder.path());
    QCOMPARE(changes.size(), 2);
    QCOMPARE(int(changes.at(0).what), int(FileChange::What::Modified));
    QCOMPARE(int(changes.at(1).what), int(FileChange::What::Removed));
    QCOMPARE(watch.changes(m_manifest, m_folder.path()).size(), 2); // until it is put back
}

void TestHarnessWatch::seesAChangeOfTheSameSize()
{
    HarnessWatch watch;
    QVERIFY(watch.changes(m_manifest, m_folder.path()).isEmpty());
    // The file system's clock may stand still for some milliseconds.
    const auto changesAfterWriting = [&] {
        write(QStringLiteral("a"), "eno");
        return watch.changes(m_manifest, m_folder.path()).size();
    };
    QTRY_COMPARE(changesAfterWriting(), 1);
}

void TestHarnessWatch::isRightAgainWhenPutBack()
{
    HarnessWatch watch;
    write(QStringLiteral("a"), "three");
    QCOMPARE(watch.changes(m_manifest, m_folder.path()).size(), 1);
    write(QStringLiteral("a"), "one");
    QVERIFY(watch.changes(m_manifest, m_folder.path()).isEmpty());
}

void TestHarnessWatch::anotherManifestIsReadAnew()
{
    HarnessWatch watch;
    QVERIFY(watch.changes(m_manifest, m_folder.path()).isEmpty());
    m_manifest.hashes[QStringLiteral("a")] = QByteArray(64, '0');
    QCOMPARE(watch.changes(m_manifest, m_folder.path()).size(), 1);
}

void TestHarnessWatch::seesAModuleBesideTheEvaluators()
{
    HarnessWatch watch;
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("bench/kernelbench/akobench")));
    const QString program = QStringLiteral("bench/kernelbench/bench.py");
    const QString module = QStringLiteral("bench/kernelbench/akobench/torch.py");
    write(program, "from akobench.cli import main\n");
    const auto manifest = IntegrityManifest::ofFiles(m_folder.path(), {program});
    QVERIFY(manifest);
    QVERIFY(watch.changes(*manifest, m_folder.path()).isEmpty());
    write(module, "import os\n");
    QCOMPARE(watch.changes(m_manifest, m_folder.path()).size(), 0); // where no evaluator was approved
    const auto changes = watch.changes(*manifest, m_folder.path());
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().file, module);
    QCOMPARE(int(changes.first().what), int(FileChange::What::Added));
}

QTEST_GUILESS_MAIN(TestHarnessWatch)
#include "tst_harnesswatch.moc"
