// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/codeview.h"
#include "editor/findbar.h"
#include "editor/sourceeditor.h"
#include "style/messagebar.h"
#include "style/palette.h"

#include <QCoreApplication>
#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace ako;

class SourceEditorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void editingMakesDirtyAndSavingCleans();
    void savesLineEndsAsTheyWere();
    void cleanTextFollowsTheFile_data();
    void cleanTextFollowsTheFile();
    void dirtyTextAsksFirst_data();
    void dirtyTextAsksFirst();
    void aRemovedFileIsToldAndCanBeSavedAgain();
    void aRemovedFileTakesNoEditsWithIt();
    void aFullDiskLeavesTheOldFile();
    void aFolderWithoutPermissionSaysWhy();
    void aFileTooLargeToShowIsNotWrittenOver();
    void aNewFileIsMadeBySaving();
    void unsavedTextIsOfferedAgain_data();
    void unsavedTextIsOfferedAgain();
    void savedTextLeavesNoDraft();
    void aDraftWaitsForTheLock();
    void lockedTextCannotBeEditedOrSaved();
    void bytesThatAreNotTextAreNeverWritten();
    void anUnreadableFileSaysSo();
    void findsForwardsAndBackwards();
    void replacesAll();
    void highlightsCudaWords();
    void coloursFollowThePalette();

private:
    QString path() const { return m_folder->filePath(QStringLiteral("kernel.cu")); }
    void writeOutside(const QByteArray &content, bool byRename);
    QByteArray onDisk() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void SourceEditorTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true); // where drafts are kept
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("sourceeditor"));
}

void SourceEditorTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    writeOutside("int a = 1;\nint b = 2;\nint c = a;\n", false);
}

void SourceEditorTest::writeOutside(const QByteArray &content, bool byRename)
{
    if (byRename) {
        QSaveFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit());
    } else {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
}

