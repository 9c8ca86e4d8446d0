# SPDX-License-Identifier: GPL-3.0-or-later
"""A gain is told again by the parent's own clock, from handing out inputs until outputs can no longer be written to.

The times of timed calls come from the process that runs the kernel, and what a kernel does there with clocks, inputs it
has been given already, or outputs not yet looked at, nobody can rule out. Here nothing can be done beforehand or later:
before its trial a process has no inputs, and its answer carries the outputs. What all of them pay alike, for taking
inputs and giving outputs, cancels out of the difference; it is compared with the gain that the timed calls claim.

On a GPU that is done in two ways: like this for gains that launching cannot hide, and as in queued.py for smaller ones."""

import math
import os
import secrets
import time

from akobench import linux, stats
from akobench.contenders import DROP_SLACK, _close
from akobench.examination import BEYOND_BELIEF
from akobench.queued import SLACK_MS, Queue
from akobench.status import Accusation, Failure

LEAST_CLAIM = 1.03
# A claim is refused when it is certain that less than this share of it is there, and believed when more is.
LEAST_SHARE = 0.25
# A large gain that a noisy machine neither bears out nor refutes is not called one. A smaller one that is refuted may be what
# calls gain under other conditions than the parent's clock can make: it is not called a gain either, but no cheat.
LARGE_CLAIM = 1.25
# On a GPU launching takes the host's time, which is not what is claimed there; it hides behind longer kernels only. For
# shorter ones all calls are queued before they may begin.
LEAST_GAIN_MS, LEAST_QUEUED_MS = {"cpu": 0.0, "cuda": 0.5}, 0.002
SHARE_OF_OTHER_THREADS, SHARE_ASLEEP, SHARE_TOLD_BY_CPU = 0.03, 0.2, 0.7
TRIAL_MS, TRIAL_BYTES = 6.0, 32 << 20
MOST_CALLS, CALLS_OF_NO_CLAIM = 24, 3
LOOKS = (8, 11, 15, 20, 27, 36, 48, 64, 86, 115, 150)
ROUNDS, SECONDS = {"signal": 15}, {"signal": 0.4}
# A large gain that is short of this by the parent's clock is worth a little longer: as it is, and queued.
MORE_ROUNDS, MORE_SECONDS = (64, 36), (2.0, 1.0)
JUDGED = {"signal": 4}  # of how many rounds one is
MOST_ROUNDS, MOST_SECONDS = 150, 6.0
_random = secrets.SystemRandom()


class Spent:
    """What one trial took. alone: one thread did it all and never slept, so that its CPU time tells the same without what
    other programs on the machine cost."""

    def __init__(self, wall, cpu, cpu_of_main, slept):
        self.wall, self.cpu = wall, cpu
        slept = slept and wall - cpu > max(SHARE_ASLEEP * wall, 3e-4)
        self.alone = cpu - cpu_of_main < max(SHARE_OF_OTHER_THREADS * cpu, 5e-5) and not slept


class Meter:
    """Around one command: the wall's time without what was spent waiting for a processor, and CPU time."""

    def __init__(self, pid, calls):
        self.pid, self.calls = pid, calls
        self._before = self._now()

    def _now(self):
        return (time.monotonic() - linux.waited_seconds(os.getpid()), linux.cpu_seconds(self.pid), *linux.main_thread(self.pid), linux.times_asleep(self.pid))

    def spent(self):
        wall, cpu, had, waited, asleep = (now - before for now, before in zip(self._now(), self._before))
        # A main thread that waits for threads of its own waits for work of its own.
        # Waiting for the next command is one time asleep; calls that sleep do so once each, and more.
        return Spent(wall - max(0.0, waited - (cpu - had)), cpu, had, asleep > 1 or self.calls == 1)


