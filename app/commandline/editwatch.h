// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

namespace ako {

// Tells when a person has edited a folder and has come to rest: its files' names, sizes and times differ from those at
// start() and have stayed the same for a while. It looks now and then rather than watching each file: editors replace
// files, and a folder may hold many.
class EditWatch : public QObject
{
    Q_OBJECT

public:
    explicit EditWatch(QObject *parent = nullptr);

    void start(const QString &folder);
    void stop() { m_timer.stop(); }
    bool isActive() const { return m_timer.isActive(); }

Q_SIGNALS:
    void edited(); // once; start() again for the next

private:
    void look();

    QTimer m_timer;
    QString m_folder;
    QByteArray m_first; // as it was at start()
    QByteArray m_last;  // as it was a moment ago
};

} // namespace ako