QByteArray SourceEditorTest::onDisk() const
{
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void SourceEditorTest::editingMakesDirtyAndSavingCleans()
{
    SourceEditor editor;
    QVERIFY(editor.load(path()));
    QVERIFY(!editor.isDirty());
    QSignalSpy dirty(&editor, &SourceEditor::dirtyChanged);
    editor.view()->insert(QStringLiteral("// note\n"));
    QVERIFY(editor.isDirty());
    QVERIFY(editor.save());
    QVERIFY(!editor.isDirty());
    QCOMPARE(dirty.size(), 2);
    QCOMPARE(onDisk(), QByteArray("// note\nint a = 1;\nint b = 2;\nint c = a;\n"));
    editor.view()->undo();
    QVERIFY(editor.isDirty());
}

void SourceEditorTest::savesLineEndsAsTheyWere()
{
    writeOutside("one\r\ntwo\r\n", false);
    SourceEditor editor;
    editor.load(path());
    editor.show();
    editor.view()->setFocus();
    editor.view()->setCursorPosition(0, 3);
    QTest::keyClick(editor.view(), Qt::Key_Return);
    QVERIFY(editor.save());
    QCOMPARE(onDisk(), QByteArray("one\r\n\r\ntwo\r\n"));
}

void SourceEditorTest::cleanTextFollowsTheFile_data()
{
    QTest::addColumn<bool>("byRename");
    QTest::newRow("written in place") << false;
    QTest::newRow("replaced by a rename") << true;
}

void SourceEditorTest::cleanTextFollowsTheFile()
{
    QFETCH(bool, byRename);
    SourceEditor editor;
    editor.load(path());
    for (const char *content : {"second\n", "third\n"}) {
        writeOutside(content, byRename);
        QTRY_COMPARE(editor.view()->text(), QString::fromLatin1(content));
        QVERIFY(!editor.isDirty());
        QVERIFY(editor.bar()->isHidden());
    }
}

void SourceEditorTest::dirtyTextAsksFirst_data()
{
    QTest::addColumn<int>("choice");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("dirty");
    QTest::newRow("load from disk") << 0 << QStringLiteral("theirs\n") << false;
    QTest::newRow("keep mine") << 1 << QStringLiteral("mine\n") << true;
}

void SourceEditorTest::dirtyTextAsksFirst()
{
    QFETCH(int, choice);
    QFETCH(QString, text);
    QFETCH(bool, dirty);
    SourceEditor editor;
    editor.load(path());
    editor.view()->selectAll();
    editor.view()->replaceSelectedText(QStringLiteral("mine\n"));
    writeOutside("theirs\n", true);
    QTRY_VERIFY(!editor.bar()->isHidden());
    QCOMPARE(editor.view()->text(), QStringLiteral("mine\n"));
    QVERIFY(editor.bar()->text().contains(QStringLiteral("kernel.cu")));
    const auto buttons = editor.bar()->findChildren<QPushButton *>();
    QCOMPARE(buttons.size(), 2);
    buttons.at(choice)->click();
    QCOMPARE(editor.view()->text(), text);
    QCOMPARE(editor.isDirty(), dirty);
    QVERIFY(editor.bar()->isHidden());
}

void SourceEditorTest::aRemovedFileIsToldAndCanBeSavedAgain()
{
    SourceEditor editor;
    editor.load(path());
    QVERIFY(QFile::remove(path()));
    QTRY_VERIFY(!editor.bar()->isHidden());
    QVERIFY(editor.save());
    QCOMPARE(onDisk(), QByteArray("int a = 1;\nint b = 2;\nint c = a;\n"));
}

void SourceEditorTest::aRemovedFileTakesNoEditsWithIt()
{
    SourceEditor editor;
    editor.load(path());
    editor.view()->insert(QStringLiteral("// mine\n"));
    QVERIFY(QFile::remove(path()));
    QTRY_VERIFY(!editor.bar()->isHidden());
    QVERIFY(editor.bar()->text().contains(QStringLiteral("no longer on disk")));
    QVERIFY(editor.isDirty());
    QVERIFY(editor.save());
    QCOMPARE(onDisk(), QByteArray("// mine\nint a = 1;\nint b = 2;\nint c = a;\n"));
}

namespace {

// A file system of its own that can be full without harm; empty where this user may not mount one.
class SmallDisk
{
public:
    SmallDisk()
    {
        if (m_folder.isValid())
            m_mounted = run({QStringLiteral("mount"), QStringLiteral("-t"), QStringLiteral("tmpfs"),
                             QStringLiteral("-o"), QStringLiteral("size=64k"), QStringLiteral("tmpfs"), path()});
    }
    ~SmallDisk()
    {
        if (m_mounted)
            run({QStringLiteral("umount"), path()});
    }
    Q_DISABLE_COPY_MOVE(SmallDisk)
    bool isMounted() const { return m_mounted; }
    QString path() const { return m_folder.path(); }
    bool fill() const
    {
        QFile ballast(path() + QStringLiteral("/ballast"));
        if (!ballast.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            return false;
        while (ballast.write(QByteArray(4096, 'x')) == 4096) {}
        return true;
    }

private:
    static bool run(const QStringList &words) { return QProcess::execute(words.first(), words.mid(1)) == 0; }

    QTemporaryDir m_folder;
    bool m_mounted = false;
};

} // namespace

void SourceEditorTest::aFullDiskLeavesTheOldFile()
{
    const SmallDisk disk;
    if (!disk.isMounted())
        QSKIP("a small file system can only be mounted by root");
    const QString file = disk.path() + QStringLiteral("/kernel.cu");
    const QByteArray before("int a = 1;\n");
    {
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly) && made.write(before) == before.size());
    }
    SourceEditor editor;
    QVERIFY(editor.load(file));
    editor.view()->insert(QString(20000, QLatin1Char('/')) + QLatin1Char('\n'));
    QVERIFY(disk.fill());
    QVERIFY(!editor.save());
    QFile kept(file);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), before);
    QVERIFY(editor.isDirty());
    QVERIFY2(editor.bar()->text().contains(QStringLiteral("No space left")), qPrintable(editor.bar()->text()));
    QCOMPARE(QDir(disk.path()).entryList(QDir::Files).join(QLatin1Char(' ')), QStringLiteral("ballast kernel.cu"));
    QVERIFY(QFile::remove(disk.path() + QStringLiteral("/ballast")));
    QVERIFY(editor.save()); // what was written is still there to be saved
    QVERIFY(editor.bar()->isHidden());
}

