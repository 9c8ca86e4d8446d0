// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/buildflags.h"
#include "agents/tuner/constants.h"
#include "agents/tuner/dependence.h"
#include "agents/tuner/machine.h"
#include "agents/tuner/restrictions.h"

#include <QString>

namespace ako::tuner {

// One change to the sources, complete: applying it gives a candidate.
struct Change
{
    std::string direction; // what is explored: constant:softmax.cpp:TILE, threads, flags:-ffast-math
    std::string key;       // this change in particular; stays the same while lines move
    QString title;
    QString hypothesis;
    QString summary;                   // what is changed where
    FileSet files;                     // new content of the files that change
    double gain = 0.0;                 // expected, as natural logarithm of the speedup
    std::optional<long long> from, to; // of a constant
};

// What the changes are looked for in.
struct Situation
{
    FileSet files; // solution-relative path -> content
    Contract contract;
    Machine machine;
    Restrictions restrictions;
};

constexpr const char *buildFile = "build.json";

// Whether it is one that the tuner reads and changes, by its name.
bool isSourceFile(const std::string &path);

// The parts of the catalogue. Each adds the changes it finds in one source file.
class Catalogue
{
public:
    explicit Catalogue(const Situation &situation);

    // All changes in one file, in no particular order.
    std::vector<Change> inFile(const std::string &path) const;
    // Changes that concern the whole solution: compiler flags.
    std::vector<Change> ofFlags() const;
    // The files worth looking at.
    std::vector<std::string> sources() const;

private:
    struct Unit; // a parsed source file
    using Changes = std::vector<Change>;

    void addThreads(const Unit &unit, Changes &changes) const;
    void addSchedules(const Unit &unit, Changes &changes) const;
    void addSimd(const Unit &unit, Changes &changes) const;
    void addInterchange(const Unit &unit, Changes &changes) const;
    void addUnroll(const Unit &unit, Changes &changes) const;
    void addRestrict(const Unit &unit, Changes &changes) const;
    void addAlignment(const Unit &unit, Changes &changes) const;
    void addMath(const Unit &unit, Changes &changes) const;
    void addLiterals(const Unit &unit, Changes &changes) const;
    void addReciprocals(const Unit &unit, Changes &changes) const;
    void addConstants(const Unit &unit, Changes &changes) const;
    void addCuda(const Unit &unit, Changes &changes) const;
    void addLaunchBounds(const Unit &unit, Changes &changes) const;
    void addBlockSizes(const Unit &unit, Changes &changes) const;
    void addConstPointers(const Unit &unit, Changes &changes) const;

    QString whyAnother(const QString &name, bool isLarger) const;
    bool finish(const Unit &unit, Change change, const std::vector<Edit> &edits, Changes &changes,
                const std::string &flag = {}) const;
    bool isCalledWithDistinct(const Unit &unit, const Function &function, int depth = 0) const;
    bool allowsFlag(const std::string &flag) const;
    bool isWorthTrying(const FlagIdea &idea) const;
    bool callsVectorFunctions() const;
    bool hasLongSums() const;
    std::string buildText() const;

    const Situation &m_situation;
    BuildFlags m_flags;
};

} // namespace ako::tuner
