// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

class QFileSystemWatcher;
class QTimer;

namespace ako {

// A markdown file, rendered, following the file. A long log is laid out on a worker thread and only while it is looked
// at, so that the window never waits for it.
class MarkdownView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit MarkdownView(QWidget *parent = nullptr);
    ~MarkdownView() override;

    void showIteration(int number); // its entry, now or as soon as it is looked at; negative: none
    void follow(const QString &path, const QString &emptyText); // emptyText: shown while there is no such file

Q_SIGNALS:
    void iterationChosen(int number); // by a link

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void markStale();
    void render();
    void adopt(QTextDocument *document);
    void goToWanted();

    QString m_path;
    QString m_emptyText;
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
    int m_wanted = -1; // iteration to be shown
    bool m_stale = true;
    bool m_rendering = false;
};

} // namespace ako
