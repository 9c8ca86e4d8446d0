# SPDX-License-Identifier: GPL-3.0-or-later
"""The parent's handles on workers: what a worker's failure means depends on whose code it runs."""

import math
import os
import signal

from akobench import linux
from akobench.launcher import WorkerCheated, WorkerDied, WorkerError, WorkerTimeout
from akobench.status import Failure

_WHOSE = {"solution": "the solution", "reference": "the reference", "champion": "the champion", "golden": "the reference"}
DROP_SLACK = 64 * 64  # what aligning a call's outputs may cost
_OF_OUTPUTS = {"BAD_SHAPE", "BAD_DTYPE", "BAD_OUTPUT_TYPE", "ALIAS", "GUARD_HIT", "INPUT_MUTATED"}
_OWN_STATUS = {"reference": "REFERENCE_ERROR", "golden": "REFERENCE_ERROR", "champion": "CHAMPION_ERROR"}


class Handle:
    def __init__(self, worker, role):
        self.worker, self.role = worker, role
        self.whose = _WHOSE[role]
        self.sealed = False

    def ask(self, operation, timeout, phase, fds=(), **arguments):
        self.worker.start(operation, fds, **arguments)
        return self.finish(timeout, phase)

    def start(self, operation, fds=(), **arguments):
        self.worker.start(operation, fds, **arguments)

    def finish(self, timeout, phase):
        try:
            return self.worker.finish(timeout)
        except WorkerTimeout:
            raise self._failure("TIMEOUT", "%s did not finish %s within %.0f s" % (self.whose, phase, timeout)) from None
        except WorkerDied as died:
            raise self._death(died.status, phase) from None
        except WorkerCheated:
            raise self._failure("INTEGRITY", "%s wrote to the evaluator's own channel during %s" % (self.whose, phase)) from None
        except WorkerError as error:
            raise self._user_failure(error, phase) from None

    def _failure(self, status, message, log=""):
        if message.startswith("the "):  # a sentence; names of files stay as they are
            message = "T" + message[1:]
        own = _OWN_STATUS.get(self.role)
        printed = self.worker.text()
        return Failure(own or status, message + ("" if message.endswith(".") else "."), "\n".join(x for x in (log, printed) if x))

    def _death(self, status, phase):
        if status is None:
            return self._failure("CRASH_NO_REPORT", "the process of %s ended without a report during %s" % (self.whose, phase))
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGSYS and self.sealed:
                return self._failure("EXTRA_PROCESS", "%s tried to start a process inside a call" % self.whose)
            if number == signal.SIGKILL:
                return self._failure("OUT_OF_MEMORY", "the process of %s was killed during %s, most likely for want of memory" % (self.whose, phase))
            return self._failure("RUNTIME_ERROR", "%s crashed with %s during %s" % (self.whose, signal.Signals(number).name, phase))
        return self._failure("CRASH_NO_REPORT", "the process of %s left with status %d during %s, without a report"
                             % (self.whose, os.WEXITSTATUS(status), phase))

    def _user_failure(self, error, phase):
        if error.kind == "output":
            status = error.status if error.status in _OF_OUTPUTS else "INCORRECT"
            return self._failure(status, "%s: %s" % (self.whose, error.message), error.log)
        if error.kind in ("problem", "inputs") and self.role == "golden":
            failure = self._failure("PROBLEM_ERROR", error.message, error.log)
            failure.status = "PROBLEM_ERROR"
            return failure
        if error.kind == "memory":
            return self._failure("OUT_OF_MEMORY", "%s ran out of memory during %s (%s)" % (self.whose, phase, error.message), error.log)
        status = {"compile": "COMPILE_ERROR", "missing": "COMPILE_ERROR", "internal": "INFRASTRUCTURE"}.get(error.kind, "RUNTIME_ERROR")
        if error.kind in ("missing", "undetermined"):
            return self._failure(status, error.message, error.log)
        if error.kind == "internal" and phase != "device":
            status = "RUNTIME_ERROR"
        return self._failure(status, "%s failed in %s: %s" % (self.whose, phase, error.message), error.log)


