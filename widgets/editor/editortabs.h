// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"
#include "models/sourceplaces.h"

#include <QTabWidget>

class QFileSystemWatcher;
class QTimer;

namespace ako {

class CodeView;
class DiffView;
class HintsEditor;
class MarkdownView;
class RunStore;
class SourceEditor;

// The centre of the window: the files of solution/ (the original kernel until there is one), the difference,
// HINTS.md and ITERATIONS.md.
class EditorTabs : public QTabWidget
{
    Q_OBJECT

public:
    explicit EditorTabs(const RunStore &store, QWidget *parent = nullptr);

    SourceEditor *currentSource() const; // HINTS.md counts; null for the other tabs
    QList<SourceEditor *> sources() const { return m_sources; }
    bool isDirty() const; // any of solution/ or HINTS.md
    bool saveAll();
    void discardEdits(); // back to what is on disk
    void keepDrafts();   // of what is not saved, for the next session
    void showSource();
    void showDiff();
    // A file as an iteration left it, in a tab of its own that can be closed; the next one takes its place.
    void showOld(const QString &title, const QString &path, const QByteArray &content);
    QString relativePathOfSource() const; // below solution/, of the file that is looked at, or else of the first
    bool goTo(const SourcePlace &place);  // false: no file of these is meant
    // Puts `after` where the file has `before`, to be saved or undone by the person; what went wrong, or empty.
    QString takeChange(const QString &path, const QString &before, const QString &after);
    void setDiffTitle(const QString &title); // "10 → 12"; empty: nothing is compared
    DiffView *diff() const { return m_diff; }
    HintsEditor *hints() const { return m_hints; }
    MarkdownView *log() const { return m_log; }

Q_SIGNALS:
    void dirtyChanged();
    void hintsEdited(const QString &text); // while the plan waits for approval

private:
    void openWorkspace();
    void rescan();
    QStringList wantedFiles() const; // absolute
    SourceEditor *addSource(int position, const QString &path);
    bool awaitsApproval() const;
    void updateTitles();
    void updateLocks();
    void updateNextIteration();
    SourceEditor *sourceMeant(const QString &printed) const;
    void readOutput(event::OutputAppended::Source source, const QString &text);
    void phaseChanged();
    void showProblems();
    void closeOld();

    const RunStore &m_store;
    QString m_workspace;
    QList<SourceEditor *> m_sources;
    DiffView *m_diff;
    HintsEditor *m_hints;
    MarkdownView *m_log;
    CodeView *m_old = nullptr; // while there is one
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
    QTimer *m_gather;              // problems of a moment are shown at once
    QString m_partialLine;         // of the bench's output
    QList<SourcePlace> m_problems; // of the last build
    bool m_wasMeasuring = false;
};

} // namespace ako
