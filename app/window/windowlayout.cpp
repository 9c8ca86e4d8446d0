// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/windowlayout.h"

#include "style/fonts.h"
#include "style/icons.h"
#include "window/settings.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

namespace ako {

namespace {

constexpr int stateVersion = 1; // of the docks; another number discards what was kept

QString stateKey(WindowLayout::Mode mode)
{
    switch (mode) {
    case WindowLayout::Mode::SettingUp:
        return QStringLiteral("window/settingUp");
    case WindowLayout::Mode::Running:
        return QStringLiteral("window/running");
    case WindowLayout::Mode::Comparing:
        return QStringLiteral("window/comparing");
    }
    return {};
}

QString geometryKey()
{
    return QStringLiteral("window/geometry");
}

// What takes the keyboard when the panel is asked for.
QWidget *firstControl(QWidget *content)
{
    if (content->focusProxy() != nullptr)
        return content->focusProxy();
    QWidget *widget = content->nextInFocusChain();
    for (; widget != content; widget = widget->nextInFocusChain()) {
        const bool takesTab = (widget->focusPolicy() & Qt::TabFocus) != 0;
        if (content->isAncestorOf(widget) && takesTab && widget->isVisible() && widget->isEnabled())
            return widget;
    }
    return nullptr;
}

} // namespace

WindowLayout::WindowLayout(QMainWindow *window)
    : QObject(window)
    , m_window(window)
{
    window->setDockNestingEnabled(true);
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

QDockWidget *WindowLayout::addDock(const QString &name, const QString &title, const QString &iconName, QWidget *content,
                                   Qt::DockWidgetArea area, const QList<QKeySequence> &shortcuts)
{
    auto *dock = new QDockWidget(title, m_window);
    dock->setObjectName(name);
    dock->setWidget(content);
    m_window->addDockWidget(area, dock);
    dock->hide();
    m_docks.insert(name, dock);
    auto *focus = new QAction(icon(iconName), title, this);
    focus->setShortcuts(shortcuts);
    connect(focus, &QAction::triggered, this, [this, dock] { focusDock(dock); });
    m_window->addAction(focus);
    m_focusActions << focus;
    return dock;
}

void WindowLayout::focusDock(QDockWidget *dock)
{
    dock->show();
    dock->raise();
    if (QWidget *target = firstControl(dock->widget()))
        target->setFocus(Qt::ShortcutFocusReason);
}

void WindowLayout::showDock(const QString &name)
{
    if (QDockWidget *dock = m_docks.value(name)) {
        dock->show();
        dock->raise();
    }
}

void WindowLayout::fillMenu(QMenu *menu)
{
    menu->addActions(m_focusActions);
    menu->addSeparator();
    const std::pair<Mode, QString> modes[] = {{Mode::SettingUp, tr("Layout: &setting up")},
                                              {Mode::Running, tr("Layout: r&unning")},
                                              {Mode::Comparing, tr("Layout: &comparing")}};
    for (const auto &[mode, text] : modes)
        connect(menu->addAction(text), &QAction::triggered, this, [this, wanted = mode] { setMode(wanted); });
    connect(menu->addAction(tr("&Reset this layout")), &QAction::triggered, this, &WindowLayout::reset);
    menu->addSeparator();
    QMenu *panels = menu->addMenu(tr("Show &panels"));
    for (QDockWidget *dock : std::as_const(m_docks))
        panels->addAction(dock->toggleViewAction());
}

void WindowLayout::setMode(Mode mode)
{
    if (m_shown)
        save();
    m_mode = mode;
    if (m_shown)
        arrange(mode);
}

void WindowLayout::setDocksShown(bool shown)
{
    if (shown == m_shown)
        return;
    if (m_shown)
        save();
    m_shown = shown;
    if (shown)
        return arrange(m_mode);
    for (QDockWidget *dock : std::as_const(m_docks))
        dock->hide();
}

void WindowLayout::reset()
{
    settings::setValue(stateKey(m_mode), {});
    arrange(m_mode);
}

void WindowLayout::arrange(Mode mode)
{
    if (m_window->restoreState(settings::value(stateKey(mode)).toByteArray(), stateVersion))
        return;
    QDockWidget *plan = m_docks.value(QStringLiteral("plan"));
    QDockWidget *machine = m_docks.value(QStringLiteral("machine"));
    QDockWidget *chart = m_docks.value(QStringLiteral("chart"));
    QDockWidget *timeline = m_docks.value(QStringLiteral("timeline"));
    QDockWidget *output = m_docks.value(QStringLiteral("output"));
    for (QDockWidget *dock : {plan, machine})
        dock->setVisible(mode != Mode::Comparing);
    for (QDockWidget *dock : {chart, timeline})
        dock->setVisible(mode != Mode::SettingUp);
    output->show();
    const int width = m_window->width();
    const int planWidth = mode == Mode::SettingUp ? width * 45 / 100 : qMax(74 * grid, width * 20 / 100);
    const int height = m_window->height();
    m_window->resizeDocks({plan, chart}, {planWidth, qMax(88 * grid, width * 29 / 100)}, Qt::Horizontal);
    m_window->resizeDocks({chart, timeline}, {height * 46 / 100, height * 46 / 100}, Qt::Vertical);
    m_window->resizeDocks({output}, {height * (mode == Mode::SettingUp ? 18 : 27) / 100}, Qt::Vertical);
}

void WindowLayout::save()
{
    settings::setValue(geometryKey(), m_window->saveGeometry());
    if (m_shown)
        settings::setValue(stateKey(m_mode), m_window->saveState(stateVersion));
}

void WindowLayout::restoreGeometry()
{
    if (!m_window->restoreGeometry(settings::value(geometryKey()).toByteArray()))
        m_window->resize(1280, 800);
}

} // namespace ako
