// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/desktopnotice.h"

#include "bench/numbers.h"
#include "history/runstore.h"
#include "models/phasetext.h"
#include "style/status.h"
#include "window/settings.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDir>
#include <QVariantMap>

#include <utility>

namespace ako {

namespace {

QString wantedKey()
{
    return QStringLiteral("notifications");
}

} // namespace

DesktopNotices::DesktopNotices(const RunStore &store, QWidget *window, Sender sender)
    : QObject(window)
    , m_store(store)
    , m_window(window)
    , m_sender(std::move(sender))
{
    connect(&store, &RunStore::recordInserted, this, &DesktopNotices::recorded);
    connect(&store, &RunStore::planChanged, this, &DesktopNotices::planChanged);
    connect(&store, &RunStore::stopped, this, [this](const event::RunStopped &why) {
        if (why.why != event::RunStopped::Why::StepDone)
            tell(QDir(m_store.workspace()).dirName(), stoppedText(why));
    });
}

bool DesktopNotices::areWanted()
{
    return settings::value(wantedKey(), true).toBool();
}

void DesktopNotices::setWanted(bool wanted)
{
    settings::setValue(wantedKey(), wanted);
}

void DesktopNotices::tell(const QString &title, const QString &text)
{
    if (!m_window->isActiveWindow() && areWanted() && !text.isEmpty())
        m_sender(title, text);
}

void DesktopNotices::recorded(int row)
{
    const IterationRecord &record = m_store.records().at(row);
    const QString title = QStringLiteral("%1: %2").arg(QDir(m_store.workspace()).dirName(), longNameOf(record));
    if (record.bench.state == ResultState::Quarantined)
        tell(title, tr("Quarantined: %1").arg(record.statusReason));
    else if (record.kind == IterationRecord::Kind::Iteration && record.becameChampion && record.speedupOverBaseline)
        tell(title, tr("New champion, %1 over the baseline: %2")
                        .arg(speedupWithError(*record.speedupOverBaseline), record.title));
}

void DesktopNotices::planChanged()
{
    const PlanField *open = m_store.plan().firstOpen();
    const QString asked = open == nullptr ? QString() : open->question;
    if (!asked.isEmpty() && asked != m_asked)
        tell(QDir(m_store.workspace()).dirName(), asked);
    m_asked = asked;
}

void DesktopNotices::sendToDesktop(const QString &title, const QString &text)
{
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    const int lifetime = -1; // as the desktop has it
    call << QStringLiteral("AKO4ALL") << 0U << QStringLiteral("io.github.ako4all") << title << text.toHtmlEscaped()
         << QStringList() << QVariantMap() << lifetime;
    QDBusConnection::sessionBus().send(call); // nobody there to show it: nothing is lost, it stands in the window
}

} // namespace ako
