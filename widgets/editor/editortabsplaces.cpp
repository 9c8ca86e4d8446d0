// SPDX-License-Identifier: GPL-3.0-or-later
// What leads into the sources: what a compiler says of their lines, changes taken from a difference, earlier versions.
#include "editor/codeview.h"
#include "editor/editortabs.h"
#include "editor/sourceeditor.h"
#include "style/icons.h"

#include <QDir>
#include <QFileInfo>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace ako {

namespace {

constexpr int mostProblems = 200;
constexpr qsizetype longestLine = 4000; // of an output that is looked at

} // namespace

void EditorTabs::readOutput(event::OutputAppended::Source source, const QString &text)
{
    if (source != event::OutputAppended::Source::Bench)
        return;
    const QString all = m_partialLine + text;
    const QStringList lines = all.split(QLatin1Char('\n'));
    m_partialLine = lines.constLast().right(longestLine);
    for (qsizetype i = 0; i + 1 < lines.size() && m_problems.size() < mostProblems; ++i) {
        const auto place = sourcePlace(lines.at(i));
        if (!place || place->severity == Severity::Info)
            continue;
        m_problems << *place;
        m_gather->start();
    }
}

SourceEditor *EditorTabs::sourceMeant(const QString &printed) const
{
    QStringList paths;
    for (const SourceEditor *source : m_sources)
        paths << source->path();
    const qsizetype index = paths.indexOf(fileMeant(printed, paths));
    return index < 0 ? nullptr : m_sources.at(index);
}

void EditorTabs::showProblems()
{
    for (SourceEditor *source : std::as_const(m_sources)) {
        QList<SourcePlace> own;
        for (const SourcePlace &problem : std::as_const(m_problems)) {
            if (sourceMeant(problem.path) == source)
                own << problem;
        }
        source->view()->setProblems(own);
    }
}

bool EditorTabs::goTo(const SourcePlace &place)
{
    SourceEditor *source = sourceMeant(place.path);
    if (source == nullptr)
        return false;
    setCurrentWidget(source);
    source->view()->goToLine(place.line);
    return true;
}

QString EditorTabs::takeChange(const QString &path, const QString &before, const QString &after)
{
    SourceEditor *source = sourceMeant(path);
    const QString name = QFileInfo(path).fileName();
    if (source == nullptr)
        return tr("There is no %1 in solution/ to take the change into.").arg(name);
    CodeView *view = source->view();
    if (view->isReadOnly())
        return tr("%1 cannot be edited now: the loop works on it. Pause first.").arg(name);
    const bool isWindows = view->eolMode() == QsciScintilla::EolWindows;
    const auto asThere = [isWindows](QString text) {
        return isWindows ? text.replace(QLatin1Char('\n'), QLatin1String("\r\n")) : text;
    };
    const QString text = view->text();
    const QString old = asThere(before);
    const qsizetype at = text.indexOf(old);
    if (old.isEmpty() || at < 0)
        return text.contains(asThere(after)) && !after.isEmpty()
                   ? tr("%1 has this change already.").arg(name)
                   : tr("%1 is different at this place: take it by hand, or restore the iteration.").arg(name);
    if (text.indexOf(old, at + 1) >= 0)
        return tr("The place of this change occurs more than once in %1: take it by hand.").arg(name);
    const QByteArray head = text.left(at).toUtf8();
    view->beginUndoAction();
    view->SendScintilla(QsciScintilla::SCI_SETTARGETRANGE, static_cast<unsigned long>(head.size()),
                        static_cast<long>(head.size() + old.toUtf8().size()));
    view->SendScintilla(QsciScintilla::SCI_REPLACETARGET, static_cast<uintptr_t>(-1),
                        asThere(after).toUtf8().constData());
    view->endUndoAction();
    setCurrentWidget(source);
    view->goToLine(int(text.left(at).count(QLatin1Char('\n'))) + 1);
    return {};
}

void EditorTabs::showOld(const QString &title, const QString &path, const QByteArray &content)
{
    if (m_old == nullptr) {
        m_old = new CodeView(this);
        m_old->setReadOnly(true);
        const int index = addTab(m_old, icon(QStringLiteral("source")), title);
        auto *close = new QToolButton(tabBar());
        close->setIcon(icon(QStringLiteral("close")));
        close->setAutoRaise(true);
        close->setToolTip(tr("Close"));
        close->setAccessibleName(tr("Close the file of an iteration"));
        connect(close, &QToolButton::clicked, this, &EditorTabs::closeOld);
        tabBar()->setTabButton(index, QTabBar::RightSide, close);
    }
    m_old->setLanguageOf(path);
    m_old->setContent(QString::fromUtf8(content));
    m_old->setAccessibleName(title);
    setTabText(indexOf(m_old), title);
    setCurrentWidget(m_old);
    m_old->setFocus();
}

void EditorTabs::closeOld()
{
    delete std::exchange(m_old, nullptr);
}

QString EditorTabs::relativePathOfSource() const
{
    const auto *current = qobject_cast<const SourceEditor *>(currentWidget());
    if (!m_sources.contains(const_cast<SourceEditor *>(current)))
        current = m_sources.value(0);
    const QDir solution(m_workspace + QStringLiteral("/solution"));
    const QString path = current != nullptr ? solution.relativeFilePath(current->path()) : QString();
    return path.startsWith(QLatin1String("..")) ? QString() : path;
}

} // namespace ako
