// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

namespace ako {

// What a Python file says, by line; comments and strings are understood, nothing is run.
struct PythonFacts
{
    QMap<QString, int> classes;    // at its top level
    QMap<QString, int> functions;  // at its top level
    QMap<QString, int> imports;    // dotted module names
    QMap<QString, int> decorators; // "triton.jit"
    QMap<QString, int> calls;      // "torch.randn"; of the scanner only the names that matter: "load_inline"
    QMap<QString, int> settings;   // assignments and keywords that change precision: "allow_tf32=True"
    bool hasMainGuard = false;
    // Only where Python itself has read it; see pythonparser.h.
    QMap<QString, int> forwardCalls; // in forward() of its Model
    int forwardLoop = 0;             // line of a loop in it
    QMap<QString, int> weakTypes;    // floating types of 16 bits and fewer that it names: "float16"
    int timedInput = 0;              // line of a random input made between the start and the end of a clock
    QString python;                  // "3.11"; empty: read by the scanner
    QString syntaxError;             // what Python says; the rest is then what the scanner could tell
    int syntaxErrorLine = 0;
};

PythonFacts scanPython(const QByteArray &text);

} // namespace ako
