# SPDX-License-Identifier: GPL-3.0-or-later
"""The few system calls that Python's library lacks, and what /proc says about processes."""

import ctypes
import fcntl
import os
import platform
import signal
import struct
import time

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24


def _prctl(option, argument):
    return _libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0) == 0


def become_subreaper():
    """Orphans of our children become ours, so that none gets away."""
    return _prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent():
    return _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def keep_memory_private():
    """Other processes of this user can neither read this one's memory nor open its files."""
    return _prctl(PR_SET_DUMPABLE, 0)


# Of root: they would open the memory and the files of every other process, and raise a process above all others.
_CAP_SYS_PTRACE, _CAP_SYS_NICE = 19, 23


def give_up_reach():
    """What root could do to other processes beyond what any user can."""
    for capability in (_CAP_SYS_PTRACE, _CAP_SYS_NICE):
        _prctl(PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: of capabilities 0 to 31, then of the others
    if _libc.capget(header, sets) == 0:
        for index in range(3):
            sets[index] &= ~(1 << _CAP_SYS_PTRACE | 1 << _CAP_SYS_NICE)
        _libc.capset(header, sets)


_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
_MOST_HEAP, _SHARE_OF_FREE = 256 << 20, 1 / 16  # for one of several processes


def keep_freed_memory():
    """What has been freed is used again instead of being given back: otherwise a call pays for every page of its outputs
    anew, by chance or not, and several times what a memory-bound kernel takes. False where the C library is another one."""
    try:
        return bool(_libc.mallopt(_M_MMAP_MAX, 0) and _libc.mallopt(_M_TRIM_THRESHOLD, 0x7FFFFFFF))
    except AttributeError:
        return False


def touch_heap(size):
    """So much memory is the process's own before anything is timed."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    size = int(min(size, _MOST_HEAP, _SHARE_OF_FREE * free))
    _libc.malloc.restype = ctypes.c_void_p
    block = _libc.malloc(ctypes.c_size_t(size))
    if block:
        ctypes.memset(block, 0, size)
        _libc.free(ctypes.c_void_p(block))


def stop(pid):
    """Nothing of the process runs until resume()."""
    _signal(pid, signal.SIGSTOP)


def resume(pid):
    _signal(pid, signal.SIGCONT)


def _signal(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass  # how it ended is told where it is asked for something


def is_closed_to_writing(fd):
    """A memory file that nobody can write to any more."""
    wanted = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
    try:
        return fcntl.fcntl(fd, fcntl.F_GET_SEALS) & wanted == wanted
    except OSError:
        return False


# --- filters of system calls (seccomp) ---

_LD_ABS, _JEQ, _JSET, _RET = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_CLONE_THREAD = 0x00010000
_ARCHITECTURES = {
    # machine: (audit architecture, clone, clone3, [fork, vfork])
    "x86_64": (0xC000003E, 56, 435, [57, 58]),
    "aarch64": (0xC00000B7, 220, 435, []),
}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_EPERM = 1
_LOW_ARGUMENT = 16  # of the first argument; the next ones are 8 bytes apart
_NUMBERS = {
    # Into other processes: never. "prctl" with 36: whoever catches orphans is nothing that user code decides.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "prctl": (157, 167),
    # On other processes: these name one, or a thread, in their first or second argument.
    "sched_setaffinity": (203, 122), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setattr": (314, 274),
    "setpriority": (141, 140), "prlimit64": (302, 261), "ioprio_set": (251, 30),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
}
_SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def _instruction(code, jump_true, jump_false, value):
    return struct.pack("<HBBI", code, jump_true, jump_false, value)


def _fork_filter(architecture, clone, clone3, forks):
    program = [
        _instruction(_LD_ABS, 0, 0, 4),
        _instruction(_JEQ, 1, 0, architecture),
        _instruction(_RET, 0, 0, _KILL),
        _instruction(_LD_ABS, 0, 0, 0),
    ]
    for number in forks:
        program += [_instruction(_JEQ, 0, 1, number), _instruction(_RET, 0, 0, _KILL)]
    # clone3 keeps its flags in memory, which a filter cannot read: the C library falls back to clone.
    program += [
        _instruction(_JEQ, 0, 1, clone3),
        _instruction(_RET, 0, 0, _ERRNO | 38),
        _instruction(_JEQ, 0, 3, clone),
        _instruction(_LD_ABS, 0, 0, 16),
        _instruction(_JSET, 1, 0, _CLONE_THREAD),
        _instruction(_RET, 0, 0, _KILL),
        _instruction(_RET, 0, 0, _ALLOW),
    ]
    return program


def _rule(name, action, argument=None, only=None, allowed=()):
    """One system call ends in that action: always, for one value of an argument, or for all but the allowed ones."""
    number = _NUMBERS[name][0 if platform.machine() == "x86_64" else 1]
    if argument is None:
        return [_instruction(_JEQ, 0, 1, number), _instruction(_RET, 0, 0, action)]
    body = [_instruction(_LD_ABS, 0, 0, _LOW_ARGUMENT + 8 * argument)]
    if only is not None:
        body += [_instruction(_JEQ, 0, 1, only & 0xFFFFFFFF), _instruction(_RET, 0, 0, action), _instruction(_LD_ABS, 0, 0, 0)]
    else:
        body += [_instruction(_JEQ, len(allowed) - index, 0, value) for index, value in enumerate(allowed)]
        body += [_instruction(_RET, 0, 0, action), _instruction(_RET, 0, 0, _ALLOW)]
    return [_instruction(_JEQ, 0, len(body), number), *body]


def _filter(architecture, rules):
    program = [
        _instruction(_LD_ABS, 0, 0, 4),
        _instruction(_JEQ, 1, 0, architecture),
        _instruction(_RET, 0, 0, _KILL),
        _instruction(_LD_ABS, 0, 0, 0),
    ]
    for rule in rules:
        program += rule
    return [*program, _instruction(_RET, 0, 0, _ALLOW)]


def leave_others_alone():
    """From here on this process and its children cannot look into other processes, nor have them run slower or
    elsewhere. Binding a thread to processors is for the thread itself; for another one it is passed over in silence,
    since a pool of threads that asks for it would end the process if it failed."""
    entry, own = _ARCHITECTURES.get(platform.machine()), os.getpid()
    if entry is None:
        return False
    denied = _ERRNO | _EPERM
    rules = [_rule(name, denied) for name in ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "pidfd_send_signal")]
    rules.append(_rule("prctl", denied, 0, only=PR_SET_CHILD_SUBREAPER))
    rules.append(_rule("kill", denied, 0, only=-1))
    rules.append(_rule("sched_setaffinity", _ERRNO, 0, allowed=(0, own)))
    for name in ("sched_setparam", "sched_setscheduler", "sched_setattr", "prlimit64"):
        rules.append(_rule(name, denied, 0, allowed=(0, own)))
    for name in ("setpriority", "ioprio_set"):  # for a group or a user first, then for a process
        rules += [_rule(name, denied, 0, only=1 if name == "setpriority" else 2), _rule(name, denied, 0, only=2 if name == "setpriority" else 3)]
        rules.append(_rule(name, denied, 1, allowed=(0, own)))
    return _install(_filter(entry[0], rules))


def forbid_new_processes():
    """From here on starting a process ends this one with SIGSYS, and signals reach this one only. False where the
    system has no such means."""
    entry = _ARCHITECTURES.get(platform.machine())
    if entry is None:
        return False
    denied = _ERRNO | _EPERM
    rules = [_rule(name, denied, 0, allowed=(0, os.getpid())) for name in _SIGNALS if name != "tkill"]
    return _install(_filter(entry[0], [*rules, _rule("tkill", denied)])) and _install(_fork_filter(*entry))


def filters_of(pid):
    """How many filters of system calls a process has; None where the system does not say."""
    try:
        with open("/proc/%d/status" % pid) as file:
            found = [line.split()[1] for line in file if line.startswith("Seccomp_filters:")]
        return int(found[0]) if found else None
    except (OSError, ValueError):
        return None


def has_more_filters(pid):
    """More than this process: it runs user code, or was started by a process that does."""
    theirs, own = filters_of(pid), filters_of(os.getpid())
    return theirs is not None and own is not None and theirs > own


def _install(program):
    if not _prctl(PR_SET_NO_NEW_PRIVS, 1):
        return False
    code = ctypes.create_string_buffer(b"".join(program))
    head = _Filter(len(program), ctypes.addressof(code))
    seccomp_number = _SECCOMP[platform.machine()]
    # For all threads at once, and without the slower speculation that old kernels tie to a filter.
    synchronise_threads, allow_speculation = 1, 4
    for flags in (synchronise_threads | allow_speculation, synchronise_threads):
        if _libc.syscall(seccomp_number, 1, flags, ctypes.byref(head)) == 0:
            return True
    return False


# --- /proc ---


def _stat_fields(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            text = file.read()
    except OSError:
        return None
    return text[text.rindex(b")") + 2 :].split()


def _threads(pid):
    try:
        return os.listdir("/proc/%d/task" % pid)
    except OSError:
        return []


def thread_count(pid):
    return len(_threads(pid))


def thread_seconds(pid):
    """Time that each living thread of a process has had or waited for a CPU so far: what it wanted, however busy the
    machine is. Where the system does not say, the process as a whole; empty when it is gone."""
    found = {}
    for thread in _threads(pid):
        try:
            with open("/proc/%d/task/%s/schedstat" % (pid, thread)) as file:
                found[thread] = sum(int(field) for field in file.read().split()[:2]) / 1e9
        except (OSError, ValueError):
            continue  # it has ended
    fields = None if found else _stat_fields(pid)
    return {"all": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")} if fields else found


def cpu_seconds(pid):
    """CPU time of all threads that a process has or had; 0 where the system does not say."""
    try:
        return time.clock_gettime_ns(~pid << 3 | 2) / 1e9  # as clock_getcpuclockid() makes it
    except OSError:
        return 0.0


def any_thread_runs(pid):
    """Whether a thread has or waits for a CPU at this moment."""
    for thread in _threads(pid):
        try:
            with open("/proc/%d/task/%s/stat" % (pid, thread), "rb") as file:
                if file.read().rpartition(b")")[2].split()[:1] == [b"R"]:
                    return True
        except OSError:
            continue
    return False


def main_thread(pid):
    """Seconds that the main thread of a process has had a CPU and waited for one; 0 where the system does not say."""
    try:
        with open("/proc/%d/task/%d/schedstat" % (pid, pid)) as file:
            had, waited = file.read().split()[:2]
        return int(had) / 1e9, int(waited) / 1e9
    except (OSError, ValueError):
        return 0.0, 0.0


def times_asleep(pid):
    """How often the main thread of a process has gone to sleep so far; more and more where the system does not say."""
    try:
        with open("/proc/%d/status" % pid) as file:
            return next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches:"))
    except (OSError, ValueError, StopIteration):
        return time.monotonic_ns()


def waited_seconds(pid):
    return main_thread(pid)[1]


def waits_of_threads(pid):
    """Thread -> seconds that it has waited for a CPU."""
    found = {}
    for thread in _threads(pid):
        try:
            with open("/proc/%d/task/%s/schedstat" % (pid, thread)) as file:
                found[thread] = int(file.read().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            continue
    return found


def descendants(root):
    """Processes below root, and those of its session that were handed to someone else."""
    parents, sessions = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = _stat_fields(int(name))
            if fields and fields[0] not in (b"Z", b"X"):
                parents[int(name)] = int(fields[1])
                sessions[int(name)] = int(fields[3])
    found = {pid for pid, session in sessions.items() if session == root and pid != root}
    grown = True
    while grown:
        grown = False
        for pid, parent in parents.items():
            if pid not in found and pid != root and (parent == root or parent in found):
                found.add(pid)
                grown = True
    return found


def children_of(pid):
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = _stat_fields(int(name))
            if fields and int(fields[1]) == pid and fields[0] not in (b"Z", b"X"):
                found.add(int(name))
    return found


def kill_tree(pid):
    kill_all([pid, *descendants(pid)])


def kill_all(pids):
    for victim in pids:
        _signal(victim, signal.SIGKILL)
