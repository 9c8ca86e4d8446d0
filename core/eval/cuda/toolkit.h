// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/build.h"
#include "eval/childrun.h"
#include "eval/result.h"

#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

// nvcc of CUDA_HOME, CUDA_PATH, PATH (absolute entries outside the working directory) or the newest /usr/local/cuda*,
// in this order. Throws Failure(NoCompiler) where there is none or it is too old for C++20.
Compiler findCudaCompiler(const std::string &searchPath, const Compiler &hostCompiler, const std::string &architecture);
Compiler describeCudaCompiler(const std::string &path, const Compiler &hostCompiler, const std::string &architecture);

// sm_90a and the like: from 9.0 on with the instructions of just this architecture, as kernels for it use them.
std::string architectureName(int major, int minor);

// Sets program, arguments and environment of a compile that ends in a shared object.
void prepareCudaCommand(const Compiler &compiler, const std::string &temporary, ChildCommand &command);

// What each kernel takes, from ptxas -v.
std::vector<KernelReport> parseResources(const std::string &log);

// The log without the lines of ptxas -v, which parseResources() read.
std::string withoutResources(const std::string &log);

// What to do where the entry is missing: names a bare __global__ function of that name, if there is one.
std::optional<std::string> missingLauncher(const SourceList &sources, const std::string &symbol,
                                           const std::string &log);

} // namespace ako::eval
