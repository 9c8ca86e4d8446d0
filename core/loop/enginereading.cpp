// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine shows of a workspace's entries: files, differences, bench output, transcripts.
#include "git/folderdiff.h"
#include "git/folderfiles.h"
#include "history/filewriter.h"
#include "history/trajectory.h"
#include "history/transcript.h"
#include "loop/engine.h"
#include "loop/solutionfolder.h"
#include "profile/counterprofile.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako {

namespace {

constexpr int wholeFile = 1'000'000;                // lines around a change
constexpr qint64 largestOutput = 4LL * 1024 * 1024; // that is shown

} // namespace

Result<FolderContent> LoopEngine::contentOf(int iteration) const
{
    if (iteration < 0)
        return SolutionFolder(const_cast<Session &>(m_session)).present();
    const IterationRecord *record = m_state.find(iteration);
    if (!record || record->commit.isEmpty() || !m_session.repository)
        return fail(QCoreApplication::translate("Loop", "There is no commit of iteration %1").arg(iteration));
    return m_session.repository->folderAt(record->commit, QStringLiteral("solution"));
}

Result<Diff> LoopEngine::diff(int from, int to, bool wholeFiles) const
{
    const auto before = contentOf(from);
    if (!before)
        return std::unexpected(before.error());
    const auto after = contentOf(to);
    if (!after)
        return std::unexpected(after.error());
    return diffContents(*before, *after, wholeFiles ? wholeFile : 3);
}

Result<QByteArray> LoopEngine::file(int iteration, const QString &path) const
{
    const auto content = contentOf(iteration);
    if (!content)
        return std::unexpected(content.error());
    const auto file = content->files.constFind(path);
    if (file == content->files.cend())
        return fail(QCoreApplication::translate("Loop", "Iteration %1 has no file %2").arg(iteration).arg(path));
    return *file;
}

// On disk, or where somebody has removed it there, in git.
Result<QByteArray> LoopEngine::keptFile(const QString &path, const QString &commit) const
{
    auto bytes = readFile(m_session.path(path), largestOutput);
    if (bytes || !m_session.repository || commit.isEmpty())
        return bytes;
    auto committed = m_session.repository->fileAt(commit, path);
    return committed ? std::move(committed) : std::move(bytes);
}

Result<QString> LoopEngine::outputIn(const QString &trajectory, const QString &commit) const
{
    const auto bytes = keptFile(trajectory + QStringLiteral("/output.txt"), commit);
    if (!bytes)
        return std::unexpected(bytes.error());
    return shownOutput(*bytes);
}

QString LoopEngine::transcript(const QString &trajectory) const
{
    const auto record = std::ranges::find(m_state.records, trajectory, &IterationRecord::trajectory);
    if (trajectory.isEmpty() || record == m_state.records.cend())
        return {};
    return QString::fromUtf8(keptFile(transcript::pathIn(trajectory), record->commit).value_or(QByteArray()));
}

// By its folder: the final verdict has the number of the iteration that it verifies.
Result<QString> LoopEngine::benchOutput(const QString &trajectory) const
{
    const QList<IterationRecord> &records = m_state.records;
    const auto record = std::ranges::find(records, trajectory, &IterationRecord::trajectory);
    if (trajectory.isEmpty() || record == records.cend())
        return fail(QCoreApplication::translate("Loop", "No output of this bench was kept"));
    auto output = outputIn(record->trajectory, record->commit);
    if (!output || record->verdictTrajectory.isEmpty())
        return output;
    const auto verdict = outputIn(record->verdictTrajectory, record->commit);
    if (verdict)
        *output += QLatin1Char('\n') + *verdict;
    return output;
}

// Of the verdict where there was one; a profile of the same entry adds to it.
QMap<QString, double> LoopEngine::numbersOf(const IterationRecord &record) const
{
    const QString bench = record.verdictTrajectory.isEmpty() ? record.trajectory : record.verdictTrajectory;
    QMap<QString, double> numbers;
    for (const QString &path :
         {bench + QStringLiteral("/result.json"), record.trajectory + QLatin1Char('/') + QLatin1String(profileFile)})
        numbers.insert(numbersIn(keptFile(path, record.commit).value_or(QByteArray())));
    return numbers;
}

