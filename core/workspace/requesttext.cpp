// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/requesttext.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace ako {

namespace {

constexpr qsizetype lengthLimit = 64LL * 1024; // beyond it a text is taken as a hint as a whole

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Request", text);
}

QRegularExpression pattern(const QString &text)
{
    return QRegularExpression(text, QRegularExpression::CaseInsensitiveOption |
                                        QRegularExpression::UseUnicodePropertiesOption);
}

bool asksForSpeed(const QString &text)
{
    static const QRegularExpression rule = pattern(QStringLiteral(
        "\\b(faster|optimi[sz]e|optimi[sz]ing|optimi[sz]ation|speed[ -]?up|speed (it|this|them) up|accelerate|tune|"
        "tuning|improve|reduce (the )?(latency|runtime|run time|time)|beat|quicker|lower (the )?latency)\\b"));
    return rule.match(text).hasMatch();
}

// "Improve" alone may mean the text of a review; a wish for a new kernel stays one however fast it shall be.
QString refusalFor(const QString &text)
{
    static const QRegularExpression newKernel = pattern(
        QStringLiteral("\\b(write|create|implement|develop|generate|build|design|make)( me)?( a| an| the| some)?"
                       "( \\w+)?( new| fresh)( \\S+){0,3} (kernel|operator|op|implementation)\\b|"
                       "\\b(write|create|implement|develop|generate)( me)? (a|an|some)( \\S+){0,3} (kernel|operator)s? "
                       "(for|that|which|to)\\b|"
                       "\\bfrom scratch\\b"));
    static const QRegularExpression review =
        pattern(QStringLiteral("^\\W*(please )?(can you |could you )?(do a )?(code[ -])?review\\b|\\bcode "
                               "review\\b|\\breview (this|my|the) \\w+"));
    static const QRegularExpression advice = pattern(QStringLiteral(
        "^\\W*(please )?(can you |could you )?(explain|describe|summari[sz]e|document|translate|what (is|are|does)|"
        "why (is|are|does)|how (do|does|can|should) |which |should i )"));
    const QString what = tr("AKO4ALL makes an existing kernel faster against a reference.");
    if (newKernel.match(text).hasMatch() && !asksForSpeed(text))
        return tr("The request asks for a new kernel. %1 Put a first version that works into the workspace and ask for "
                  "that to be made faster.")
            .arg(what);
    if (review.match(text).hasMatch() && !asksForSpeed(text))
        return tr("The request asks for a review. %1").arg(what);
    if (advice.match(text).hasMatch() && !asksForSpeed(text))
        return tr("The request asks for an explanation or advice. %1").arg(what);
    return {};
}

bool isFollowStatement(const QString &statement, QStringList &paths)
{
    static const QRegularExpression rule =
        pattern(QStringLiteral("\\b(?:follow|obey|heed|respect|apply|adhere to|stick to|according to|see|read|as "
                               "(?:described|written|stated) in)\\b"
                               "(?: the| all| my)?(?: \\w+)?(?: \\w+)?(?: in| of| from)?\\s+(.*)"));
    const auto match = rule.match(statement);
    if (!match.hasMatch())
        return false;
    static const QRegularExpression document(QStringLiteral("\\.(md|markdown|txt|rst)$"));
    QStringList found = mentionedPaths(match.captured(1));
    found.removeIf([](const QString &path) { return !document.match(path).hasMatch(); });
    paths += found;
    return !found.isEmpty();
}

// "Optimise src/a.cpp": says what the run is for and nothing else; no hint for the agent.
bool isGoal(const QString &statement, ParsedRequest &parsed)
{
    static const QRegularExpression rule =
        pattern(QStringLiteral("^\\W*(?:please |can you |could you |i want (?:you )?to |let's "
                               ")*(?:optimi[sz]e|make|speed up|accelerate|tune|improve)\\b"));
    if (!rule.match(statement).hasMatch() || !asksForSpeed(statement))
        return false;
    static const QRegularExpression against =
        pattern(QStringLiteral("\\b(?:against|compared (?:to|with)|relative to|with reference)\\s+(.*)"));
    const auto reference = against.match(statement);
    const QString goal = reference.hasMatch() ? statement.left(reference.capturedStart()) : statement;
    parsed.kernelPaths += mentionedPaths(goal);
    if (reference.hasMatch())
        parsed.referencePaths += mentionedPaths(reference.captured(1));
    // What is left after the paths and the usual words: if anything, it says how, and the agent should read it.
    static const QRegularExpression usual =
        pattern(QStringLiteral("\\b(please|can|could|you|i|want|to|let's|optimi[sz]e|make|speed|up|accelerate|tune|"
                               "improve|it|this|that|the|my|our|kernel|kernels|"
                               "code|file|function|in|faster|run|runs|go|as|fast|possible|much|performance|of|against|"
                               "compared|with|relative|reference|a|lot)\\b"));
    QString rest = statement;
    for (const QString &path : parsed.kernelPaths + parsed.referencePaths)
        rest.remove(path);
    rest.remove(usual).remove(QRegularExpression(QStringLiteral("[\\W_]+")));
    return rest.isEmpty();
}

void take(const QString &statement, ParsedRequest &parsed)
{
    const QStringList recognised = recogniseStatement(statement, parsed.directives);
    const bool follows = isFollowStatement(statement, parsed.followPaths);
    const bool isGoalOnly = isGoal(statement, parsed);
    if (recognised.isEmpty() && (follows || isGoalOnly))
        return;
    parsed.hints.append({statement, tr("from your request"), recognised.join(QStringLiteral(", "))});
}

} // namespace

ParsedRequest parseRequest(const QString &text)
{
    ParsedRequest parsed;
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return parsed;
    if (trimmed.size() > lengthLimit) {
        parsed.hints.append({trimmed, tr("from your request"), {}});
        return parsed;
    }
    parsed.refusal = refusalFor(trimmed.simplified());
    parsed.mentionedPaths = mentionedPaths(trimmed);
    const QStringList statements = splitStatements(trimmed);
    for (const QString &statement : statements)
        take(statement, parsed);
    parsed.followPaths.removeDuplicates();
    return parsed;
}

} // namespace ako
