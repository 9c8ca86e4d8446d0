// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/profiler.h"

#include <QByteArray>
#include <QString>

namespace ako {

// The file in a trajectory folder that a profile by counters is kept in.
inline constexpr char profileFile[] = "profile.json";

// What ako-bench --profile wrote (ako.result/1 with "profile"), put before what is known already. Text that is none of
// it changes nothing but for a line that says so.
ProfileReport withCounters(ProfileReport known, const QByteArray &json);

// The newest profile that was kept below <workspace>/trajectory; empty: there is none.
QByteArray keptProfile(const QString &workspace);

} // namespace ako
