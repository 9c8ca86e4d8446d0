// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/llm/apikey.h"

#ifdef AKO_HAVE_KEYRING
#include <qt6keychain/keychain.h>
#endif

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <memory>
#include <utility>

namespace ako::llm {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::llm::ApiKey", text);
}

#ifdef AKO_HAVE_KEYRING
constexpr int keyringMilliseconds = 10'000; // one that asks a person for a password is not waited for
constexpr int storeMilliseconds = 120'000;  // here somebody sits in front of it
const char *const service = "ako4all";

// Its own words, but where they are none ("Unknown error"): no service is there that keeps keys.
QString reason(const QKeychain::Job &job)
{
    const bool isNamed = job.error() == QKeychain::AccessDenied || job.error() == QKeychain::AccessDeniedByUser ||
                         job.error() == QKeychain::EntryNotFound;
    if (isNamed && !job.errorString().isEmpty())
        return job.errorString();
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return tr("there is no desktop session here (DBUS_SESSION_BUS_ADDRESS is not set).");
    return tr("no service on the session bus keeps keys; gnome-keyring and KWallet do (%1).").arg(job.errorString());
}

void readKeyring(const QString &agent, QObject *context, const std::function<void(const ApiKey &)> &found)
{
    auto *job = new QKeychain::ReadPasswordJob(QLatin1String(service));
    job->setKey(agent);
    auto answered = std::make_shared<bool>(false);
    const auto once = [answered, found](const ApiKey &key) {
        if (!std::exchange(*answered, true))
            found(key);
    };
    QObject::connect(job, &QKeychain::Job::finished, context, [job, once] {
        once(job->error() == QKeychain::NoError ? ApiKey{job->textData().trimmed(), tr("the keyring")} : ApiKey{});
    });
    QTimer::singleShot(keyringMilliseconds, context, [once] { once({}); });
    job->start();
}
#endif

} // namespace

QString keyVariable(const QString &agent)
{
    return agent == QLatin1String("anthropic") ? QStringLiteral("ANTHROPIC_API_KEY") : QStringLiteral("OPENAI_API_KEY");
}

void findApiKey(const QString &agent, QObject *context, const std::function<void(const ApiKey &)> &found)
{
    const QString variable = keyVariable(agent);
    const QString value = qEnvironmentVariable(variable.toLatin1().constData()).trimmed();
    if (!value.isEmpty()) {
        QMetaObject::invokeMethod(
            context, [found, value, variable] { found({value, variable}); }, Qt::QueuedConnection);
        return;
    }
#ifdef AKO_HAVE_KEYRING
    readKeyring(agent, context, found);
#else
    QMetaObject::invokeMethod(context, [found] { found({}); }, Qt::QueuedConnection);
#endif
}

bool hasKeyring()
{
#ifdef AKO_HAVE_KEYRING
    return true;
#else
    return false;
#endif
}

Result<void> storeApiKey([[maybe_unused]] const QString &agent, [[maybe_unused]] const QString &value)
{
#ifdef AKO_HAVE_KEYRING
    std::unique_ptr<QKeychain::Job> job;
    if (value.isEmpty()) {
        job = std::make_unique<QKeychain::DeletePasswordJob>(QLatin1String(service));
    } else {
        auto write = std::make_unique<QKeychain::WritePasswordJob>(QLatin1String(service));
        write->setTextData(value);
        job = std::move(write);
    }
    job->setAutoDelete(false);
    job->setKey(agent);
    job->setInsecureFallback(false); // never into a file
    QEventLoop loop;
    bool finished = false;
    QObject::connect(job.get(), &QKeychain::Job::finished, &loop, [&] {
        finished = true;
        loop.quit();
    });
    QTimer::singleShot(storeMilliseconds, &loop, &QEventLoop::quit);
    job->start();
    if (!finished)
        loop.exec();
    if (finished && job->error() == QKeychain::NoError)
        return {};
    const QString why = finished ? reason(*job) : tr("it does not answer");
    if (!finished)
        job.release()->setAutoDelete(true); // it may still answer
    return fail(tr("The system's keyring cannot be used: %1").arg(why),
                tr("Set %1 in the environment instead.").arg(keyVariable(agent)));
#else
    return fail(tr("This build knows no keyring."), tr("Set %1 in the environment instead.").arg(keyVariable(agent)));
#endif
}

} // namespace ako::llm
