// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/lexers.h"

#include "editor/cudalexer.h"
#include "editor/scintilla.h"
#include "style/fonts.h"
#include "style/palette.h"

#include <QFileInfo>

namespace ako {

namespace {

enum class Meaning { Plain, Keyword, Type, String, Number, Comment, Preprocessor, Wrong };

Meaning meaningInCpp(int style)
{
    switch (style) {
    case QsciLexerCPP::Comment:
    case QsciLexerCPP::CommentLine:
    case QsciLexerCPP::CommentDoc:
    case QsciLexerCPP::CommentLineDoc:
    case QsciLexerCPP::CommentDocKeyword:
    case QsciLexerCPP::CommentDocKeywordError:
    case QsciLexerCPP::PreProcessorComment:
        return Meaning::Comment;
    case QsciLexerCPP::Keyword:
        return Meaning::Keyword;
    case QsciLexerCPP::KeywordSet2:
        return Meaning::Type;
    case QsciLexerCPP::Number:
    case QsciLexerCPP::UserLiteral:
        return Meaning::Number;
    case QsciLexerCPP::DoubleQuotedString:
    case QsciLexerCPP::SingleQuotedString:
    case QsciLexerCPP::RawString:
    case QsciLexerCPP::EscapeSequence:
        return Meaning::String;
    case QsciLexerCPP::PreProcessor:
        return Meaning::Preprocessor;
    case QsciLexerCPP::UnclosedString:
        return Meaning::Wrong;
    default:
        return Meaning::Plain;
    }
}

Meaning meaningInPython(int style)
{
    switch (style) {
    case QsciLexerPython::Comment:
    case QsciLexerPython::CommentBlock:
        return Meaning::Comment;
    case QsciLexerPython::Keyword:
        return Meaning::Keyword;
    case QsciLexerPython::ClassName:
    case QsciLexerPython::FunctionMethodName:
    case QsciLexerPython::HighlightedIdentifier:
        return Meaning::Type;
    case QsciLexerPython::Number:
        return Meaning::Number;
    case QsciLexerPython::Decorator:
        return Meaning::Preprocessor;
    case QsciLexerPython::UnclosedString:
        return Meaning::Wrong;
    case QsciLexerPython::Default:
    case QsciLexerPython::Operator:
    case QsciLexerPython::Identifier:
        return Meaning::Plain;
    default:
        return Meaning::String;
    }
}

Meaning meaningInJson(int style)
{
    switch (style) {
    case QsciLexerJSON::Number:
        return Meaning::Number;
    case QsciLexerJSON::String:
    case QsciLexerJSON::EscapeSequence:
        return Meaning::String;
    case QsciLexerJSON::Property:
        return Meaning::Type;
    case QsciLexerJSON::CommentLine:
    case QsciLexerJSON::CommentBlock:
        return Meaning::Comment;
    case QsciLexerJSON::Keyword:
    case QsciLexerJSON::KeywordLD:
        return Meaning::Keyword;
    case QsciLexerJSON::UnclosedString:
    case QsciLexerJSON::Error:
        return Meaning::Wrong;
    default:
        return Meaning::Plain;
    }
}

Meaning meaningInBash(int style)
{
    switch (style) {
    case QsciLexerBash::Comment:
        return Meaning::Comment;
    case QsciLexerBash::Number:
        return Meaning::Number;
    case QsciLexerBash::Keyword:
        return Meaning::Keyword;
    case QsciLexerBash::DoubleQuotedString:
    case QsciLexerBash::SingleQuotedString:
        return Meaning::String;
    case QsciLexerBash::Scalar:
    case QsciLexerBash::ParameterExpansion:
        return Meaning::Type;
    case QsciLexerBash::Error:
        return Meaning::Wrong;
    default:
        return Meaning::Plain;
    }
}

Meaning meaningOf(const QsciLexer *lexer, int style)
{
    if (qobject_cast<const QsciLexerCPP *>(lexer) != nullptr)
        return meaningInCpp(style & 0x3f); // 0x40 marks code that a macro switches off
    if (qobject_cast<const QsciLexerPython *>(lexer) != nullptr)
        return meaningInPython(style);
    return qobject_cast<const QsciLexerJSON *>(lexer) != nullptr ? meaningInJson(style) : meaningInBash(style);
}

QColor colourOf(Meaning meaning, const QPalette &palette)
{
    switch (meaning) {
    case Meaning::Keyword:
        return toneColour(Tone::Keyword, palette);
    case Meaning::Type:
        return toneColour(Tone::Type, palette);
    case Meaning::String:
        return toneColour(Tone::String, palette);
    case Meaning::Number:
        return toneColour(Tone::Number, palette);
    case Meaning::Comment:
        return toneColour(Tone::Comment, palette);
    case Meaning::Preprocessor:
        return toneColour(Tone::Preprocessor, palette);
    case Meaning::Wrong:
        return toneColour(Tone::Error, palette);
    case Meaning::Plain:
        break;
    }
    return palette.color(QPalette::Active, QPalette::Text);
}

} // namespace

QsciLexer *makeLexer(const QString &fileName, QObject *parent)
{
    static const QStringList cpp{QStringLiteral("c"),   QStringLiteral("cc"),  QStringLiteral("cpp"),
                                 QStringLiteral("cxx"), QStringLiteral("h"),   QStringLiteral("hh"),
                                 QStringLiteral("hpp"), QStringLiteral("cu"),  QStringLiteral("cuh"),
                                 QStringLiteral("hip"), QStringLiteral("inl"), QStringLiteral("cl")};
    const QString suffix = QFileInfo(fileName).suffix().toLower();
    if (cpp.contains(suffix))
        return new CudaLexer(parent);
    if (suffix == QLatin1String("py"))
        return new QsciLexerPython(parent);
    if (suffix == QLatin1String("json") || suffix == QLatin1String("jsonl"))
        return new QsciLexerJSON(parent);
    return suffix == QLatin1String("sh") ? new QsciLexerBash(parent) : nullptr;
}

void applyColours(QsciLexer *lexer, const QPalette &palette)
{
    QFont font = monospaceFont();
    lexer->setDefaultFont(font);
    lexer->setDefaultPaper(palette.color(QPalette::Active, QPalette::Base));
    lexer->setDefaultColor(palette.color(QPalette::Active, QPalette::Text));
    for (int style = 0; style < 128; ++style) {
        const Meaning meaning = meaningOf(lexer, style);
        font.setBold(meaning == Meaning::Keyword);
        lexer->setFont(font, style);
        lexer->setPaper(lexer->defaultPaper(), style);
        lexer->setColor(colourOf(meaning, palette), style);
    }
}

} // namespace ako
