// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/directives.h"

#include "agents/tuner/restrictions.h"
#include "workspace/hints.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <cmath>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Directives", text);
}

QRegularExpression pattern(const QString &text)
{
    return QRegularExpression(text, QRegularExpression::CaseInsensitiveOption |
                                        QRegularExpression::UseUnicodePropertiesOption);
}

const QString &numberPattern()
{
    static const QString text =
        QStringLiteral("([-\u2212]?\\d+(?:[.,]\\d+)?|half "
                       "an?|an?|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|"
                       "thirty|forty|fifty|sixty|ninety|(?:a |one )?hundred|a dozen)");
    return text;
}

double numberOf(const QString &text)
{
    static const QHash<QString, double> words{
        {QStringLiteral("half a"), 0.5},  {QStringLiteral("half an"), 0.5},   {QStringLiteral("a"), 1},
        {QStringLiteral("an"), 1},        {QStringLiteral("zero"), 0},        {QStringLiteral("one"), 1},
        {QStringLiteral("two"), 2},       {QStringLiteral("three"), 3},       {QStringLiteral("four"), 4},
        {QStringLiteral("five"), 5},      {QStringLiteral("six"), 6},         {QStringLiteral("seven"), 7},
        {QStringLiteral("eight"), 8},     {QStringLiteral("nine"), 9},        {QStringLiteral("ten"), 10},
        {QStringLiteral("eleven"), 11},   {QStringLiteral("twelve"), 12},     {QStringLiteral("fifteen"), 15},
        {QStringLiteral("twenty"), 20},   {QStringLiteral("thirty"), 30},     {QStringLiteral("forty"), 40},
        {QStringLiteral("fifty"), 50},    {QStringLiteral("sixty"), 60},      {QStringLiteral("ninety"), 90},
        {QStringLiteral("hundred"), 100}, {QStringLiteral("a hundred"), 100}, {QStringLiteral("one hundred"), 100},
        {QStringLiteral("a dozen"), 12},
    };
    const QString lower = text.toLower();
    const auto word = words.constFind(lower);
    if (word != words.cend())
        return *word;
    return QString(lower)
        .replace(QLatin1Char(','), QLatin1Char('.'))
        .replace(QChar(0x2212), QLatin1Char('-'))
        .toDouble();
}

// Words that say "and then end": "stop after", "at most", "for no more than", "cap:".
const QString &limitPattern()
{
    static const QString text = QStringLiteral(
        "(?:(?:stop|finish|end|quit|halt|terminate|give up)(?: the| this)?(?: run| loop| search| optimi[sz]ation)?"
        "(?: no later than| at the latest)? (?:after|within|at|in)(?: at most| no more than)?|"
        "at most|at the most|no more than|not more than|up to|max(?:imum)?\\.?(?: of)?|"
        "limit(?:ed)?(?: it| yourself| the run)?(?: to| of| at)|cap(?:ped)?(?: it)?(?: of| at| to)|"
        "(?:iteration|time|cost|budget|run)s? (?:cap|limit|budget)(?: is| of)?\\s*[:=]?|(?:cap|limit|budget)\\s*[:=]|"
        "(?:do|run|try|make|use|spend)(?: only| at most| up to)?|only|for|within)");
    return text;
}

const QString &iterationWords()
{
    static const QString text = QStringLiteral("(?:optimi[sz]ation )?(?:iterations?|iters?|attempts|rounds|tries)");
    return text;
}

constexpr int mostIterations = 1'000'000;
constexpr double longestSeconds = 365.0 * 86400;

// Said, and not passed over: who asks for a cap that cannot be would else get a run without one.
void refuse(const QString &statement, const QString &why, Directives &into)
{
    const QString refusal = QStringLiteral("\u201c%1\u201d: %2").arg(statement, why);
    if (!into.refused.contains(refusal))
        into.refused.append(refusal);
}

bool speaksOfTheKernel(const QString &statement)
{
    // "unroll at most 8 iterations of the loop" limits the code, not the run.
    static const QRegularExpression inner = pattern(
        QStringLiteral("\\b(unroll\\w*|peel\\w*|inner|iterations? of (the |a )?\\w*\\s?(loop|solver)|per (thread|"
                       "block|iteration|bench|trial)|each (thread|block|bench|trial))\\b"));
    return inner.match(statement).hasMatch();
}

