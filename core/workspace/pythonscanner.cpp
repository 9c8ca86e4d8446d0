// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/pythonscanner.h"

#include <QList>
#include <QRegularExpression>

#include <algorithm>

namespace ako {

namespace {

QByteArray quoteAt(const QByteArray &text, qsizetype at)
{
    const char c = text[at];
    if (c != '"' && c != '\'')
        return {};
    const QByteArray triple(3, c);
    return text.mid(at, 3) == triple ? triple : QByteArray(1, c);
}

qsizetype endOfString(const QByteArray &text, qsizetype at, const QByteArray &quote)
{
    for (at += quote.size(); at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '\n' && quote.size() == 1)
            return at;
        else if (text.mid(at, quote.size()) == quote)
            return at + quote.size();
    }
    return text.size();
}

void blank(QByteArray &text, qsizetype from, qsizetype to)
{
    for (; from < std::min(to, text.size()); ++from) {
        if (text[from] != '\n')
            text[from] = ' ';
    }
}

QByteArray withoutStrings(QByteArray text)
{
    qsizetype at = 0;
    while (at < text.size()) {
        qsizetype end = at + 1;
        const QByteArray quote = quoteAt(text, at);
        if (!quote.isEmpty())
            blank(text, at, end = endOfString(text, at, quote));
        else if (text[at] == '#')
            blank(text, at, end = text.indexOf('\n', at) < 0 ? text.size() : text.indexOf('\n', at));
        at = end;
    }
    return text;
}

void note(QMap<QString, int> &into, const QString &name, int line)
{
    if (!name.isEmpty() && !into.contains(name))
        into.insert(name, line);
}

void noteImports(const QString &list, int line, PythonFacts &facts)
{
    const QStringList modules = list.split(QLatin1Char(','));
    for (const QString &module : modules)
        note(facts.imports, module.trimmed().section(QLatin1Char(' '), 0, 0), line);
}

void scanLine(const QString &line, int number, PythonFacts &facts)
{
    static const QRegularExpression classLine(QStringLiteral("^class\\s+(\\w+)"));
    static const QRegularExpression functionLine(QStringLiteral("^(?:async\\s+)?def\\s+(\\w+)"));
    static const QRegularExpression importLine(QStringLiteral("^\\s*import\\s+(.+)"));
    static const QRegularExpression fromLine(QStringLiteral("^\\s*from\\s+([\\w.]+)\\s+import\\s+(.+)"));
    static const QRegularExpression decoratorLine(QStringLiteral("^\\s*@([\\w.]+)"));
    static const QRegularExpression call(QStringLiteral("\\b(load_inline|load)\\s*\\("));
    if (const auto match = classLine.match(line); match.hasMatch())
        note(facts.classes, match.captured(1), number);
    else if (const auto function = functionLine.match(line); function.hasMatch())
        note(facts.functions, function.captured(1), number);
    else if (const auto import = importLine.match(line); import.hasMatch())
        noteImports(import.captured(1), number, facts);
    else if (const auto from = fromLine.match(line); from.hasMatch()) {
        note(facts.imports, from.captured(1), number);
        const QStringList names = from.captured(2).split(QLatin1Char(','));
        const QString module =
            from.captured(1).endsWith(QLatin1Char('.')) ? from.captured(1) : from.captured(1) + QLatin1Char('.');
        for (const QString &name : names)
            note(facts.imports, module + name.trimmed().section(QLatin1Char(' '), 0, 0), number);
    } else if (const auto decorator = decoratorLine.match(line); decorator.hasMatch())
        note(facts.decorators, decorator.captured(1), number);
    else if (const auto called = call.match(line); called.hasMatch())
        note(facts.calls, called.captured(1), number);
    if (line.startsWith(QLatin1String("if __name__")))
        facts.hasMainGuard = true;
}

} // namespace

PythonFacts scanPython(const QByteArray &text)
{
    PythonFacts facts;
    const QList<QByteArray> lines = withoutStrings(text).split('\n');
    int number = 0;
    for (const QByteArray &line : lines)
        scanLine(QString::fromUtf8(line), ++number, facts);
    return facts;
}

} // namespace ako
