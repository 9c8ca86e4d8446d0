// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/sandbox.h"

#include "eval/landlock.h"
#include "eval/protocol.h"
#include "eval/sanitized.h"
#include "eval/seccompfilter.h"
#include "eval/stamps.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string>

namespace ako::eval {

namespace {

#ifdef AKO_SANITIZER
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
    bool good = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, limits.gpu ? 4096 : 256) &&
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

void allowPath(int ruleset, const std::string &path, std::uint64_t rights)
{
    const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0)
        return;
    landlock_path_beneath_attr rule = {};
    rule.allowed_access = rights;
    rule.parent_fd = file;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
}

// /dev/nvidia0, /dev/nvidiactl, /dev/nvidia-uvm, …
void allowGpuDevices(int ruleset, int abi)
{
    const std::uint64_t allRights = landlockWriting(abi);
    const std::uint64_t wanted = LANDLOCK_ACCESS_FS_WRITE_FILE | (std::uint64_t(1) << 14) | (std::uint64_t(1) << 15);
    DIR *folder = opendir("/dev");
    if (!folder)
        return;
    while (const dirent *entry = readdir(folder)) {
        const std::string name = entry->d_name;
        if (name.starts_with("nvidia") || name == "dxg")
            allowPath(ruleset, "/dev/" + name, wanted & allRights);
    }
    closedir(folder);
}

// All but what other processes do: somebody who sees them run could be in their way at that moment. Of /proc what
// libraries ask for about the machine and themselves.
void allowReading(int ruleset)
{
    constexpr std::uint64_t folders = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    const auto allow = [&](const std::string &path) {
        struct stat status = {};
        if (stat(path.c_str(), &status) == 0)
            allowPath(ruleset, path, S_ISDIR(status.st_mode) ? folders : LANDLOCK_ACCESS_FS_READ_FILE);
    };
    DIR *root = opendir("/");
    if (!root)
        return;
    while (const dirent *entry = readdir(root)) {
        const std::string name = entry->d_name;
        if (name != "." && name != ".." && name != "proc")
            allow('/' + name);
    }
    closedir(root);
    for (const char *name : {"cpuinfo", "meminfo", "filesystems", "version", "cmdline", "devices", "sys", "self"})
        allow(std::string("/proc/") + name);
    // A rule holds as long as the kernel keeps this folder in mind.
    [[maybe_unused]] static const int kept = open("/proc/self", O_PATH | O_CLOEXEC);
}