class Claim:
    """What the timed calls say against one of the others."""

    def __init__(self, role, ratio, gain_ms, slack_ms=0.0):
        self.role, self.ratio, self.gain_ms, self.slack_ms = role, ratio, gain_ms, slack_ms
        self.calls = 0
        self.trials = []  # what the other one spent, and what the solution did

    def add(self, spent, calls):
        if calls != self.calls:
            self.calls, self.trials = calls, []
        self.trials.append((spent[self.role], spent["solution"]))

    @property
    def is_large(self):
        return self.ratio["est"] >= LARGE_CLAIM

    @property
    def clock(self):
        return "cpu" if self.trials and len(self._told_by_cpu()) >= SHARE_TOLD_BY_CPU * len(self.trials) else "wall"

    def _told_by_cpu(self):
        return [pair for pair in self.trials if all(one.alone for one in pair)]

    @property
    def interval(self):
        """Of the share of the gain that the trials show."""
        clock, slack = self.clock, self.slack_ms / self.gain_ms
        pairs = self._told_by_cpu() if clock == "cpu" else self.trials
        if not pairs:
            return 0.0, -math.inf, math.inf
        share, low, high = stats.median_interval(
            [1e3 * (getattr(other, clock) - getattr(own, clock)) / (self.gain_ms * self.calls) for other, own in pairs])
        return share, low - slack, high + slack

    @property
    def answer(self):
        """Refuted by what was claimed at the very least, borne out by the estimate."""
        if len(self.trials) < LOOKS[0]:
            return "open"
        _, low, high = self.interval
        least = (self.ratio["lo"] - 1) / (self.ratio["est"] - 1)
        return "refuted" if high < LEAST_SHARE * least else "borne out" if low > LEAST_SHARE else "open"

    def as_json(self):
        share, low, high = self.interval
        own = stats.median([1e3 * own.wall for _, own in self.trials]) if self.trials else 0.0
        return {"against": self.role, "claimed": self.ratio["est"], "gain_ms": self.gain_ms,
                "trials": len(self.trials), "calls": self.calls, "trial_ms": own,
                "clock": "queued" if self.slack_ms else self.clock, "share": share, "lo": low, "hi": high, "answer": self.answer}


def claims_of(entry, margin, least_gain_ms):
    """Those of one workload's timing that are worth telling again."""
    found = []
    for role, key, times in (("champion", "speedup_best", "best"), ("reference", "speedup_ref", "ref")):
        ratio = entry.get(key)
        if not ratio or ratio["est"] < LEAST_CLAIM or ratio["lo"] <= 1 + margin:
            continue
        gain = entry["sol"]["median"] * (ratio["est"] - 1)
        if gain >= least_gain_ms:
            found.append(Claim(role, ratio, gain))
    return found


