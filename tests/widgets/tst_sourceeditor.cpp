// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/codeview.h"
#include "editor/findbar.h"
#include "editor/sourceeditor.h"
#include "style/messagebar.h"
#include "style/palette.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class SourceEditorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void editingMakesDirtyAndSavingCleans();
    void savesLineEndsAsTheyWere();
    void cleanTextFollowsTheFile_data();
    void cleanTextFollowsTheFile();
    void dirtyTextAsksFirst_data();
    void dirtyTextAsksFirst();
    void aRemovedFileIsToldAndCanBeSavedAgain();
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
