// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/filetree.h"
#include "workspace/inventory.h"
#include "workspace/pythonscanner.h"

#include <QByteArray>
#include <QString>

namespace ako::detectors {

// One look at one file, by what it contains. Each adds what it recognises to the inventory and returns whether it
// recognised anything.

bool isSourceName(const QString &path); // C, C++, CUDA or HIP by its suffix
// Of a Python file: whether it defines a kernel of its own, and in which framework ("triton", "load-inline", ...).
struct PythonKernel
{
    QString kind; // empty: none
    int line = 0;
    QString reason;
};
PythonKernel kernelDefinedIn(const PythonFacts &facts);
bool mayMatter(const QString &path, const QByteArray &text); // worth being read by Python itself

bool detectSource(const QString &path, const QByteArray &text, Inventory &inventory);
bool detectPython(const QString &path, const QByteArray &text, const PythonFacts &facts, Inventory &inventory);
bool detectProblem(const QString &path, const QByteArray &text, Inventory &inventory);
bool detectDefinition(const FileTree &tree, const QString &path, const QByteArray &text, Inventory &inventory);
bool detectBenchScript(const QString &path, const QByteArray &text, Inventory &inventory); // shell, make
bool detectPythonBench(const QString &path, const QByteArray &text, const PythonFacts &facts, Inventory &inventory);
QString scriptCommand(const QString &path); // shell text that runs a script from the workspace
bool isReadme(const QString &path);
void detectDocumentedCommands(const QString &path, const QByteArray &text, Inventory &inventory);
bool detectInputData(const QString &path, const QByteArray &head, Inventory &inventory);
bool detectKnowledge(const QString &path, Inventory &inventory);

EarlierRun detectEarlierRun(const QString &workspace);
bool isInsideRepository(const QString &workspace);

} // namespace ako::detectors
