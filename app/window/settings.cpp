// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/settings.h"

#include <QHash>
#include <QMutex>
#include <QMutexLocker>
#include <QSettings>
#include <QThreadPool>

namespace ako::settings {

namespace {

struct Waiting
{
    QVariant value;
    quint64 serial = 0;
};

struct Store
{
    Store() { writer.setMaxThreadCount(1); } // in the order in which they were set

    QMutex mutex;
    QHash<QString, Waiting> waiting;
    quint64 serial = 0;
    QThreadPool writer;
};

Store &store()
{
    static Store instance;
    return instance;
}

void write(const QString &key, const Waiting &entry)
{
    {
        QSettings settings;
        if (entry.value.isValid())
            settings.setValue(key, entry.value);
        else
            settings.remove(key);
    } // on the disk
    const QMutexLocker lock(&store().mutex);
    if (store().waiting.value(key).serial == entry.serial)
        store().waiting.remove(key);
}

} // namespace

QVariant value(const QString &key, const QVariant &otherwise)
{
    {
        const QMutexLocker lock(&store().mutex);
        const auto found = store().waiting.constFind(key);
        if (found != store().waiting.cend())
            return found->value.isValid() ? found->value : otherwise;
    }
    return QSettings().value(key, otherwise);
}

void setValue(const QString &key, const QVariant &value)
{
    const QMutexLocker lock(&store().mutex);
    const Waiting entry{value, ++store().serial};
    store().waiting.insert(key, entry);
    store().writer.start([key, entry] { write(key, entry); });
}

void finish()
{
    store().writer.waitForDone();
}

} // namespace ako::settings
