// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/pythonscanner.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace ako {

struct PythonText
{
    QString path; // workspace-relative
    QByteArray text;
};

// The Python that reads a workspace's files: that of its virtual environment where it is one of this machine's own,
// else the first of this machine. A program that lies in the workspace is never chosen. Empty: there is none.
QString parsingPython(const QString &workspace);

// One result per text, in order, read by that Python's `ast` in a process of its own that imports nothing but its
// standard library, runs nothing of the texts and has limits of time and memory. What it cannot read, and everything
// where `interpreter` is empty or fails, is read by the scanner instead.
QList<PythonFacts> parsePython(const QString &interpreter, const QList<PythonText> &texts);

} // namespace ako
