// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/childrun.h"
#include "eval/files.h"
#include "eval/landlock.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

struct Compiler
{
    std::string path, version; // absolute; first line of --version
    // nvcc only: what compiles the host's part, and the architecture, such as sm_90a.
    std::string hostCompiler, architecture;
    bool isCuda() const { return !architecture.empty(); }
};

// g++, else clang++, on the absolute entries of PATH outside the working directory. Throws Failure(NoCompiler).
Compiler findCompiler(const std::string &searchPath);
Compiler describeCompiler(const std::string &path); // an explicitly named one

struct BuildRequest
{
    SourceList sources;
    std::vector<std::pair<std::string, std::string>> shims; // file name, text
    std::vector<std::string> flags;
    Status onError = Status::CompileError; // what a compile error means for this build
    std::string label;                     // for messages: "solution", …
    double timeoutSeconds = 120;
    std::int64_t memoryBytes = std::int64_t(4) << 30, fileBytes = std::int64_t(512) << 20; // of the compiler
};

struct Build
{
    std::string library; // absolute path of the shared object
    std::string sourceHash, log;
    bool fromCache = false;
};

// A folder of builds keyed by content: sources, shims, flags, compiler and machine. A build appears whole (rename) or
// not at all.
class BuildCache
{
public:
    // `landlock`: version to confine the compiler with, 0: not at all.
    BuildCache(const std::string &folder, Compiler compiler, int landlock = landlockVersion());
    // Throws Failure(request.onError) with the compiler's text as log, Failure(Timeout), Failure(Infrastructure).
    Build build(const BuildRequest &request) const;
    const std::string &folder() const { return m_folder; }
    const Compiler &compiler() const { return m_compiler; }
    // Whether a source could be made to hold what stands in a file at this place.
    bool canRead(const std::string &path) const;
    bool isConfined() const { return m_landlock > 0; }

private:
    std::string keyOf(const BuildRequest &request) const;
    std::string foreignFile(const std::string &log) const; // that a failed compilation asked for
    ChildCommand commandFor(const BuildRequest &request, const std::string &folder) const;
    std::string compile(const BuildRequest &request, const std::string &folder) const;
    void prune() const;

    std::string m_folder;
    Compiler m_compiler;
    int m_landlock;
    std::vector<std::string> m_places; // that the compiler may read
};

std::string hashSources(const SourceList &sources);
std::string defaultBuildFolder(); // XDG_CACHE_HOME/ako4all/bench

} // namespace ako::eval
