// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/counterprofile.h"

#include "base/atomicfile.h"
#include "bench/jsonread.h"

#include <QCoreApplication>
#include <QDir>

namespace ako {

namespace {

namespace read = jsonread;
using nlohmann::json;

constexpr qint64 largestFile = 4LL * 1024 * 1024;

QString translated(const char *text)
{
    return QCoreApplication::translate("Profile", text);
}

ProfileLevel levelNamed(const QString &name)
{
    return name == QLatin1String("ncu")        ? ProfileLevel::Counters
           : name == QLatin1String("cupti")    ? ProfileLevel::Trace
           : name == QLatin1String("compiler") ? ProfileLevel::Compiler
                                               : ProfileLevel::None;
}

QString headOf(ProfileLevel level, const QString &workload)
{
    switch (level) {
    case ProfileLevel::Counters:
        return translated("Profile level: hardware counters (ncu), of workload %1").arg(workload);
    case ProfileLevel::Trace:
        return translated("Profile level: kernels that ran (CUPTI), of workload %1").arg(workload);
    case ProfileLevel::Compiler:
        return translated("Profile level: the compiler's resource report");
    default:
        return {};
    }
}

QStringList skippedOf(const json &profile)
{
    QStringList lines;
    const json &skipped = read::at(profile, "skipped");
    if (!skipped.is_array())
        return lines;
    for (const json &level : skipped) {
        const QString name = read::string(level, "level"), remedy = read::string(level, "remedy");
        if (!name.isEmpty())
            lines << translated("Left out, %1: %2").arg(name, read::string(level, "reason"));
        if (!remedy.isEmpty())
            lines << QStringLiteral("  ") + remedy;
    }
    return lines;
}

} // namespace

ProfileReport withCounters(ProfileReport known, const QByteArray &text)
{
    const json result = read::parse(text);
    const json &profile = read::at(result, "profile");
    if (!profile.is_object()) {
        const QString message = read::string(result, "message");
        known.summary +=
            QLatin1Char('\n') + (message.isEmpty() ? translated("The kernels could not be profiled.")
                                                   : translated("The kernels could not be profiled: %1").arg(message));
        return known;
    }
    QStringList lines;
    const ProfileLevel level = levelNamed(read::string(profile, "level"));
    if (level != ProfileLevel::None) {
        known.level = level;
        lines << headOf(level, read::string(profile, "workload"));
    }
    lines << read::strings(profile, "summary");
    lines << skippedOf(profile);
    if (level == ProfileLevel::None || !known.figures.isEmpty())
        lines << known.summary;
    lines.removeAll(QString());
    known.summary = lines.join(QLatin1Char('\n'));
    return known;
}

QByteArray keptProfile(const QString &workspace)
{
    const QDir trajectory(workspace + QStringLiteral("/trajectory"));
    const QStringList folders = trajectory.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed);
    for (const QString &folder : folders) {
        const auto bytes =
            readRegularFile(trajectory.filePath(folder + QLatin1Char('/') + QLatin1String(profileFile)), largestFile);
        if (bytes && !bytes->isEmpty())
            return *bytes;
    }
    return {};
}

} // namespace ako
