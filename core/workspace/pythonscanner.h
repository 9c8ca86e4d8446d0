// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

namespace ako {

// What a Python file says at its top level, by line; comments and strings are understood, nothing is run.
struct PythonFacts
{
    QMap<QString, int> classes;
    QMap<QString, int> functions;
    QMap<QString, int> imports;    // dotted module names
    QMap<QString, int> decorators; // "triton.jit"
    QMap<QString, int> calls;      // of the names that matter: "load_inline"
    bool hasMainGuard = false;
};

PythonFacts scanPython(const QByteArray &text);

} // namespace ako
