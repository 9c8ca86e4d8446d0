# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong outside the evaluator: a clear line, the right exit status, and nothing that looks like success."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import time
import unittest

import support
from support import AFFINE, HONEST


class BadInputs(support.BenchTest):
    def setUp(self):
        super().setUp()
        self.reference = self.write("reference.py", AFFINE)

    def refused(self, run, code, status, *words):
        self.assertEqual((run.code, run.lines.get("STATUS")), (code, status), run.output)
        for word in words:
            self.assertIn(word, run.lines.get("MESSAGE", ""))
        self.assertNotEqual(run.lines.get("CORRECT"), "True")
        for name in ("RUNTIME", "SPEEDUP", "REF_RUNTIME"):
            self.assertNotIn(name, run.lines)
        self.assertEqual(run.document["status"], status)
        self.assertEqual(run.document["exit"], code)
        self.assertFalse(run.document["correct"]["pass"])
        self.assertNotIn("total", run.document["timing"])

    def solve(self, text, *arguments, **options):
        return self.quick(self.reference, self.write("solution.py", text), *arguments, **options)

    def forward(self, body, before=""):
        return "import torch\n%s\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        %s\n" % (before, body)

    def test_syntax_error(self):
        self.refused(self.solve("def f(:\n"), 3, "COMPILE_ERROR", "solution.py", "line 1")

    def test_import_error(self):
        self.refused(self.solve("import no_such_module\n"), 3, "COMPILE_ERROR", "no_such_module")

    def test_missing_class(self):
        self.refused(self.solve("import torch\nx = 1\n"), 3, "COMPILE_ERROR", "ModelNew or Model")

    def test_exit_at_import(self):
        self.refused(self.solve("raise SystemExit(0)\n"), 3, "COMPILE_ERROR", "SystemExit")

    def test_constructor_fails(self):
        run = self.solve("import torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        raise ValueError('no weights')\n")
        self.refused(run, 4, "RUNTIME_ERROR", "no weights")

    def test_call_fails(self):
        self.refused(self.solve(self.forward("raise ValueError('odd size')")), 4, "RUNTIME_ERROR", "odd size")

    def test_wrong_shape_type_and_count(self):
        self.refused(self.solve(self.forward("return (x * 2 + 1).t()")), 1, "BAD_SHAPE", "[48, 32]")
        self.refused(self.solve(self.forward("return x * 2 + 1, x")), 1, "BAD_OUTPUT_TYPE", "tuple")
        self.refused(self.solve(self.forward("return 1.0")), 1, "BAD_OUTPUT_TYPE", "float")
        self.refused(self.solve(self.forward("return None")), 1, "BAD_OUTPUT_TYPE", "NoneType")
        self.refused(self.solve(self.forward("return (x * 2 + 1).double()")), 1, "BAD_DTYPE", "float64")

    def test_nan(self):
        self.refused(self.solve(self.forward("return (x * 2 + 1) / (x - x)")), 1, "INCORRECT")

    def test_out_of_memory_says_whose(self):
        self.refused(self.solve(self.forward("return torch.empty(1 << 50)")), 4, "OUT_OF_MEMORY", "The solution ran out of memory")
        self.reference = self.write("greedy.py", AFFINE.replace("return x * 2 + 1", "return torch.empty(1 << 50)"))
        self.refused(self.solve(HONEST), 7, "REFERENCE_ERROR", "The reference ran out of memory")

    def test_timeout(self):
        self.refused(self.solve(self.forward("\n        while True:\n            pass"), "--timeout-run", "1"), 5, "TIMEOUT")

    def test_crash(self):
        self.refused(self.solve(self.forward("return ctypes.string_at(0)", "import ctypes")), 4, "RUNTIME_ERROR", "SIGSEGV")
        self.refused(self.solve("import os\nos._exit(0)\n"), 4, "CRASH_NO_REPORT", "without a report")

    def test_reference_faults(self):
        for text, status, code, word in (
            ("def f(:\n", "REFERENCE_ERROR", 7, "syntax error"),
            ("import no_such_module\n", "REFERENCE_ERROR", 7, "no_such_module"),
            ("import torch\nclass Other: pass\n", "REFERENCE_ERROR", 7, "Model"),
            (AFFINE.replace("return x * 2 + 1", "raise ValueError('broken')"), "REFERENCE_ERROR", 7, "broken"),
            (AFFINE.replace("def get_inputs", "def other_inputs"), "PROBLEM_ERROR", 2, "--inputs"),
            (AFFINE.replace("[torch.randn(32, 48)]", "1 / 0"), "PROBLEM_ERROR", 2, "division"),
            (AFFINE.replace("[torch.randn(32, 48)]", "None"), "PROBLEM_ERROR", 2, "get_inputs() gave a NoneType"),
            (AFFINE.replace("[torch.randn(32, 48)]", "'x'"), "PROBLEM_ERROR", 2, "get_inputs() gave a str"),
            (AFFINE.replace("[torch.randn(32, 48)]", "(x for x in [])"), "PROBLEM_ERROR", 2, "get_inputs() gave a generator"),
            (AFFINE.replace("return []", "return 'ab'"), "PROBLEM_ERROR", 2, "get_init_inputs() gave a str"),
            (AFFINE.replace("return x * 2 + 1", "return x * 2 + torch.rand(1, generator=G)").replace("import torch", "import torch\nG = torch.Generator()", 1),
             "REFERENCE_ERROR", 7, "another answer"),
        ):
            with self.subTest(word):
                self.reference = self.write("reference.py", text)
                self.refused(self.solve(HONEST), code, status, word)

    def test_champion_that_does_not_run(self):
        run = self.solve(HONEST, "--champion", self.write("champion.py", self.forward("raise ValueError('old')")))
        self.refused(run, 8, "CHAMPION_ERROR", "old")

    def test_usage(self):
        for arguments, word in (
            (["--solution", "x.py"], "--ref"),
            (["--ref", "nowhere.py", "--solution", "x.py"], "nowhere.py"),
            (["--ref", self.reference, "--solution", "nowhere.py"], "nowhere.py"),
            (["--ref", self.reference, "--solution", self.reference, "--precision", "fp12"], "fp12"),
            (["--ref", self.reference, "--solution", self.reference, "--inputs", "nowhere.py"], "nowhere.py"),
            (["--ref", self.reference, "--solution", self.reference, "--unheard-of"], "--unheard-of"),
            (["--ref", self.reference, "--solution", self.reference, "--time-cap", "nan"], "nan is no number of seconds"),
            (["--ref", self.reference, "--solution", self.reference, "--timeout-run", "0"], "0 is no number of seconds"),
            (["--ref", self.reference, "--solution", self.reference, "--timeout-compile", "-1"], "-1 is no number of seconds"),
            (["--ref", self.reference, "--solution", self.reference, "--timeout", "inf"], "inf is no number of seconds"),
            (["--ref", self.reference, "--solution", self.reference, "--timing-method", "cpu_time"], "cpu_time is not known"),
        ):
            with self.subTest(word):
                self.refused(self.bench(*arguments), 2, "USAGE_ERROR", word)

    def test_two_candidates_in_a_folder(self):
        self.write("solution/a.py", HONEST)
        self.write("solution/b.py", HONEST)
        self.refused(self.quick(self.reference, self.folder / "solution"), 2, "PROBLEM_ERROR", "a.py and b.py")

    def test_gpu_that_is_not_there(self):
        environment = {"CUDA_VISIBLE_DEVICES": ""}
        path = self.write("solution.py", HONEST)
        self.refused(self.quick(self.reference, path, device="0", environment=environment), 8, "INFRASTRUCTURE", "--device cpu")
        path = self.write("kernel.py", "import triton\n" + HONEST)
        self.refused(self.quick(self.reference, path, device=None, environment=environment), 8, "INFRASTRUCTURE", "triton", "GPU")

    def test_python_without_torch(self):
        plain = self._python_without_torch()
        if plain is None:
            self.skipTest("every Python here has torch")
        run = self.quick(self.reference, self.write("solution.py", HONEST), warm=False, python=plain)
        self.refused(run, 8, "INFRASTRUCTURE", "cannot import torch", "Install PyTorch")

    def _python_without_torch(self):
        """A virtual environment sees no packages of the system's Python."""
        import venv

        folder = self.folder / "plain"
        try:
            venv.create(folder, with_pip=False, symlinks=True)
        except Exception:
            return None
        return str(folder / "bin" / "python")

    def test_read_only_folder(self):
        path = self.write("solution.py", HONEST)
        if os.getuid() == 0:
            missing = self.folder / "missing" / "result.json"
            run = self.quick(self.reference, path, "--json", missing)
            self.assertEqual(run.code, 0, run.output)
            self.assertIn("cannot be written", run.output)
            return
        self.folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        try:
            run = self.quick(self.reference, path)
        finally:
            self.folder.chmod(stat.S_IRWXU)
        self.assertEqual(run.code, 0, run.output)
        self.assertIn("cannot be written", run.output)

    def test_no_byte_code_is_read_or_left(self):
        copy = self.folder / "kernelbench"
        shutil.copytree(support.EVALUATOR, copy, ignore=shutil.ignore_patterns("__pycache__"))
        run = self.quick(self.reference, self.write("solution/kernel.py", HONEST))
        self.assertEqual(run.code, 0, run.output)
        self.assertEqual(list(self.folder.rglob("__pycache__")), [])


