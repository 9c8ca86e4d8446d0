// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/sandbox.h"

#include "eval/landlock.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <vector>

namespace ako::eval {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limitsAddressSpace = false; // sanitizers reserve terabytes
#else
constexpr bool limitsAddressSpace = true;
#endif

bool limit(int resource, std::int64_t value)
{
    const rlimit both{rlim_t(value), rlim_t(value)};
    return setrlimit(static_cast<__rlimit_resource_t>(resource), &both) == 0;
}

bool applyLimits(const SandboxLimits &limits)
{
    bool good = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 256) &&
                limit(RLIMIT_CPU, limits.cpuSeconds);
    if (limits.memoryBytes > 0 && limitsAddressSpace)
        good = limit(RLIMIT_AS, limits.memoryBytes) && good;
    return good;
}

struct RulesetAttributes
{
    std::uint64_t files = 0, network = 0, scoped = 0;
};

std::size_t attributesSize(int abi)
{
    return (abi >= 6 ? 3 : abi >= 4 ? 2 : 1) * sizeof(std::uint64_t);
}

void allowNullDevice(int ruleset)
{
    const int null = open("/dev/null", O_PATH | O_CLOEXEC);
    if (null < 0)
        return;
    landlock_path_beneath_attr rule = {};
    rule.allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE;
    rule.parent_fd = null;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(null);
}

int applyLandlock()
{
    const int abi = landlockVersion();
    if (abi < 1)
        return 0;
    RulesetAttributes attributes;
    attributes.files = landlockWriting(abi);
    if (abi >= 6)
        attributes.scoped = 3; // abstract sockets and signals stay among this process's own threads
    const int ruleset = int(syscall(SYS_landlock_create_ruleset, &attributes, attributesSize(abi), 0));
    if (ruleset < 0)
        return 0;
    allowNullDevice(ruleset);
    const bool good = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return good ? abi : 0;
}

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | 1;      // EPERM
constexpr std::uint32_t noSuchCall = SECCOMP_RET_ERRNO | 38; // ENOSYS

class FilterBuilder
{
public:
    void load(std::size_t offset) { m_code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(offset))); }
    void answer(std::uint32_t action) { m_code.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
    // If the loaded value equals `value`, the answer is `action`.
    void onEqual(std::uint32_t value, std::uint32_t action)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        answer(action);
    }
    // For one call: refuse it unless its argument number `argument` equals `value`.
    void allowOnlyWith(long call, int argument, std::uint32_t value)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(call), 0, 4));
        load(offsetof(seccomp_data, args) + 8 * std::size_t(argument));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        answer(SECCOMP_RET_ALLOW);
        answer(refuse);
    }
    // For one call: refuse it where its argument equals one of `values`. The argument is an int for the kernel, which
    // does not look at the upper half either.
    void refuseWith(long call, int argument, std::initializer_list<std::uint32_t> values)
    {
        for (const std::uint32_t value : values)
            refuseIf(call, argument, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    }
    // For one call: refuse it where its argument has one of the bits of `mask`.
    void refuseBits(long call, int argument, std::uint32_t mask)
    {
        refuseIf(call, argument, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, mask, 0, 1));
    }
    // For one call: refuse it unless the argument is zero in all of its 64 bits.
    void requireZero(long call, int argument)
    {
        refuseIf(call, argument, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
        refuseIf(call, argument, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), sizeof(std::uint32_t));
    }
    // For one call: refuse it where both arguments have bits of their masks.
    void refuseBoth(long call, int first, std::uint32_t firstMask, int second, std::uint32_t secondMask)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(call), 0, 5));
        load(offsetof(seccomp_data, args) + 8 * std::size_t(first));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, firstMask, 0, 3));
        load(offsetof(seccomp_data, args) + 8 * std::size_t(second));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, secondMask, 0, 1));
        answer(refuse);
        load(offsetof(seccomp_data, nr));
    }
    // clone may make threads, nothing else.
    void cloneThreadsOnly()
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(SYS_clone), 0, 4));
        load(offsetof(seccomp_data, args));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
        answer(SECCOMP_RET_ALLOW);
        answer(SECCOMP_RET_TRAP);
    }
    void requireArchitecture()
    {
        load(offsetof(seccomp_data, arch));
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
        answer(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1)); // the x32 calls
        answer(SECCOMP_RET_KILL_PROCESS);
#endif
    }
    bool install()
    {
        sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    }

private:
    void refuseIf(long call, int argument, sock_filter test, std::size_t half = 0)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(call), 0, 3));
        load(offsetof(seccomp_data, args) + 8 * std::size_t(argument) + half);
        m_code.push_back(test);
        answer(refuse);
        load(offsetof(seccomp_data, nr));
    }

    std::vector<sock_filter> m_code;
};

// A fault that the kernel handles itself would let it answer when the evaluator reads the output, outside the measured
// time. Our own handlers stand already.
void keepFaultHandlers(FilterBuilder &filter)
{
    filter.refuseWith(SYS_rt_sigaction, 0, {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS});
}

