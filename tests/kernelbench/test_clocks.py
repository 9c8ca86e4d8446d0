# SPDX-License-Identifier: GPL-3.0-or-later
"""What a clock does around a call, where that can be told without a GPU."""

import unittest

import support  # noqa: F401
from akobench import clocks


class HostClock(unittest.TestCase):
    """On a GPU, by the host's clock: all contenders on one processor, since each would be as fast as its own one's caches."""

    def setUp(self):
        self.clock = clocks.CudaHostClock.__new__(clocks.CudaHostClock)
        self.clock.core, self.bound = 3, []
        self.clock._bind = lambda pid, cores: self.bound.append((pid, cores))
        self.clock.flush = lambda: self.bound.append("flush")

    def test_bound_after_the_first_call(self):
        self.clock.begin_turn()
        self.assertEqual(self.bound, ["flush"])
        self.clock.begin_turn()
        self.assertEqual(self.bound[1:], [(0, {3}), "flush"])

    def test_a_processor_that_cannot_be_had(self):
        def refuse(pid, cores):
            raise OSError("no")

        self.clock._bind, self.clock._turns = refuse, 1
        self.clock.begin_turn()
        self.assertEqual(self.bound, ["flush"])


class CpuCaches(unittest.TestCase):
    def test_how_much_is_read(self):
        mb = 1 << 20
        for last_level, processors, size, all_of_it in ((8 * mb, 4, 16 * mb, True), (64 * mb, 16, 128 * mb, True), (96 * mb, 16, 128 * mb, True),
                                                        (480 * mb, 2, 32 * mb, False), (300 * mb, 16, 64 * mb, False), (480 * mb, 96, 128 * mb, False)):
            with self.subTest(last_level=last_level // mb, processors=processors):
                self.assertEqual(clocks.walk_bytes(last_level, processors), (size, all_of_it))

    def test_the_walk_is_in_memory_and_shared(self):
        walk = clocks.make_walk()
        self.assertIs(clocks.CpuClock(None)._walk, walk)
        self.assertIsNone(clocks.CpuClock(None, cold=False)._walk)
        self.assertEqual(float(walk.min()), 1.0)  # pages that nobody wrote to are one page, and in the cache
        self.assertLessEqual(4 * walk.numel(), clocks.MOST_WALK_BYTES)


if __name__ == "__main__":
    unittest.main()