class Helpful(support.BenchTest):
    """What is not an error, and has to be said or to work all the same."""

    def test_inputs_of_the_solution_are_ignored(self):
        reference = self.write("reference.py", AFFINE)
        run = self.quick(reference, self.write("solution.py", AFFINE.replace("32, 48", "0, 48")))
        self.assertEqual(run.code, 0, run.output)
        self.assertIn("INPUTS_IGNORED", run.document["flags"])
        self.assertIn("never from the solution", run.output)

    def test_inputs_file_siblings_and_file_name(self):
        reference = self.write("reference.py", AFFINE.split("def get_inputs")[0])
        inputs = self.write("data/inputs.py", "import torch\ndef get_inputs():\n    return {'x': torch.randn(5, 7)}\ndef get_init_inputs():\n    return {}\n")
        self.write("solution/parts.py", "def twice(x):\n    return x * 2\n")
        self.write("solution/kernel.py", "import inspect, os, torch\nfrom parts import twice\nassert os.path.basename(__file__) == 'kernel.py'\n"
                   "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        assert 'twice(x) + 1' in inspect.getsource(type(self))\n        return twice(x) + 1\n")
        run = self.quick(reference, self.folder / "solution", "--inputs", inputs)
        self.assertEqual(run.code, 0, run.output)

    def test_weights_are_carried_over_or_drawn_alike(self):
        reference = self.write("reference.py", "import torch\nclass Model(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
                               "        self.lin = torch.nn.Linear(n, n)\n        self.register_buffer('shift', torch.randn(n))\n"
                               "    def forward(self, x):\n        return self.lin(x) + self.shift\ndef get_inputs():\n    return [torch.randn(16, 8)]\ndef get_init_inputs():\n    return [8]\n")
        text = reference.read_text().split("def get_inputs")[0]
        carried = text.replace("super().__init__()", "super().__init__()\n        torch.randn(100)")
        drawn = text.replace("self.lin", "self.other")
        for solution in (carried, drawn):
            run = self.quick(reference, self.write("solution.py", solution))
            self.assertEqual(run.code, 0, run.output)

    def test_printing_is_shown_behind_a_bar(self):
        reference = self.write("reference.py", AFFINE)
        solution = self.write("solution.py", HONEST.replace("return x", "print('SPEEDUP: 1000x')\n        return x"))
        run = self.quick(reference, solution, "--verbose")
        self.assertIn("| solution: SPEEDUP: 1000x", run.output)
        self.assertNotIn("1000", run.lines["SPEEDUP"])

    def test_old_names_of_the_flags(self):
        reference = self.write("reference.py", AFFINE)
        for method in ("cuda_event", "host_time"):
            run = self.bench("--ref", reference, "--solution", self.write("solution.py", HONEST), "--precision", "fp32", "--backend", "triton",
                             "--timing-method", method, "--num-correct-trials", "2", "--num-perf-trials", "10", "--no-ref", "--verbose")
            self.assertEqual(run.code, 0, run.output)
            self.assertEqual(run.lines["BACKEND"], "triton (explicit)")
            self.assertEqual(run.lines["REF_RUNTIME"], "-1")
            self.assertNotIn("SPEEDUP", run.lines)
            self.assertEqual("No GPU: timed on the host's clock" in run.output, method == "cuda_event")
            # Six significant digits.
            self.assertLess(abs(float(run.lines["RUNTIME"]) / run.document["timing"]["workloads"][0]["sol_ms"] - 1), 1e-5)

    def test_cold_start_and_progress(self):
        reference = self.write("reference.py", AFFINE)
        run = self.quick(reference, self.write("solution.py", HONEST), warm=False, environment={"AKO_PROGRESS": "1"})
        self.assertEqual(run.code, 0, run.output)
        self.assertFalse(run.document["env"]["warm"])
        self.assertRegex(run.output, r"AKO_PROGRESS done 1\.000")

    def test_a_server_of_another_evaluator_is_not_used(self):
        copy = self.folder / "kernelbench"
        shutil.copytree(support.EVALUATOR, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "akobench" / "corpus.py").write_text("CASES = []\n")
        reference, solution = self.write("reference.py", AFFINE), self.write("solution.py", HONEST)
        for folder, warm in ((support.EVALUATOR, True), (copy, False)):
            run = self.quick(reference, solution, evaluator=folder)
            self.assertEqual(run.code, 0, run.output)
            self.assertEqual(run.document["env"]["warm"], warm)

    def test_more_than_ten_times_faster_is_looked_at_again(self):
        slow = AFFINE.replace("return x * 2 + 1", "return torch.stack([torch.stack([v * 2 + 1 for v in row]) for row in x])")
        reference = self.write("reference.py", slow)
        run = self.bench("--ref", reference, "--solution", self.write("solution.py", HONEST), "--num-perf-trials", "8", "--num-correct-trials", "2")
        if run.lines.get("STATUS") == "UNSTABLE":
            self.skipTest("this machine is too busy to tell: " + run.lines["MESSAGE"])
        self.assertEqual(run.code, 0, run.output)
        self.assertIn("EXAMINED_10X", run.document["flags"])
        self.assertTrue(run.document["examination"]["passed"])
        self.assertGreater(run.document["examination"]["workloads"][0]["outputs_checked"], 7)
        self.assertIn("EXAMINED: believed main", run.output)

    def erratic(self, fast):
        """Against a slow reference: fast in the processes of these numbers, in the order of their start."""
        reference = self.write("reference.py", AFFINE.replace("return x * 2 + 1", "time.sleep(0.005)\n        return x * 2 + 1").replace("import torch", "import time, torch", 1))
        begun = self.folder / "begun"
        begun.mkdir()
        text = "import os, time, torch\nnumber = 1\nwhile True:\n    try:\n        os.mkdir(os.path.join(%r, str(number)))\n        break\n" % str(begun)
        text += "    except FileExistsError:\n        number += 1\n"
        text += HONEST.replace("import torch\n", "").replace("return", "if number not in %r:\n            time.sleep(0.0045)\n        return" % (fast,))
        return self.bench("--ref", reference, "--solution", self.write("solution.py", text), "--num-perf-trials", "8", "--num-correct-trials", "2")

    def test_what_a_second_look_does_not_bear_out(self):
        # Two processes are measured, and a third one in the second look.
        run = self.erratic([1, 2, 4, 5])
        self.assertEqual((run.code, run.lines.get("STATUS")), (6, "SUSPICIOUS"), run.output)
        self.assertIn("SUSPICIOUS_10X", run.document["flags"])
        self.assertIn("and then only", run.lines["MESSAGE"])

    def test_what_is_fast_no_more(self):
        run = self.erratic([1, 2])
        self.assertEqual((run.code, run.lines.get("STATUS")), (0, "OK"), run.output)
        self.assertNotIn("EXAMINED_10X", run.document["flags"])
        self.assertLess(run.document["decision"]["est"], 2.0)
        self.assertIn("and then only", run.document["timing"]["measured_again"][0])

    def test_noise_is_no_improvement(self):
        reference = self.write("reference.py", AFFINE)
        run = self.bench("--ref", reference, "--solution", self.write("solution.py", HONEST), "--aa", "--num-perf-trials", "16")
        self.assertEqual(run.code, 0, run.output)
        self.assertIn(run.lines["VS_BEST"].split()[0], ("SAME", "AMBIGUOUS"))
        self.assertGreaterEqual(run.document["decision"]["margin"], 2 * run.document["timing"]["aa_noise_pct"] / 100)

    def test_nothing_is_left_that_could_change_the_result(self):
        mark = self.folder / "alive"
        daemon = "import ctypes, os, time\nif os.fork() == 0:\n    if os.fork():\n        os._exit(0)\n    os.setsid()\n    ctypes.CDLL(None).prctl(1, 0)\n"
        daemon += "    end = time.monotonic() + 60\n    while time.monotonic() < end:\n        open(%r, 'a').write('x')\n        time.sleep(0.001)\n    os._exit(0)\nos.wait()\n" % str(mark)
        reference, solution = self.write("reference.py", AFFINE), self.write("solution.py", daemon + HONEST)
        for warm in (True, False):
            run = self.quick(reference, solution, warm=warm)
            size = mark.stat().st_size
            self.assertGreater(size, 0, run.output)
            time.sleep(0.05)
            self.assertEqual(mark.stat().st_size, size, run.output)

    def test_without_the_server_that_is_named(self):
        reference, solution = self.write("reference.py", AFFINE), self.write("solution.py", HONEST)
        run = self.quick(reference, solution, warm=False, environment={"AKO_KERNELBENCH_SERVER": str(self.folder / "gone" / "socket")})
        self.assertEqual(run.code, 0, run.output)
        self.assertFalse(run.document["env"]["warm"])

    def test_a_server_takes_nobody_who_runs_user_code(self):
        text = "import socket\nwith socket.socket(socket.AF_UNIX) as s:\n    s.settimeout(5)\n    try:\n        s.connect(%r)\n" % self.server.path
        text += "        print('REACHED' if s.recv(64) else 'REFUSED')\n    except ConnectionError:\n        print('REFUSED')\n"
        reference, solution = self.write("reference.py", AFFINE), self.write("solution.py", text + HONEST)
        for warm in (True, False):  # of this server, and of a run that has processes of its own
            run = self.quick(reference, solution, "--verbose", warm=warm)
            self.assertEqual((run.code, run.document["env"]["warm"]), (0, warm), run.output)
            self.assertIn("| solution: REFUSED", run.output)

    def test_a_server_ends_when_nothing_asks_for_it(self):
        path = self.folder / "socket" / "warm"
        process = subprocess.Popen([sys.executable, "-I", str(support.EVALUATOR / "bench.py"), "--serve", str(path), "--idle", "0.2"],
                                   stdout=subprocess.DEVNULL)
        self.assertEqual(process.wait(120), 0)
        self.assertFalse(path.exists())

    def test_the_report_is_ako_result_1(self):
        reference = self.write("reference.py", AFFINE)
        solution = self.write("solution.py", HONEST)
        run = self.quick(reference, solution, "--champion", solution)
        document = run.document
        for key in ("schema", "mode", "status", "exit", "state", "message", "log", "problem", "problem_sha256", "reference_sha256", "solution_sha256",
                    "champion_sha256", "evaluator_sha256", "nonce", "compiled", "duration_s", "flags", "env", "correct", "timing", "decision"):
            self.assertIn(key, document)
        self.assertEqual((document["schema"], document["mode"], document["state"]), ("ako.result/1", "signal", "provisional"))
        self.assertTrue(document["env"]["sandbox"]["seccomp"])
        timing = document["timing"]["workloads"][0]
        for key in ("id", "weight", "axes", "pairs", "batch", "sol", "best", "sol_ms", "best_ms", "speedup_best", "first_call_ms", "cpu_ms"):
            self.assertIn(key, timing)
        self.assertEqual(sorted(timing["sol"]), ["mad", "max", "mean", "median", "min", "n", "q1", "q3"])
        self.assertEqual(document["decision"]["against"], "champion")
        self.assertEqual(len(timing["crews"]["speedup_best"]), 2)  # two processes each: how far they are apart is told
        self.assertIn("VS_BEST", run.lines)
        self.assertIn("BEST_RUNTIME", run.lines)


if __name__ == "__main__":
    unittest.main()
