// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/ownmemory.h"

#include <elf.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace ako::eval {

namespace {

constexpr long sealCall = 462; // mseal(), the same on all architectures

int addObject(dl_phdr_info *info, std::size_t, void *list)
{
    const std::uint64_t page = std::uint64_t(sysconf(_SC_PAGESIZE));
    AddressRange range{~std::uint64_t(0), 0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) &segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD)
            continue;
        const std::uint64_t begin = info->dlpi_addr + segment.p_vaddr;
        range.begin = std::min(range.begin, begin / page * page);
        range.end = std::max<std::uint64_t>(range.end, (begin + segment.p_memsz + page - 1) / page * page);
    }
    if (range.begin < range.end)
        static_cast<std::vector<AddressRange> *>(list)->push_back(range);
    return 0;
}

} // namespace

std::vector<AddressRange> loadedObjects()
{
    std::vector<AddressRange> ranges;
    dl_iterate_phdr(addObject, &ranges);
    return ranges;
}

bool sealMemory(const std::vector<AddressRange> &ranges)
{
    return std::all_of(ranges.begin(), ranges.end(), [](const AddressRange &range) {
        return syscall(sealCall, range.begin, range.end - range.begin, 0) == 0;
    });
}

} // namespace ako::eval
