// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/pythonscanner.h"
#include "workspace/resolvedplan.h"
#include "workspace/sourcefacts.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>

#include <memory>

namespace ako {

// What a file of the workspace is for. One file may have several findings.
enum class Role { Kernel, Reference, Input, Knowledge, BenchScript, Problem, Test };

// One thing seen, with what it was seen by.
struct Finding
{
    Role role = Role::Kernel;
    QString path; // workspace-relative
    QString kind; // "cpp", "cuda", "hip", "kernelbench", "triton", "tilelang", "cute", "cutile", "load-inline",
                  // "definition", "npy", "npz", "safetensors", "pt", "raw", "shell", "python", "make", ...
    Certainty certainty = Certainty::Likely;
    QList<Evidence> evidence;
    QString command = {};      // bench scripts: shell text that runs it from the workspace
    QStringList mentions = {}; // bench scripts: the paths that its text names
    QStringList cautions = {}; // bench scripts: what a person should know before it is run
};

// A command that a README gives, which runs a script of the workspace.
struct DocumentedCommand
{
    QString command; // as written there
    QString script;  // workspace-relative, or a Makefile
    QString file;
    int line = 0;
};

// The few facts of a native problem file that the plan shows. The evaluator's own parser judges the whole of it.
struct ProblemFacts
{
    QString path; // workspace-relative
    QString name;
    QString device = {}; // "cpu" (also where it is not said) or "cuda"
    QString entrySymbol;
    int entryLine = 0;
    QStringList referenceSources; // workspace-relative; empty: none named
    int referenceLine = 0;
    QStringList workloads;
    QStringList dataFiles; // workspace-relative, from the inputs
    QString error;         // non-empty: it cannot be used, with the place
};

// What a Python file needs from beside it, as far as its text says.
struct PythonNeeds
{
    QString path;               // workspace-relative
    QMap<QString, int> imports; // dotted module names, a leading dot for each level of a relative one
    QStringList mentions;       // names of C++ and CUDA files
    bool definesRun = false;
    QString kernelKind = {}; // of a kernel that it defines: "triton", ...; empty: none
    PythonFacts facts = {};
};

// Marks of an earlier run, of this app or of the terminal AKO4ALL.
struct EarlierRun
{
    bool found = false;
    bool ofThisApp = false;
    QString branchKernel; // <name> where HEAD is opt/<name>
    QList<Evidence> evidence;
};

// Everything that was seen in a workspace. A value: building a plan from it touches the disk no more.
struct Inventory
{
    QString workspace; // absolute, no trailing slash
    QStringList files; // workspace-relative, sorted; skipped folders are left out
    QList<Finding> findings;
    QList<SourceFacts> sources; // every C, C++, CUDA and HIP file that was read
    QList<PythonNeeds> pythonFiles;
    QList<ProblemFacts> problems;
    QList<DocumentedCommand> commands;
    QMap<QString, QList<qint64>> documentedSizes; // "n" -> 4096, from a README
    QStringList scaffoldPresent; // of those the loop needs, symlinks and folders in their place included
    EarlierRun earlierRun;
    QByteArray hintsContent;                   // HINTS.md as it stands
    QString hintsProblem;                      // why it could not be read
    QString benchOutput;                       // of the last bench of the user's own that ended well, its end
    bool isRepository = false;                 // the workspace is in a git work tree, its own or that of a folder above
    QStringList notes;                         // what was skipped and why
    bool isCut = false;                        // there is more than was looked at
    std::shared_ptr<const Inventory> solution; // the same of solution/, which the rest leaves out; null: no such folder

    Inventory withSolution() const; // both in one
    void sortByPath();              // as the look-ups below expect it
    bool contains(const QString &path) const;
    bool hasFolder(const QString &path) const; // some file lies below it
    const SourceFacts *source(const QString &path) const;
    const PythonNeeds *pythonFile(const QString &path) const;
    const ProblemFacts *problem(const QString &path) const;
    QList<Finding> withRole(Role role) const;
};

// Reads the workspace; writes nothing and runs nothing. May take seconds on a big tree: not for the GUI thread.
Result<Inventory> takeInventory(const QString &workspace);

} // namespace ako
