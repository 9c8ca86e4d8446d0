# SPDX-License-Identifier: GPL-3.0-or-later
"""What the evaluator's tests share: where it lies, how it is run, a folder for files."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
EVALUATOR = HERE.parents[1] / "scaffold" / "bench" / "kernelbench"
PROBLEMS = sorted((HERE / "problems").glob("*.py"))

sys.dont_write_bytecode = True
sys.path.insert(0, str(EVALUATOR))

AFFINE = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2 + 1
def get_inputs():
    return [torch.randn(32, 48)]
def get_init_inputs():
    return []
"""
HONEST = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x * 2 + 1\n"


class Run:
    """One run of bench.py: exit status, output, its lines by name, and the JSON where there is one."""

    def __init__(self, code, output, document):
        self.code, self.output, self.document = code, output, document
        self.lines = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line and not line.startswith("|"))


class BenchTest(unittest.TestCase):
    """Runs against one warm process per class, on the CPU unless told otherwise."""

    server = None

    @classmethod
    def setUpClass(cls):
        from akobench import selftest

        cls.class_folder = tempfile.mkdtemp(prefix="ako-kernelbench-")
        cls.server = selftest.Server(cls.class_folder)

    @classmethod
    def tearDownClass(cls):
        cls.server.close()
        shutil.rmtree(cls.class_folder, ignore_errors=True)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.class_folder))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def bench(self, *arguments, warm=True, device="cpu", environment=None, python=sys.executable, directory=None, evaluator=EVALUATOR):
        report = self.folder / "result.json"
        report.unlink(missing_ok=True)
        command = [python, "-I", str(evaluator / "bench.py"), "--json", str(report), *map(str, arguments)]
        command += ["--device", device] if device else []
        command += ["--server", self.server.path] if warm else []
        done = subprocess.run(command, cwd=directory or self.folder, capture_output=True, text=True, timeout=200,
                              env={**os.environ, **(environment or {})})
        document = json.loads(report.read_text()) if report.exists() else None
        return Run(done.returncode, done.stdout + done.stderr, document)

    def quick(self, reference, solution, *arguments, **options):
        """Few pairs and warm caches: what is tested is not the time."""
        return self.bench("--ref", reference, "--solution", solution, "--signal", "--num-perf-trials", "8",
                          "--num-correct-trials", "2", "--cache", "hot", *arguments, **options)
