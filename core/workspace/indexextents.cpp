// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/indexextents.h"

#include "agents/tuner/polynomial.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ako {

namespace {

using tuner::Polynomial;
using Value = std::optional<Polynomial>;

constexpr qsizetype longestBody = 32 * 1024;
constexpr int deepest = 12; // definitions within definitions, brackets within brackets

// The largest value that names may have, exclusive: "i" -> "n"; and what they are defined as: "row" ->
// "blockIdx.y*...".
struct Facts
{
    QHash<QString, QString> bounds;
    QHash<QString, QString> starts;
    QHash<QString, QString> definitions;
    QHash<QString, std::pair<QString, QString>> aliases; // "row" -> ("x", "i*n")
};

QString withoutCasts(QString text)
{
    static const QRegularExpression casts(
        QStringLiteral("\\bstatic_cast\\s*<[^>]*>|\\(\\s*(?:std\\s*::\\s*)?(?:size_t|ptrdiff_t|u?int\\d*_t|long "
                       "long|long|unsigned|int)"
                       "\\s*\\)|\\b(?:std\\s*::\\s*)?size_t\\s*(?=\\()|\\bstd\\s*::\\s*"));
    return text.remove(casts);
}

// Sums and products of names and whole numbers. Each name becomes the largest (or smallest) value that it has.
class IndexReader
{
public:
    IndexReader(const Facts &facts, const QStringList &parameters)
        : m_facts(facts)
        , m_parameters(parameters)
    {
    }

    Value largest(const QString &text, int depth = 0) const { return read(text, true, depth); }

private:
    struct Cursor
    {
        QStringList tokens;
        qsizetype at = 0;
        bool wantsLargest = true;
        int depth = 0;

        bool accept(const QString &token)
        {
            const bool matches = at < tokens.size() && tokens[at] == token;
            at += matches ? 1 : 0;
            return matches;
        }
    };

    Value read(const QString &text, bool wantsLargest, int depth) const
    {
        static const QRegularExpression token(QStringLiteral("\\s*(\\d+[uUlL]*(?![\\w.])|[A-Za-z_][\\w.]*|[-+*(),])"));
        if (depth > deepest)
            return std::nullopt;
        Cursor cursor{{}, 0, wantsLargest, depth};
        const QString plain = withoutCasts(text).trimmed();
        qsizetype end = 0;
        for (const auto &match : token.globalMatch(plain)) {
            if (match.capturedStart() != end)
                return std::nullopt;
            cursor.tokens.append(match.captured(1));
            end = match.capturedEnd();
        }
        if (end != plain.size() || cursor.tokens.isEmpty())
            return std::nullopt;
        const Value value = sum(cursor);
        return cursor.at == cursor.tokens.size() ? value : std::nullopt;
    }

    Value sum(Cursor &cursor) const
    {
        Value total = product(cursor);
        while (total && cursor.at < cursor.tokens.size()) {
            const bool isMinus = cursor.tokens[cursor.at] == QLatin1String("-");
            if (!isMinus && cursor.tokens[cursor.at] != QLatin1String("+"))
                break;
            ++cursor.at;
            const bool before = cursor.wantsLargest;
            cursor.wantsLargest = isMinus ? !before : before; // what is taken away is to be small
            const Value next = product(cursor);
            cursor.wantsLargest = before;
            total = next ? Value(isMinus ? *total - *next : *total + *next) : std::nullopt;
        }
        return total;
    }

    Value product(Cursor &cursor) const
    {
        Value total = factor(cursor);
        while (total && cursor.accept(QStringLiteral("*"))) {
            const Value next = factor(cursor);
            total = next ? Value(*total * *next) : std::nullopt;
        }
        return total;
    }

    Value factor(Cursor &cursor) const
    {
        if (cursor.at >= cursor.tokens.size())
            return std::nullopt;
        const QString token = cursor.tokens[cursor.at++];
        if (token == QLatin1String("("))
            return group(cursor);
        if (token[0].isDigit())
            return Polynomial(QString(token).remove(QRegularExpression(QStringLiteral("[uUlL]+$"))).toLongLong());
        if (token == QLatin1String("min") && cursor.accept(QStringLiteral("(")))
            return smallerOf(cursor);
        return token[0].isLetter() || token[0] == QLatin1Char('_') ? name(token, cursor) : std::nullopt;
    }

