# SPDX-License-Identifier: GPL-3.0-or-later
"""What the times between calls say of a solution, and what they do not."""

import unittest

import support  # noqa: F401
from akobench import watching

TURNS = 6


def alike(**seconds):
    return {role: [value] * TURNS for role, value in seconds.items()}


class Hidden(unittest.TestCase):
    """Work beyond the calls that were reported."""

    def test_all(self):
        rows = [
            ("nothing hidden", alike(solution=0.004, reference=0.004), {}, False),
            ("work after its calls", alike(solution=0.010, reference=0.004), {}, True),
            ("two threads against sixteen: emptying the caches takes so much longer", alike(solution=0.016, reference=0.002), {"solution": 2, "reference": 16}, False),
            ("the same, and work after its calls", alike(solution=0.030, reference=0.002), {"solution": 2, "reference": 16}, True),
            ("more threads than the reference", alike(solution=0.002, reference=0.016), {"solution": 16, "reference": 2}, False),
            ("more threads than the reference, and work after its calls", alike(solution=0.030, reference=0.016), {"solution": 16, "reference": 2}, True),
            ("the slower of two others counts", alike(solution=0.010, reference=0.004, champion=0.008), {}, False),
            ("a busy machine in most turns", {"solution": [0.004] + [0.02] * TURNS, "reference": [0.004] * TURNS}, {}, False),
        ]
        for name, excess, threads, hides in rows:
            with self.subTest(name):
                hidden, others = watching.hidden_seconds(excess, threads)
                self.assertEqual(hidden > 0.5 * others, hides)

    def test_too_little_to_say(self):
        self.assertIsNone(watching.hidden_seconds(alike(solution=1.0), {}))
        self.assertIsNone(watching.hidden_seconds({"solution": [1.0], "reference": [0.1]}, {}))


class Flush(unittest.TestCase):
    """Caches that are not emptied."""

    def test_all(self):
        rows = [
            ("alike", alike(solution=0.010, reference=0.010), {}, False, False),
            ("left out", alike(solution=0.001, reference=0.010), {}, False, True),
            ("more threads empty them sooner", alike(solution=0.0015, reference=0.015), {"solution": 16, "reference": 1}, False, False),
            ("more threads, and left out", alike(solution=0.0002, reference=0.015), {"solution": 16, "reference": 1}, False, True),
            ("fewer threads", alike(solution=0.015, reference=0.002), {"solution": 1, "reference": 16}, False, False),
            ("nobody to compare with", alike(solution=0.001), {}, False, False),
            ("left out, on a busy machine", {"solution": [0.001] + [0.02] * TURNS, "reference": [0.010] + [0.04] * TURNS}, {}, False, True),
            ("one busy turn of the others", {"solution": [0.01] * TURNS, "reference": [0.01] * TURNS + [0.5]}, {}, False, False),
            ("on a GPU, as short as it gets", alike(solution=0.0005, reference=0.004), {}, True, False),
            ("on a GPU, left out", alike(solution=0.0001, reference=0.004), {}, True, True),
            ("on a GPU, left out, and nobody to compare with", alike(solution=0.0001), {}, True, True),
        ]
        for name, pauses, threads, on_gpu, skips in rows:
            with self.subTest(name):
                self.assertEqual(watching.skips_flush(pauses, threads, on_gpu), skips)

    def test_too_little_to_say(self):
        self.assertFalse(watching.skips_flush({"solution": [0.0], "reference": [1.0]}, {}, True))


if __name__ == "__main__":
    unittest.main()
