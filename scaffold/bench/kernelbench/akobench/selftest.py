# SPDX-License-Identifier: GPL-3.0-or-later
"""--self-test: the corpus on this machine, each solution judged as it should be."""

import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from akobench import corpus, corpusproblems
from akobench import options as command_line
from akobench import report
from akobench.launcher import WorkerCheated, WorkerDied, WorkerError, WorkerTimeout, Zygote
from akobench.status import EXIT_CODES, Failure


class Server:
    """A warm process for all cases of the self-test."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "socket", "warm")
        script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench.py")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        self.process = subprocess.Popen([sys.executable, "-I", script, "--serve", self.path], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, env=environment)
        self.process.stdout.readline()

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Outcome:
    def __init__(self, case, honest, document, seconds):
        self.case, self.honest, self.document, self.seconds = case, honest, document, seconds
        self.status = document["status"]
        self.expected = ["OK"] if honest else case.expected
        check = case.honest_check if honest else case.check
        self.good = self.status in self.expected and (check is None or self.status != "OK" or bool(check(document)))

    def line(self):
        return "%-4s %3d  %-8s %-46s %-18s %s" % (
            "ok" if self.good else "BAD", self.case.number, "honest" if self.honest else "exploit", self.case.name,
            self.status, "" if self.good else "expected %s. %s" % (" or ".join(self.expected), self._why()))

    def _why(self):
        document = self.document
        return document["message"] or "%s %s %s" % (document["decision"]["vs_best"], " ".join(document["flags"] + document["notes"]), document.get("confirmation", ""))


class GoldenKeeper:
    """A golden worker that outlives its case: it never meets a solution, and opening a GPU takes longer than most cases."""

    def __init__(self, server):
        self.zygote, self.worker = Zygote.open(server), None

    def lend(self):
        self.worker = self.worker or self.zygote.fork("golden", os.getcwd())
        return self.worker

    def take_back(self, document):
        """Whatever ended a case early may have left it an answer to give; one that failed is not used again."""
        try:
            if self.worker and self.worker.token:
                _, fds = self.worker.finish(60)
                for fd in fds:
                    os.close(fd)
        except (WorkerCheated, WorkerDied, WorkerError, WorkerTimeout):
            self._drop()
        if self.worker and document["status"] in ("REFERENCE_ERROR", "PROBLEM_ERROR", "INFRASTRUCTURE"):
            self._drop()

    def _drop(self):
        self.worker.kill()
        self.worker = None

    def close(self):
        self.zygote.close()


class Keepers:
    """One for each thread that judges cases."""

    def __init__(self, server):
        self.server, self.local, self.all = server, threading.local(), []

    def own(self):
        if not hasattr(self.local, "keeper"):
            self.local.keeper = GoldenKeeper(self.server)
            self.all.append(self.local.keeper)
        return self.local.keeper

    def close(self):
        for keeper in self.all:
            keeper.close()


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _problem_file(folder, name):
    if name != "definition":
        return _write(os.path.join(folder, "reference.py"), corpusproblems.PROBLEMS[name])
    _write(os.path.join(folder, "problem", "workload.jsonl"), "".join(json.dumps(item) + "\n" for item in corpusproblems.WORKLOADS))
    return _write(os.path.join(folder, "problem", "definition.json"), json.dumps(corpusproblems.DEFINITION))


def judge(case, honest, folder, server, device, keepers):
    from akobench.session import Session

    begin = time.monotonic()
    reference = _problem_file(folder, case.problem)
    solution = _write(os.path.join(folder, "solution", "solution.py"), case.honest if honest else case.solution)
    arguments = ["--ref", reference, "--solution", solution, "--signal", "--device", device, "--num-correct-trials", "3",
                 "--num-perf-trials", "16", "--time-cap", "3", *([] if case.compared else ["--no-ref"])]
    if device == "cpu":
        arguments += ["--cache", "hot"]  # on a GPU the flush is what hides the launches; here it only takes time
    arguments += case.arguments
    options = command_line.parse(arguments)
    options.server = server
    session = Session(options, lambda stage, share: None)
    session.result.cache = options.cache
    session.directory_override = folder
    session.frugal = True
    keeper = keepers.own()
    session.fork_golden = keeper.lend
    result = session.run()
    document = report.to_json(result)
    document["printed"] = [text for _, text in result.printed]
    keeper.take_back(document)
    return Outcome(case, honest, document, time.monotonic() - begin)


def wanted_cases(gpu):
    return [(case, honest) for case in corpus.CASES for honest in (False, True)
            if (not case.cpu if gpu else not case.gpu) and not (honest and case.honest is None)]


def has_gpu(server):
    zygote = Zygote.open(server)
    try:
        reply, _ = zygote.fork("golden", os.getcwd()).ask("device", 60, device="0")
        return bool(reply.get("cuda"))
    finally:
        zygote.close()


def run_corpus(device, on_outcome, select=None):
    """Every case on this machine; returns the outcomes."""
    folder = tempfile.mkdtemp(prefix="ako-self-test-")
    server = Server(folder)
    keepers = Keepers(server.path)
    try:
        gpu = device != "cpu" and has_gpu(server.path)
        cases = [item for item in wanted_cases(gpu) if select is None or select(*item)]
        outcomes = []
        with concurrent.futures.ThreadPoolExecutor(min(10, len(os.sched_getaffinity(0)))) as pool:
            jobs = {number: pool.submit(judge, *cases[number], os.path.join(folder, str(number)), server.path, device if gpu else "cpu", keepers)
                    for number in sorted(range(len(cases)), key=lambda number: not cases[number][0].slow)}
            for number in range(len(cases)):
                outcomes.append(jobs[number].result())
                on_outcome(outcomes[-1])
        return outcomes, gpu
    finally:
        keepers.close()
        server.close()
        shutil.rmtree(folder, ignore_errors=True)


def run(options):
    begin = time.monotonic()
    try:
        outcomes, gpu = run_corpus(options.device, lambda outcome: print(outcome.line(), flush=True))
    except Failure as failure:
        print("SELF_TEST: failed. " + failure.message)
        return EXIT_CODES[failure.status]
    bad = sum(not outcome.good for outcome in outcomes)
    print("SELF_TEST: %d of %d as expected on the %s, %.1f s" % (len(outcomes) - bad, len(outcomes), "GPU" if gpu else "CPU", time.monotonic() - begin))
    return EXIT_CODES["REFERENCE_ERROR"] if bad else 0
