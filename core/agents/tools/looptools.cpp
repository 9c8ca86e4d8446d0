// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tools/looptools.h"

#include "agents/prompt/historytext.h"
#include "base/atomicfile.h"
#include "base/words.h"
#include "git/folderfiles.h"
#include "history/trajectory.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace ako {

namespace {

using nlohmann::json;

constexpr qsizetype longestAnswer = 30'000;
constexpr qint64 largestFile = 16LL * 1024 * 1024;

ToolAnswer failed(const QString &why)
{
    return {why, true};
}

QString cut(const QString &text)
{
    return text.size() <= longestAnswer ? text : text.left(longestAnswer) + QStringLiteral("\n… (cut)");
}

QString section(const QString &heading, const QString &text)
{
    return text.trimmed().isEmpty() ? QString() : QStringLiteral("\n## %1\n\n%2\n").arg(heading, text.trimmed());
}

} // namespace

LoopTools::LoopTools(Measure measure, Profile profile, QObject *parent)
    : Toolbox(parent)
    , m_measure(std::move(measure))
    , m_profile(std::move(profile))
{
}

void LoopTools::begin(const ProposalRequest &request)
{
    m_request = request;
    m_probes = 0;
    m_lastProbe.reset();
}

void LoopTools::update(const ProposalRequest &request)
{
    if (request.iteration != m_request.iteration)
        return begin(request);
    m_request = request;
}

QList<Tool> LoopTools::tools() const
{
    return {
        {QStringLiteral("read_history"),
         QStringLiteral("What was tried so far, as a table; or, with an iteration's number, all that is known of it: "
                        "hypothesis, changes, result, analysis, its bench's output and the names of its files."),
         schemaOf({{"iteration", "integer", "0 is the baseline. Left out: the table of all.", false},
                   {"file", "string", "With an iteration: that file of its solution/, instead of the rest.", false}})},
        {QStringLiteral("read_champion"),
         QStringLiteral("The best verified iteration so far, which a change is compared with; with a file's name that "
                        "file as the champion has it."),
         schemaOf({{"file", "string", "A file of its solution/, for example kernel.cu.", false}})},
        {QStringLiteral("read_knowledge"),
         QStringLiteral("The person's notes, papers and earlier work on this kernel: without a file their names."),
         schemaOf({{"file", "string", "One of the names.", false},
                   {"line", "integer", "From this line on, counted from 1.", false},
                   {"limit", "integer", "At most this many lines.", false}})},
        {QStringLiteral("bench"),
         QStringLiteral("Compile, check and measure solution/ as it is now against the champion, quickly. At most %1 "
                        "times a turn. The figures are for you; what counts is measured when your turn has ended.")
             .arg(m_request.mostProbes),
         schemaOf({})},
        {QStringLiteral("profile"),
         QStringLiteral("Where the time goes, as far as this program can say it here: of your last bench of this turn, "
                        "or else of the champion."),
         schemaOf({})},
    };
}

void LoopTools::call(const QString &name, const json &arguments, const Reply &reply)
{
    if (name == QLatin1String("bench"))
        return bench(reply);
    ToolAnswer answer;
    if (name == QLatin1String("read_history"))
        answer = history(arguments);
    else if (name == QLatin1String("read_champion"))
        answer = champion(arguments);
    else if (name == QLatin1String("read_knowledge"))
        answer = knowledge(arguments);
    else if (name == QLatin1String("profile"))
        answer = profile();
    else
        return reply(failed(QStringLiteral("There is no tool named %1.").arg(words::title(name))));
    Q_EMIT used(tr("[tool] %1%2").arg(name, answer.failed ? tr(" (failed: %1)").arg(answer.text) : QString()));
    reply(answer);
}

ToolAnswer LoopTools::history(const json &arguments) const
{
    const auto number = numberArgument(arguments, "iteration");
    if (!number) {
        const QString table = historyTable(m_request.history, longestAnswer);
        return {table.isEmpty() ? QStringLiteral("Nothing was tried yet.") : table};
    }
    const bool isNumber = *number >= 0 && *number <= 1'000'000;
    const IterationRecord *record = isNumber ? entryOf(m_request.history, int(*number)) : nullptr;
    if (!record)
        return failed(QStringLiteral("There is no iteration %1.").arg(*number));
    return entry(*record, textArgument(arguments, "file"));
}

ToolAnswer LoopTools::champion(const json &arguments) const
{
    const IterationRecord *record = entryOf(m_request.history, m_request.champion);
    if (!record)
        return failed(QStringLiteral("There is no champion yet."));
    return entry(*record, textArgument(arguments, "file"));
}

