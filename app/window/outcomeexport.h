// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"
#include "report/runreport.h"

#include <QObject>

#include <functional>

class QWidget;

namespace ako {

class ApplyDialog;

// What a run leaves behind outside of its workspace's history: the report, the champion's patch, and the champion in a
// person's own source.
class OutcomeExport : public QObject
{
    Q_OBJECT

public:
    explicit OutcomeExport(QWidget *window);

    void chooseReport(); // asks where to
    void choosePatch();
    void lookAtSource(); // shows the difference, and writes it once it is confirmed
    void exportTo(const QString &path, bool onlyPatch);

    void showReport(quint64 token, const RunReport &report, const QString &error);
    void showSourceChange(quint64 token, const Diff &diff, const QStringList &files, const QString &advice,
                          const QString &error);

Q_SIGNALS:
    void reportRequested(quint64 token);
    void sourceChangeRequested(bool write, quint64 token);
    void done(const QString &text);
    void failed(const QString &text);

private:
    void choose(const QString &title, const QString &name, bool onlyPatch);

    QWidget *m_window;
    QString m_path;
    bool m_onlyPatch = false;
    quint64 m_reportToken = 0;
    quint64 m_sourceToken = 0;
    bool m_isWriting = false;
};

// Writes on a thread of the pool; `then` is called on this one with what went wrong, or nothing.
void writeInBackground(const QString &path, const QByteArray &content, QObject *context,
                       const std::function<void(const QString &error)> &then);

} // namespace ako
