# SPDX-License-Identifier: GPL-3.0-or-later
"""One evaluation from files to result. Runs in the parent: no torch, no user code."""

import os
import secrets
import shutil
import sys
import time
import traceback

from akobench import again, linux, stats
from akobench.casefiles import CaseFiles
from akobench.confirmation import Confirmation
from akobench.contenders import window
from akobench.examination import BEYOND_BELIEF, Examiner, beyond_belief
from akobench.facts import Facts
from akobench.launcher import Zygote
from akobench.result import Result
from akobench.schedule import LIMIT_CHANGED, Settings, WorkloadTimer, calls_per_window
from akobench.status import Accusation, Failure
from akobench.workforce import Workforce

# Two processes on one GPU, chosen for being alike, still differ by a constant of about this standard deviation.
OFFSET_MS = 0.0001
# On the host's clock it is what their cores and launches differ by.
HOST_OFFSET_MS = 0.003
# A signal only ranks: it stops once the median is known to this share.
SIGNAL_EXACTNESS = {"cpu": 0.01, "cuda": 0.005}
# On the CPU, as a share of the call, by where their memory lies.
OFFSET_SHARE = 0.01
# Beyond this a signal makes do with one pair of processes: on a GPU the constant that two differ by is lost in the call, on the
# CPU it would take too long.
SHORT_MS = {"cuda": 0.1, "cpu": 20.0}
SIGNAL_SECONDS = {"cuda": 0.7, "cpu": 0.8}
BLOCK_BYTES = {"cpu": 192 << 20, "cuda": 2 << 30}
MOST_SETS = 25
HELPER_SECONDS = 0.02  # what coming to a halt may take
# On the CPU: what inputs, outputs held and a kernel's own memory are likely to come to, in inputs and outputs of calls.
HEAP_CALLS = 20