class Contender(Handle):
    def __init__(self, worker, role, call_timeout):
        super().__init__(worker, role)
        self.call_timeout = call_timeout
        self.threads = 1  # that torch uses in its process, by what was said after the last calls

    def run(self, windows, phase="a call"):
        """Each window is a dict: the sets that are called one behind the other, a seed, and whether inputs come late."""
        self.start_run(windows)
        return self.finish_run(windows, phase)

    def start_run(self, windows):
        self.start("run", windows=windows)

    def finish_run(self, windows, phase):
        calls = sum(len(window["sets"]) for window in windows)
        reply, _ = self.finish(self.call_timeout * calls, phase)
        samples = reply.get("samples")
        if not isinstance(samples, list) or len(samples) != len(windows) or not all(map(_is_sample, samples)):
            raise self._failure("INTEGRITY", "%s: the report of a call is not in the evaluator's form" % self.whose)
        self.threads = self._believed_threads(reply.get("threads"))
        return samples

    def _believed_threads(self, told):
        """No more than the process has, and than can run at a time."""
        most = min(linux.thread_count(self.worker.pid), len(os.sched_getaffinity(0)))
        return max(1, min(told, most)) if isinstance(told, int) else 1

    def trial(self, fds, sets, seeds):
        """Calls whose inputs come with the command; what they gave, where it cannot be changed any more."""
        phase = "a call whose inputs are for reading only"
        reply, outputs = self.ask("trial", self.call_timeout * len(sets), phase, fds, sets=sets, seeds=seeds)
        return _checked_items(reply, self, len(sets), outputs, False), outputs

    def seal(self):
        """From here on the worker cannot start processes; compiling inside the first call was allowed."""
        before = linux.filters_of(self.worker.pid)
        reply, _ = self.ask("seal", 10, "sealing")
        self.sealed = bool(reply.get("sealed"))
        if self.sealed and before is not None and not linux.filters_of(self.worker.pid) > before:
            raise self._failure("INTEGRITY", "%s kept its process from being sealed" % self.whose)


def _is_sample(item):
    """All numbers, and no time so short that no clock could have told it."""
    return isinstance(item, dict) and all(
        isinstance(item.get(key), (int, float)) and math.isfinite(item[key]) and item[key] >= 0
        for key in ("ms", "host_ms", "cpu_ms", "escaped_ns", "gap_ns", "limit_changed")
    ) and min(item["ms"], item["host_ms"]) >= SHORTEST_MS


SHORTEST_MS = 1e-6


def window(sets, seed, late=False):
    return {"sets": sets, "seed": seed, "late": late}


class Golden(Handle):
    """shares: data goes from process to process within the GPU; otherwise through memory files."""

    def __init__(self, worker, timeout):
        super().__init__(worker, "golden")
        self.timeout = timeout
        self.shares = False
        self.drop_bytes = 0

    def hand_out(self, workload, seeds, contenders, pads=None):
        """Fresh inputs for each seed, to every contender alike; the solution's lie where it alone can reach them. With
        pads they are masked."""
        wanted = {"copies": 1 + any(item.role != "solution" for item in contenders)} if self.shares else {}
        given = [_file_of(pads)] if pads else []
        try:
            reply, fds = self.ask("sets", self.timeout, "making inputs", given, workload=workload["id"], seeds=seeds, masked=bool(pads), **wanted)
        finally:
            _close(given)
        try:
            for contender in contenders:
                place = {"shared": reply["shared"][contender.role != "solution"]} if self.shares else {}
                contender.start("inputs", fds, sets=reply["sets"], **place)
            for contender in contenders:
                contender.finish(self.timeout, "taking its inputs")
        finally:
            _close(fds)

    def judge(self, workload, contender, indices, seeds, call_seeds, told=None):
        """told: what the contender said of its outputs when they were done."""
        shared = self.shares and len(indices) * (workload["output_bytes"] + DROP_SLACK) <= self.drop_bytes
        reply, fds = contender.ask("dump", 60, "handing over its outputs", sets=indices, shared=shared)
        try:
            items = _checked_items(reply, contender, len(indices), fds, shared)
            for item, index in zip(items, indices):
                item.update(seed=seeds[index], call_seed=call_seeds[index], **(told or {}))
            found, _ = self.ask("judge", self.timeout, "computing golden outputs", fds, workload=workload["id"], items=items, shared=shared)
            return found["results"]
        finally:
            _close(fds)


def _file_of(data):
    fd = os.memfd_create("ako", os.MFD_CLOEXEC)
    os.write(fd, data)
    return fd


def _close(fds):
    for fd in fds:
        os.close(fd)


def _checked_items(reply, contender, count, fds, shared):
    items = reply.get("items")
    good = isinstance(items, list) and len(items) == count and len(fds) == (0 if shared else 1) and all(
        isinstance(item, dict) and isinstance(item.get("tensors"), list) and isinstance(item.get("scalars"), list)
        and all(_is_description(entry) for entry in item["tensors"])
        for item in items
    )
    if not good or not all(map(linux.is_closed_to_writing, fds)):
        raise contender._failure("INTEGRITY", "%s: the outputs handed over are not in the evaluator's form" % contender.whose)
    return [{"tensors": item["tensors"], "scalars": item["scalars"]} for item in items]


def _is_description(entry):
    return isinstance(entry, dict) and isinstance(entry.get("dtype"), str) and all(
        isinstance(entry.get(key), int) and entry[key] >= 0 for key in ("offset", "nbytes")
    ) and isinstance(entry.get("shape"), list) and all(isinstance(size, int) and size >= 0 for size in entry["shape"])
