// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/probing.h"

#include "git/folderfiles.h"
#include "history/trajectory.h"
#include "loop/solutionfolder.h"
#include "workspace/statefolder.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <utility>

namespace ako {

namespace {

constexpr int longestProbe = 15 * 60 * 1000; // an agent waits for it

// Below .ako/probes/<label>/<number>, in the place of an attempt at the same iteration that came to nothing.
void moveToProbes(const Session &session, const QString &folder, const QString &label, const QString &number)
{
    const QString target = QStringLiteral("%1/probes/%2/%3").arg(stateFolder(session.workspace), label, number);
    QDir(target).removeRecursively();
    QDir().mkpath(QFileInfo(target).path());
    if (!QDir().rename(folder, target))
        QDir(folder).removeRecursively();
}

} // namespace

Probing::Probing(Session &session, Ports &ports, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_ports(ports)
{
}

Probing::~Probing() = default;

Result<void> Probing::layOut(const Order &order)
{
    SolutionFolder folder(m_session);
    auto present = folder.present();
    if (!present)
        return std::unexpected(present.error());
    if (present->files.isEmpty())
        return fail(tr("solution/ is empty."));
    m_benched = std::move(*present);
    const auto champion = folder.committed(order.against);
    if (!champion)
        return std::unexpected(champion.error());
    return replaceFolder(m_session.champion(), *champion);
}

void Probing::start(const Order &order, const ProbeReply &reply)
{
    if (m_job)
        return reply({tr("A bench is still under way."), {}, {}});
    if (const auto done = layOut(order); !done)
        return reply({done.error().text(), {}, {}});
    m_order = order;
    m_reply = reply;
    m_stopped = false;
    BenchRequest request;
    request.workspace = m_session.workspace;
    request.label = QStringLiteral("%1-probe-%2").arg(order.label).arg(order.number);
    request.mode = order.mode;
    request.reading = readingOf(m_session);
    request.timeoutMilliseconds = longestProbe;
    if (order.mode != BenchMode::Custom)
        request.arguments =
            QStringList{QStringLiteral("--signal"), QStringLiteral("--champion"), QStringLiteral(".ako/champion")};
    m_job = m_ports.bench(request);
    connect(m_job.get(), &BenchJob::finished, this, &Probing::finish);
    m_job->start();
}

void Probing::stop()
{
    m_stopped = true;
    if (m_job)
        m_job->stop();
}

void Probing::drop()
{
    m_job.reset();
    m_reply = {};
}

QString Probing::putAside(const QString &trajectory) const
{
    if (trajectory.isEmpty())
        return {};
    QString output = benchOutput(m_session.workspace, trajectory).value_or(QString());
    moveToProbes(m_session, m_session.path(trajectory), m_order.label, QString::number(m_order.number));
    return output;
}

void Probing::putAsideLeftovers(const Session &session)
{
    static const QRegularExpression form(QStringLiteral("\\A(iter-\\d{1,6})-probe-(\\d{1,4})(?:-\\d+)?\\z"));
    const QDir root(session.path(QStringLiteral("trajectory")));
    for (const QFileInfo &folder : root.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const auto name = trajectoryName(folder.fileName());
        const auto match = form.match(name ? name->label : QString());
        if (match.hasMatch() && !folder.isSymLink())
            moveToProbes(session, folder.filePath(), match.captured(1), match.captured(2));
    }
}

void Probing::finish(const BenchResult &result, const QString &trajectory)
{
    if (!m_job)
        return;
    m_job.release()->deleteLater(); // it is the sender
    Probe probe;
    probe.output = putAside(trajectory);
    probe.result = result;
    if (m_stopped)
        probe.error = tr("The bench was stopped: the turn has ended.");
    if (m_order.mode == BenchMode::Custom) // what it builds is no edit of the agent's
        (void)SolutionFolder(m_session).moveProducts(m_benched);
    if (const auto reply = std::exchange(m_reply, {}))
        reply(probe);
    Q_EMIT ended();
}

} // namespace ako