    Value group(Cursor &cursor) const
    {
        if (++cursor.depth > deepest)
            return std::nullopt;
        const Value inside = sum(cursor);
        return cursor.accept(QStringLiteral(")")) ? inside : std::nullopt;
    }

    // One of the two that is known is an upper bound already.
    Value smallerOf(Cursor &cursor) const
    {
        const qsizetype from = cursor.at;
        const auto skipTo = [&](const QString &stop) {
            int open = 0;
            for (; cursor.at < cursor.tokens.size(); ++cursor.at) {
                if (open == 0 && cursor.tokens[cursor.at] == stop)
                    return;
                open += cursor.tokens[cursor.at] == QLatin1String("(") ? 1 : 0;
                open -= cursor.tokens[cursor.at] == QLatin1String(")") ? 1 : 0;
            }
        };
        skipTo(QStringLiteral(","));
        const QString first = cursor.tokens.mid(from, cursor.at - from).join(QLatin1Char(' '));
        const qsizetype second = ++cursor.at;
        skipTo(QStringLiteral(")"));
        const QString last = cursor.tokens.mid(second, cursor.at - second).join(QLatin1Char(' '));
        ++cursor.at;
        const Value right = read(last, cursor.wantsLargest, cursor.depth + 1);
        const bool isPlain = m_parameters.contains(first.trimmed());
        return right && !isPlain ? right : read(first, cursor.wantsLargest, cursor.depth + 1);
    }

    Value name(const QString &name, const Cursor &cursor) const
    {
        const int depth = cursor.depth + 1;
        if (cursor.wantsLargest && m_facts.bounds.contains(name)) {
            const Value bound = read(m_facts.bounds.value(name), true, depth);
            return bound ? Value(*bound - Polynomial(1)) : std::nullopt;
        }
        if (!cursor.wantsLargest && m_facts.starts.contains(name)) {
            const Value start = read(m_facts.starts.value(name), false, depth);
            return start ? start : Value(Polynomial(0));
        }
        if (m_facts.definitions.contains(name))
            return read(m_facts.definitions.value(name), cursor.wantsLargest, depth);
        return m_parameters.contains(name) ? Value(Polynomial::variable(name.toStdString())) : std::nullopt;
    }

