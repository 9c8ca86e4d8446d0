// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/seccompfilter.h"

#include <linux/audit.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>

namespace ako::eval {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

constexpr std::size_t half = sizeof(std::uint32_t); // of an argument; the lower one comes first
// Some kernels ignore an address's top byte.
constexpr std::uint32_t addressMask = 0x00ffffff;

// Scratch memory of the program: an address and where it ends.
enum Cell : std::uint32_t { BeginLow, BeginHigh, EndLow, EndHigh };

sock_filter statement(unsigned code, std::uint32_t value)
{
    return BPF_STMT(static_cast<unsigned short>(code), value);
}

// Skips `ifTrue` or `ifFalse` statements.
sock_filter jump(unsigned test, std::uint32_t value, unsigned ifTrue, unsigned ifFalse)
{
    return BPF_JUMP(static_cast<unsigned short>(BPF_JMP | test), value, static_cast<unsigned char>(ifTrue),
                    static_cast<unsigned char>(ifFalse));
}

std::uint32_t lower(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

std::uint32_t upper(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value >> 32);
}

} // namespace

bool FilterBuilder::isPossible()
{
    return architecture != 0;
}

FilterBuilder::FilterBuilder()
{
    load(offsetof(seccomp_data, arch));
    add(jump(BPF_JEQ | BPF_K, architecture, 1, 0));
    answer(SECCOMP_RET_KILL_PROCESS);
    loadNumber();
#if defined(__x86_64__)
    add(jump(BPF_JGE | BPF_K, 0x40000000, 0, 1)); // the x32 calls
    answer(SECCOMP_RET_KILL_PROCESS);
#endif
}

void FilterBuilder::load(std::size_t offset)
{
    add(statement(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(offset)));
}

void FilterBuilder::loadArgument(int argument, bool upperHalf)
{
    load(offsetof(seccomp_data, args) + 2 * half * std::size_t(argument) + (upperHalf ? half : 0));
}

void FilterBuilder::loadNumber()
{
    load(offsetof(seccomp_data, nr));
}

void FilterBuilder::answer(std::uint32_t action)
{
    add(statement(BPF_RET | BPF_K, action));
}

void FilterBuilder::onCall(long call, std::uint32_t action)
{
    add(jump(BPF_JEQ | BPF_K, std::uint32_t(call), 0, 1));
    answer(action);
}

void FilterBuilder::allowOnlyWith(long call, int argument, std::uint32_t value)
{
    refuseIf(call, argument, jump(BPF_JEQ | BPF_K, value, 1, 0));
}

void FilterBuilder::refuseWith(long call, int argument, std::initializer_list<std::uint32_t> values)
{
    for (const std::uint32_t value : values)
        refuseIf(call, argument, jump(BPF_JEQ | BPF_K, value, 0, 1));
}

void FilterBuilder::refuseUpTo(long call, int argument, std::uint32_t value)
{
    refuseIf(call, argument, jump(BPF_JGT | BPF_K, value, 1, 0));
}

void FilterBuilder::refuseBits(long call, int argument, std::uint32_t mask)
{
    refuseIf(call, argument, jump(BPF_JSET | BPF_K, mask, 0, 1));
}

void FilterBuilder::requireZero(long call, int argument)
{
    refuseIf(call, argument, jump(BPF_JEQ | BPF_K, 0, 1, 0));
    refuseIf(call, argument, jump(BPF_JEQ | BPF_K, 0, 1, 0), true);
}

// `test` skips one statement where the call may go on.
void FilterBuilder::refuseIf(long call, int argument, sock_filter test, bool upperHalf)
{
    add(jump(BPF_JEQ | BPF_K, std::uint32_t(call), 0, 4));
    loadArgument(argument, upperHalf);
    add(test);
    answer(refuse);
    loadNumber();
}

void FilterBuilder::refuseBoth(long call, int first, std::uint32_t firstMask, int second, std::uint32_t secondMask)
{
    add(jump(BPF_JEQ | BPF_K, std::uint32_t(call), 0, 6));
    loadArgument(first);
    add(jump(BPF_JSET | BPF_K, firstMask, 0, 3));
    loadArgument(second);
    add(jump(BPF_JSET | BPF_K, secondMask, 0, 1));
    answer(refuse);
    loadNumber();
}