QString iterationCap(const QString &statement, Directives &into)
{
    static const QRegularExpression before = pattern(QStringLiteral("\\b%1\\s*%2 (?:more )?%3\\b(?! (?:per|each)\\b)")
                                                         .arg(limitPattern(), numberPattern(), iterationWords()));
    static const QRegularExpression after =
        pattern(QStringLiteral("\\b%1 %2 (?:at (?:the )?most|max(?:imum)?|is the (?:cap|limit)|are enough|only)\\b")
                    .arg(numberPattern(), iterationWords()));
    static const QRegularExpression named =
        pattern(QStringLiteral("\\b(?:max(?:imum)?[ _-])?(?:iterations?(?:[ _-](?:cap|limit))?)\\s*(?:[:=]|is|to)\\s*"
                               "([-\u2212]?\\d+)\\b"));
    if (speaksOfTheKernel(statement))
        return {};
    for (const QRegularExpression *rule : {&before, &after, &named}) {
        const auto match = rule->match(statement);
        if (!match.hasMatch())
            continue;
        const double number = numberOf(match.captured(1));
        if (number < 1 || number > mostIterations || number != std::floor(number)) {
            refuse(statement, tr("a cap is a whole number of iterations from 1 to 1,000,000"), into);
            return {};
        }
        into.iterationCap = int(number);
        return tr("cap: %1 iterations").arg(*into.iterationCap);
    }
    return {};
}

double secondsOf(const QString &number, const QString &unit)
{
    const QChar first = unit.at(0).toLower();
    const double factor = first == QLatin1Char('d')   ? 86400
                          : first == QLatin1Char('h') ? 3600
                          : first == QLatin1Char('m') ? 60
                                                      : 1;
    return numberOf(number) * factor;
}

QString durationText(int seconds)
{
    QStringList parts;
    const auto add = [&](int count, const QString &unit) {
        if (count > 0)
            parts.append(QStringLiteral("%1 %2").arg(count).arg(unit));
    };
    add(seconds / 3600, QStringLiteral("h"));
    add(seconds % 3600 / 60, QStringLiteral("min"));
    add(seconds % 60, QStringLiteral("s"));
    return parts.join(QLatin1Char(' '));
}

QString timeCap(const QString &statement, Directives &into)
{
    static const QString unit = QStringLiteral("(days?|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)");
    static const QString duration =
        QStringLiteral("%1[ -]?%2(?:(?: and)? ?(\\d+) ?(minutes?|mins?|m|seconds?|secs?|s)?)?")
            .arg(numberPattern(), unit);
    static const QRegularExpression rule =
        pattern(QStringLiteral("\\b(?:%1|take(?:s)? (?:longer|more) than|longer than)\\s*%2(?![\\w%])")
                    .arg(limitPattern(), duration));
    const auto match = rule.match(statement);
    if (!match.hasMatch() || speaksOfTheKernel(statement))
        return {};
    double seconds = secondsOf(match.captured(1), match.captured(2));
    if (!match.captured(3).isEmpty()) // "1h30" means minutes
        seconds += secondsOf(match.captured(3), match.captured(4).isEmpty() ? QStringLiteral("m") : match.captured(4));
    if (seconds < 1 || seconds > longestSeconds) {
        refuse(statement, tr("a time cap is from one second to a year"), into);
        return {};
    }
    into.timeCapSeconds = int(std::lround(seconds));
    return tr("time cap: %1").arg(durationText(*into.timeCapSeconds));
}

QString costCap(const QString &statement, Directives &into)
{
    static const QRegularExpression rule = pattern(
        QStringLiteral(
            "\\b%1\\s*(?:\\$\\s?([-\u2212]?\\d+(?:\\.\\d+)?)|([-\u2212]?\\d+(?:\\.\\d+)?)\\s?(?:\\$|usd|dollars?))")
            .arg(limitPattern()));
    const auto match = rule.match(statement);
    if (!match.hasMatch())
        return {};
    const double dollars = numberOf(match.captured(1) + match.captured(2));
    if (dollars < 0) {
        refuse(statement, tr("a cost cap is not negative"), into);
        return {};
    }
    into.costCapDollars = dollars;
    return tr("cost cap: $%1 (as far as an agent reports what it costs)")
        .arg(QString::number(*into.costCapDollars, 'f', 2));
}

