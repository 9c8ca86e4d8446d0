// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/codeview.h"

#include "editor/lexers.h"
#include "style/fonts.h"
#include "style/palette.h"

#include <QEvent>

#include <utility>

namespace ako {

namespace {

constexpr int problemMargin = 1;
constexpr int errorMark = 1;
constexpr int warningMark = 2;

} // namespace

CodeView::CodeView(QWidget *parent)
    : QsciScintilla(parent)
{
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setAutoIndent(true);
    setIndentationsUseTabs(false);
    setTabWidth(4);
    setBackspaceUnindents(true);
    setBraceMatching(StrictBraceMatch);
    setFolding(BoxedTreeFoldStyle, 2);
    setMarginLineNumbers(0, true);
    setMarginType(problemMargin, SymbolMargin);
    setMarginMarkerMask(problemMargin, (1 << errorMark) | (1 << warningMark));
    setMarginWidth(problemMargin, 0);
    markerDefine(Circle, errorMark);
    markerDefine(RightTriangle, warningMark);
    setAnnotationDisplay(AnnotationIndented);
    setCaretLineVisible(true);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    connect(this, &QsciScintilla::linesChanged, this, &CodeView::fitNumbers);
    applyPalette();
    fitNumbers();
}

void CodeView::setLanguageOf(const QString &fileName)
{
    delete lexer();
    setLexer(makeLexer(fileName, this));
    applyPalette();
}

void CodeView::setContent(const QString &text)
{
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    const int top = firstVisibleLine();
    const bool locked = isReadOnly();
    setReadOnly(false);
    setEolMode(text.contains(QLatin1String("\r\n")) ? EolWindows : EolUnix);
    setText(text);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    setReadOnly(locked);
    setModified(false);
    setCursorPosition(qMin(line, lines() - 1), column);
    setFirstVisibleLine(top);
}

void CodeView::goToLine(int line)
{
    const int wanted = qBound(0, line - 1, lines() - 1);
    setCursorPosition(wanted, 0);
    ensureLineVisible(wanted);
    ensureCursorVisible();
    setFocus();
}

void CodeView::setProblems(const QList<SourcePlace> &problems)
{
    if (problems == m_problems)
        return;
    m_problems = problems;
    showProblems();
}

void CodeView::showProblems()
{
    clearAnnotations();
    markerDeleteAll(errorMark);
    markerDeleteAll(warningMark);
    setMarginWidth(problemMargin, m_problems.isEmpty() ? 0 : 4 * grid);
    const QPalette &colours = palette();
    for (const SourcePlace &problem : std::as_const(m_problems)) {
        const int line = problem.line - 1;
        if (line < 0 || line >= lines() || problem.message.isEmpty())
            continue;
        const bool isError = problem.severity == Severity::Error;
        const QColor colour = toneColour(isError ? Tone::Error : Tone::Warning, colours);
        const QsciStyle style(-1, QStringLiteral("problem"), colour, colours.color(QPalette::AlternateBase),
                              smallFont());
        const QString before = annotation(line);
        annotate(line, before.isEmpty() ? problem.message : before + QLatin1Char('\n') + problem.message, style);
        markerAdd(line, isError ? errorMark : warningMark);
    }
}

void CodeView::fitNumbers()
{
    setMarginWidth(0, QString::number(qMax(100, lines() * 10)));
}

void CodeView::changeEvent(QEvent *event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        applyPalette();
}

void CodeView::applyPalette()
{
    const QPalette &colours = palette();
    const QColor text = colours.color(QPalette::Active, QPalette::Text);
    const QColor base = colours.color(QPalette::Active, QPalette::Base);
    if (lexer() != nullptr) {
        applyColours(lexer(), colours);
        setLexer(lexer());
    }
    setFont(monospaceFont());
    setPaper(base);
    setColor(text);
    setMarginsFont(monospaceFont());
    setMarginsBackgroundColor(base);
    setMarginsForegroundColor(mutedText(colours));
    setFoldMarginColors(base, base);
    for (int marker = int(SC_MARKNUM_FOLDEREND); marker <= int(SC_MARKNUM_FOLDEROPEN); ++marker) {
        SendScintilla(SCI_MARKERSETFORE, static_cast<unsigned long>(marker), base);
        SendScintilla(SCI_MARKERSETBACK, static_cast<unsigned long>(marker), mutedText(colours));
    }
    for (const auto &[mark, tone] : {std::pair(errorMark, Tone::Error), {warningMark, Tone::Warning}}) {
        setMarkerForegroundColor(toneColour(tone, colours), mark);
        setMarkerBackgroundColor(toneColour(tone, colours), mark);
    }
    showProblems();
    setCaretForegroundColor(text);
    setCaretLineBackgroundColor(colours.color(QPalette::Active, QPalette::AlternateBase));
    setSelectionBackgroundColor(colours.color(QPalette::Active, QPalette::Highlight));
    setSelectionForegroundColor(colours.color(QPalette::Active, QPalette::HighlightedText));
    setMatchedBraceBackgroundColor(separator(colours));
    setMatchedBraceForegroundColor(text);
    setUnmatchedBraceForegroundColor(toneColour(Tone::Error, colours));
    setUnmatchedBraceBackgroundColor(base);
}

} // namespace ako
