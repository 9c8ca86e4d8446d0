# SPDX-License-Identifier: GPL-3.0-or-later
"""ako.result/1 and the lines that people and wrappers read. The parent alone prints them, last and once."""

import math
import os
import sys
import tempfile

from akobench.result import machine_facts
from akobench.status import EXIT_CODES, result_state

LOG_LIMIT = 24 * 1024


def _clean(value):
    """JSON has no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item) for item in value]
    return value


def to_json(result):
    device = result.device or {}
    document = {
        "schema": "ako.result/1",
        "evaluator": "kernelbench",
        "mode": result.mode,
        "status": result.status,
        "exit": EXIT_CODES[result.status],
        "state": result_state(result.status, result.mode),
        "message": result.message,
        "log": result.log[-LOG_LIMIT:],
        "problem": result.problem,
        "problem_sha256": result.problem_hash,
        "reference_sha256": result.reference_hash,
        "solution_sha256": result.solution_hash,
        "evaluator_sha256": result.evaluator_hash,
        "nonce": result.nonce,
        "compiled": result.compiled,
        "duration_s": result.duration,
        "flags": result.flags,
        "notes": result.notes,
        "backend": result.backend,
        "env": {
            "device": device.get("device", "cpu"),
            "gpu": device.get("gpu", ""),
            **machine_facts(),
            "threads": result.set_up.get("threads", 0),
            "llc_bytes": result.set_up.get("cache_bytes", 0),
            "compiler": sys.executable,
            "compiler_version": "Python %s, torch %s" % (sys.version.split()[0], result.torch),
            "flags": [],
            "reference_flags": [],
            "warm": result.warm,
            "handover": "gpu" if result.shares else "host",
            "sandbox": {"level": "partial" if result.sealed else "none", "landlock": 0, "seccomp": result.sealed, "rlimits": False},
        },
        "correct": {
            "pass": result.correct,
            "seeds": result.seeds,
            "golden": result.golden,
            "checker_selftest": result.checker_selftest,
            "deterministic": result.deterministic,
            "workloads": list(result.checks.values()),
        },
        "timing": {
            "method": result.set_up.get("method", ""),
            "cache": result.cache,
            "level": 0.99,
            "pairs": max([entry["pairs"] for entry in result.timings], default=0),
            "workloads": [{key: item for key, item in entry.items() if not key.startswith("_")} for entry in result.timings],
        },
        "decision": result.decision,
    }
    if result.champion_hash:
        document["champion_sha256"] = result.champion_hash
    if result.examination:
        document["examination"] = result.examination
    if result.confirmation:
        document["confirmation"] = result.confirmation
    if result.dropped:
        document["timing"]["measured_again"] = result.dropped
    if result.paces_us:
        document["timing"]["launch_us"] = result.paces_us
    if result.noise is not None:
        document["timing"]["aa_noise_pct"] = result.noise
    if result.total:
        document["timing"]["total"] = result.total
    return _clean(document)


def _single_line(text):
    return "".join(character if character.isprintable() else " " for character in text)


def _ratio_text(ratio):
    return "%.4gx [%.4g, %.4g]" % (ratio["est"], ratio["lo"], ratio["hi"])


def lines(result, json_path=None):
    out = ["COMPILED: %s" % result.compiled, "CORRECT: %s" % result.correct]
    valid = result.correct and result.status == "OK"
    if valid and result.total.get("sol"):
        out += _time_lines(result)
    out.append("BACKEND: %s (%s)" % (_single_line(result.backend), result.backend_source))
    if valid and result.total.get("sol"):
        out += _decision_lines(result)
    out += _examination_lines(result.examination)
    if result.flags:
        out.append("FLAGS: " + " ".join(result.flags))
    out += ["NOTE: " + _single_line(note) for note in result.notes]
    out += _deviation(result)
    out.append("STATUS: " + result.status)
    if result.message:
        out.append("MESSAGE: " + _single_line(result.message))
    if json_path:
        out.append("RESULT_JSON: " + _single_line(json_path))
    return out


def _time_lines(result):
    solution = result.total["sol"]
    out = ["RUNTIME: %.6g" % solution["median"],
           "RUNTIME_STATS: mean %.6g min %.6g max %.6g" % (solution["mean"], solution["min"], solution["max"])]
    reference = result.total.get("ref")
    out.append("REF_RUNTIME: %s" % ("%.6g" % reference["median"] if reference else "-1"))
    if "speedup_ref" in result.total:
        out.append("SPEEDUP: %.6gx" % result.total["speedup_ref"]["est"])
    if "best" in result.total:
        out.append("BEST_RUNTIME: %.6g" % result.total["best"]["median"])
    if "speedup_ref" in result.total:
        out.append("SPEEDUP_CI: " + _ratio_text(result.total["speedup_ref"]))
    return out


def _decision_lines(result):
    out = []
    decision = result.decision
    if decision["vs_best"] != "NONE" and "est" in decision:
        label = "VS_BEST" if decision["against"] == "champion" else "VS_REF"
        out.append("%s: %s %s" % (label, decision["vs_best"], _ratio_text(decision)))
    if result.noise is not None:
        out.append("NOISE: %.3g%%" % result.noise)
    if result.timings and result.timings[0].get("pct_of_floor"):
        out.append("FLOOR_PCT: %.3g" % result.timings[0]["pct_of_floor"])
    out.append("CACHE: " + result.cache)
    if decision.get("worst_shape"):
        out.append("WORST_SHAPE: " + decision["worst_shape"])
    return out


def _examination_lines(found):
    return ["EXAMINED: %s %s %.4gx, again %s, %d timed outputs and %d cases right"
            % ("believed" if found["passed"] else "not believed", entry["id"], entry["speedup_ref"]["est"], _ratio_text(entry["speedup_ref_again"]),
               entry["outputs_checked"], found["cases"]) for entry in found["workloads"]] if found else []


def _deviation(result):
    for entry in result.checks.values():
        if not entry["pass"]:
            return ["DEVIATION: %s max_abs %.6g max_rel %.6g matched %.6g"
                    % (entry["id"], entry["max_abs"], entry["max_rel"], entry["matched_ratio"])]
    return []


def prefixed(role, text):
    """What user code printed: each line behind a bar, so that it cannot be taken for ours."""
    return ["| %s: %s" % (role, _single_line(line)) for line in text.splitlines() if line.strip()]


def write_atomically(path, text):
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(prefix="." + os.path.basename(path), dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), 0o644)
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