void FilterBuilder::cloneThreadsOnly()
{
    add(jump(BPF_JEQ | BPF_K, std::uint32_t(SYS_clone), 0, 4));
    loadArgument(0);
    add(jump(BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
    answer(SECCOMP_RET_TRAP);
    loadNumber();
}

// 64-bit sums in 32-bit halves, with the carry.
void FilterBuilder::sumFirstTwo()
{
    loadArgument(0, true);
    add(statement(BPF_ALU | BPF_AND | BPF_K, addressMask));
    add(statement(BPF_ST, BeginHigh));
    loadArgument(0);
    add(statement(BPF_ST, BeginLow));
    add(statement(BPF_MISC | BPF_TAX, 0));
    loadArgument(1);
    add(statement(BPF_ALU | BPF_ADD | BPF_X, 0));
    add(statement(BPF_ST, EndLow));
    // Less than one of its parts: it went over.
    add(jump(BPF_JGE | BPF_X, 0, 2, 0));
    add(statement(BPF_LD | BPF_IMM, 1));
    add(statement(BPF_JMP | BPF_JA, 1));
    add(statement(BPF_LD | BPF_IMM, 0));
    add(statement(BPF_LDX | BPF_MEM, BeginHigh));
    add(statement(BPF_ALU | BPF_ADD | BPF_X, 0));
    add(statement(BPF_MISC | BPF_TAX, 0));
    loadArgument(1, true);
    add(statement(BPF_ALU | BPF_ADD | BPF_X, 0));
    add(statement(BPF_ST, EndHigh));
}

// Refused where begin < range.end and end > range.begin.
void FilterBuilder::refuseOverlap(const AddressRange &range)
{
    add(statement(BPF_LD | BPF_MEM, BeginHigh));
    add(jump(BPF_JGT | BPF_K, upper(range.end), 9, 0));
    add(jump(BPF_JEQ | BPF_K, upper(range.end), 0, 2));
    add(statement(BPF_LD | BPF_MEM, BeginLow));
    add(jump(BPF_JGE | BPF_K, lower(range.end), 6, 0));
    add(statement(BPF_LD | BPF_MEM, EndHigh));
    add(jump(BPF_JGT | BPF_K, upper(range.begin), 3, 0));
    add(jump(BPF_JEQ | BPF_K, upper(range.begin), 0, 3));
    add(statement(BPF_LD | BPF_MEM, EndLow));
    add(jump(BPF_JGT | BPF_K, lower(range.begin), 0, 1));
    answer(refuse);
}

void FilterBuilder::protectRanges(const std::vector<AddressRange> &ranges)
{
    constexpr std::array calls{long(SYS_mprotect), long(SYS_pkey_mprotect),    long(SYS_munmap),
                               long(SYS_mremap),   long(SYS_remap_file_pages), long(SYS_madvise)};
    // In front: mmap without MAP_FIXED, and what is no such call, go to the end.
    FilterBuilder body(*this);
    body.m_code.clear();
    body.sumFirstTwo();
    for (const AddressRange &range : ranges)
        body.refuseOverlap(range);
    const std::uint32_t length = std::uint32_t(body.m_code.size());
    for (std::size_t i = 0; i < calls.size(); ++i)
        add(jump(BPF_JEQ | BPF_K, std::uint32_t(calls[i]), unsigned(calls.size() - i) + 3, 0));
    add(jump(BPF_JEQ | BPF_K, std::uint32_t(SYS_mmap), 0, 2));
    loadArgument(3);
    add(jump(BPF_JSET | BPF_K, MAP_FIXED, 1, 0));
    add(statement(BPF_JMP | BPF_JA, length));
    m_code.insert(m_code.end(), body.m_code.begin(), body.m_code.end());
    loadNumber();
}

bool FilterBuilder::install()
{
    answer(SECCOMP_RET_ALLOW);
    sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace ako::eval
