// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/editortabs.h"

#include "diff/diffview.h"
#include "editor/markdownview.h"
#include "editor/sourceeditor.h"
#include "hints/hintseditor.h"
#include "history/runstore.h"
#include "style/icons.h"

#include <QDir>
#include <QDirIterator>
#include <QFileSystemWatcher>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace ako {

namespace {

constexpr int mostFiles = 60; // tabs beyond this help nobody

QString pathIn(const QString &workspace, const QString &relative)
{
    return QDir(workspace).filePath(relative);
}

// They stand after the source.
bool isSettings(const QString &path)
{
    return path.endsWith(QLatin1String(".json")) || path.endsWith(QLatin1String(".txt"));
}

QStringList filesBelow(const QString &folder)
{
    QStringList found;
    QDirIterator walk(folder, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (walk.hasNext() && found.size() < mostFiles)
        found << walk.next();
    std::sort(found.begin(), found.end(), [](const QString &a, const QString &b) {
        return std::pair(isSettings(a), a) < std::pair(isSettings(b), b);
    });
    return found;
}

} // namespace

EditorTabs::EditorTabs(const RunStore &store, QWidget *parent)
    : QTabWidget(parent)
    , m_store(store)
    , m_diff(new DiffView(this))
    , m_hints(new HintsEditor(this))
    , m_log(new MarkdownView(this))
    , m_watcher(new QFileSystemWatcher(this))
    , m_settle(new QTimer(this))
    , m_gather(new QTimer(this))
{
    setObjectName(QStringLiteral("editorTabs"));
    setAccessibleName(tr("Source, difference, hints and log"));
    setDocumentMode(true);
    setMovable(true);
    tabBar()->setExpanding(false);
    tabBar()->setUsesScrollButtons(true);
    addTab(m_diff, icon(QStringLiteral("diff")), tr("Diff"));
    addTab(m_hints, icon(QStringLiteral("hints")), QStringLiteral("HINTS.md"));
    addTab(m_log, icon(QStringLiteral("markdown")), QStringLiteral("ITERATIONS.md"));
    m_log->setAccessibleName(tr("Iteration log"));
    m_settle->setSingleShot(true);
    m_settle->setInterval(100);
    connect(m_settle, &QTimer::timeout, this, &EditorTabs::rescan);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, m_settle, qOverload<>(&QTimer::start));
    connect(m_hints->editor(), &SourceEditor::dirtyChanged, this, &EditorTabs::updateTitles);
    connect(m_hints, &HintsEditor::textEdited, this, [this](const QString &text) {
        if (awaitsApproval())
            Q_EMIT hintsEdited(text);
    });
    connect(&store, &RunStore::workspaceChanged, this, &EditorTabs::openWorkspace);
    connect(&store, &RunStore::planChanged, this, &EditorTabs::rescan);
    m_gather->setSingleShot(true);
    m_gather->setInterval(100);
    connect(m_gather, &QTimer::timeout, this, &EditorTabs::showProblems);
    connect(&store, &RunStore::outputAppended, this, &EditorTabs::readOutput);
    connect(&store, &RunStore::phaseChanged, this, &EditorTabs::phaseChanged);
    connect(&store, &RunStore::recordInserted, this, &EditorTabs::updateNextIteration);
    connect(&store, &RunStore::recordsReset, this, &EditorTabs::updateNextIteration);
}

void EditorTabs::openWorkspace()
{
    if (m_workspace == m_store.workspace()) // told again, as when its branch was made
        return rescan();
    m_workspace = m_store.workspace();
    qDeleteAll(m_sources);
    m_sources.clear();
    m_problems.clear();
    closeOld();
    m_log->follow(pathIn(m_workspace, QStringLiteral("ITERATIONS.md")),
                  tr("*No log yet.* Each iteration writes its hypothesis, its changes and its measurement here."));
    rescan();
    setCurrentIndex(0);
}

QStringList EditorTabs::wantedFiles() const
{
    QStringList solution = filesBelow(pathIn(m_workspace, QStringLiteral("solution")));
    if (!solution.isEmpty())
        return solution;
    // While it is asked which file is the kernel, those that could be.
    const PlanField *field = m_store.plan().field(QLatin1String(planKey::kernel));
    QStringList files = m_store.plan().kernelFiles;
    if (files.isEmpty() && field != nullptr)
        files = field->candidates;
    QStringList kernel;
    for (const QString &file : std::as_const(files)) {
        if (QFileInfo(pathIn(m_workspace, file)).isFile())
            kernel << pathIn(m_workspace, file);
    }
    return kernel;
}

bool EditorTabs::awaitsApproval() const
{
    return !m_store.plan().fields.isEmpty() && !m_store.isApproved();
}