// From the copy of solution/ that its bench has made.
ToolAnswer LoopTools::entry(const IterationRecord &record, const QString &file) const
{
    const QString snapshot = QStringLiteral("%1/%2/solution").arg(m_request.workspace, record.trajectory);
    const auto content = readFolder(snapshot);
    if (!file.isEmpty()) {
        QString name = QDir::cleanPath(file);
        if (name.startsWith(QLatin1String("solution/")))
            name = name.mid(9);
        if (!content || !content->files.contains(name))
            return failed(QStringLiteral("%1 has no file %2.").arg(record.label, words::title(file)));
        return {cut(QString::fromUtf8(content->files.value(name)))};
    }
    QString text = historyTable({record}, longestAnswer) + QLatin1Char('\n');
    text += section(QStringLiteral("Hypothesis"), record.hypothesis);
    text += section(QStringLiteral("Changes"), record.changes);
    text += section(QStringLiteral("Why this status"), record.statusReason);
    text += section(QStringLiteral("Analysis"), record.analysis);
    text += section(QStringLiteral("Files of its solution/"),
                    content ? content->files.keys().mid(0, 200).join(QLatin1Char('\n')) : QString());
    const QString output = benchOutput(m_request.workspace, record.trajectory).value_or(QString());
    text += section(QStringLiteral("Output of its bench"), words::plain(output).right(longestAnswer / 2));
    return {cut(text)};
}

ToolAnswer LoopTools::knowledge(const json &arguments) const
{
    const QString file = textArgument(arguments, "file");
    if (file.isEmpty())
        return {m_request.knowledge.isEmpty() ? QStringLiteral("The workspace has no knowledge files.")
                                              : m_request.knowledge.mid(0, 500).join(QLatin1Char('\n'))};
    const QString name = QDir::cleanPath(file);
    const auto isBelow = [&name](const QString &known) { // a folder is named with a slash, or without
        const QString folder = known.endsWith(QLatin1Char('/')) ? known : known + QLatin1Char('/');
        return name == known || name.startsWith(folder);
    };
    const QString path = m_request.workspace + QLatin1Char('/') + name;
    const QString canonical = QFileInfo(path).canonicalFilePath();
    const QString root = QFileInfo(m_request.workspace).canonicalFilePath() + QLatin1Char('/');
    if (name.startsWith(QLatin1String("../")) || std::ranges::none_of(m_request.knowledge, isBelow) ||
        !canonical.startsWith(root))
        return failed(QStringLiteral("%1 is none of the knowledge files.").arg(words::title(file)));
    if (QFileInfo(path).isDir())
        return {QDir(path).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).mid(0, 500).join(QLatin1Char('\n'))};
    const auto bytes = readRegularFile(path, largestFile);
    if (!bytes)
        return failed(bytes.error().message);
    if (bytes->left(8000).contains('\0'))
        return failed(QStringLiteral("%1 is not a text file (%2 bytes).").arg(name).arg(bytes->size()));
    return {linesOf(QString::fromUtf8(*bytes), numberArgument(arguments, "line").value_or(1),
                    numberArgument(arguments, "limit").value_or(-1), longestAnswer)};
}

// Says what it rests on: nobody is to take a model for a measurement of counters.
ToolAnswer LoopTools::profile() const
{
    const IterationRecord *champion = entryOf(m_request.history, m_request.champion);
    if (!m_lastProbe && !champion)
        return failed(QStringLiteral("Nothing has been measured yet."));
    const QString of = m_lastProbe ? QStringLiteral("your last bench of this turn")
                                   : QStringLiteral("the champion (you have not benched in this turn)");
    const QString found = m_profile ? m_profile(m_lastProbe ? *m_lastProbe : champion->bench) : QString();
    const QString run = words::plain(m_request.profileSummary).trimmed();
    return {QStringLiteral("Of %1.\n\n%2\n\nHardware counters are not read for this; what is not said here was not "
                           "measured.%3")
                .arg(of, found.isEmpty() ? QStringLiteral("No profile is available.") : found,
                     run.isEmpty() ? QString()
                                   : QStringLiteral("\n\n## The run's last profile (after the baseline or at a stall)"
                                                    "\n\n%1")
                                         .arg(cut(run)))};
}

void LoopTools::bench(const Reply &reply)
{
    if (m_measuring)
        return reply(failed(QStringLiteral("A bench of yours is still under way: wait for its answer.")));
    if (!m_measure || m_request.mostProbes <= 0)
        return reply(failed(QStringLiteral("No bench can be asked for here.")));
    if (m_probes >= m_request.mostProbes)
        return reply(failed(QStringLiteral("You have benched %1 times in this turn, which is the most. End your turn: "
                                           "the candidate is then measured in full.")
                                .arg(m_probes)));
    m_measuring = true;
    const int number = ++m_probes;
    Q_EMIT used(tr("[bench] probe %1 of %2").arg(number).arg(m_request.mostProbes));
    m_measure(number, [this, reply, number](const Probe &probe) {
        m_measuring = false;
        if (probe.error.isEmpty() && probe.result.correct)
            m_lastProbe = probe.result;
        Q_EMIT used(tr("[bench] probe %1: %2").arg(number).arg(probeLine(probe)));
        reply({probeText(probe), !probe.error.isEmpty()});
    });
}

} // namespace ako