Result<QList<MovedNumber>> LoopEngine::moved(int iteration) const
{
    const IterationRecord *record = m_state.find(iteration);
    if (!record)
        return fail(QCoreApplication::translate("Loop", "There is no iteration %1").arg(iteration));
    const IterationRecord *parent = m_state.find(record->parent);
    return movedNumbers(parent ? numbersOf(*parent) : QMap<QString, double>(), numbersOf(*record));
}

Result<RunReport> LoopEngine::report() const
{
    return gatherReport(m_session, m_state.records, m_state.champion);
}

Result<HarnessChange> LoopEngine::lookAtHarness()
{
    auto change = harnessChange(m_session);
    m_harnessChange = change ? std::optional(*change) : std::nullopt;
    return change;
}

Result<QString> LoopEngine::putHarnessBack()
{
    if (m_state.isBusy())
        return fail(QCoreApplication::translate("Loop", "Nothing is put back while a run is under way"),
                    QCoreApplication::translate("Loop", "Pause the run first."));
    const auto now = harnessChange(m_session);
    if (!now)
        return std::unexpected(now.error());
    if (!m_harnessChange || now->patch != m_harnessChange->patch)
        return fail(QCoreApplication::translate("Loop",
                                                "The files have changed since the difference was shown; nothing "
                                                "was put back"),
                    QCoreApplication::translate("Loop", "Look at the difference again."));
    m_harnessChange.reset();
    return restoreHarness(m_session, now->files);
}

Result<FolderContent> LoopEngine::contentOfKeptEdit() const
{
    if (!m_recovered || m_recovered->parent < 0)
        return fail(QCoreApplication::translate("Loop", "No unfinished edit was found in this workspace"));
    auto content = readFolder(m_session.path(m_recovered->kept));
    if (content && content->files.isEmpty())
        return fail(
            QCoreApplication::translate("Loop", "The unfinished edit is no longer in %1").arg(m_recovered->kept));
    return content;
}

Result<KeptEdit> LoopEngine::keptEdit() const
{
    const auto edit = contentOfKeptEdit();
    if (!edit)
        return std::unexpected(edit.error());
    const auto before = contentOf(m_recovered->parent);
    if (!before)
        return std::unexpected(before.error());
    auto change = diffContents(*before, *edit, 3);
    if (!change)
        return std::unexpected(change.error());
    return KeptEdit{*m_recovered, *std::move(change)};
}

Result<void> LoopEngine::takeKeptEdit()
{
    if (m_state.isBusy())
        return fail(QCoreApplication::translate("Loop", "solution/ is not written while a run is under way"),
                    QCoreApplication::translate("Loop", "Pause the run first."));
    const auto edit = contentOfKeptEdit();
    if (!edit)
        return std::unexpected(edit.error());
    if (const auto done = m_session.takeLock(); !done)
        return done;
    SolutionFolder folder(m_session);
    const auto base = contentOf(m_recovered->parent);
    const auto now = folder.present();
    if (!now)
        return std::unexpected(now.error());
    if (*now != *edit && (!base || *now != *base)) { // somebody's, written since
        if (const auto aside = folder.setAside(QStringLiteral("replaced")); !aside)
            return std::unexpected(aside.error());
    }
    if (const auto done = folder.write(*edit); !done)
        return done;
    m_recovered.reset();
    return {};
}

Result<SourceChange> LoopEngine::lookAtSourceChange()
{
    auto change = changeOfSource(m_session, m_state.records, m_state.champion);
    m_sourceChange = change ? std::optional(*change) : std::nullopt;
    return change;
}

Result<SourceChange> LoopEngine::writeSourceChange()
{
    if (m_state.isBusy()) // what an agent is held responsible for must not change meanwhile
        return fail(QCoreApplication::translate("Loop", "Your source is not written while a run is under way"),
                    QCoreApplication::translate("Loop", "Pause the run first."));
    const auto change = changeOfSource(m_session, m_state.records, m_state.champion);
    if (!change)
        return change;
    if (!m_sourceChange || !(*change == *m_sourceChange))
        return fail(QCoreApplication::translate("Loop", "Your source or the champion has changed since the difference "
                                                        "was shown; nothing was written"),
                    QCoreApplication::translate("Loop", "Look at the difference again."));
    if (const auto done = writeSource(m_session, *change); !done)
        return std::unexpected(done.error());
    m_sourceChange.reset();
    return change;
}

} // namespace ako