// Nothing that is executable can be written, so that the evaluator's own code stays what it is. Libraries are mapped
// from files that cannot be written (Landlock).
void keepCode(FilterBuilder &filter)
{
    filter.refuseBits(SYS_mprotect, 2, PROT_EXEC);
    filter.refuseBits(SYS_pkey_mprotect, 2, PROT_EXEC);
    filter.refuseBoth(SYS_mmap, 2, PROT_EXEC, 2, PROT_WRITE);
    filter.refuseBoth(SYS_mmap, 2, PROT_EXEC, 3, MAP_ANONYMOUS);
    filter.refuseBits(SYS_mremap, 3, MREMAP_FIXED); // moves code over other code
}

void keepOthersAlone(FilterBuilder &filter)
{
    filter.refuseWith(SYS_ioctl, 1, {TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN, SIOCSPGRP});
    filter.refuseWith(SYS_fcntl, 1, {F_SETOWN, F_SETOWN_EX, F_SETSIG});
    filter.requireZero(SYS_prlimit64, 0); // this process's limits
    filter.requireZero(SYS_prlimit64, 2); // reading them, as getrlimit() does
}

bool applySeccomp()
{
    if (architecture == 0)
        return false;
    FilterBuilder filter;
    filter.requireArchitecture();
    for (const long call : {long(SYS_execve), long(SYS_execveat)})
        filter.onEqual(std::uint32_t(call), SECCOMP_RET_TRAP);
#if defined(__x86_64__)
    for (const long call : {long(SYS_fork), long(SYS_vfork)})
        filter.onEqual(std::uint32_t(call), SECCOMP_RET_TRAP);
#endif
    filter.onEqual(SYS_clone3, noSuchCall); // its flags lie in memory a filter cannot read; glibc falls back to clone
    for (const long call : {SYS_ptrace,
                            SYS_process_vm_readv,
                            SYS_process_vm_writev,
                            SYS_socket,
                            SYS_socketpair,
                            SYS_setsid,
                            SYS_setpgid,
                            SYS_mount,
                            SYS_umount2,
                            SYS_pivot_root,
                            SYS_chroot,
                            SYS_setns,
                            SYS_unshare,
                            SYS_bpf,
                            SYS_perf_event_open,
                            SYS_kexec_load,
                            SYS_init_module,
                            SYS_finit_module,
                            SYS_delete_module,
                            SYS_reboot,
                            SYS_swapon,
                            SYS_swapoff,
                            SYS_settimeofday,
                            SYS_clock_settime,
                            SYS_adjtimex,
                            SYS_clock_adjtime,
                            SYS_sethostname,
                            SYS_setdomainname,
                            SYS_personality, // could make readable memory executable
                            SYS_mq_open,
                            SYS_mq_unlink,
                            SYS_mq_notify,
                            SYS_mq_timedsend,
                            SYS_mq_timedreceive,
                            SYS_mq_getsetattr,
                            SYS_syslog,
                            SYS_acct,
                            SYS_open_by_handle_at,
                            SYS_io_uring_setup,
                            SYS_userfaultfd,
                            SYS_keyctl,
                            SYS_add_key,
                            SYS_request_key,
                            SYS_pidfd_open,
                            SYS_pidfd_getfd,
                            SYS_pidfd_send_signal,
                            SYS_tkill,
                            SYS_rt_tgsigqueueinfo,
                            SYS_setpriority,
                            SYS_ioprio_set,
                            SYS_sched_setaffinity,
                            SYS_sched_setparam,
                            SYS_sched_setscheduler,
                            SYS_sched_setattr,
                            SYS_fchmod,
                            SYS_fchmodat,
                            SYS_fchown,
                            SYS_fchownat,
                            SYS_utimensat,
                            SYS_setxattr,
                            SYS_lsetxattr,
                            SYS_fsetxattr,
                            SYS_shmget,
                            SYS_msgget,
                            SYS_semget})
        filter.onEqual(std::uint32_t(call), refuse);
#if defined(__x86_64__)
    for (const long call : {SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat})
        filter.onEqual(std::uint32_t(call), refuse);
#endif
    const std::uint32_t self = std::uint32_t(getpid());
    filter.cloneThreadsOnly();
    filter.load(offsetof(seccomp_data, nr)); // the check above may have loaded an argument
    filter.allowOnlyWith(SYS_kill, 0, self);
    filter.load(offsetof(seccomp_data, nr));
    filter.allowOnlyWith(SYS_tgkill, 0, self); // abort() and pthread_kill()
    filter.load(offsetof(seccomp_data, nr));
    filter.allowOnlyWith(SYS_rt_sigqueueinfo, 0, self);
    filter.load(offsetof(seccomp_data, nr));
    keepFaultHandlers(filter);
    keepCode(filter);
    keepOthersAlone(filter);
    filter.answer(SECCOMP_RET_ALLOW);
    return filter.install();
}

// The terminal the program was started from is none of the kernel's.
void leaveTerminal()
{
    const int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0)
        return;
    ioctl(terminal, TIOCNOTTY);
    close(terminal);
}

} // namespace

SandboxState enterSandbox(const SandboxLimits &limits)
{
    SandboxState state;
    leaveTerminal();
    state.limits = applyLimits(limits);
    state.memoryLimited = limits.memoryBytes > 0 && limitsAddressSpace;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return state;
    state.landlock = applyLandlock();
    state.seccomp = applySeccomp();
    return state;
}

} // namespace ako::eval
