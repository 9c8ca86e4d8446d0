// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QMetaType>
#include <QString>

#include <optional>

namespace ako {

// A number that the evaluator or a profiler gave beside the result, of an entry and of the one it was made from.
struct MovedNumber
{
    QString name; // "kernel softmax: registers", "main: first_call_ms"
    std::optional<double> before;
    std::optional<double> after; // none: it was not measured there
    bool operator==(const MovedNumber &) const = default;
};

// The numbers of an ako.result/1: what the compiler says of each kernel (registers, shared memory, spills), of each
// workload the times and shares beside the result itself, and the counters of a profile.
QMap<QString, double> numbersIn(const QByteArray &resultJson);

// By how much they moved, the most first; one that stands on one side only comes last.
QList<MovedNumber> movedNumbers(const QMap<QString, double> &before, const QMap<QString, double> &after);

} // namespace ako

Q_DECLARE_METATYPE(ako::MovedNumber)
