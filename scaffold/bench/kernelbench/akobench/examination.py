# SPDX-License-Identifier: GPL-3.0-or-later
"""A speedup that is hard to believe is looked at again before it is believed: in fresh processes, with fresh secret seeds,
at all shapes, every timed output, and the CPU time that the calls took."""

import secrets

from akobench.contenders import window
from akobench.schedule import WorkloadTimer
from akobench.status import Failure

BEYOND_BELIEF = 10.0
LEAST_AGAIN = 0.5  # of the first speedup; machines and shares of cores vary
PAIRS = 20
CPU_HEADROOM, CPU_SLACK_MS = 1.5, 0.6


def beyond_belief(timings):
    return [entry for entry in timings if entry.get("speedup_ref") and entry["speedup_ref"]["est"] > BEYOND_BELIEF]


class Examiner:
    def __init__(self, session):
        self.session, self.golden = session, session.golden
        self.found = {"passed": False, "objection": "", "shapes": 0, "cases": 0, "workloads": []}

    def examine(self, entries):
        """Raises what a check raises. Afterwards found["objection"] says why it is not believed; empty: it is."""
        self.crew = self.session.hire(["solution", "reference"])
        for workload in self.session.workloads:
            self._check(workload)
        for entry in entries:
            self.session._check_time()
            again = self._measure(entry)
            self.found["workloads"].append(again)
            self.found["objection"] = self.found["objection"] or _objection(again)
        self.found["passed"] = not self.found["objection"]
        return self.found

    def _check(self, workload):
        session, solution = self.session, self.crew.solution
        session._check_time()
        session._announce(workload, self._members())
        count = max(1, min(2 * session.result.seeds, session._room_for(workload)))
        seeds = [secrets.randbits(48) for _ in range(count)]
        self.golden.hand_out(workload, seeds, self._members())
        for member in self._members():
            member.start_run([window([0], seeds[0])])
        session._finish_first_calls(self._members())
        if count > 1:
            solution.run([window([index], seeds[index], session.cuda and bool(secrets.randbelow(2))) for index in range(1, count)])
        self._judge(workload, list(range(count)), seeds)
        self.found["shapes"] += 1
        self.found["cases"] += count

    def _judge(self, workload, indices, seeds):
        for verdict in self.golden.judge(workload, self.crew.solution, indices, seeds, seeds):
            if verdict["status"] != "OK":
                raise Failure(verdict["status"], "Workload %s, in fresh processes: %s." % (workload["id"], verdict["message"]))

    def _measure(self, entry):
        session = self.session
        workload = next(item for item in session.workloads if item["id"] == entry["id"])
        session._announce(workload, self._members())
        session._warm_up(workload, self._members())
        settings = session._settings(workload)
        settings.pairs, settings.checks_per_block = min(PAIRS, settings.pairs), settings.sets
        self.crew.samples = []
        timer = WorkloadTimer(self.golden, [self.crew], workload, settings, lambda share: None)
        timer.run()
        return {"id": entry["id"], "speedup_ref": entry["speedup_ref"], "speedup_ref_again": timer.ratio("reference").as_json(),
                "samples": len(timer.times("solution")), "outputs_checked": len(timer.verdicts),
                "wall_ms": sum(timer.host_ms), "cpu_ms": sum(timer.cpu_ms), "calls": len(timer.host_ms),
                "threads": session.result.set_up.get("threads", 1)}

    def _members(self):
        return list(self.crew.members.values())


def _objection(again):
    first, now = again["speedup_ref"]["est"], again["speedup_ref_again"]["est"]
    if now < LEAST_AGAIN * first:
        return "Workload %s: it was %.3g times faster and then only %.3g times" % (again["id"], first, now)
    if again["cpu_ms"] > again["wall_ms"] * again["threads"] * CPU_HEADROOM + CPU_SLACK_MS * again["calls"]:
        return ("Workload %s: its process used %.3g ms of CPU time while the calls took %.3g ms on %d threads"
                % (again["id"], again["cpu_ms"], again["wall_ms"], again["threads"]))
    return ""
