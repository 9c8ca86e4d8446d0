#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Honest solutions, each against itself, again and again, also beside load that comes and goes: who is accused?

  honest.py [--runs N] [--load N] [--evaluator FOLDER] [--only WORDS] [--all]     N runs of each workload, beside N busy processes

Not one of the tests: a rate is found out by many runs. Every line is a run that did not end well; the last ones are sums."""

import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import support
import test_loop
import test_threads

MODES = ("signal", "verdict")


def workloads():
    """Name, text of the reference, text of the solution."""
    yield "loop", test_loop.REFERENCE, test_loop.REFERENCE
    yield "threads", test_threads.REFERENCE, test_threads.REFERENCE
    many = test_threads.REFERENCE.replace("import torch\n", "import torch\ntorch.set_num_threads(16)\n", 1)
    yield "sixteen-threads", test_threads.REFERENCE, many
    yield "pool", test_threads.REFERENCE, test_threads.POOL.replace("THREADS", "8").replace("SECONDS", "0.02")
    for path in support.PROBLEMS:
        yield path.stem, path.read_text(), path.read_text()


def busy(seed):
    """Load that comes and goes, for a tenth of a second or a few of them, as long as there is someone to be disturbed."""
    chance, parent = random.Random(seed), os.getppid()
    while os.getppid() == parent:
        end = time.monotonic() + chance.expovariate(5)
        while time.monotonic() < end:
            pass
        time.sleep(chance.expovariate(5))


def run(evaluator, folder, mode, compared):
    report = folder / "result.json"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-I", str(evaluator / "bench.py"), "--ref", str(folder / "reference.py"), "--solution", str(folder / "solution.py"),
               "--device", "cpu", "--" + mode, "--json", str(report)]
    command += ["--champion", str(folder / "solution.py")] if compared else []
    subprocess.run(command, cwd=folder, capture_output=True, timeout=600)
    return json.loads(report.read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--evaluator", type=pathlib.Path, default=support.EVALUATOR)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--all", action="store_true", help="a line for every run")
    parser.add_argument("--mode", nargs="*", choices=MODES, default=MODES)
    options = parser.parse_args()
    load = [multiprocessing.Process(target=busy, args=(number,), daemon=True) for number in range(options.load)]
    for process in load:
        process.start()
    found, twice, begin = collections.Counter(), 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ako-honest-") as name:
        for number in range(options.runs):
            for workload, reference, solution in workloads():
                if options.only and workload not in options.only:
                    continue
                folder = pathlib.Path(name)
                (folder / "reference.py").write_text(reference)
                (folder / "solution.py").write_text(solution)
                for mode in options.mode:
                    document = run(options.evaluator, folder, mode, number % 2 == 1)
                    status, word = document["status"], document["decision"]["vs_best"]
                    found[mode, status, word] += 1
                    again = [note for note in document["notes"] if "again" in note]
                    twice += bool(again)
                    if options.all or status != "OK" or word in ("IMPROVED", "REGRESSED") or again or document["flags"]:
                        print("%-16s %-8s %-12s %-10s %.3gx %s %s %s" % (workload, mode, status, word, document["decision"].get("est", 0.0), " ".join(document["flags"]),
                              document["message"], " ".join(again)), flush=True)
    for key, count in sorted(found.items()):
        print("%4d  %s" % (count, " ".join(key)))
    print("%d runs, %d of them measured again, %.0f s, load %.1f" % (sum(found.values()), twice, time.monotonic() - begin, os.getloadavg()[0]))
    for process in load:
        process.terminate()


if __name__ == "__main__":
    main()
