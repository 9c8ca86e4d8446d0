// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/sizescanner.h"

#include <QRegularExpression>

#include <algorithm>

namespace ako {

namespace {

constexpr qsizetype mostCalls = 500;
constexpr qsizetype mostDocumented = 8; // values of one name
constexpr qsizetype longestList = 2000; // characters between a call's parentheses

// The arguments of the list whose parenthesis opens at `open`.
QStringList argumentsAt(const QString &text, qsizetype open)
{
    QStringList arguments;
    QString current;
    int depth = 0;
    for (qsizetype at = open; at < std::min(text.size(), open + longestList); ++at) {
        const QChar c = text[at];
        if (c == u'(' || c == u'[' || c == u'{')
            ++depth;
        if (c == u')' || c == u']' || c == u'}')
            --depth;
        const bool isEnd = depth == 0;
        if (isEnd || (depth == 1 && c == u',')) {
            arguments.append(current.simplified());
            current.clear();
            if (isEnd)
                return arguments;
        } else if (at > open) {
            current += c;
        }
    }
    return {};
}

void noteOnce(QMap<QString, QString> &into, const QString &name, const QString &value)
{
    if (!name.isEmpty() && !value.simplified().isEmpty() && !into.contains(name))
        into.insert(name, value.simplified());
}

void noteConstants(const QString &text, SizeFacts &facts)
{
    static const QRegularExpression macro(QStringLiteral("^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)[ \\t]+([^\\n]+)$"),
                                          QRegularExpression::MultilineOption);
    static const QRegularExpression variable(
        QStringLiteral("\\b(?:int|long|unsigned|auto|size_t|ptrdiff_t|u?int(?:32|64)_t)(?:\\s+const)?\\s+(\\w+)\\s*(?:="
                       "|\\{)\\s*([^;,{}]+)"));
    static const QRegularExpression next(QStringLiteral("\\G\\s*,\\s*(\\w+)\\s*=\\s*([^;,{}]+)"));
    for (const auto &match : macro.globalMatch(text))
        noteOnce(facts.constants, match.captured(1), match.captured(2));
    for (const auto &match : variable.globalMatch(text)) {
        noteOnce(facts.constants, match.captured(1), match.captured(2));
        for (auto more = next.match(text, match.capturedEnd()); more.hasMatch();
             more = next.match(text, more.capturedEnd()))
            noteOnce(facts.constants, more.captured(1), more.captured(2));
    }
}

// "for (int n : {256, 1024})", "for (int n : sizes)" and "int n = sizes[i];", with the list.
void noteLists(const QString &text, SizeFacts &facts)
{
    static const QRegularExpression list(
        QStringLiteral("\\b(\\w+)\\s*(?:\\[\\s*\\w*\\s*\\])?\\s*=?\\s*\\{([^{}]*)\\}\\s*;"));
    static const QRegularExpression loop(
        QStringLiteral("\\bfor\\s*\\([^;:(){}]*?\\b(\\w+)\\s*:\\s*(?:\\{([^{}]*)\\}|(\\w+))\\s*\\)"));
    static const QRegularExpression element(QStringLiteral("^(\\w+)\\s*\\[\\s*\\w+\\s*\\]$"));
    const auto members = [](const QString &inside) {
        QStringList values = inside.split(u',', Qt::SkipEmptyParts);
        for (QString &value : values)
            value = value.simplified();
        return values;
    };
    QMap<QString, QStringList> named;
    for (const auto &match : list.globalMatch(text))
        named.insert(match.captured(1), members(match.captured(2)));
    for (const auto &match : loop.globalMatch(text)) {
        const QStringList values =
            match.captured(3).isEmpty() ? members(match.captured(2)) : named.value(match.captured(3));
        if (!values.isEmpty())
            facts.lists.insert(match.captured(1), values);
    }
    for (auto constant = facts.constants.cbegin(); constant != facts.constants.cend(); ++constant) {
        const auto match = element.match(constant.value());
        if (match.hasMatch() && named.contains(match.captured(1)))
            facts.lists.insert(constant.key(), named.value(match.captured(1)));
    }
    for (auto values = facts.lists.cbegin(); values != facts.lists.cend(); ++values)
        facts.constants.remove(values.key());
}

void noteLengths(const QString &text, SizeFacts &facts)
{
    static const QRegularExpression container(QStringLiteral("\\bvector\\s*<[^;>]+>\\s*(\\w+)\\s*\\("));
    static const QRegularExpression array(QStringLiteral("(\\w+)\\s*=\\s*new\\s+\\w+\\s*\\[([^\\]]+)\\]"));
    static const QRegularExpression unique(
        QStringLiteral("(\\w+)\\s*=\\s*(?:std\\s*::\\s*)?make_unique\\s*<[^;>]+\\[\\]\\s*>\\s*\\("));
    static const QRegularExpression allocated(
        QStringLiteral("(\\w+)\\s*=[^;=]*\\b(malloc|aligned_alloc|calloc)\\s*\\("));
    static const QRegularExpression device(
        QStringLiteral("\\b(?:cuda|hip)Malloc(?:Managed|Host)?\\s*(\\()\\s*(?:\\([^)]*\\)\\s*)?&\\s*(\\w+)"));
    static const QRegularExpression stack(
        QStringLiteral("\\b(?:float|double|int|char|short|long|u?int\\d+_t)\\s+(\\w+)\\s*\\[([^\\]]+)\\]\\s*[;={]"));
    for (const QRegularExpression *rule : {&container, &unique}) {
        for (const auto &match : rule->globalMatch(text))
            noteOnce(facts.lengths, match.captured(1), argumentsAt(text, match.capturedEnd() - 1).value(0));
    }
    for (const QRegularExpression *rule : {&array, &stack}) {
        for (const auto &match : rule->globalMatch(text))
            noteOnce(facts.lengths, match.captured(1), match.captured(2));
    }
    for (const auto &match : allocated.globalMatch(text)) {
        const QStringList arguments = argumentsAt(text, match.capturedEnd() - 1);
        const bool isCount = match.captured(2) == QLatin1String("calloc");
        noteOnce(facts.lengths, match.captured(1), arguments.value(isCount ? 0 : arguments.size() - 1));
    }
    for (const auto &match : device.globalMatch(text))
        noteOnce(facts.lengths, match.captured(2), argumentsAt(text, match.capturedStart(1)).value(1));
}

// "void f(" declares or defines; a call follows an operator, a bracket or "return".
bool isDeclared(const QString &text, qsizetype name)
{
    const QString before = text.mid(std::max<qsizetype>(0, name - 40), std::min<qsizetype>(name, 40)).trimmed();
    static const QRegularExpression type(QStringLiteral("(\\w+)\\s*[*&]*$"));
    const QString word = type.match(before).captured(1);
    return !word.isEmpty() && word != QLatin1String("return") && word != QLatin1String("else") &&
           word != QLatin1String("do");
}

void noteCalls(const QString &text, SizeFacts &facts)
{
    static const QRegularExpression call(QStringLiteral("\\b([A-Za-z_]\\w*)\\s*(?:<<<[^;{}]*?>>>\\s*)?\\("));
    for (const auto &match : call.globalMatch(text)) {
        if (facts.calls.size() >= mostCalls)
            return;
        const QStringList arguments = argumentsAt(text, match.capturedEnd() - 1);
        if (arguments.size() >= 2 && !isDeclared(text, match.capturedStart()))
            facts.calls.append(
                {match.captured(1), arguments, int(QStringView(text).left(match.capturedStart()).count(u'\n')) + 1});
    }
}

} // namespace

SizeFacts scanSizes(const QByteArray &text)
{
    const QString source = QString::fromUtf8(text);
    SizeFacts facts;
    noteConstants(source, facts);
    noteLists(source, facts);
    noteLengths(source, facts);
    noteCalls(source, facts);
    return facts;
}

QString plainInteger(const QString &text)
{
    static const QRegularExpression number(
        QStringLiteral("^\\(?\\s*(\\d[\\d']*)[uUlLzZ]*\\s*(?:<<\\s*(\\d{1,2})\\s*)?\\)?$"));
    const auto match = number.match(text.simplified());
    if (!match.hasMatch())
        return {};
    bool isNumber = false;
    const qint64 value = match.captured(1).remove(u'\'').toLongLong(&isNumber);
    const int shift = match.captured(2).toInt();
    if (!isNumber || shift > 40 || value > (Q_INT64_C(1) << (62 - shift)))
        return {};
    return QString::number(value << shift);
}

QMap<QString, QList<qint64>> documentedSizes(const QByteArray &text)
{
    static const QRegularExpression pair(
        QStringLiteral("\\b([A-Za-z]\\w*)\\s*=\\s*(\\d{1,3}(?:[,_']\\d{3})+|\\d+)(?!\\w|\\.\\d)"));
    QMap<QString, QList<qint64>> sizes;
    for (const auto &match : pair.globalMatch(QString::fromUtf8(text))) {
        const qint64 value = match.captured(2).remove(QRegularExpression(QStringLiteral("[,_']"))).toLongLong();
        QList<qint64> &known = sizes[match.captured(1).toLower()];
        if (value > 0 && !known.contains(value) && known.size() < mostDocumented)
            known.append(value);
    }
    return sizes;
}

} // namespace ako
