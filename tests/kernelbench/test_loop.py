# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole loop on a KernelBench workspace, with the user as agent: baseline, an edit, a failure, the end."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import support  # noqa: F401
from akobench import corpusproblems

PROGRAM = os.environ.get("AKO4ALL", "")
REFERENCE = """
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        for row in range(x.shape[0]):
            y[row] = torch.softmax(x[row], dim=0)
        return y


def get_inputs():
    return [torch.randn(64, 512)]


def get_init_inputs():
    return []
"""
FASTER = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return torch.softmax(x, dim=1)\n"


@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "ako4all is not built")
class Loop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ako-loop-")
        self.addCleanup(folder.cleanup)
        self.workspace = pathlib.Path(folder.name)
        (self.workspace / "softmax.py").write_text(REFERENCE)
        for command in (["init", "-q"], ["config", "user.name", "Some One"], ["config", "user.email", "some.one@example.org"]):
            subprocess.run(["git", *command], cwd=self.workspace, check=True)

    def ako(self, *arguments, expect=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout

    def records(self):
        return json.loads(self.ako("history", self.workspace, "--json").splitlines()[-1])

    def log(self):
        done = subprocess.run(["git", "log", "--format=%s"], cwd=self.workspace, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def test_baseline_to_final(self):
        self.ako("run", self.workspace, "--agent", "user", "--iterations", "1", "--approve")
        (self.workspace / "solution" / "softmax.py").write_text(FASTER)
        self.assertIn("improved", self.ako("iterate", self.workspace, "--title", "All rows at once"))
        (self.workspace / "solution" / "softmax.py").write_text(FASTER.replace("dim=1", "dim=0"))
        self.assertIn("failed", self.ako("iterate", self.workspace, "--title", "The wrong axis", expect=6))
        self.ako("finish", self.workspace)
        self.assertEqual((self.workspace / "solution" / "softmax.py").read_text(), FASTER)
        subjects = self.log()
        reports = [json.loads(path.read_text()) for path in sorted(self.workspace.glob("trajectory/*/result.json"))]
        self.assertGreaterEqual(len(reports), 4)
        self.assertEqual({report["env"]["warm"] for report in reports}, {True})
        self.assertEqual(subjects[1:], ["[iter 2] The wrong axis", "[iter 1] All rows at once", "[baseline] The original kernel"])
        self.assertTrue(subjects[0].startswith("[final] Restore iter-1"), subjects)
        tracked = subprocess.run(["git", "ls-files", "bench"], cwd=self.workspace, capture_output=True, text=True, check=True).stdout
        self.assertIn("bench/kernelbench/akobench/cli.py", tracked)
        # The script stands on its own.
        done = subprocess.run(["bash", "scripts/bench.sh", "by-hand", "--signal"], cwd=self.workspace, capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("SPEEDUP: ", done.stdout)

    def test_what_the_kernel_imports_goes_with_it(self):
        parts = self.workspace / "parts" / "rows.py"
        parts.parent.mkdir()
        parts.write_text("import torch\n\n\ndef softmax(x):\n    return torch.softmax(x, dim=1)\n")
        (self.workspace / "parts" / "__init__.py").write_text("")
        (self.workspace / "fast.py").write_text(FASTER.replace("import torch\n", "import torch\nfrom parts.rows import softmax\n").replace("torch.softmax(x, dim=1)", "softmax(x)"))
        self.ako("run", self.workspace, "--agent", "user", "--iterations", "1", "--approve")
        self.assertEqual((self.workspace / "solution" / "parts" / "rows.py").read_text(), parts.read_text())
        self.assertEqual(self.log()[0], "[baseline] The original kernel")
        # Edited in solution/, it is what is measured.
        (self.workspace / "solution" / "parts" / "rows.py").write_text("def softmax(x):\n    return x\n")
        self.assertIn("failed", self.ako("iterate", self.workspace, "--title", "No softmax", expect=6))

    def test_a_definition_alone(self):
        (self.workspace / "softmax.py").unlink()
        folder = self.workspace / "rows"
        folder.mkdir()
        (folder / "definition.json").write_text(json.dumps(corpusproblems.DEFINITION))
        (folder / "workload.jsonl").write_text("".join(json.dumps(item) + "\n" for item in corpusproblems.WORKLOADS))
        self.ako("run", self.workspace, "--agent", "user", "--iterations", "1", "--approve")
        self.assertEqual((self.workspace / "solution" / "solution.py").read_text(), corpusproblems.DEFINITION["reference"])
        report = json.loads(next(self.workspace.glob("trajectory/*baseline*/result.json")).read_text())
        self.assertEqual([item["id"] for item in report["timing"]["workloads"]], ["main", "odd"])

    def test_the_terminals_own_evaluator_stays(self):
        other = self.workspace / "bench" / "kernelbench" / "bench.py"
        other.parent.mkdir(parents=True)
        other.write_text("print('an evaluator of somebody else')\n")
        self.assertIn("bench/ako-kernelbench/", self.ako("plan", self.workspace))
        self.ako("run", self.workspace, "--agent", "user", "--iterations", "1", "--approve")
        self.assertEqual(other.read_text(), "print('an evaluator of somebody else')\n")
        self.assertTrue((self.workspace / "bench" / "ako-kernelbench" / "bench.py").exists())


if __name__ == "__main__":
    unittest.main()
