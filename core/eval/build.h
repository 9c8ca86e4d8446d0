// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

struct Compiler
{
    std::string path, version; // absolute; first line of --version
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
    BuildCache(std::string folder, Compiler compiler);
    // Throws Failure(request.onError) with the compiler's text as log, Failure(Timeout), Failure(Infrastructure).
    Build build(const BuildRequest &request) const;
    const std::string &folder() const { return m_folder; }
    const Compiler &compiler() const { return m_compiler; }

private:
    std::string keyOf(const BuildRequest &request) const;
    std::string compile(const BuildRequest &request, const std::string &folder) const;
    void prune() const;

    std::string m_folder;
    Compiler m_compiler;
};

std::string hashSources(const SourceList &sources);
std::string defaultBuildFolder(); // XDG_CACHE_HOME/ako4all/bench

} // namespace ako::eval