void SourceEditorTest::aFolderWithoutPermissionSaysWhy()
{
    if (::geteuid() == 0)
        QSKIP("root may write everywhere");
    SourceEditor editor;
    editor.load(path());
    editor.view()->insert(QStringLiteral("// mine\n"));
    QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::ExeOwner);
    QVERIFY(!editor.save());
    QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QVERIFY2(editor.bar()->text().contains(QStringLiteral("Permission denied")), qPrintable(editor.bar()->text()));
    QCOMPARE(onDisk(), QByteArray("int a = 1;\nint b = 2;\nint c = a;\n"));
}

void SourceEditorTest::aFileTooLargeToShowIsNotWrittenOver()
{
    writeOutside(QByteArray(5 * 1024 * 1024, 'x'), false);
    SourceEditor editor;
    QVERIFY(!editor.load(path()));
    QVERIFY(editor.view()->isReadOnly());
    QVERIFY(!editor.save());
    QCOMPARE(QFileInfo(path()).size(), 5 * 1024 * 1024);
}

void SourceEditorTest::aNewFileIsMadeBySaving()
{
    const QString made = m_folder->filePath(QStringLiteral("new.md"));
    SourceEditor editor;
    editor.startNew(made, QStringLiteral("# Hints\n"));
    QVERIFY(!editor.isDirty());
    QVERIFY(editor.bar()->isHidden());
    writeOutside("another file of the folder changes\n", true);
    editor.view()->append(QStringLiteral("- one\n"));
    QVERIFY(editor.isDirty());
    editor.discardEdits();
    QCOMPARE(editor.view()->text(), QStringLiteral("# Hints\n"));
    QVERIFY(!QFile::exists(made));
    editor.view()->append(QStringLiteral("- two\n"));
    QVERIFY(editor.save());
    QFile file(made);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("# Hints\n- two\n"));
}

void SourceEditorTest::unsavedTextIsOfferedAgain_data()
{
    QTest::addColumn<bool>("fileChanges");
    QTest::addColumn<int>("choice");
    QTest::addColumn<bool>("isTaken");
    QTest::newRow("taken up") << false << 0 << true;
    QTest::newRow("dropped") << false << 1 << false;
    QTest::newRow("the file changed since") << true << 0 << true;
}

void SourceEditorTest::unsavedTextIsOfferedAgain()
{
    QFETCH(bool, fileChanges);
    QFETCH(int, choice);
    QFETCH(bool, isTaken);
    {
        SourceEditor before;
        before.load(path());
        before.view()->insert(QStringLiteral("// mine \u00e4\n"));
        before.keepDraft();
    }
    if (fileChanges)
        writeOutside("int z = 26;\n", false);
    const QByteArray disk = onDisk();
    SourceEditor editor;
    editor.load(path());
    QVERIFY(!editor.isDirty());
    QVERIFY(!editor.bar()->isHidden());
    QCOMPARE(editor.bar()->text().contains(QStringLiteral("has changed since")), fileChanges);
    editor.bar()->findChildren<QPushButton *>().at(choice)->click();
    QCOMPARE(editor.isDirty(), isTaken);
    QCOMPARE(editor.view()->text().startsWith(QStringLiteral("// mine \u00e4\n")), isTaken);
    QCOMPARE(onDisk(), disk);
    editor.discardEdits();
    SourceEditor again;
    again.load(path());
    QVERIFY(again.bar()->isHidden());
}

void SourceEditorTest::savedTextLeavesNoDraft()
{
    SourceEditor before;
    before.load(path());
    before.view()->insert(QStringLiteral("// mine\n"));
    before.keepDraft();
    QVERIFY(before.save());
    SourceEditor editor;
    editor.load(path());
    QVERIFY(editor.bar()->isHidden());
}

