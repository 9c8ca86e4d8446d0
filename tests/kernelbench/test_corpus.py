# SPDX-License-Identifier: GPL-3.0-or-later
"""Every known way of cheating is refused with its status, and an honest solution of the same style passes."""

import unittest

import support  # noqa: F401
from akobench import corpus, selftest


class Corpus(unittest.TestCase):
    def test_all(self):
        outcomes, _ = selftest.run_corpus("auto", lambda outcome: None)
        self.assertGreater(len(outcomes), 80)
        for outcome in outcomes:
            with self.subTest(outcome.case.name, honest=outcome.honest):
                self.assertTrue(outcome.good, outcome.line())

    def test_every_trick_without_a_twin_is_known(self):
        without = {case.name for case in corpus.CASES if case.honest is None}
        self.assertEqual(without, {"a problem that zeros solve", "NaN everywhere", "a copy of whatever the collector knows", "twice the answer",
                                   "empty output", "memory overwritten far and wide", "plants a torch.py", "crashes"})


if __name__ == "__main__":
    unittest.main()
