# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts that need neither torch nor workers: statistics, sources, definitions, framing, hashes."""

import ast
import math
import os
import pathlib
import random
import socket
import struct
import tempfile
import unittest

import support  # noqa: F401  (puts the evaluator on the path)
from akobench import definition, integrity, policy, report, result, schedule, sources, stats
from akobench.protocol import Channel, Closed, ProtocolError
from akobench.status import Failure


def drifting_pairs(generator, count, gain, drift=0.03, jitter=0.01):
    """Times of candidate and other as one session gives them: slow drift, jitter, now and then an outlier."""
    phase = generator.random() * 6.28
    pairs = []
    for index in range(count):
        level = 1 + drift * math.sin(phase + 6.28 * index / count)

        def sample(scale):
            outlier = 1.15 if generator.random() < 0.02 else 1.0
            return scale * level * outlier * math.exp(generator.gauss(0, jitter))

        pairs.append((sample(1.0 / gain), sample(1.0)))
    return pairs


class Statistics(unittest.TestCase):
    def test_interval_ranks_are_exact(self):
        # Of 8 values the extremes enclose the median with 1 - 2 / 2^8 = 99.2 %; of 20 the 4th from either end.
        self.assertEqual(stats.order_ranks(8, 0.99), (0, 7))
        self.assertEqual(stats.order_ranks(20, 0.99), (3, 16))
        self.assertEqual(stats.order_ranks(1, 0.99), (0, 0))

    def test_summary(self):
        found = stats.summary([3.0, 1.0, 2.0, 10.0])
        self.assertEqual((found["median"], found["mean"], found["min"], found["max"], found["n"]), (2.5, 4.0, 1.0, 10.0, 4))
        self.assertIsNone(stats.summary([]))

    def test_drift_neither_invents_nor_hides_a_gain(self):
        generator = random.Random(7)
        invented = found = 0
        for _ in range(200):
            same = stats.paired_ratio([drifting_pairs(generator, 60, 1.0)])
            invented += stats.verdict_word(same, 0.005) in ("IMPROVED", "REGRESSED")
            better = stats.paired_ratio([drifting_pairs(generator, 60, 1.03)])
            found += stats.verdict_word(better, 0.005) == "IMPROVED"
        self.assertLessEqual(invented, 10)
        self.assertGreaterEqual(found, 190)

    def test_the_best_of_many_tries_is_not_believed(self):
        generator = random.Random(11)
        best = max((stats.paired_ratio([drifting_pairs(generator, 40, 1.0)]) for _ in range(100)), key=lambda ratio: ratio.estimate)
        fresh = stats.paired_ratio([drifting_pairs(generator, 80, 1.0) for _ in range(2)])
        self.assertGreater(best.estimate, fresh.estimate)
        self.assertNotEqual(stats.verdict_word(fresh, 0.005), "IMPROVED")

    def test_offsets_between_processes_widen_the_interval(self):
        close = stats.paired_ratio([[(1.0, 1.0)] * 20, [(1.0, 1.001)] * 20])
        apart = stats.paired_ratio([[(1.0, 1.0)] * 20, [(1.0, 1.05)] * 20])
        self.assertLess(close.half_width, 0.002)
        self.assertGreater(apart.half_width, 0.03)
        single = stats.paired_ratio([[(0.015, 0.015)] * 20], offset_ms=0.0002)
        self.assertAlmostEqual(single.half_width, 2 * 0.0002 / 0.015, delta=1e-3)
        self.assertEqual(single.sampling, 0.0)

    def test_a_shape_without_time_is_refused(self):
        with self.assertRaises(ValueError):
            stats.weighted_geomean([(1e-9, 1.0), (2.0, 1.0)])
        self.assertAlmostEqual(stats.weighted_geomean([(1.0, 1.0), (4.0, 1.0)]), 2.0)

    def test_processes_that_are_alike_are_grouped(self):
        self.assertEqual(stats.closest_groups([1.91, 1.81, 1.92], 2, 1), [[0, 2]])
        paces = [2.0, 2.15, 2.01, 2.14, 2.02, 2.13, 2.0, 2.16, 2.01]
        groups = stats.closest_groups(paces, 2, 4)
        self.assertEqual(len({index for group in groups for index in group}), 8)
        for left, right in groups:
            self.assertLess(abs(paces[left] - paces[right]), 0.05)
        threes = stats.closest_groups([1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2], 3, 4)
        self.assertEqual([len(group) for group in threes], [3, 3, 3, 3])

    def test_words(self):
        for low, high, word in ((1.01, 1.02, "IMPROVED"), (0.97, 0.98, "REGRESSED"), (0.996, 1.004, "SAME"), (0.98, 1.04, "AMBIGUOUS")):
            self.assertEqual(stats.verdict_word(stats.Ratio(1.0, low, high), 0.005), word)
        for low, high, word in ((0.92, 1.09, "SAME"), (0.6, 1.4, "AMBIGUOUS")):  # however large the noise
            self.assertEqual(stats.verdict_word(stats.Ratio(1.0, low, high), 1.2), word)
        self.assertEqual(stats.margin_of(None), 0.005)
        self.assertAlmostEqual(stats.margin_of(1.0), 0.02)