QString profilerBan(const QString &statement, Directives &into)
{
    static const QRegularExpression rule = pattern(QStringLiteral(
        "\\b(no|without|skip|never (?:use|run|try)|(?:do not|don['’]?t|must not|avoid)(?: us(?:e|ing)| run(?:ning)?| "
        "try(?:ing)?)?)( the| any)? (ncu|nsight(?: compute)?|profil(?:er|ers|ing|e))\\b"));
    if (!rule.match(statement).hasMatch())
        return {};
    into.noProfiler = true;
    return tr("no profiler");
}

QString installBan(const QString &statement, Directives &into)
{
    static const QRegularExpression rule =
        pattern(QStringLiteral("\\b((?:do not|don['’]?t|never|must not|without|avoid) (?:pip[ -])?install(?:ing)?\\b|"
                               "no (?:new |further )?(?:(?:pip|package|software) "
                               ")?install(?:s|ing|ation|ations)?\\b|no new (?:packages|dependencies)\\b)"));
    if (!rule.match(statement).hasMatch())
        return {};
    into.noInstall = true;
    return tr("nothing is installed");
}

QString languagePreference(const QString &statement, Directives &into)
{
    static const QString languages = QStringLiteral(
        "(CUDA C\\+\\+|CUDA|C\\+\\+|Triton|TileLang|CuTe(?: DSL)?|cuTile|HIP|PyTorch|Python|OpenCL|C)(?![\\w+])");
    static const QRegularExpression rule =
        pattern(QStringLiteral(
                    "(?:\\b(?:stay|keep (?:it|this|the kernel|everything)|write (?:it|everything|the kernel)|"
                    "rewrite(?: it| the kernel| everything)?|implement(?: it)?|remain|translate(?: it)?|port(?: it)?) "
                    "(?:purely |only )?(?:in|to|into|with) |\\b(?:prefer|only use|use only|stick to|stick with) "
                    "(?:plain |pure )?|"
                    "\\blanguage\\s*[:=]\\s*)%1")
                    .arg(languages));
    const auto match = rule.match(statement);
    if (!match.hasMatch())
        return {};
    into.language = match.captured(1);
    return tr("language: %1 (for the agent)").arg(into.language);
}

// A path stands in quotes or backticks, or shows itself by a slash or a suffix.
QStringList pathsIn(const QString &text)
{
    static const QRegularExpression rule(
        QStringLiteral("`([^`]+)`|\"([^\"]+)\"|((?:[\\p{L}\\p{N}_.~+-]*/"
                       ")+[\\p{L}\\p{N}_.+*-]*|[\\p{L}\\p{N}_+-]+(?:\\.[\\p{L}\\p{N}_+-]+)*"
                       "\\.[A-Za-z][A-Za-z0-9]{0,10}\\b)"));
    QStringList paths;
    auto matches = rule.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        QString path = match.captured(1) + match.captured(2) + match.captured(3);
        while (path.endsWith(QLatin1Char('.')))
            path.chop(1);
        if (!path.isEmpty())
            paths.append(path);
    }
    return paths;
}

// Techniques and libraries, as far as the tuner obeys.
QString ruledOut(const QString &statement, Directives &)
{
    const std::string summary = tuner::parseRestrictions(statement.toStdString()).summary();
    return summary.empty() ? QString() : tr("the tuner leaves out: %1").arg(QString::fromStdString(summary));
}

