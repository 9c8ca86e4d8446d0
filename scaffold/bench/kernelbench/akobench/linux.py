# SPDX-License-Identifier: GPL-3.0-or-later
"""The few system calls that Python's library lacks, and what /proc says about processes."""

import ctypes
import os
import platform
import signal
import struct

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22


def _prctl(option, argument):
    return _libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0) == 0


def become_subreaper():
    """Orphans of our children become ours, so that none gets away."""
    return _prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent():
    return _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


# --- no new processes (seccomp): threads stay allowed, fork and exec'ing helpers do not ---

_LD_ABS, _JEQ, _JSET, _RET = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_CLONE_THREAD = 0x00010000
_ARCHITECTURES = {
    # machine: (audit architecture, clone, clone3, [fork, vfork])
    "x86_64": (0xC000003E, 56, 435, [57, 58]),
    "aarch64": (0xC00000B7, 220, 435, []),
}


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


def forbid_new_processes():
    """From here on starting a process ends this one with SIGSYS. False where the system has no such means."""
    entry = _ARCHITECTURES.get(platform.machine())
    if entry is None or not _prctl(PR_SET_NO_NEW_PRIVS, 1):
        return False
    program = _fork_filter(*entry)
    code = ctypes.create_string_buffer(b"".join(program))
    head = _Filter(len(program), ctypes.addressof(code))
    seccomp_number = 317 if platform.machine() == "x86_64" else 277
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


def waited_seconds(pid):
    """How long the main thread of a process has waited for a CPU so far; 0 where the system does not say."""
    try:
        with open("/proc/%d/task/%d/schedstat" % (pid, pid)) as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


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
    for victim in [pid, *descendants(pid)]:
        try:
            os.kill(victim, signal.SIGKILL)
        except OSError:
            pass