class Windows(unittest.TestCase):
    def test_short_kernels_are_timed_together(self):
        for milliseconds, random_reference, calls in ((0.005, False, 8), (0.015, False, 8), (0.041, False, 4), (0.1, False, 2),
                                                      (0.2, False, 1), (30.0, False, 1), (0.015, True, 1), (0.0, False, 1)):
            with self.subTest(milliseconds):
                self.assertEqual(schedule.calls_per_window(milliseconds, random_reference), calls)

    def test_every_set_is_called_once_at_most_and_their_number_varies(self):
        sizes = set()
        for _ in range(200):
            windows = schedule.windows_of(24, 8)
            called = [index for one in windows for index in one]
            self.assertEqual(called, list(range(len(called))))
            self.assertGreaterEqual(len(windows), 3)
            sizes.update(map(len, windows))
        self.assertEqual(sizes, {6, 7, 8})
        self.assertEqual(schedule.windows_of(3, 1), [[0], [1], [2]])
        self.assertEqual(schedule.windows_of(1, 1), [[0]])


class Policy(unittest.TestCase):
    def facts(self, text):
        return sources.Facts("solution.py", text, ast.parse(text))

    def test_fallbacks(self):
        for text, lines in (
            ("def f(x):\n    try:\n        return g(x)\n    except Exception:\n        return h(x)\n", [4]),
            ("def f(x):\n    try:\n        y = g(x)\n    except:\n        y = x * 2\n    return y\n", [4]),
            ("def f(x):\n    try:\n        return g(x)\n    except Exception as e:\n        raise ValueError('no') from e\n", []),
            ("def f(x):\n    try:\n        g(x)\n    except KeyError:\n        pass\n", []),
            ("try:\n    import triton\nexcept ImportError:\n    triton = None\n", []),
        ):
            with self.subTest(text):
                self.assertEqual(policy.fallbacks(self.facts(text)), lines)

    def test_kernels_that_nothing_calls(self):
        jit = "import triton\n@triton.jit\ndef k(x):\n    pass\n"
        cuda = "S = '__global__ void __launch_bounds__(256) k(float *x) {}%s'\n"
        for text, names, unused in ((jit, ["k"], ["k"]), (jit + "def f(x):\n    k[(1,)](x)\n", ["k"], []),
                                    (cuda % "", ["k"], ["k"]), (cuda % " void run() { k<<<1, 1>>>(0); }", ["k"], []), ("x = 1\n", [], [])):
            with self.subTest(text):
                self.assertEqual(policy.kernel_names(self.facts(text)), names)
                self.assertEqual(policy.unused_kernels(self.facts(text)), unused)