QString frozenPaths(const QString &statement, Directives &into)
{
    static const QRegularExpression before = pattern(QStringLiteral(
        "\\b(?:(?:do not|don['’]?t|never|must not) (?:change|touch|modify|edit|alter|rewrite|delete|move)|"
        "without (?:changing|touching|modifying|editing)|leave)\\b(.*)"));
    static const QRegularExpression after = pattern(QStringLiteral(
        "(.*)\\b(?:(?:must|should|may|shall) (?:not|never) (?:be )?(?:change|touche?|modif(?:y|ie)|edite?|altere?)d?|"
        "(?:is|are) (?:frozen|read-only|off limits)|keep (?=.*unchanged)|stays? (?:as it is|unchanged))"));
    static const QRegularExpression keep =
        pattern(QStringLiteral("\\bkeep (.*) (?:unchanged|as (?:it is|is|they are)|intact)\\b"));
    QStringList found;
    for (const QRegularExpression *rule : {&before, &after, &keep}) {
        const auto match = rule->match(statement);
        if (match.hasMatch())
            found += pathsIn(match.captured(1));
    }
    found.removeDuplicates();
    if (found.isEmpty())
        return {};
    into.frozenPaths += found;
    into.frozenPaths.removeDuplicates();
    return tr("must not change: %1").arg(found.join(QStringLiteral(", ")));
}

QStringList applyRules(const QString &text, Directives &into)
{
    QStringList recognised;
    for (const auto rule :
         {iterationCap, timeCap, costCap, profilerBan, installBan, languagePreference, ruledOut, frozenPaths}) {
        const QString description = rule(text, into);
        if (!description.isEmpty())
            recognised.append(description);
    }
    return recognised;
}

// Of a statement that is understood in part, the pieces without which the same would be understood.
QStringList passedOver(const QString &text, const QStringList &recognised)
{
    const QString comma = QStringLiteral(", ");
    const QStringList pieces = text.split(comma);
    QStringList found;
    for (qsizetype index = 0; pieces.size() > 1 && index < pieces.size(); ++index) {
        QStringList others = pieces;
        others.removeAt(index);
        Directives read;
        if (applyRules(others.join(comma), read) == recognised)
            found.append(pieces.at(index));
    }
    return found;
}

} // namespace

QStringList recogniseStatement(const QString &statement, Directives &into)
{
    const QString text = statement.simplified();
    const qsizetype refusedBefore = into.refused.size();
    QStringList recognised = applyRules(text, into);
    into.descriptions += recognised;
    into.descriptions.removeDuplicates();
    if (!recognised.isEmpty())
        into.unrecognised += passedOver(text, recognised);
    else if (into.refused.size() == refusedBefore && !text.isEmpty())
        into.unrecognised.append(text);
    into.unrecognised.removeDuplicates();
    return recognised;
}

QString capInForce(const Directives &directives, int planCap)
{
    if (!directives.iterationCap || planCap <= 0 || *directives.iterationCap == planCap)
        return {};
    return *directives.iterationCap < planCap
               ? tr("HINTS.md's cap of %1 iterations holds: it is smaller than the plan's %2")
                     .arg(*directives.iterationCap)
                     .arg(planCap)
               : tr("the plan's cap of %1 iterations holds: it is smaller than the %2 of HINTS.md")
                     .arg(planCap)
                     .arg(*directives.iterationCap);
}

Directives recogniseDirectives(const QString &hintsText)
{
    Directives directives;
    const QList<HintItem> items = parseHints(hintsText);
    for (const HintItem &item : items) {
        const QStringList statements = splitStatements(item.text);
        for (const QString &statement : statements)
            recogniseStatement(statement, directives);
    }
    return directives;
}

QStringList splitStatements(const QString &text)
{
    // A sentence's end, not the dot of "e.g." or of "a.cpp"; or a comma or "and" before what can only be a directive.
    static const QRegularExpression border = pattern(QStringLiteral(
        "(?<!e\\.g)(?<!i\\.e)(?<!\\bvs)(?<!\\betc)(?<!approx)[.!?;]+(?=\\s|$)|[\\r\\n]+|"
        ",?\\s+(?:and|but)\\s+(?=(?:stop|finish|do not|don['’]?t|never|follow|without)\\b)|"
        ",\\s+(?=(?:stop|finish|at most|no more than|do not|don['’]?t|never|no ncu|no profil|follow|without)\\b)"));
    QStringList statements;
    const QStringList pieces = text.split(border, Qt::SkipEmptyParts);
    for (const QString &piece : pieces) {
        const QString statement = piece.trimmed();
        if (!statement.isEmpty())
            statements.append(statement);
    }
    return statements;
}

QStringList mentionedPaths(const QString &text)
{
    return pathsIn(text);
}

} // namespace ako
