// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QVBoxLayout;

namespace ako {

// What the window shows while no workspace is open: open one, one of the recent ones, or an example. A folder can be
// dropped on it.
class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

    void setRecent(const QStringList &paths);
    void setExamples(const QStringList &names);
    QListWidget *recent() const { return m_recent; }
    QListWidget *examples() const { return m_examples; }

Q_SIGNALS:
    void openRequested();
    void workspaceChosen(const QString &path);
    void exampleChosen(const QString &name);

private:
    QListWidget *makeList(const QString &accessibleName);
    void addSection(QVBoxLayout *layout, QLabel *heading, QListWidget *list);

    QLabel *m_recentHeading;
    QLabel *m_examplesHeading;
    QListWidget *m_recent;
    QListWidget *m_examples;
};

} // namespace ako
