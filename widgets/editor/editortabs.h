// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

class QFileSystemWatcher;
class QTimer;

namespace ako {

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

    const RunStore &m_store;
    QString m_workspace;
    QList<SourceEditor *> m_sources;
    DiffView *m_diff;
    HintsEditor *m_hints;
    MarkdownView *m_log;
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
};

} // namespace ako