int applyLandlock(bool gpu)
{
    const int abi = landlockVersion();
    if (abi < 1)
        return 0;
    RulesetAttributes attributes;
    attributes.files = landlockWriting(abi);
    if (!gpu)
        attributes.files |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    if (abi >= 6)
        attributes.scoped = 3; // abstract sockets and signals stay among this process's own threads
    const int ruleset = int(syscall(SYS_landlock_create_ruleset, &attributes, attributesSize(abi), 0));
    if (ruleset < 0)
        return 0;
    allowPath(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (gpu)
        allowGpuDevices(ruleset, abi);
    else
        allowReading(ruleset);
    const bool good = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return good ? abi : 0;
}

// A signal or fault that the kernel under test handles itself would let it answer when the evaluator reads the output,
// outside the measured time. Our own handlers stand already.
void keepSignals(FilterBuilder &filter)
{
    filter.requireZero(SYS_rt_sigaction, 1); // asking is allowed
}

// A filter or dispatcher of its own could answer our calls, the one for the time among them.
void keepCalls(FilterBuilder &filter)
{
    constexpr std::uint32_t syscallDispatch = 59, coreScheduling = 62; // of <linux/prctl.h>, which may be older
    filter.onCall(SYS_seccomp, FilterBuilder::refuse);
    filter.refuseWith(SYS_prctl, 0,
                      {PR_SET_SECCOMP, PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_MM, PR_SET_TSC, PR_SET_PTRACER,
                       PR_SET_CHILD_SUBREAPER, syscallDispatch, coreScheduling});
#if defined(__x86_64__)
    constexpr std::uint32_t setGs = 0x1001, setFs = 0x1002, tagAddresses = 0x4002;
    filter.refuseWith(SYS_arch_prctl, 0, {setGs, setFs, tagAddresses});
    for (const long call : {SYS_modify_ldt, SYS_iopl, SYS_ioperm})
        filter.onCall(call, FilterBuilder::refuse);
#endif
}

// Nothing that is executable can be written, so that the evaluator's own code stays what it is. Libraries are mapped
// from files that cannot be written (Landlock). What is loaded now cannot be changed, replaced or moved away.
void keepCode(FilterBuilder &filter)
{
    filter.protectRanges(loadedObjects());
    filter.refuseBits(SYS_mprotect, 2, PROT_EXEC);
    filter.refuseBits(SYS_pkey_mprotect, 2, PROT_EXEC);
    filter.refuseBoth(SYS_mmap, 2, PROT_EXEC, 2, PROT_WRITE);
    filter.refuseBoth(SYS_mmap, 2, PROT_EXEC, 3, MAP_ANONYMOUS);
    filter.refuseBits(SYS_mremap, 3, MREMAP_FIXED); // moves code over other code
}

void keepOthersAlone(FilterBuilder &filter)
{
    // The clock of another process's CPU time has a negative number.
    for (const long call : {SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep})
        filter.refuseBits(call, 0, 0x80000000U);
    filter.onCall(SYS_kcmp, FilterBuilder::refuse);
    filter.refuseWith(SYS_ioctl, 1, {TIOCSTI, TIOCLINUX, TIOCSETD, FIOSETOWN, SIOCSPGRP});
    filter.refuseWith(SYS_fcntl, 1, {F_SETOWN, F_SETOWN_EX, F_SETSIG});
    filter.requireZero(SYS_prlimit64, 0); // this process's limits
    filter.requireZero(SYS_prlimit64, 2); // reading them, as getrlimit() does
}

// What the evaluator sends must reach the parent, and nothing else may stand in its place.
void keepChannels(FilterBuilder &filter, bool gpu)
{
    filter.refuseUpTo(SYS_close_range, 0, std::max(clockDescriptor, sharedDescriptor));
    for (const int descriptor : {controlDescriptor, clockDescriptor, sharedDescriptor}) {
        if (descriptor == sharedDescriptor && !gpu)
            continue; // anybody's there
        filter.refuseWith(SYS_close, 0, {std::uint32_t(descriptor)});
        filter.refuseWith(SYS_shutdown, 0, {std::uint32_t(descriptor)});
        filter.refuseWith(SYS_dup3, 1, {std::uint32_t(descriptor)});
#if defined(__x86_64__)
        filter.refuseWith(SYS_dup2, 1, {std::uint32_t(descriptor)});
#endif
    }
}

bool applySeccomp(bool gpu)
{
    if (!FilterBuilder::isPossible())
        return false;
    FilterBuilder filter;
    for (const long call : {long(SYS_execve), long(SYS_execveat)})
        filter.onCall(call, SECCOMP_RET_TRAP);
#if defined(__x86_64__)
    for (const long call : {long(SYS_fork), long(SYS_vfork)})
        filter.onCall(call, SECCOMP_RET_TRAP);
#endif
    filter.onCall(SYS_clone3,
                  FilterBuilder::noSuchCall); // its flags lie in memory a filter cannot read; glibc falls back to clone
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
                            SYS_timer_create,
                            SYS_setitimer,
                            SYS_process_madvise,
                            SYS_quotactl,
                            SYS_shmget,
                            SYS_shmat,
                            SYS_msgget,
                            SYS_semget})
        filter.onCall(call, FilterBuilder::refuse);
#if defined(__x86_64__)
    for (const long call : {SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat})
        filter.onCall(call, FilterBuilder::refuse);
#endif
    const std::uint32_t self = std::uint32_t(getpid());
    filter.cloneThreadsOnly();
    filter.allowOnlyWith(SYS_kill, 0, self);
    filter.allowOnlyWith(SYS_tgkill, 0, self); // abort() and pthread_kill()
    filter.allowOnlyWith(SYS_rt_sigqueueinfo, 0, self);
    keepSignals(filter);
    keepCalls(filter);
    keepCode(filter);
    keepOthersAlone(filter);
    keepChannels(filter, gpu);
    return filter.install();
}

} // namespace

SandboxState enterSandbox(const SandboxLimits &limits)
{
    SandboxState state;
    state.limits = applyLimits(limits);
    state.memoryLimited = limits.memoryBytes > 0 && limitsAddressSpace;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return state;
    if (!limits.gpu)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); // /proc/self/mem is then root's; nothing relies on it
    state.landlock = applyLandlock(limits.gpu);
    state.sealed = sealMemory(loadedObjects());
    state.seccomp = applySeccomp(limits.gpu);
    return state;
}

} // namespace ako::eval
