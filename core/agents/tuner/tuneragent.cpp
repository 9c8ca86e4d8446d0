// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/tuneragent.h"

#include "agents/tuner/search.h"
#include "base/atomicfile.h"
#include "git/folderfiles.h"
#include "history/solutionhash.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace ako {

namespace {

constexpr qint64 sourceLimitBytes = 256LL * 1024; // larger files are data, not kernels
constexpr int shownAlternatives = 5;              // in the transcript

tuner::FileSet textFiles(const FolderContent &content)
{
    tuner::FileSet files;
    for (auto file = content.files.cbegin(); file != content.files.cend(); ++file) {
        const bool isText = file.value().size() <= sourceLimitBytes && !file.value().contains('\0');
        if (isText && !content.links.contains(file.key()))
            files.emplace(file.key().toStdString(), file.value().toStdString());
    }
    return files;
}

std::string hashWith(FolderContent content, const tuner::FileSet &changed)
{
    for (const auto &[path, text] : changed)
        content.files.insert(QString::fromStdString(path), QByteArray::fromStdString(text));
    return solutionHash(content).toStdString();
}

tuner::Contract readContract(const QString &workspace)
{
    const auto text = readRegularFile(QDir(workspace).filePath(QStringLiteral("problem.json")), sourceLimitBytes);
    return text ? tuner::parseContract(text->toStdString()) : tuner::Contract();
}

} // namespace

struct TunerAgent::Work
{
    ProposalRequest request;
    FolderContent content;
    tuner::Situation situation;
    std::unique_ptr<tuner::Catalogue> catalogue;
    std::vector<std::string> files; // still to be looked at, last one first
    std::vector<tuner::Change> changes;
    QString failure;
    bool isCancelled = false;
};

TunerAgent::TunerAgent(QObject *parent)
    : Agent(parent)
{
}

TunerAgent::~TunerAgent() = default;

QString TunerAgent::name() const
{
    return QStringLiteral("tuner");
}

void TunerAgent::propose(const ProposalRequest &request)
{
    // A second call before the answer would leave the first without one.
    if (m_work)
        finishCancelled();
    m_work = std::make_unique<Work>();
    m_work->request = request;
    next();
}

void TunerAgent::cancel()
{
    if (m_work)
        m_work->isCancelled = true;
}

// The next step, in a turn of the event loop of its own.
void TunerAgent::next()
{
    const quint64 turn = ++m_turn;
    const auto step = [this, turn] {
        if (turn != m_turn || !m_work)
            return;
        if (m_work->isCancelled)
            finishCancelled();
        else if (!m_work->catalogue)
            begin();
        else if (!m_work->files.empty())
            lookAtFile();
        else
            decide();
    };
    QMetaObject::invokeMethod(this, step, Qt::QueuedConnection);
}

void TunerAgent::begin()
{
    const ProposalRequest &request = m_work->request;
    if (!QFileInfo(request.solutionDirectory).isDir())
        return finishFailed(
            tr("The folder %1 does not exist.").arg(QDir::toNativeSeparators(request.solutionDirectory)));
    auto content = readFolder(request.solutionDirectory);
    if (!content)
        return finishFailed(content.error().text());
    m_work->content = std::move(*content);
    m_work->situation.files = textFiles(m_work->content);
    m_work->situation.contract = readContract(request.workspace);
    m_work->situation.machine = tuner::readMachine(request.logicalCores);
    m_work->situation.restrictions = tuner::parseRestrictions(request.hints.toStdString());
    const std::string ruledOut = m_work->situation.restrictions.summary();
    if (!request.flagsCount)
        m_work->situation.restrictions.noFlags = true;
    m_work->catalogue = std::make_unique<tuner::Catalogue>(m_work->situation);
    m_work->files = m_work->catalogue->sources();
    if (m_work->files.empty())
        return finishFailed(tr("The tuner finds no C++ source in %1 that it may change.")
                                .arg(QDir::toNativeSeparators(request.solutionDirectory)));
    say(tr("Iteration %1").arg(request.iteration));
    say(tr("Machine: %1").arg(QString::fromStdString(m_work->situation.machine.summary())));
    if (!request.flagsCount)
        say(tr("The bench is your own and may not read solution/build.json: compiler flags are left as they are."));
    if (!ruledOut.empty())
        say(tr("HINTS.md rules out: %1").arg(QString::fromStdString(ruledOut)));
    next();
}

// A line of the transcript.
void TunerAgent::say(const QString &text)
{
    Q_EMIT transcript(text + QLatin1Char('\n'));
}

void TunerAgent::lookAtFile()
{
    const std::string path = m_work->files.back();
    m_work->files.pop_back();
    auto found = m_work->catalogue->inFile(path);
    say(tr("%1: %n change(s) possible", nullptr, static_cast<int>(found.size())).arg(QString::fromStdString(path)));
    std::move(found.begin(), found.end(), std::back_inserter(m_work->changes));
    next();
}

void TunerAgent::decide()
{
    auto flags = m_work->catalogue->ofFlags();
    std::move(flags.begin(), flags.end(), std::back_inserter(m_work->changes));
    const ProposalRequest &request = m_work->request;
    const tuner::Search search(tuner::Memory::fromHistory(request.history), request.champion);
    const auto ranked = search.rank(m_work->changes, request.reassess);
    const auto hash = [this](const tuner::FileSet &changed) { return hashWith(m_work->content, changed); };
    const tuner::Change *chosen = search.choose(ranked, hash);
    if (request.reassess)
        say(tr("Three iterations without an improvement: the directions tried least come first."));
    if (!chosen) {
        say(tr("Nothing is left that was not measured."));
        Proposal nothing;
        nothing.outcome = Proposal::Outcome::Exhausted;
        nothing.directions = search.directions();
        nothing.analysisOfPrevious = search.lastInWords();
        return finish(nothing);
    }
    const auto place =
        std::find_if(ranked.begin(), ranked.end(), [chosen](const auto &each) { return each.change == chosen; });
    say(tr("Chosen: %1 (%2)").arg(chosen->title, place->reason));
    for (auto each = place + 1; each != ranked.end() && each - place <= shownAlternatives; ++each)
        say(tr("  not yet: %1 (%2)").arg(each->change->title, each->reason));
    Proposal proposal;
    proposal.outcome = Proposal::Outcome::Candidate;
    proposal.title = chosen->title;
    proposal.hypothesis = chosen->hypothesis;
    proposal.changes = chosen->summary;
    proposal.direction = tuner::directionName(chosen->direction);
    proposal.agentData = tuner::tagOf(*chosen);
    if (request.reassess)
        proposal.untried = search.untried(ranked);
    proposal.analysisOfPrevious = search.lastInWords();
    write(proposal, chosen->files);
}

void TunerAgent::write(const Proposal &proposal, const std::map<std::string, std::string> &files)
{
    const QDir folder(m_work->request.solutionDirectory);
    for (const auto &[path, text] : files) {
        const auto written =
            writeFileAtomically(folder.filePath(QString::fromStdString(path)), QByteArray::fromStdString(text));
        if (!written)
            return finishFailed(written.error().text());
    }
    finish(proposal);
}

void TunerAgent::finish(const Proposal &proposal)
{
    m_work.reset();
    ++m_turn;
    Q_EMIT proposed(proposal);
}

void TunerAgent::finishFailed(const QString &error)
{
    Proposal proposal;
    proposal.error = error;
    finish(proposal);
}

void TunerAgent::finishCancelled()
{
    Proposal proposal;
    proposal.outcome = Proposal::Outcome::Cancelled;
    finish(proposal);
}

} // namespace ako
