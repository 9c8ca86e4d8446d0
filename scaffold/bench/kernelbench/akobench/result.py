# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything one evaluation found out; report.py turns it into ako.result/1 and lines."""

import os
import secrets

from akobench import stats


_OF_TIMING = {"HOST_BOUND", "SHAPE_REGRESSED", "NOT_CONFIRMED", "SUSPICIOUS_10X", "EXAMINED_10X", "BELOW_FLOOR", "NO_KERNEL"}


class Result:
    def __init__(self, mode):
        self.mode = mode
        self.status, self.message, self.log = "OK", "", ""
        self.problem = ""
        self.reference_hash = self.solution_hash = self.champion_hash = self.evaluator_hash = self.problem_hash = ""
        self.nonce = secrets.token_hex(8)
        self.compiled = self.correct = self.sealed = self.shares = False
        self.deterministic = True
        self.seeds = 0
        self.duration = 0.0
        self.checker_selftest = "not run"
        self.flags, self.notes, self.printed = [], [], []
        self.backend, self.backend_source = "torch", "auto"
        self.warm, self.torch, self.device, self.set_up, self.golden = False, "", {}, {}, ""
        self.checks, self.timings = {}, []
        self.first_call_ms = {}
        self.noise = None
        self.paces_us = []
        self.examination = None
        self.confirmation = []
        self.dropped = []  # accusations that were not made, as a second measurement gave no cause for them
        self.total = {}
        self.against_champion = self.against_reference = None
        self.decision = {"against": "none", "vs_best": "NONE", "margin": stats.MINIMUM_MARGIN}

    def hashes(self, manifest):
        self.reference_hash = manifest.hash_of("reference")
        self.solution_hash = manifest.hash_of("solution")
        self.champion_hash = manifest.hash_of("champion")
        self.evaluator_hash = manifest.hash_of("evaluator")
        self.problem_hash = manifest.hash_of("inputs") or self.reference_hash

    def flag(self, name):
        if name not in self.flags:
            self.flags.append(name)

    def fail(self, failure):
        self.status, self.message, self.log = failure.status, failure.message, failure.log
        if failure.status in ("INCORRECT", "BAD_SHAPE", "BAD_DTYPE", "BAD_OUTPUT_TYPE", "PRECISION", "ALIAS"):
            self.correct = False
        if failure.status != "SUSPICIOUS":
            # Numbers of a run that was not valid to its end are not kept.
            self.correct = False
            self.total, self.decision = {}, {**self.decision, "against": "none", "vs_best": "NONE"}
            for name in ("est", "lo", "hi", "geomean_best"):
                self.decision.pop(name, None)

    def forget_timing(self, notes_before):
        """What a measurement found that is not believed."""
        del self.notes[notes_before:]
        self.timings, self.confirmation, self.examination, self.total = [], [], None, {}
        self.flags = [name for name in self.flags if name not in _OF_TIMING]
        self.decision = {**self.decision, "against": "none", "vs_best": "NONE"}

    def note_checks(self, identifier, verdicts):
        entry = self.checks.setdefault(identifier, {"id": identifier, "pass": True, "checks": 0, "max_abs": 0.0, "max_rel": 0.0,
                                                    "rms_ratio": 0.0, "cosine": 1.0, "matched_ratio": 1.0})
        for verdict in verdicts:
            entry["checks"] += 1
            entry["pass"] = entry["pass"] and verdict["status"] == "OK"
            for key in ("max_abs", "max_rel", "rms_ratio"):
                entry[key] = max(entry[key], verdict.get(key, 0.0))
            entry["cosine"] = min(entry["cosine"], verdict.get("cosine", 1.0))
            entry["matched_ratio"] = min(entry["matched_ratio"], verdict.get("matched", 1.0))
            for key in ("first_bad", "worst_row"):
                if verdict.get(key) and key not in entry:
                    entry[key] = verdict[key]

    def note_timing(self, workload, timer, floor_ms):
        entry = {"id": workload["id"], "weight": workload["weight"], "axes": workload["axes"], "batch": timer.settings.calls,
                 "pairs": len(timer.times("solution")), "first_call_ms": self.first_call_ms.get(workload["id"], 0.0),
                 "cpu_ms": stats.median(timer.cpu_ms), "host_ms": stats.median(timer.host_ms)}
        if timer.host_bound():
            entry["host_bound"] = timer.host_bound()
        if timer.tails_us:
            entry["tail_us"] = stats.summary(timer.tails_us)
        for key, role in (("sol", "solution"), ("ref", "reference"), ("best", "champion")):
            summary = stats.summary(timer.times(role))
            if summary:
                entry[key] = summary
                entry[key + "_ms"] = summary["median"]
        for key, role in (("speedup_ref", "reference"), ("speedup_best", "champion")):
            ratio = timer.ratio(role)
            if ratio:
                entry[key] = ratio.as_json()
                entry["_" + key] = ratio
                entry.setdefault("crews", {})[key] = timer.crew_ratios(role)
        # A floor that the reference itself beats rests on bytes that need not be read.
        if floor_ms and not ("ref" in entry and entry["ref"]["median"] < floor_ms):
            entry["floor_ms"] = floor_ms
            entry["pct_of_floor"] = 100.0 * floor_ms / entry["sol"]["median"]
        self.timings.append(entry)

    def total_up(self, margin):
        total = {}
        for key in ("sol", "ref", "best"):
            if all(key in entry for entry in self.timings):
                total[key] = {name: stats.weighted_geomean([(entry[key][name], entry["weight"]) for entry in self.timings])
                              for name in ("median", "mean", "min", "max")}
        ratios = {}
        for key in ("speedup_ref", "speedup_best"):
            if all("_" + key in entry for entry in self.timings):
                ratios[key] = stats.combine_ratios([(entry["_" + key], entry["weight"]) for entry in self.timings])
                total[key] = ratios[key].as_json()
        self.against_champion, self.against_reference = ratios.get("speedup_best"), ratios.get("speedup_ref")
        leading = "speedup_best" if "speedup_best" in ratios else "speedup_ref"
        self.total = total
        self._decide(leading, ratios.get(leading), margin)
        for entry in self.timings:
            for key in [key for key in entry if key.startswith("_")]:
                del entry[key]

    def doubt(self, workloads):
        """A gain that the parent's own clock does not bear out is no improvement yet."""
        self.flag("NOT_CONFIRMED")
        self.notes.append("Workload %s: the evaluator's own clock does not bear the gain out. Measure again when less runs beside it."
                          % ", ".join(workloads))
        if self.decision["vs_best"] == "IMPROVED":
            self.decision["vs_best"] = "AMBIGUOUS"

    def _decide(self, leading, ratio, margin):
        self.decision = {"against": "none", "vs_best": "NONE", "margin": margin}
        if ratio is None:
            return
        self.decision.update(against="champion" if leading == "speedup_best" else "reference",
                             vs_best=stats.verdict_word(ratio, margin), **ratio.as_json())
        if leading == "speedup_best":
            self.decision["geomean_best"] = ratio.estimate
        worst = min(self.timings, key=lambda entry: entry[leading]["est"])
        self.total["worst"] = {"id": worst["id"], "est": worst[leading]["est"]}
        self.decision["worst_shape"] = worst["id"]
        for entry in self.timings:
            if entry[leading]["est"] < stats.SHAPE_REGRESSION and entry[leading]["hi"] < 1 / (1 + margin):
                self.decision["blocked_by"] = entry["id"]
                self.flag("SHAPE_REGRESSED")
                if self.decision["vs_best"] == "IMPROVED":
                    self.decision["vs_best"] = "AMBIGUOUS"


def machine_facts():
    cpu = ""
    try:
        with open("/proc/cpuinfo") as file:
            cpu = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        pass
    governor = ""
    try:
        with open("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") as file:
            governor = file.read().strip()
    except OSError:
        pass
    return {"cpu": cpu, "cores": len(os.sched_getaffinity(0)), "governor": governor, "load": os.getloadavg()[0]}
