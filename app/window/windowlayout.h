// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;

namespace ako {

// The docks and their three arrangements: setting up (the plan wide), running, and comparing two iterations. Each is
// kept as the person left it.
class WindowLayout : public QObject
{
    Q_OBJECT

public:
    enum class Mode { SettingUp, Running, Comparing };

    explicit WindowLayout(QMainWindow *window);

    // `shortcuts` give it the keyboard focus; `area` is where it stands at first.
    QDockWidget *addDock(const QString &name, const QString &title, const QString &iconName, QWidget *content,
                         Qt::DockWidgetArea area, const QList<QKeySequence> &shortcuts);
    void fillMenu(QMenu *menu);
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    void showDock(const QString &name);
    void setDocksShown(bool shown); // without a workspace there is nothing to show
    void save();                    // geometry and the present arrangement
    void restoreGeometry();
    void reset(); // the present arrangement as it was at first

private:
    void arrange(Mode mode);
    void focusDock(QDockWidget *dock);

    QMainWindow *m_window;
    Mode m_mode = Mode::SettingUp;
    bool m_shown = false;
    QMap<QString, QDockWidget *> m_docks;
    QList<QAction *> m_focusActions;
};

} // namespace ako
