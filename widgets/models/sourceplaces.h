// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringView>

#include <optional>

namespace ako {

// A place in a source that a compiler or an interpreter speaks of.
struct SourcePlace
{
    QString path; // as it was printed: absolute, relative, or of a folder that is gone
    int line = 0; // 1-based
    int column = 0;
    Severity severity = Severity::Info;
    QString message;
    bool operator==(const SourcePlace &) const = default;
};

// "softmax.cpp:41:9: error: no matching function", nvcc's "kernel.cu(12): error: ...", ptxas and Python's
// "File "k.py", line 3". Nothing for any other line.
std::optional<SourcePlace> sourcePlace(QStringView line);

// The one of these files that a printed path means: that with the most folders in common from the end; empty: none.
QString fileMeant(const QString &printed, const QStringList &files);

} // namespace ako

Q_DECLARE_METATYPE(ako::SourcePlace)