void SourceEditorTest::aDraftWaitsForTheLock()
{
    SourceEditor before;
    before.load(path());
    before.view()->insert(QStringLiteral("// mine\n"));
    before.keepDraft();
    SourceEditor editor;
    editor.setLocked(true, QStringLiteral("The loop works."));
    editor.load(path());
    QVERIFY(editor.bar()->isHidden());
    editor.setLocked(false);
    QVERIFY(!editor.bar()->isHidden());
    editor.discardEdits();
}

void SourceEditorTest::lockedTextCannotBeEditedOrSaved()
{
    SourceEditor editor;
    editor.load(path());
    editor.setLocked(true, QStringLiteral("The agent works."));
    QVERIFY(editor.view()->isReadOnly());
    QVERIFY(!editor.save());
    writeOutside("from the agent\n", true);
    QTRY_COMPARE(editor.view()->text(), QStringLiteral("from the agent\n"));
    QVERIFY(editor.view()->isReadOnly());
    editor.setLocked(false);
    QVERIFY(!editor.view()->isReadOnly());
}

void SourceEditorTest::bytesThatAreNotTextAreNeverWritten()
{
    const QByteArray bytes("caf\xe9\n");
    writeOutside(bytes, false);
    SourceEditor editor;
    editor.load(path());
    QVERIFY(editor.view()->isReadOnly());
    QVERIFY(!editor.bar()->isHidden());
    QVERIFY(!editor.save());
    QCOMPARE(onDisk(), bytes);
}

void SourceEditorTest::anUnreadableFileSaysSo()
{
    SourceEditor editor;
    QVERIFY(!editor.load(m_folder->filePath(QStringLiteral("nowhere.cu"))));
    QVERIFY(editor.bar()->text().contains(QStringLiteral("nowhere.cu")));
}

void SourceEditorTest::findsForwardsAndBackwards()
{
    SourceEditor editor;
    editor.load(path());
    FindBar *find = editor.findBar();
    find->open();
    find->pattern()->setText(QStringLiteral("int"));
    const auto line = [&editor] {
        int lineFrom = 0, columnFrom = 0, lineTo = 0, columnTo = 0;
        editor.view()->getSelection(&lineFrom, &columnFrom, &lineTo, &columnTo);
        return lineFrom;
    };
    QList<int> lines;
    for (const bool forward : {true, true, true, true, false}) {
        QVERIFY(find->find(forward));
        lines << line();
    }
    QCOMPARE(lines, (QList<int>{0, 1, 2, 0, 2}));
    find->pattern()->setText(QStringLiteral("absent"));
    QVERIFY(!find->find(true));
}

void SourceEditorTest::replacesAll()
{
    SourceEditor editor;
    editor.load(path());
    editor.findBar()->pattern()->setText(QStringLiteral("int"));
    editor.findBar()->replacement()->setText(QStringLiteral("unsigned int"));
    QCOMPARE(editor.findBar()->replaceAll(), 3);
    QCOMPARE(editor.view()->text(), QStringLiteral("unsigned int a = 1;\nunsigned int b = 2;\nunsigned int c = a;\n"));
}

void SourceEditorTest::highlightsCudaWords()
{
    writeOutside("__global__ void k() { int i = threadIdx.x; } // c\n", false);
    SourceEditor editor;
    editor.load(path());
    editor.view()->recolor();
    const auto styleAt = [&editor](int position) {
        return int(editor.view()->SendScintilla(CodeView::SCI_GETSTYLEAT, static_cast<unsigned long>(position))) & 0x3f;
    };
    QCOMPARE(styleAt(2), int(QsciLexerCPP::Keyword));
    QCOMPARE(styleAt(30), int(QsciLexerCPP::KeywordSet2));
    QCOMPARE(styleAt(46), int(QsciLexerCPP::CommentLine));
}

void SourceEditorTest::coloursFollowThePalette()
{
    SourceEditor editor;
    editor.load(path());
    for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
        const QPalette palette = paletteFor(appearance);
        editor.setPalette(palette);
        QCOMPARE(editor.view()->lexer()->paper(0), palette.color(QPalette::Base));
        QCOMPARE(editor.view()->lexer()->color(QsciLexerCPP::Keyword), toneColour(Tone::Keyword, palette));
    }
}

QTEST_MAIN(SourceEditorTest)
#include "tst_sourceeditor.moc"