    const Facts &m_facts;
    const QStringList &m_parameters;
};

// A name with two meanings is none that can be told.
void noteOnce(QHash<QString, QString> &into, const QString &name, const QString &value)
{
    const QString plain = value.simplified();
    if (into.contains(name) && into.value(name) != plain)
        into.insert(name, QStringLiteral("?"));
    else
        into.insert(name, plain);
}

void noteLoops(const QString &body, const QStringList &parameters, Facts &facts)
{
    static const QRegularExpression loop(
        QStringLiteral("\\bfor\\s*\\(\\s*(?:[\\w:]+\\s+)*(\\w+)\\s*=\\s*([^;]+);\\s*\\1\\s*(<=?|!=)\\s*([^;]+);"));
    for (const auto &match : loop.globalMatch(body)) {
        if (parameters.contains(match.captured(1)))
            continue;
        const QString bound = match.captured(4);
        noteOnce(facts.bounds, match.captured(1),
                 match.captured(3) == QLatin1String("<=") ? QStringLiteral("(%1)+1").arg(bound) : bound);
        noteOnce(facts.starts, match.captured(1), match.captured(2));
    }
}

void noteGuards(const QString &body, const QStringList &parameters, Facts &facts)
{
    static const QRegularExpression leaves(
        QStringLiteral("\\bif\\s*\\(([^{};]*)\\)\\s*\\{?\\s*(?:return|continue)\\b"));
    static const QRegularExpression tooLarge(QStringLiteral("\\b(\\w+)\\s*>=\\s*([\\w.]+(?:\\s*[-+*]\\s*\\w+)*)"));
    static const QRegularExpression enters(QStringLiteral("\\bif\\s*\\(([^{};|]*)\\)"));
    static const QRegularExpression below(QStringLiteral("\\b(\\w+)\\s*<\\s*([\\w.]+(?:\\s*[-+*]\\s*\\w+)*)(?![=<])"));
    const auto note = [&](const QRegularExpression &where, const QRegularExpression &what) {
        for (const auto &guard : where.globalMatch(body)) {
            for (const auto &match : what.globalMatch(guard.captured(1))) {
                if (!facts.bounds.contains(match.captured(1)) && !parameters.contains(match.captured(1)))
                    noteOnce(facts.bounds, match.captured(1), match.captured(2));
            }
        }
    };
    note(leaves, tooLarge);
    note(enters, below);
}

void noteDefinitions(const QString &body, Facts &facts)
{
    static const QRegularExpression number(QStringLiteral("\\b(?:auto|int|long|unsigned|(?:std\\s*::\\s*)?(?:size_t|"
                                                          "ptrdiff_t|u?int(?:32|64)_t))(?:\\s+const)?\\s+(\\w+)\\s*"
                                                          "=\\s*([^;,{}]+)(?=;)"));
    static const QRegularExpression pointer(
        QStringLiteral("\\b\\w+\\s*(?:const\\s*)?\\*\\s*(?:const\\s+|__restrict__\\s+|__restrict\\s+)*(\\w+)\\s*=\\s*&?"
                       "\\s*(\\w+)\\s*(?:\\+\\s*("
                       "[^;,{}]+)|\\[([^;\\]]+)\\])?\\s*;"));
    for (const auto &match : number.globalMatch(body)) {
        if (!facts.bounds.contains(match.captured(1)))
            noteOnce(facts.definitions, match.captured(1), match.captured(2));
    }
    for (const auto &match : pointer.globalMatch(body)) {
        QString offset = match.captured(3) + match.captured(4);
        if (offset.isEmpty())
            offset = QStringLiteral("0");
        const bool isKnown = facts.aliases.contains(match.captured(1));
        facts.aliases.insert(match.captured(1), {match.captured(2), isKnown ? QStringLiteral("?") : offset});
    }
}

// What stands between the bracket at `open` and its end.
QString bracketed(const QString &text, qsizetype open)
{
    int depth = 0;
    for (qsizetype at = open; at < text.size(); ++at) {
        depth += text[at] == QLatin1Char('[') ? 1 : 0;
        depth -= text[at] == QLatin1Char(']') ? 1 : 0;
        if (depth == 0)
            return text.mid(open + 1, at - open - 1);
    }
    return {};
}

// With sizes that no two expressions of a kernel share: enough to tell which of two indices is the larger.
double sampled(const Polynomial &polynomial)
{
    double total = 0.0;
    for (const auto &[names, factor] : polynomial.terms()) {
        double term = double(factor);
        for (const std::string &name : names)
            term *= 1009.0 + 7.0 * double(std::hash<std::string>{}(name) % 64);
        total += term;
    }
    return total;
}

QString written(const Polynomial &polynomial)
{
    QStringList positive;
    QString negative;
    QString alone; // the constant, behind the others
    for (const auto &[names, factor] : polynomial.terms()) {
        QStringList parts;
        for (const std::string &name : names)
            parts.append(QString::fromStdString(name));
        const long long size = std::llabs(factor);
        if (size != 1 || parts.isEmpty())
            parts.prepend(QString::number(size));
        const QString term = parts.join(QLatin1Char('*'));
        if (factor > 0 && names.empty())
            alone = term;
        else if (factor > 0)
            positive.append(term);
        else
            negative += QLatin1Char('-') + term;
    }
    if (!alone.isEmpty())
        positive.append(alone);
    return positive.join(QLatin1Char('+')) + negative;
}

// Uses of a name but as "name[": 'p' where it is handed on whole, 'a' where another pointer is made from it, else 'o'.
QSet<char> otherUses(const QString &body, const QString &name, const Facts &facts)
{
    const QRegularExpression use(QStringLiteral("(?<![\\w.])%1\\b(?!\\s*\\[)").arg(name));
    QSet<char> uses;
    for (const auto &match : use.globalMatch(body)) {
        const QString before = body.mid(std::max<qsizetype>(0, match.capturedStart() - 200),
                                        std::min<qsizetype>(200, match.capturedStart()))
                                   .trimmed();
        const QString after = body.mid(match.capturedEnd(), 200).trimmed();
        const bool isArgument = (before.endsWith(QLatin1Char('(')) || before.endsWith(QLatin1Char(','))) &&
                                (after.startsWith(QLatin1Char(')')) || after.startsWith(QLatin1Char(',')));
        const bool makesAlias =
            before.endsWith(QLatin1Char('=')) && std::any_of(facts.aliases.cbegin(), facts.aliases.cend(),
                                                             [&](const auto &alias) { return alias.first == name; });
        const bool isDeclared = facts.aliases.contains(name) && after.startsWith(QLatin1Char('='));
        if (!isDeclared)
            uses.insert(isArgument ? 'p' : makesAlias ? 'a' : 'o');
    }
    return uses;
}

// What is reached through each pointer, its aliases included; absent: it cannot be told.
void noteAccesses(const QString &body, const Facts &facts, const IndexReader &reader, const QStringList &parameters,
                  QMap<QString, Value> &reached)
{
    static const QRegularExpression access(QStringLiteral("(?<![\\w.>])(\\w+)\\s*\\["));
    for (const auto &match : access.globalMatch(body)) {
        QString name = match.captured(1);
        QString index = bracketed(body, match.capturedEnd() - 1);
        if (facts.aliases.contains(name)) {
            index = QStringLiteral("(%1)+(%2)").arg(facts.aliases.value(name).second, index);
            name = facts.aliases.value(name).first;
        }
        if (!parameters.contains(name))
            continue;
        const Value largest = reader.largest(index);
        Value &known = reached.contains(name) ? reached[name] : *reached.insert(name, Polynomial(-1));
        if (!largest || largest->isTooLarge())
            known.reset();
        else if (known && sampled(*largest) > sampled(*known))
            known = largest;
    }
}

// Whether an element is changed by what it held, and none is ever simply set.
bool isAddedTo(const QString &body, const QString &name)
{
    static const QRegularExpression changed(QStringLiteral("^\\s*(?:[-+*/%&|^]=|<<=|>>=|\\+\\+|--)"));
    static const QRegularExpression set(QStringLiteral("^\\s*=(?!=)"));
    const QRegularExpression access(QStringLiteral("(?<![\\w.>])%1\\s*\\[").arg(name));
    bool isChanged = false;
    for (const auto &match : access.globalMatch(body)) {
        const qsizetype open = match.capturedEnd() - 1;
        const QString after = body.mid(open + bracketed(body, open).size() + 2, 8);
        if (set.match(after).hasMatch())
            return false;
        isChanged = isChanged || changed.match(after).hasMatch();
    }
    return isChanged;
}

} // namespace

IndexExtents indexExtents(const QString &body, const QStringList &parameters)
{
    if (body.size() > longestBody)
        return {};
    Facts facts;
    noteLoops(body, parameters, facts);
    noteGuards(body, parameters, facts);
    noteDefinitions(body, facts);
    QMap<QString, Value> reached;
    noteAccesses(body, facts, IndexReader(facts, parameters), parameters, reached);
    for (auto alias = facts.aliases.cbegin(); alias != facts.aliases.cend(); ++alias) {
        if (reached.contains(alias->first) && !otherUses(body, alias.key(), facts).isEmpty())
            reached[alias->first].reset();
    }
    IndexExtents extents;
    for (const QString &name : parameters) {
        if (isAddedTo(body, name))
            extents.addedTo.append(name);
        const QSet<char> uses = otherUses(body, name, facts);
        const bool isIndexedOnly = !uses.contains('o') && !uses.contains('p');
        const Value value = reached.value(name);
        if (value && isIndexedOnly && sampled(*value) >= 0.0)
            extents.lengths.insert(name, written(*value + Polynomial(1)));
        else if (!reached.contains(name) && uses == QSet<char>{'p'})
            extents.passedOn.append(name);
    }
    return extents;
}

} // namespace ako