// Tabs follow what is on disk; a tab with edits stays even when its file is gone.
void EditorTabs::rescan()
{
    if (m_workspace.isEmpty())
        return;
    const QStringList wanted = wantedFiles();
    QStringList open;
    for (SourceEditor *source : QList<SourceEditor *>(m_sources)) {
        if (!wanted.contains(source->path()) && !source->isDirty()) {
            m_sources.removeOne(source);
            delete source;
        } else {
            open << source->path();
        }
    }
    for (const QString &path : wanted) {
        if (!open.contains(path))
            m_sources << addSource(int(m_sources.size()), path);
    }
    const QString solution = pathIn(m_workspace, QStringLiteral("solution"));
    m_watcher->addPath(m_workspace);
    if (QDir(solution).exists())
        m_watcher->addPath(solution);
    m_hints->open(pathIn(m_workspace, QStringLiteral("HINTS.md")));
    m_hints->setAwaitsApproval(awaitsApproval());
    updateTitles();
    updateLocks();
}

SourceEditor *EditorTabs::addSource(int position, const QString &path)
{
    auto *source = new SourceEditor(this);
    source->load(path);
    const bool first = m_sources.isEmpty();
    insertTab(position, source, icon(QStringLiteral("source")), QFileInfo(path).fileName());
    setTabToolTip(indexOf(source), QDir::toNativeSeparators(path));
    connect(source, &SourceEditor::dirtyChanged, this, &EditorTabs::updateTitles);
    if (first)
        setCurrentWidget(source);
    return source;
}

void EditorTabs::updateTitles()
{
    const auto title = [](const SourceEditor *source, const QString &name) {
        return source->isDirty() ? name + QStringLiteral(" •") : name;
    };
    for (const SourceEditor *source : std::as_const(m_sources)) {
        const int index = indexOf(const_cast<SourceEditor *>(source));
        setTabText(index, title(source, QFileInfo(source->path()).fileName()));
    }
    setTabText(indexOf(m_hints), title(m_hints->editor(), QStringLiteral("HINTS.md")));
    Q_EMIT dirtyChanged();
}

void EditorTabs::updateLocks()
{
    const bool original = !QDir(pathIn(m_workspace, QStringLiteral("solution"))).exists();
    const bool busy = m_store.isBusy();
    const QString reason = original
                               ? tr("The original kernel. Approving the plan copies it to solution/, which you can "
                                    "then edit; this file stays as it is.")
                               : tr("Read-only while the loop works on it. Pause to edit.");
    for (SourceEditor *source : std::as_const(m_sources))
        source->setLocked(original || busy, reason);
}

// What the compiler said of an earlier build is over when the next one begins.
void EditorTabs::phaseChanged()
{
    updateLocks();
    updateNextIteration();
    const Phase phase = m_store.phase().phase;
    const bool isMeasuring = phase == Phase::Baseline || phase == Phase::Benching;
    if (isMeasuring && !m_wasMeasuring) {
        m_problems.clear();
        m_partialLine.clear();
        showProblems();
    }
    m_wasMeasuring = isMeasuring;
}

void EditorTabs::updateNextIteration()
{
    int last = 0;
    for (const IterationRecord &record : m_store.records())
        last = std::max(last, record.number);
    if (m_store.isBusy())
        last = std::max(last, m_store.phase().iteration);
    m_hints->setNextIteration(last + 1);
}

SourceEditor *EditorTabs::currentSource() const
{
    if (currentWidget() == m_hints)
        return m_hints->editor();
    return qobject_cast<SourceEditor *>(currentWidget());
}

bool EditorTabs::isDirty() const
{
    return m_hints->editor()->isDirty() ||
           std::any_of(m_sources.cbegin(), m_sources.cend(), [](const SourceEditor *s) { return s->isDirty(); });
}

bool EditorTabs::saveAll()
{
    bool saved = !m_hints->editor()->isDirty() || m_hints->editor()->save();
    for (SourceEditor *source : std::as_const(m_sources))
        saved = (!source->isDirty() || source->save()) && saved;
    return saved;
}

void EditorTabs::discardEdits()
{
    for (SourceEditor *source : m_sources + QList<SourceEditor *>{m_hints->editor()}) {
        if (source->isDirty())
            source->discardEdits();
    }
}

void EditorTabs::keepDrafts()
{
    for (SourceEditor *source : m_sources + QList<SourceEditor *>{m_hints->editor()})
        source->keepDraft();
}

void EditorTabs::showSource()
{
    if (!m_sources.isEmpty() && qobject_cast<SourceEditor *>(currentWidget()) == nullptr)
        setCurrentWidget(m_sources.first());
}

void EditorTabs::showDiff()
{
    setCurrentWidget(m_diff);
}

void EditorTabs::setDiffTitle(const QString &title)
{
    setTabText(indexOf(m_diff), title.isEmpty() ? tr("Diff") : tr("Diff %1").arg(title));
}

} // namespace ako