class Sources(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()) if hasattr(self, "enterContext") else tempfile.mkdtemp())

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def test_backends(self):
        for text, backend in (
            ("import torch\nclass ModelNew: pass\n", "torch"),
            ("import triton.language as tl\n", "triton"),
            ("import tilelang\nimport triton\n", "tilelang"),
            ("import cutlass.cute as cute\n", "cute"),
            ("from torch.utils.cpp_extension import load_inline\nS = '__global__ void f() {}'\n", "cuda"),
            ("from torch.utils.cpp_extension import load_inline\nS = '#include <hip/hip_runtime.h>'\n", "hip"),
            ("from torch.utils.cpp_extension import load_inline\nload_inline('n', cpp_sources='')\n", "torch"),
            ("# import triton\nT = 'import triton'\n", "torch"),
            ("from kernels import f\n", "triton"),
        ):
            with self.subTest(text):
                self.write("kernels.py", "import triton\n")
                self.assertEqual(sources.backend(sources.read(self.write("s.py", text), "COMPILE_ERROR", "s.py")), backend)

    def test_the_file_in_a_folder(self):
        self.write("helpers.py", "x = 1\n")
        self.write("kernel.py", "class Model: pass\n")
        new = self.write("better.py", "class ModelNew: pass\n")
        self.assertEqual(sources.solution_file(str(self.folder)), os.path.abspath(new))
        with self.assertRaises(Failure) as caught:
            sources.solution_file(str(self.folder), names=["Nothing"])
        self.assertEqual(caught.exception.status, "COMPILE_ERROR")


class Definitions(unittest.TestCase):
    def test_expressions(self):
        values = {"n": 10, "m": 4}
        for text, expected in (("n*m", 40), ("n//3 + 1", 4), ("ceildiv(n, m)", 3), ("min(n, m) - 1", 3), ("-(n % m)", -2)):
            self.assertEqual(definition.evaluate(text, values), expected)
        for text in ("__import__('os')", "n.real", "[n]", "n ** m"):
            with self.assertRaises(definition.DefinitionError):
                definition.evaluate(text, values)

    def test_axes_may_depend_on_each_other(self):
        form = {"axes": {"a": {"type": "expr", "expression": "b*2"}, "b": {"type": "expr", "expression": "c+1"}, "c": {"type": "var"}, "d": {"type": "const", "value": 3}}}
        self.assertEqual(definition.axis_values(form, {"id": "w", "axes": {"c": 4}}), {"c": 4, "d": 3, "b": 5, "a": 10})
        self.assertEqual(definition.shape_of({"shape": ["a", "7"]}, {"a": 2}), [2, 7])
        self.assertIsNone(definition.shape_of({"shape": None}, {}))

    def test_paths_of_a_solution_stay_inside(self):
        for path, good in (("main.py", True), ("a/b.py", True), ("../x.py", False), ("/etc/x", False), ("a/../../x", False)):
            self.assertEqual(definition.safe_relative(path), good)


class Framing(unittest.TestCase):
    def pair(self):
        left, right = socket.socketpair()
        self.addCleanup(left.close)
        self.addCleanup(right.close)
        return left, Channel(right)

    def test_messages_and_descriptors(self):
        left, right = self.pair()
        reader, writer = os.pipe()
        Channel(left).send({"a": "x" * 100_000}, [writer])
        message, fds = right.receive(5)
        self.assertEqual((len(message["a"]), len(fds)), (100_000, 1))
        os.write(fds[0], b"!")
        self.assertEqual(os.read(reader, 1), b"!")
        for fd in (reader, writer, *fds):
            os.close(fd)

    def test_what_is_no_message(self):
        for data in (b"COMPILED: True\n" * 4, struct.pack("<I", 4) + b"true", struct.pack("<I", 3) + b"{{{"):
            left, right = self.pair()
            left.sendall(data)
            with self.assertRaises(ProtocolError):
                right.receive(5)

    def test_the_end(self):
        left, right = self.pair()
        left.close()
        with self.assertRaises(Closed):
            right.receive(5)


class Reports(unittest.TestCase):
    def test_no_filter_is_claimed_that_is_not_there(self):
        found = result.Result("verdict")
        found.cache = "cold"
        self.assertEqual(report.to_json(found)["env"]["sandbox"], {"level": "none", "landlock": 0, "seccomp": False, "rlimits": False})
        found.sealed = True
        self.assertTrue(report.to_json(found)["env"]["sandbox"]["seccomp"])


class Hashes(unittest.TestCase):
    def test_any_change_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a"
            path.mkdir()
            (path / "x.py").write_text("1")
            manifest = integrity.Manifest({"solution": str(path), "inputs": None})
            self.assertEqual(manifest.changed(), [])
            (path / "x.py").write_text("2")
            self.assertEqual(manifest.changed(), ["solution"])
            (path / "x.py").write_text("1")
            (path / "y.py").write_text("")
            self.assertEqual(manifest.changed(), ["solution"])


if __name__ == "__main__":
    unittest.main()
