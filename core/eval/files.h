// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/status.h"

#include <string>
#include <utility>
#include <vector>

namespace ako::eval {

// The whole file (at most 64 MiB). Throws Failure(onError) naming it.
std::string readFile(const std::string &path, Status onError);

// Sources of a kernel: a single file, or the .cpp/.cc/.cxx/.c++/.cu/.h/.hpp/.hh/.cuh/.inc/.inl files of a folder and
// below, by path relative to it and in its order; build.json is not among them. Throws Failure(onError).
using SourceList = std::vector<std::pair<std::string, std::string>>; // relative path, content
SourceList readSources(const std::string &path, Status onError);

bool isTranslationUnit(const std::string &path); // of C++
bool isCudaUnit(const std::string &path);        // .cu

std::string makeAbsolute(const std::string &path);

// A folder that is removed with everything in it when this goes out of scope, also on a signal-driven unwind.
class ScratchFolder
{
public:
    explicit ScratchFolder(const std::string &parent); // created; throws Failure(Infrastructure)
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;
    const std::string &path() const { return m_path; }

private:
    std::string m_path;
};

void makeFolders(const std::string &path);
void writePlainFile(const std::string &path, const std::string &text);

} // namespace ako::eval
