# SPDX-License-Identifier: GPL-3.0-or-later
"""Timing one workload: contenders take turns in random order on the same fresh inputs, until the answer is clear."""

import contextlib
import math
import secrets
import statistics
import time

from akobench import linux, stats
from akobench.contenders import window
from akobench.status import Accusation, Failure
from akobench.watching import SETTLE_SECONDS, Escapes, IdleWatch, Waits, hidden_seconds, settles, skips_flush

LOOKS = (12, 20, 40, 80, 160)
LEAST_PAIRS = 8
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


def _pairs_of(crew, role):
    return [(pair["solution"], pair[role]) for pair in crew.clean()]


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
