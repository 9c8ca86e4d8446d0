// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loopfakes.h"
#include "scratchrepository.h"

#include <memory>

namespace ako::test {

inline const char *const reference = "void r() {}\n";

// A workspace as a person has it: committed sources, and changes of their own beside them.
class Workspace
{
public:
    explicit Workspace(const QByteArray &source = kernel(10.0))
    {
        repository.write(QStringLiteral("kernel.cpp"), source);
        repository.write(QStringLiteral("reference.cpp"), reference);
        repository.write(QStringLiteral("problem.json"), "{}\n");
        repository.write(QStringLiteral("notes.txt"), "one\n");
        repository.commitAll(QStringLiteral("mine"));
    }

    QStringList subjects() const
    {
        return repository.git({QStringLiteral("log"), QStringLiteral("--reverse"), QStringLiteral("--format=%s")})
            .split(QLatin1Char('\n'));
    }
    QByteArray solution() const { return repository.read(QStringLiteral("solution/kernel.cpp")); }
    void edit(const QByteArray &source) const { repository.write(QStringLiteral("solution/kernel.cpp"), source); }
    intent::Open open() const { return {repository.path(), {}, false}; }

    ScratchRepository repository;
};

inline QList<ScriptedAgent::Turn> turns(const QList<QByteArray> &kernels)
{
    QList<ScriptedAgent::Turn> turns;
    for (const QByteArray &source : kernels)
        turns << ScriptedAgent::Turn{source, QStringLiteral("try %1").arg(turns.size() + 1), {}};
    return turns;
}

void prepare(LoopDriver &driver);

// Open and approved, with a baseline.
std::unique_ptr<LoopDriver> started(const Workspace &workspace, const QList<QByteArray> &kernels);

} // namespace ako::test
