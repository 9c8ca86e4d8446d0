# SPDX-License-Identifier: GPL-3.0-or-later
"""What the parent's clock says to a claim: pure parts of telling a gain again."""

import os
import unittest

import support  # noqa: F401
from akobench import linux
from akobench.confirmation import LOOKS, Claim, Spent, claims_of


def spent(ms, cpu=None, main=None, slept=False):
    cpu = ms if cpu is None else cpu
    return Spent(ms / 1e3, cpu / 1e3, (cpu if main is None else main) / 1e3, slept)


def claim(pairs, estimate=2.0, low=1.9, gain_ms=1.0):
    made = Claim("reference", {"est": estimate, "lo": low, "hi": estimate}, gain_ms)
    for other, own in pairs:
        made.add({"reference": other, "solution": own}, 1)
    return made


class Confirmation(unittest.TestCase):
    def test_a_gain_that_is_there(self):
        found = claim([(spent(5 + n / 50), spent(4)) for n in range(LOOKS[0])])
        self.assertEqual((found.answer, found.clock), ("borne out", "cpu"))

    def test_a_gain_that_is_not_there(self):
        found = claim([(spent(4 + n / 50), spent(4)) for n in range(LOOKS[0])])
        self.assertEqual(found.answer, "refuted")

    def test_too_few_trials_say_nothing(self):
        self.assertEqual(claim([(spent(4), spent(4))] * (LOOKS[0] - 1)).answer, "open")

    def test_noise_leaves_it_open(self):
        found = claim([(spent(4 + 3 * (n % 2)), spent(4)) for n in range(LOOKS[1])])
        self.assertEqual(found.answer, "open")

    def test_only_what_was_claimed_at_the_least_is_refuted(self):
        pairs = [(spent(4.1), spent(4))] * LOOKS[0]
        self.assertEqual(claim(pairs, low=1.9).answer, "refuted")
        self.assertEqual(claim(pairs, low=1.05).answer, "open")

    def test_threads_and_sleep_are_told_by_the_wall(self):
        threads = [(spent(8), spent(4, cpu=8, main=4))] * LOOKS[0]
        self.assertEqual((claim(threads, gain_ms=4.0).clock, claim(threads, gain_ms=4.0).answer), ("wall", "borne out"))
        sleeps = [(spent(8, cpu=1, slept=True), spent(1))] * LOOKS[0]
        self.assertEqual(claim(sleeps, gain_ms=7.0).answer, "borne out")

    def test_a_busy_machine_is_told_by_the_cpu(self):
        found = claim([(spent(5 + 9 * (n % 2), cpu=5), spent(9, cpu=4 + n / 50)) for n in range(LOOKS[0])])
        self.assertEqual((found.clock, found.answer), ("cpu", "borne out"))

    def test_which_claims_are_told_again(self):
        entry = {"sol": {"median": 1.0}, "speedup_ref": {"est": 1.5, "lo": 1.4, "hi": 1.6}, "speedup_best": {"est": 1.02, "lo": 1.01, "hi": 1.03}}
        self.assertEqual([(item.role, item.gain_ms) for item in claims_of(entry, 0.005, 0.0)], [("reference", 0.5)])
        self.assertEqual(claims_of(entry, 0.005, 0.6), [])
        self.assertEqual(claims_of(entry, 0.5, 0.0), [])

    def test_a_file_that_can_still_be_written(self):
        fd = os.memfd_create("test", os.MFD_ALLOW_SEALING)
        self.addCleanup(os.close, fd)
        self.assertFalse(linux.is_closed_to_writing(fd))
        from akobench.tensors import sealed

        self.assertTrue(linux.is_closed_to_writing(sealed(fd)))


if __name__ == "__main__":
    unittest.main()