class Confirmation:
    def __init__(self, session):
        self.session, self.golden = session, session.golden
        self.found, self.notes = [], []

    def confirm(self, entries):
        """Raises INTEGRITY for a claim that is refuted. The workloads with a gain that is not believed: a large claim that
        stayed open, and, where an earlier measurement gave cause for suspicion, any that is not borne out."""
        doubtful = []
        for entry in entries:
            workload = next(item for item in self.session.workloads if item["id"] == entry["id"])
            claims = claims_of(entry, self.session.margin, LEAST_GAIN_MS["cuda" if self.session.cuda else "cpu"])
            small = self._small_claims(entry, workload, claims) if self.session.cuda else []
            # Without one it takes a tenth of a second on a GPU, and a verdict follows.
            quiet = not claims and self.session.cuda and self.session.options.mode == "signal"
            if not quiet or small:
                self.session._announce(workload, self.session._members())
            if claims:
                self._tell_again(workload, claims, entry["sol"]["median"])
            elif not quiet:
                self._round(self.session.crews[0], ["solution"], workload, self._calls(workload, CALLS_OF_NO_CLAIM), 0)
            if small:
                small = self._tell_queued(entry, workload, small)
            doubtful += [entry["id"]] * any(claim.answer != "borne out" and (claim.is_large or self.session.suspected) for claim in claims + small)
        return doubtful

    def _small_claims(self, entry, workload, others):
        """Those that are lost in what launching takes. Where that is what was timed, nothing of it is left once calls are
        queued."""
        if not workload["input_sizes"] or self.session.options.timing_method in ("host_time", "host"):
            return []
        known = {claim.role for claim in others}
        found = [claim for claim in claims_of(entry, self.session.margin, LEAST_QUEUED_MS) if claim.role not in known]
        for claim in found:
            claim.slack_ms = SLACK_MS
        return found

    def _tell_queued(self, entry, workload, claims):
        """The claims, but for those against someone whose calls cannot be queued."""
        bound = [claim for claim in claims if claim.role in entry.get("host_bound", [])]
        claims = [claim for claim in claims if claim not in bound]
        if not claims:
            return bound  # so short a call waits for its launches on a busy machine only
        mode, identifier = self._mode_for(claims), workload["id"]
        queue, begin = Queue(self.session, workload, [*sorted({claim.role for claim in claims}), "solution"]), time.monotonic()
        for spent, count in queue.trials():
            for claim in claims:
                claim.add(spent, count)
            if self._is_enough(claims, mode, begin):
                break
        if queue.refused:
            self.notes.append("Workload %s: the %s's calls cannot be queued ahead for the evaluator's own clock: %s."
                              % (identifier, queue.refused, queue.why))
        if queue.waits and queue.refused != "solution" and not self.session.suspected:
            return bound
        self._conclude(identifier, claims)
        return claims + bound

    def _mode_for(self, claims):
        return "" if self.session.suspected or any(claim.ratio["est"] > BEYOND_BELIEF for claim in claims) else self.session.options.mode

    def _is_enough(self, claims, mode, begin):
        rounds, spent = len(claims[0].trials), time.monotonic() - begin
        if rounds in LOOKS and all(claim.answer != "open" for claim in claims):
            return True
        most, seconds = ROUNDS.get(mode, MOST_ROUNDS), SECONDS.get(mode, MOST_SECONDS)
        if any(claim.is_large and claim.answer == "open" for claim in claims):
            queued = bool(claims[0].slack_ms)
            most, seconds = max(most, MORE_ROUNDS[queued]), max(seconds, MORE_SECONDS[queued])
        return rounds >= most or rounds >= LOOKS[0] and spent > seconds

    def _calls(self, workload, wanted):
        room = min(self.session._room_for(workload), TRIAL_BYTES // (workload["bytes"] + workload["output_bytes"] + 1))
        return max(1, min(MOST_CALLS, room, wanted))

    def _tell_again(self, workload, claims, call_ms):
        """call_ms: what a call takes. What one took before says it too, by one sample."""
        session, mode, identifier = self.session, self._mode_for(claims), workload["id"]
        count = self._calls(workload, round(TRIAL_MS / max(min(call_ms, session.call_ms[identifier]), 1e-3)))
        begin = time.monotonic()
        for number in range(max(ROUNDS.get(mode, MOST_ROUNDS), MORE_ROUNDS[0]) + len(session.crews)):
            session._check_time()
            crew = session.crews[number % len(session.crews)]
            spent = self._round(crew, list(crew.members), workload, count, number)
            if number >= len(session.crews):  # the first trial of a process is for warming up
                for claim in claims:
                    claim.add(spent, count)
            if self._is_enough(claims, mode, begin):
                break
        self._conclude(identifier, claims)

    def _conclude(self, identifier, claims):
        self.found += [{"id": identifier, **claim.as_json()} for claim in claims]
        for claim in claims:
            if claim.answer == "refuted" and (claim.is_large or not self.session.suspected):
                raise Accusation("INTEGRITY", "Workload %s: by the clock in its process the solution is %.3g times as fast as the %s, but from "
                                 "handing out inputs to taking outputs it gains %.3g ms where it should gain %.3g."
                                 % (identifier, claim.ratio["est"], claim.role, claim.interval[0] * claim.gain_ms * claim.calls, claim.gain_ms * claim.calls),
                                 "%s gain in %s" % ("large" if claim.is_large else "small", identifier))

    def _round(self, crew, roles, workload, count, number):
        """What each spent, by role. One of the solution's outputs is judged, chosen when all of them are out of its reach."""
        seeds, call_seeds = ([secrets.randbits(48) for _ in range(count)] for _ in range(2))
        reply, fds = self.golden.ask("sets", self.golden.timeout, "making inputs", workload=workload["id"], seeds=seeds)
        spent = {}
        _random.shuffle(roles)
        try:
            for role in roles:
                with crew.turn_of(role):
                    spent[role], items, outputs = self._trial(crew.members[role], workload, fds, reply["sets"], call_seeds)
                try:
                    if role == "solution" and number % JUDGED.get(self.session.options.mode, 2) == 0:
                        self._judge(workload, items, outputs, seeds, call_seeds)
                finally:
                    _close(outputs)
        finally:
            _close(fds)
        return spent

    def _trial(self, member, workload, fds, sets, call_seeds):
        flush = self.session.options.cache == "cold" and (self.session.suspected or self.session.options.mode != "signal")
        member.ask("ready", 60, "making room for outputs", bytes=len(sets) * (workload["output_bytes"] + DROP_SLACK), flush=flush)
        meter = Meter(member.worker.pid, len(sets))
        items, outputs = member.trial(fds, sets, call_seeds)
        return meter.spent(), items, outputs

    def _judge(self, workload, items, outputs, seeds, call_seeds):
        index = _random.randrange(len(items))
        item = {**items[index], "seed": seeds[index], "call_seed": call_seeds[index]}
        found, _ = self.golden.ask("judge", self.golden.timeout, "computing golden outputs", outputs, workload=workload["id"], items=[item], shared=False)
        verdict = found["results"][0]
        self.session.result.note_checks(workload["id"], [verdict])
        if verdict["status"] != "OK":
            raise Failure(verdict["status"], "In a call by the evaluator's own clock: " + verdict["message"])
