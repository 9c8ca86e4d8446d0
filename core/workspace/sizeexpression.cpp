// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/sizeexpression.h"

#include "eval/expression.h"

#include <QRegularExpression>

#include <stdexcept>

namespace ako {

namespace {

// `text` with the caller's constants put in until only numbers and our axes are left; empty: something else is.
QString resolved(QString text, const SizeFacts &facts, const QMap<QString, QString> &axes, int depth)
{
    static const QRegularExpression bytes(QStringLiteral("\\*?\\s*\\bsizeof\\s*\\([^)]*\\)\\s*\\*?"));
    static const QRegularExpression casts(
        QStringLiteral("\\bstatic_cast\\s*<[^>]*>|\\(\\s*(?:std\\s*::\\s*)?(?:size_t|int64_t|long|int)\\s*\\)|\\b(?:"
                       "std\\s*::\\s*)?size_t\\s*(?=\\()"));
    static const QRegularExpression name(QStringLiteral("[A-Za-z_]\\w*"));
    static const QRegularExpression spaces(QStringLiteral("\\s+"));
    text.replace(bytes, QStringLiteral(" ")).remove(casts);
    if (depth > 6)
        return {};
    QString result;
    qsizetype from = 0;
    for (const auto &match : name.globalMatch(text)) {
        const QString word = match.captured();
        const bool isSuffix = match.capturedStart() > 0 && text[match.capturedStart() - 1].isDigit();
        QString value = axes.value(word);
        if (value.isEmpty() && !isSuffix && facts.constants.contains(word))
            value = resolved(facts.constants.value(word), facts, axes, depth + 1);
        if (value.isEmpty() && !isSuffix)
            return {};
        const bool isPlain = value == axes.value(word) || !plainInteger(value).isEmpty();
        result +=
            text.mid(from, match.capturedStart() - from) + (isSuffix  ? QString()
                                                            : isPlain ? value
                                                                      : QLatin1Char('(') + value + QLatin1Char(')'));
        from = match.capturedEnd();
    }
    result += text.mid(from);
    result.remove(spaces);
    const QString number = plainInteger(result);
    return number.isEmpty() ? result : number;
}

} // namespace

qint64 sizeOf(const QString &text, const SizeFacts &facts)
{
    const QString expression = resolved(text, facts, {}, 0);
    try {
        return expression.isEmpty() ? 0 : eval::evaluateExpression(expression.toStdString(), {});
    } catch (const std::invalid_argument &) {
        return 0;
    }
}

QString lengthOf(const QString &argument, const SizeFacts &facts, const QMap<QString, QString> &axes)
{
    static const QRegularExpression name(QStringLiteral("[A-Za-z_]\\w*"));
    for (const auto &match : name.globalMatch(argument)) {
        if (facts.lengths.contains(match.captured()))
            return resolved(facts.lengths.value(match.captured()), facts, axes, 0);
    }
    return {};
}

} // namespace ako
