// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"
#include "loop/harnesschange.h"
#include "loop/keptedit.h"
#include "loop/runevent.h"
#include "profile/movednumbers.h"
#include "report/runreport.h"

#include <QObject>
#include <QString>

#include <memory>

namespace ako {

class LoopThread;

// The only way in: a window or the command line gives intents here and receives events. Lives on the caller's
// thread; every call returns at once and is carried out on the loop's own thread. Destroying it stops the loop in
// an orderly way (the bench's process group ends; the workspace can be resumed).
class LoopController : public QObject
{
    Q_OBJECT

public:
    explicit LoopController(QObject *parent = nullptr);
    ~LoopController() override;

    struct Options
    {
        QString benchProgram;     // ako-bench; empty: beside the application, then PATH
        QString scaffoldFolder;   // empty: as installed, then the source tree
        bool readOnly = false;    // history and plan only: takes no lock, writes nothing
        bool withPlan = true;     // false: the history alone, whatever else lies in the folder
        bool watchesPlan = false; // while the plan is not approved it follows the files that it was read from
    };
    void setOptions(const Options &options);
    // Who commits, where git knows nobody: written to this repository's configuration only, when a run is prepared.
    void setIdentity(const QString &name, const QString &email);

public Q_SLOTS:
    void openWorkspace(const QString &path, const QString &request = {});
    void closeWorkspace();
    void setPlanField(const QString &key, const QString &value); // answers and edits alike (planKey)
    void reloadPlan(); // the files that it is read from, once more; nothing where it is approved
    void approve();

    void run();   // until a stop rule applies
    void pause(); // at the next iteration boundary
    void step();  // one iteration, then Ready
    void stop();  // now: the bench's process group ends, the iteration is completed as failed or discarded
    void finish();

    void benchEdit(const QString &title, const QString &hypothesis, const QString &changes); // spec 13: iterate
    void restore(int iteration);      // solution/ as that iteration left it, benched as the next iteration
    void revert(int iteration);       // undo only that iteration's change, benched as the next iteration
    void continueFrom(int iteration); // the next proposal starts from it
    void measureAgain(int iteration, bool againstBaseline = false); // by a verdict, as the next iteration
    void annotate(int iteration, const QString &note); // kept with the entry and in ITERATIONS.md, and committed
    void decideQuarantine(int iteration, bool accepted, const QString &reason); // likewise; no number changes by it

    void answerPermission(quint64 number, ako::PermissionChoice choice); // of event::PermissionAsked

    // Reads, answered by the signals below with the same token.
    void requestDiff(int fromIteration, int toIteration, quint64 token, bool wholeFiles = false);
    void requestFile(int iteration, const QString &path, quint64 token); // a file of solution/
    void requestTranscript(const QString &trajectory, quint64 token);    // what the agent said; empty: nothing was kept
    void requestBenchOutput(const QString &trajectory, quint64 token);   // of the record which names it
    void requestNumbers(int iteration, quint64 token);                   // beside those of the one it was made from
    void requestReport(quint64 token);
    // What the champion changes in the kernel's own files; `write`: as it was last shown, which is then done.
    void requestSourceChange(bool write, quint64 token);
    // What has changed of what the measurement depends on; or puts it back as it was last shown.
    void requestHarness(bool restore, quint64 token);
    // The unfinished edit of event::Recovered; `take`: puts it into solution/.
    void requestKeptEdit(bool take, quint64 token);

Q_SIGNALS:
    void happened(const ako::RunEvent &event);
    void diffReady(quint64 token, const ako::Diff &diff, const QString &error);
    void fileReady(quint64 token, const QByteArray &content, const QString &error);
    void benchOutputReady(quint64 token, const QString &text, const QString &error);
    void transcriptReady(quint64 token, const QString &text);
    void numbersReady(quint64 token, const QList<ako::MovedNumber> &numbers, const QString &error);
    void reportReady(quint64 token, const ako::RunReport &report, const QString &error);
    void harnessReady(quint64 token, const ako::HarnessChange &change, const QString &kept, const QString &error);
    void keptEditReady(quint64 token, const ako::KeptEdit &edit, const QString &error); // empty once it is taken
    void sourceChangeReady(quint64 token, const ako::Diff &diff, const QStringList &files, const QString &advice,
                           const QString &error, const QByteArray &patch);

private:
    std::unique_ptr<LoopThread> m_thread;
};

} // namespace ako
