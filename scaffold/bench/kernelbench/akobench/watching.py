# SPDX-License-Identifier: GPL-3.0-or-later
"""What a contender's process does beside its calls: work that goes on elsewhere, caches left full, threads that never rest."""

import os
import statistics
import time

from akobench import linux
from akobench.status import Accusation

LEAST_TURNS = 4
# Half of what CudaClock keeps the GPU busy for at the least; on the CPU, of what the others take.
LEAST_PAUSE_ON_GPU, SHARE_OF_PAUSES = 0.25e-3, 0.5
IDLE_CPU_SECONDS = 0.15
IDLE_CPU_SHARE = 0.25
ESCAPED_SHARE = 0.25
# Pools of threads look out for more work before they sleep: a millisecond where the evaluator sets it, 20 ms elsewhere, and
# on a busy machine until it is their turn.
SETTLE_SECONDS, SETTLE_AT_LAST_SECONDS = 0.1, 0.5
SETTLE_STEP = 0.0005
MOST_RESTLESS = 6
BURNT_SHARE, MOST_BURNING = 0.2, 3
REST_SECONDS = 0.06
REST_CPU_SHARE = 0.15


def hidden_seconds(excess, threads):
    """Of a window of the solution's, what the parent's clock saw beyond the calls that were reported, and beyond what the
    others have of it; and that of the others. On the CPU the evaluator's own work there, most of it emptying the caches, is
    done by as many threads of torch as a contender chose to have. The best turn of the solution counts: work that is hidden is
    hidden in every turn, so that a busy machine accuses nobody. None: nothing to compare with, or too little."""
    own = excess.get("solution", [])
    others = [statistics.median(values) * max(1.0, threads.get(role, 1) / threads.get("solution", 1)) for role, values in excess.items() if role != "solution"]
    if not others or len(own) < LEAST_TURNS:
        return None
    return min(own) - max(others), max(others)


def skips_flush(pauses, threads, on_gpu):
    """pauses: role -> seconds per window between its calls. Emptying the caches takes all of them alike for so many threads,
    on a GPU a known time at the least; who leaves it out has next to none. The shortest count: other programs only add."""
    own = pauses.get("solution", [])
    if len(own) < LEAST_TURNS:
        return False
    others = [min(values) * min(1.0, threads.get(role, 1) / threads.get("solution", 1)) for role, values in pauses.items() if role != "solution"]
    return min(own) < (LEAST_PAUSE_ON_GPU if on_gpu else SHARE_OF_PAUSES * min(others, default=0.0))


def settles(pid, limit):
    """Waits until no thread of the process runs, at most so long. A pool falls asleep; a thread that never rests does not."""
    deadline, quiet = time.monotonic() + limit, 0
    while quiet < 2:
        quiet = 0 if linux.any_thread_runs(pid) else quiet + 1
        if quiet == 0 and time.monotonic() >= deadline:
            return False
        if quiet < 2:
            time.sleep(SETTLE_STEP)
    return True


class IdleWatch:
    """What the solution's process does while it is another one's turn. On the CPU the others begin once its threads
    sleep, or had their time to; then it is stopped. On a GPU nobody waits, and one thread has to be busy for much of the
    time."""

    def __init__(self, pid, waits):
        self.pid, self.waits = pid, waits
        self.wall, self.restless, self.burning, self.unsettled = 0.0, 0, 0, 0
        self.cpu = {}  # thread -> seconds
        self._mark = None

    def solution_rests(self):
        if self.waits:
            if self.restless < MOST_RESTLESS:
                self._wait()
            linux.stop(self.pid)
        self._mark = (linux.thread_seconds(self.pid), time.monotonic())

    def _wait(self):
        """Waiting for a processor is no work: on a busy machine a pool takes long to fall asleep, but has little left to do
        in the second half of its time."""
        half = SETTLE_SECONDS / 2
        if settles(self.pid, half):
            return
        before = linux.cpu_seconds(self.pid)
        if not settles(self.pid, half):
            self.restless += 1
            self.burning += linux.cpu_seconds(self.pid) - before > BURNT_SHARE * half

    def wait_for(self, pid):
        """The others' pools too, so that what comes before a turn is alike for all."""
        if self.waits and self.unsettled < MOST_RESTLESS:
            self.unsettled += not settles(pid, SETTLE_SECONDS)

    def solution_wakes(self):
        if self.waits:
            linux.resume(self.pid)
        if self._mark and self._mark[0]:
            for thread, seconds in self._used_since(self._mark[0]).items():
                self.cpu[thread] = self.cpu.get(thread, 0.0) + seconds
            self.wall += time.monotonic() - self._mark[1]
        self._mark = None

    def _used_since(self, before):
        return {thread: seconds - before.get(thread, 0.0) for thread, seconds in linux.thread_seconds(self.pid).items()}

    def burns(self):
        return self.burning >= MOST_BURNING

    def is_busy(self):
        if self.waits:
            return self.burns() or self._burns_at_rest()
        used = max(self.cpu.values(), default=0.0)
        return used > max(IDLE_CPU_SECONDS, IDLE_CPU_SHARE * self.wall) or self._burns_at_rest()

    def _burns_at_rest(self):
        """A short wait in which nobody works."""
        if not settles(self.pid, SETTLE_AT_LAST_SECONDS):
            return True
        before = linux.thread_seconds(self.pid)
        time.sleep(REST_SECONDS)
        return sum(self._used_since(before).values()) > REST_CPU_SHARE * REST_SECONDS


class Waits:
    """Waiting for a CPU is no work that could be hidden: neither the solution's nor our own is held against it. Of its
    threads the one counts that waited longest: all of a team wait for that one in the end."""

    def __init__(self, pid):
        self.pid, self.own, self.threads = pid, linux.waited_seconds(os.getpid()), linux.waits_of_threads(pid)

    def seconds(self):
        now = linux.waits_of_threads(self.pid)
        longest = max((seconds - self.threads.get(thread, 0.0) for thread, seconds in now.items()), default=0.0)
        return longest + linux.waited_seconds(os.getpid()) - self.own


class Escapes:
    """Work that outlived its call. One late wake-up of the host proves nothing; a fair share of the calls does."""

    def __init__(self):
        self.calls, self.gaps = 0, []

    def note(self, escaped_ns):
        self.calls += 1
        if escaped_ns:
            self.gaps.append(escaped_ns)

    def judge(self):
        if len(self.gaps) >= 2 and len(self.gaps) > ESCAPED_SHARE * self.calls:
            raise Accusation("ESCAPED_WORK", "Work went on after the call had ended by its own stream's account: in %d of %d calls, by %.0f us."
                             % (len(self.gaps), self.calls, statistics.median(self.gaps) / 1e3))