class Session(CaseFiles, Workforce):
    directory_override = None

    def __init__(self, options, progress):
        self.options, self.progress = options, progress
        self.result = Result(options.mode)
        self.zygote = None
        self.golden = None
        self.crews = []
        self.caches = None
        self.call_ms = {}
        self.suspected = False  # what was measured before gave cause for an accusation
        self.scratch = None
        self.deadline = time.monotonic() + options.timeout

    def run(self):
        begin = time.monotonic()
        try:
            self._evaluate()
        except Failure as failure:
            self.result.fail(failure)
        except KeyboardInterrupt:
            self.result.fail(Failure("INTERRUPTED", "Interrupted."))
        except Exception as error:
            self.result.fail(Failure("INFRASTRUCTURE", "The evaluator failed: %s: %s" % (type(error).__name__, error), traceback.format_exc()))
        finally:
            self._finish()
        self.result.duration = time.monotonic() - begin
        return self.result

    def _finish(self):
        self._keep_prints(self._handles())
        if self.zygote:
            self.zygote.end_workers()
            self.zygote.close()
        if self.caches:
            self.caches.close(self.result.status == "OK" and self.is_alone)
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _keep_prints(self, handles):
        for handle in handles:
            text = handle.worker.text()
            if text:
                self.result.printed.append((handle.role, text))

    def _handles(self):
        handles = [self.golden] if self.golden else []
        return handles + [member for crew in self.crews for member in crew.members.values()]

    def _evaluate(self):
        self.progress("read", 0.0)
        self._find_files()
        self.zygote = Zygote.open(self.options.server)
        self._read_sources()
        self.progress("load", 0.05)
        self.zygote.wait_ready()
        self.progress("workers", 0.08)
        self.result.warm = self.zygote.warm
        self.result.torch = self.zygote.greeting.get("torch", "")
        self._start_workers()
        self.facts = Facts(os.getcwd(), self.manifest, self.device)  # as they were before user code
        self.caches = self._own_caches()
        self._load()
        self._set_up()
        self.result.compiled = True
        for number, workload in enumerate(self._checked_workloads()):
            self.progress("check", 0.2 + 0.2 * number / len(self.workloads))
            self._check(workload)
        self.result.correct = True
        again.measure(self)
        self.progress("done", 1.0)

    # --- correctness ---

    def _checked_workloads(self):
        # The main one last: its calls and the timed ones that follow are made in one process.
        others = self.workloads[1:] if self.options.mode != "signal" else self.workloads[1:2]
        return [*others, self.workloads[0]]

    def _seeds(self):
        return self.options.correct_trials or {"signal": 2}.get(self.options.mode, 5)

    def _check(self, workload):
        self._check_time()
        room = self._room_for(workload)
        count = max(1, min(self._seeds(), room - 1))
        self.result.seeds = max(self.result.seeds, count)
        seeds = [workload["seed"], *(secrets.randbits(48) for _ in range(count - 1))]
        if room > 1:
            seeds.append(seeds[0])
        call_seeds = list(seeds)
        self._announce(workload, self._members())
        solution = self.crews[0].solution
        others = [member for member in self._members() if member is not solution] if workload is self.workloads[0] else []
        self.golden.hand_out(workload, seeds, [solution, *others])
        # Meanwhile the others make their first call, where compiling is still allowed, and the check is weighed.
        first_call = [window([0], call_seeds[0])]
        for member in others:
            member.start_run(first_call)
        self.golden.start("weigh", workload=workload["id"], seed=seeds[0], other_seed=secrets.randbits(48))
        first = solution.run(first_call, "its first call")
        self._finish_first_calls(others)
        self.result.first_call_ms.setdefault(workload["id"], first[0]["host_ms"])
        if not solution.sealed:
            solution.seal()
        self.call_timeout = solution.call_timeout = max(self.options.timeout_run / 6, 50 * first[0]["host_ms"] / 1e3)
        last = len(seeds) - 1
        rest = [window([index], call_seeds[index], self.cuda and index != last) for index in range(1, len(seeds))]
        samples = solution.run(rest, "a call") if rest else first
        self.call_ms[workload["id"]] = samples[-1]["ms"]
        if any(item.get("limit_changed") for item in samples):
            raise Failure("LIMIT_CHANGED", LIMIT_CHANGED)
        accepted = self.golden.finish(self.golden.timeout, "weighing the check")[0]["accepted"]
        found = self.golden.judge(workload, solution, list(range(count)), seeds, call_seeds)
        self.result.note_checks(workload["id"], found)
        for verdict in found:
            if verdict["status"] != "OK":
                raise Failure(verdict["status"], "Workload %s: %s." % (workload["id"], verdict["message"]))
        if rest:
            self._check_repeat(workload, solution, last)
        if accepted:
            self.result.checker_selftest = "weak: accepts " + ", ".join(accepted)
            raise Failure("PROBLEM_WEAK", "Workload %s: the check would accept %s. Choose inputs whose answer says more."
                          % (workload["id"], " and ".join(accepted)))
        self.result.checker_selftest = "ok"

    def _check_repeat(self, workload, solution, last):
        reply, _ = solution.ask("compare_kept", 60, "comparing two calls", sets=[0, last])
        if not reply.get("same"):
            self.result.deterministic = False
            self.result.flag("NONDETERMINISTIC")
            if self.options.deterministic and workload["bitwise"]:
                raise Failure("NONDETERMINISTIC", "The solution gave different outputs for the same inputs; the reference does not.")

    def _announce(self, workload, members):
        for member in members:
            member.start("workload", form=workload["form"], changed_inputs=workload["changed_inputs"],
                         aliases=workload["aliases"], arguments=self._argument_count(),
                         heap_bytes=HEAP_CALLS * (workload["bytes"] + workload["output_bytes"]))
        for member in members:
            member.finish(30, "taking a workload")

    def _argument_count(self):
        return len(self.definition["inputs"]) if self.definition else 0

    def _room_for(self, workload):
        """How many sets of inputs every process may hold at a time."""
        need = 3 * workload["bytes"] + 3 * workload["output_bytes"] + 1
        limit = min(BLOCK_BYTES["cuda"], self.result.device.get("free", 0) // 24) if self.cuda else BLOCK_BYTES["cpu"]
        return int(max(1, min(MOST_SETS, limit // need)))

    def _check_time(self):
        if time.monotonic() > self.deadline:
            raise Failure("TIMEOUT", "The evaluation took longer than %.0f s in all." % self.options.timeout)

    # --- timing ---

    def measure(self, suspected):
        self.suspected, self.notes_before = suspected, len(self.result.notes)
        self._time()
        self._name_kernels()
        self._look_around()
        self._decide()

    def start_anew(self):
        """Fresh processes for everyone, before anything is measured again."""
        self._keep_prints(self._members())
        for crew in self.crews:
            crew.end()
        self.result.forget_timing(self.notes_before)
        self._start_crews()
        self._load_in_order(self._members())
        self.golden.shares = self._build(self._members()) and self.golden.shares

    def _time(self):
        self.result.noise = None if self.options.mode == "aa" else self.facts.noise
        self.margin = stats.margin_of(self.result.noise)
        timed = self.workloads[:1] if self.options.mode in ("signal", "aa") else self.workloads
        self.helpers = {member.worker.pid: self._helpers_of(member) for member in self._members() if member.role == "solution"}
        kind = "cuda" if self.cuda else "cpu"
        if self.options.mode == "signal" and self.call_ms[timed[0]["id"]] > SHORT_MS[kind] and not (self.cuda and self.by_host_clock()):
            for crew in self.crews[1:]:
                crew.end()
            del self.crews[1:]
        for number, workload in enumerate(timed):
            self._check_time()
            share = 0.6 / len(timed)
            progress = lambda done, base=0.4 + share * number, name=workload["id"]: self.progress("time-" + name, base + share * done)
            for crew in self.crews:
                crew.samples = []
            if workload is not self.workloads[0] or len(timed) > 1 or self.suspected:
                self._announce(workload, self._members())
                self._warm_up(workload, self._members())
            for crew in self.crews:
                crew.solution.call_timeout = self.call_timeout
            timer = WorkloadTimer(self.golden, self.crews, workload, self._settings(workload), progress)
            try:
                timer.run()
            finally:
                self.result.note_checks(workload["id"], timer.verdicts)
            if any(crew.is_host_bound() for crew in self.crews):
                self.result.flag("HOST_BOUND")
            self.result.note_timing(workload, timer, self._floor(workload))
        self._check_helpers()

    def _helpers_of(self, member):
        """Processes that it started when that was allowed, which stand still from here on, and the CPU time they used."""
        for _ in range(2):
            found = linux.descendants(member.worker.pid)
            for pid in found:
                linux.stop(pid)
        return {pid: linux.cpu_seconds(pid) for pid in found}

    def _check_helpers(self):
        for pid, helpers in self.helpers.items():
            if linux.descendants(pid) - helpers.keys():
                raise Failure("EXTRA_PROCESS", "The solution started a process during the timed calls.")
            if any(linux.cpu_seconds(helper) - before > HELPER_SECONDS for helper, before in helpers.items()):
                raise Accusation("EXTRA_PROCESS", "A process that the solution had started went on working during the timed calls.")

    def _warm_up(self, workload, members):
        """A first call of each process with this workload."""
        seeds = [secrets.randbits(48)]
        self.golden.hand_out(workload, seeds, members)
        for member in members:
            member.start_run([window([0], seeds[0])])
        self._finish_first_calls(members)

    def _finish_first_calls(self, members):
        for member in sorted(members, key=lambda item: item.role):
            member.finish_run([window([0], 0)], "its first call")
        # All alike, so that none is measured under other conditions.
        for member in members:
            if not member.sealed:
                member.seal()

    def _settings(self, workload):
        signal = self.options.mode == "signal"
        room = self._room_for(workload)
        late = 1 if self.cuda and room > 1 else 0
        calls = min(room - late, calls_per_window(self.call_ms[workload["id"]], workload["random"]))
        kind = "cuda" if self.cuda else "cpu"
        # Of one crew after the other: where a signal has several, each gets a smaller block.
        single = (10 if len(self.crews) == 1 or self.cuda else 6) if signal else 8
        sets = min(room - late, 3 * calls if calls > 1 else single)
        pairs = self.options.perf_trials or (40 if signal else max(40, 160 // calls))
        offset = (HOST_OFFSET_MS if self.by_host_clock() else OFFSET_MS) if self.cuda else OFFSET_SHARE * self.call_ms[workload["id"]]
        return Settings(pairs=pairs, cap_seconds=self.options.time_cap or (SIGNAL_SECONDS[kind] if signal else 20.0),
                        margin=0.0 if self.options.mode == "aa" else self.margin, sets=sets, calls=calls,
                        turn=max(1, (min(5, single // 2) if signal else 4) // calls), late=late, checks_per_block=1 if signal else 2,
                        offset_ms=offset, enough=SIGNAL_EXACTNESS[kind] if signal else 0.0, settles=not self.cuda,
                        cold=self.options.cache == "cold", all_late=self.by_host_clock())

    def _name_kernels(self):
        """What the solution launched in one more call, by CUPTI; only where that is to be had."""
        self.result.sealed = all(member.sealed for member in self._members())
        if not self.result.sealed:
            self.result.notes.append("This system has no filter against new processes (seccomp): they are counted only.")
        if not self.cuda or self.options.mode != "verdict":
            return
        try:
            reply, _ = self.crews[0].solution.ask("profile", 60, "naming its kernels")
        except Failure as failure:
            self.result.notes.append("The names of its kernels could not be had: %s" % failure.message)
            return
        launched = [[str(name), int(count)] for name, count in reply.get("kernels", [])]
        self.result.timings[-1].update(kernels=launched, cupti_span_ms=reply.get("span_ms"))
        if not launched:
            self.result.flag("NO_KERNEL")
        elif self.kernel_names and not any(own in name for own in self.kernel_names for name, _ in launched):
            self.result.flag("POLICY_UNUSED_KERNEL")

    def _floor(self, workload):
        """The time in which the inputs could be read once at the memory's theoretical rate, ms."""
        peak = self.result.device.get("peak_bytes_per_ms")
        return workload["bytes"] / peak if peak else None

    # --- afterwards ---

    def _look_around(self):
        changed = self.manifest.changed()
        if changed:
            raise Failure("INTEGRITY", "Changed while the solution was measured: %s." % ", ".join(changed))

    def _decide(self):
        self.result.total_up(self.margin)
        self._confirm()
        against = self.result.against_champion
        if self.options.mode == "aa" and against is not None:
            self.result.noise = 100 * max(abs(against.estimate - 1), against.half_width)
            self.facts.noise = self.result.noise
            # What differs here is noise, by as much as was just found.
            margin = stats.margin_of(self.result.noise)
            self.result.decision.update(margin=margin, vs_best=stats.verdict_word(against, margin))
            self.result.flags = [flag for flag in self.result.flags if flag != "SHAPE_REGRESSED"]
        self.facts.take_references(self.result)
        self.facts.save()
        self._suspect()

    def _confirm(self):
        if self.options.mode == "aa":
            return
        self.progress("confirm", 0.93)
        confirmation = Confirmation(self)
        try:
            doubtful = confirmation.confirm(self.result.timings)
        finally:
            self.result.confirmation = confirmation.found
            self.result.notes += confirmation.notes
        self._look_around()
        self._check_helpers()
        borne_out = any(claim["answer"] == "borne out" and claim["against"] == self.result.decision["against"] for claim in confirmation.found)
        if self.suspected and self.result.decision["vs_best"] == "IMPROVED" and not borne_out:
            doubtful = doubtful or [entry["id"] for entry in self.result.timings]
        if doubtful:
            self.result.doubt(doubtful)
        for claim in confirmation.found:
            if claim["claimed"] > BEYOND_BELIEF and claim["answer"] == "open":
                self.result.flag("SUSPICIOUS_10X")
                # So much is not shown unexamined; but that a machine is too busy to tell is nobody's fault.
                raise Accusation("UNSTABLE", "Workload %s: %.3g times as fast as the %s by the clock in its process; the evaluator's own "
                                 "clock could not confirm it. Measure again when less runs beside it." % (claim["id"], claim["claimed"], claim["against"]))

    def _suspect(self):
        for entry in self.result.timings:
            floor = entry.get("floor_ms")
            if floor and entry["sol"]["median"] < 0.95 * floor:
                self.result.flag("BELOW_FLOOR")
                raise Accusation("SUSPICIOUS", "Workload %s took %.4g ms; reading its inputs once takes %.4g ms at the memory's theoretical rate." % (entry["id"], entry["sol"]["median"], floor))
        unlikely = beyond_belief(self.result.timings)
        if unlikely:
            self._examine(unlikely)

    def _examine(self, unlikely):
        self.progress("examine", 0.95)
        self.result.flag("SUSPICIOUS_10X")  # until it has been borne out
        found = self.result.examination = Examiner(self).examine(unlikely)
        self._look_around()
        if found["objection"]:
            raise Accusation("SUSPICIOUS", found["objection"] + " when it was examined; more than %g times the reference is believed "
                             "only where a second look bears it out." % BEYOND_BELIEF)
        self.result.flags[self.result.flags.index("SUSPICIOUS_10X")] = "EXAMINED_10X"


def show_progress(stage, fraction):
    if os.environ.get("AKO_PROGRESS") == "1":
        sys.stderr.write("AKO_PROGRESS %s %.3f\n" % (stage, fraction))
        sys.stderr.flush()
