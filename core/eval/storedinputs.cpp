// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/storedinputs.h"

#include "eval/arrayfile.h"
#include "eval/status.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <tuple>

namespace ako::eval {

namespace {

constexpr std::size_t alignment = 4096;

// The arrays of a process lie where its first order finds them, so one place for all of it.
const unsigned char *mapped = nullptr;
std::size_t mappedBytes = 0;

[[noreturn]] void failFor(const char *what)
{
    throw Failure(Status::Infrastructure,
                  std::string("Inputs from files cannot be held in memory: ") + what + ": " + std::strerror(errno));
}

} // namespace

std::size_t storedBytes(const Problem &problem)
{
    std::size_t bytes = 0;
    for (const Workload &workload : problem.workloads) {
        for (const auto &[name, rule] : workload.inputs) {
            const Tensor &tensor = *problem.tensor(name);
            if (rule.distribution == Distribution::Stored)
                bytes += static_cast<std::size_t>(elementsOf(tensor, workload.axes)) * sizeOf(tensor.dtype) + alignment;
        }
    }
    return bytes;
}

bool hasSameInputs(const Workload &workload)
{
    return std::all_of(workload.inputs.begin(), workload.inputs.end(), [](const auto &input) {
        const InputRule &rule = input.second;
        return rule.distribution == Distribution::Constant ||
               (rule.distribution == Distribution::Stored && rule.fresh != Fresh::Jitter);
    });
}

StoredInputs::StoredInputs(Problem &problem)
{
    std::map<std::tuple<std::string, std::string, DType, std::vector<std::int64_t>>, std::size_t> places;
    for (Workload &workload : problem.workloads) {
        for (auto &[name, rule] : workload.inputs) {
            if (rule.distribution != Distribution::Stored)
                continue;
            const Tensor &tensor = *problem.tensor(name);
            const ArrayFile file{problem.folder + '/' + rule.file, rule.key, tensor.dtype,
                                 shapeOf(tensor, workload.axes)};
            const auto [place, isNew] = places.try_emplace({file.path, file.key, file.dtype, file.shape}, m_bytes);
            rule.offset = place->second;
            if (!isNew)
                continue;
            const std::size_t end = m_bytes + (file.bytes() + alignment - 1) / alignment * alignment;
            if (m_memory.get() < 0)
                m_memory = Descriptor(memfd_create("ako-inputs", MFD_CLOEXEC | MFD_ALLOW_SEALING));
            if (m_memory.get() < 0 || ftruncate(m_memory.get(), off_t(end)) != 0)
                failFor("no shared memory");
            void *memory =
                mmap(nullptr, file.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, m_memory.get(), off_t(m_bytes));
            if (memory == MAP_FAILED)
                failFor("no shared memory");
            try {
                readArray(file, static_cast<unsigned char *>(memory));
            } catch (...) {
                munmap(memory, file.bytes());
                throw;
            }
            munmap(memory, file.bytes());
            m_bytes = end;
        }
    }
    if (m_memory.get() >= 0 &&
        fcntl(m_memory.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        failFor("they cannot be sealed");
}

void mapStoredInputs(int descriptor, std::size_t bytes)
{
    void *memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        failFor("no mapping");
    mapped = static_cast<const unsigned char *>(memory);
    mappedBytes = bytes;
}

const unsigned char *storedInput(std::size_t offset, std::size_t bytes)
{
    return offset <= mappedBytes && bytes <= mappedBytes - offset ? mapped + offset : nullptr;
}

} // namespace ako::eval
