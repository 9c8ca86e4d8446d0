# SPDX-License-Identifier: GPL-3.0-or-later
"""Timing one workload: contenders take turns in random order on the same fresh inputs, until the answer is clear."""

import contextlib
import math
import os
import secrets
import statistics
import time

from akobench import linux, stats
from akobench.contenders import window
from akobench.status import Accusation, Failure

LOOKS = (12, 20, 40, 80, 160)
LEAST_PAIRS = 8
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
LIMIT_CHANGED = "The solution set memory aside in the L2 cache that survives between calls."
_random = secrets.SystemRandom()


# A sample should take at least so long, by calls one behind the other, each with inputs that no cache holds.
WINDOW_MS = 0.16
MOST_CALLS = 8


def calls_per_window(call_ms, is_random):
    """How many calls are timed together. Short kernels are otherwise lost in what starting and stopping a clock costs."""
    if is_random or not call_ms > 0:
        return 1
    return max(1, min(MOST_CALLS, math.ceil(WINDOW_MS / call_ms)))


def windows_of(count, calls):
    """Sets 0 to count - 1 in windows of about that many calls: how many is nothing that a kernel could foresee."""
    windows, first = [], 0
    while count - first >= max(1, calls - calls // 4):
        size = min(count - first, _random.randint(calls - calls // 4, calls))
        windows.append(list(range(first, first + size)))
        first += size
    return windows


class Settings:
    """What one workload's timing may cost. sets: fresh inputs in a block; calls: timed together; turn: windows of one
    contender before the next one's turn; late: the solution also gets a call whose inputs come in the last moment, and all_late: so do the others, for on
    the host's clock a process gets faster with every call it makes in a turn;
    settles: before another one's turn the solution's threads are waited for."""

    def __init__(self, pairs, cap_seconds, margin, sets, calls, turn, late, checks_per_block, offset_ms, enough, settles, cold, all_late):
        self.pairs, self.cap_seconds, self.margin = pairs, cap_seconds, margin
        self.sets, self.calls, self.turn, self.late = sets, calls, turn, late
        self.checks_per_block = checks_per_block
        self.offset_ms, self.enough, self.settles = offset_ms, enough, settles
        self.cold, self.all_late = cold, all_late
        self.on_gpu = not settles


class Crew:
    """One set of fresh processes: the solution, and those it is compared with."""

    def __init__(self, members, freezes=False):
        self.members = members  # role -> Contender
        self.freezes = freezes
        self.samples = []  # one dict role -> ms for each pair, and whether the GPU had to wait in it

    def clean(self):
        """The pairs in which no GPU waited for its host; all of them where that is how this kernel runs."""
        clean = [pair for pair in self.samples if not pair["starved"]]
        return clean if 2 * len(clean) >= len(self.samples) else self.samples

    @contextlib.contextmanager
    def turn_of(self, role):
        """Meanwhile nothing runs in the solution's process, unless it is its own turn or a GPU is waited for."""
        pid = self.solution.worker.pid
        still = self.freezes and role != "solution"
        if still:
            settles(pid, SETTLE_SECONDS)
            linux.stop(pid)
        try:
            yield
        finally:
            if still:
                linux.resume(pid)

    def end(self):
        for member in self.members.values():
            member.worker.kill()

    def is_host_bound(self):
        return len(self.clean()) == len(self.samples) and any(pair["starved"] for pair in self.samples)

    @property
    def solution(self):
        return self.members["solution"]


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


def _pairs_of(crew, role):
    return [(pair["solution"], pair[role]) for pair in crew.clean()]


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


class WorkloadTimer:
    def __init__(self, golden, crews, workload, settings, progress):
        self.golden, self.crews, self.workload, self.settings = golden, crews, workload, settings
        self.progress = progress
        self.watches = {crew.solution.worker.pid: IdleWatch(crew.solution.worker.pid, settings.settles) for crew in crews}
        self.wall_excess = {}  # role -> seconds per window beyond what the worker reported
        self.pauses = {}  # role -> seconds per window, of all that was not its calls: most of it is emptying the caches
        self.threads = {}  # role -> of torch
        self.waits = {}  # role -> of each window, whether the GPU waited for its host in it
        self.cpu_ms = []
        self.host_ms = []
        self.tails_us = []  # how long the device stayed busy after a call's own end
        self.escapes = Escapes()
        self.verdicts = []
        self.started = time.monotonic()

    def run(self):
        number = 0
        while not self._finished():
            crew, begun = self.crews[number % len(self.crews)], time.monotonic()
            self._block(crew)
            self._next_block = time.monotonic() - begun  # most likely
            number += 1
            self.progress(min(1.0, self._pairs() / self.settings.pairs))
            self._judge_threads(lambda watch: watch.burns())
        self._judge_clock()
        self._judge_flush()
        self.escapes.judge()
        self._judge_threads(lambda watch: watch.is_busy())

    def _judge_threads(self, is_busy):
        if any(map(is_busy, self.watches.values())):
            raise Accusation("EXTRA_THREAD", "The solution's process used the CPU while others were measured: it keeps a thread running. "
                             "Threads of its own have to sleep within %.0f ms of a call." % (SETTLE_SECONDS * 1e3))

    def _pairs(self):
        return sum(len(crew.clean()) for crew in self.crews)

    def _finished(self):
        pairs = self._pairs()
        if pairs < min(LEAST_PAIRS, self.settings.pairs) or any(not crew.samples for crew in self.crews):
            return False
        spent = time.monotonic() - self.started
        if pairs >= self.settings.pairs or sum(len(crew.samples) for crew in self.crews) >= 3 * self.settings.pairs or spent + self._next_block / 2 > self.settings.cap_seconds:
            return True
        looks = [look for look in LOOKS if self._last_look < look <= pairs]
        if not looks:
            return False
        self._last_look = looks[-1]
        ratio = self.ratio("champion") or self.ratio("reference")
        return ratio is None or stats.is_settled(ratio, self.settings.margin, self.settings.enough)

    _last_look = 0
    _next_block = 0.0

    def ratio(self, role):
        if role not in self.crews[0].members:
            return None
        return stats.paired_ratio([_pairs_of(crew, role) for crew in self.crews], offset_ms=self.settings.offset_ms)

    def host_bound(self):
        """Whose times are in large part what launching takes; the solution has no say in this."""
        return sorted(role for role, found in self.waits.items() if role != "solution" and 2 * sum(found) >= len(found))

    def crew_ratios(self, role):
        """The estimate of each set of processes: how far they lie apart is what fresh processes cost in certainty."""
        return [stats.paired_ratio([_pairs_of(crew, role)]).estimate for crew in self.crews]

    def times(self, role):
        return [pair[role] for crew in self.crews for pair in crew.clean() if role in pair]

    # --- one block of fresh inputs ---

    def _block(self, crew):
        sets = self.settings.sets
        seeds = [secrets.randbits(48) for _ in range(sets + self.settings.late)]
        call_seeds = [secrets.randbits(48) for _ in seeds]
        self.golden.hand_out(self.workload, seeds, crew.members.values())
        windows = [window(chosen, call_seeds[chosen[0]]) for chosen in windows_of(sets, self.settings.calls)]
        turns = [windows[first : first + self.settings.turn] for first in range(0, len(windows), self.settings.turn)]
        late = window([sets], call_seeds[sets], True) if self.settings.late else None
        late_turn = _random.randrange(len(turns))
        for number, turn in enumerate(turns):
            crew.samples.extend(self._turns(crew, turn, late if number == late_turn else None))
        called = [index for one in windows for index in one["sets"]]
        self._verify(crew, called, [sets] if late else [], seeds, call_seeds)

    def _turns(self, crew, windows, late):
        roles = list(crew.members)
        _random.shuffle(roles)
        samples = [{"starved": False} for _ in windows]
        watch = self.watches[crew.solution.worker.pid]
        watch.solution_rests()
        for role in roles:
            if role == "solution":
                watch.solution_wakes()
            found = self._turn(crew, role, windows, late if role == "solution" or self.settings.all_late else None)
            if role == "solution":
                watch.solution_rests()
            else:
                watch.wait_for(crew.members[role].worker.pid)
            for sample, item in zip(samples, found):
                sample[role] = item["ms"]
                waits = self.settings.on_gpu and bool(item.get("starved"))
                sample["starved"] |= waits
                self.waits.setdefault(role, []).append(waits)
        watch.solution_wakes()
        return samples

    def _turn(self, crew, role, windows, late):
        asked = list(windows)
        place = _random.randint(0, len(asked)) if late else None
        if late:
            asked.insert(place, late)
        waits = Waits(crew.members[role].worker.pid) if role == "solution" else None
        begin = time.monotonic()
        found = crew.members[role].run(asked)
        lasted = time.monotonic() - begin
        self.threads[role] = crew.members[role].threads
        wall = lasted - (waits.seconds() if waits else 0.0)
        counts = [len(one["sets"]) for one in asked]
        self.pauses.setdefault(role, []).append((lasted - sum(item["ms"] * count for item, count in zip(found, counts)) / 1e3) / len(asked))
        reported = sum(item["host_ms"] * count for item, count in zip(found, counts)) / 1e3
        self.wall_excess.setdefault(role, []).append((wall - reported) / len(asked))
        if role == "solution":
            self._note_solution(found)
        if late:
            del found[place]
        return found

    def _note_solution(self, found):
        for item in found:
            self.cpu_ms.append(item["cpu_ms"])
            self.host_ms.append(item["host_ms"])
            if item.get("gap_ns"):
                self.tails_us.append(item["gap_ns"] / 1e3)
            if item["limit_changed"]:
                raise Failure("LIMIT_CHANGED", LIMIT_CHANGED)
            self.escapes.note(item["escaped_ns"])

    def _verify(self, crew, called, always, seeds, call_seeds):
        """Timed outputs, secretly chosen after the fact, are judged like any other."""
        chosen = always + _random.sample(called, min(self.settings.checks_per_block, len(called)))
        found = self.golden.judge(self.workload, crew.solution, chosen, seeds, call_seeds)
        self.verdicts.extend(found)
        for verdict in found:
            if verdict["status"] != "OK":
                raise Failure(verdict["status"], "In a timed call: " + verdict["message"])

    def _judge_flush(self):
        if self.settings.cold and skips_flush(self.pauses, self.threads, self.settings.on_gpu):
            raise Accusation("INTEGRITY", "Emptying the caches before the solution's calls took next to no time: its process does not do it.")

    def _judge_clock(self):
        """What the parent's clock saw beyond the reported calls has to be alike for all contenders."""
        found = hidden_seconds(self.wall_excess, {} if self.settings.on_gpu else self.threads)
        if found is None:
            return
        hidden, others = found
        window_seconds = statistics.median(self.host_ms) * self.settings.calls / 1e3
        if hidden > max(0.5e-3, 2 * window_seconds, 0.5 * others):
            raise Accusation("INTEGRITY", "The solution's calls take %.3g ms longer by the evaluator's clock than by the clock in its process."
                             % (hidden * 1e3 / self.settings.calls))
