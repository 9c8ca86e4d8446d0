# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools of threads that look out for more work before they sleep are honest; threads that compute in others' time are not."""

import ctypes
import os
import threading
import time
import unittest

import support
from akobench import schedule

REFERENCE = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x * 2 + 1)
def get_inputs():
    return [torch.randn(512, 1024)]
def get_init_inputs():
    return []
"""
# Threads that work outside the interpreter's lock: told to, they keep a processor busy until a moment, and then sleep.
POOL = """
import ctypes, threading, time
import torch
libc = ctypes.CDLL(None)
alarms, until = [threading.Event() for _ in range(THREADS)], 0.0
def look_out(awake):
    memory = ctypes.create_string_buffer(1 << 21)
    while True:
        awake.wait()
        awake.clear()
        while time.monotonic() < until:
            libc.memset(memory, 1, len(memory))
for alarm in alarms:
    threading.Thread(target=look_out, args=(alarm,), daemon=True).start()
class ModelNew(torch.nn.Module):
    def forward(self, x):
        global until
        y = torch.tanh(x * 2 + 1)
        until = time.monotonic() + SECONDS
        for alarm in alarms:
            alarm.set()
        return y
"""


class Waiting(unittest.TestCase):
    """Where a team has more threads than processors, its main thread sleeps until the last of them had its turn."""

    def setUp(self):
        self.ours, theirs = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            self._spin(theirs)
        os.close(theirs)

    def tearDown(self):
        os.close(self.ours)
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)

    def _spin(self, pipe):
        """Three threads of one processor, while the main one sleeps."""
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        library, memory = ctypes.CDLL(None), ctypes.create_string_buffer(1 << 20)

        def work():
            while True:
                library.memset(memory, 1, len(memory))

        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        os.write(pipe, b"x")
        time.sleep(60)
        os._exit(0)

    def test_the_thread_that_waited_longest_counts(self):
        os.read(self.ours, 1)
        begin, waits, seconds = time.monotonic(), schedule.Waits(self.child), 0.0
        while seconds < 0.05 and time.monotonic() - begin < 30:
            seconds = waits.seconds()
        self.assertGreaterEqual(seconds, 0.05)
        # Not all of them together: two of three wait at any moment.
        self.assertLess(waits.seconds(), 1.2 * (time.monotonic() - begin) + 0.05)


class Threads(support.BenchTest):
    def setUp(self):
        super().setUp()
        self.reference = self.write("reference.py", REFERENCE)

    def judge(self, text, *arguments, **options):
        # Enough turns for a pool that is taken for a cheat to be refused.
        return self.bench("--ref", self.reference, "--solution", self.write("solution.py", text), "--signal", "--time-cap", "2",
                          "--num-perf-trials", "40", "--num-correct-trials", "2", *arguments, **options)

    def pool(self, threads, seconds):
        return POOL.replace("THREADS", str(threads)).replace("SECONDS", str(seconds))

    def parallel(self, threads):
        return REFERENCE.replace("import torch\n", "import torch\ntorch.set_num_threads(%d)\n" % threads, 1)

    def passes(self, run):
        self.assertEqual((run.code, run.lines.get("STATUS"), run.lines.get("CORRECT")), (0, "OK", "True"), run.output)

    def test_many_threads_of_torch(self):
        self.passes(self.judge(self.parallel(16)))

    def test_other_numbers_of_threads_than_the_reference(self):
        self.passes(self.judge(self.parallel(1)))
        self.reference.write_text(self.parallel(1))
        self.passes(self.judge(self.parallel(2)))

    def test_a_user_who_asks_for_waiting_threads(self):
        wish = {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "infinite", "KMP_BLOCKTIME": "infinite"}
        self.passes(self.judge(self.parallel(2), warm=False, environment=wish))  # more threads than processors would not wait

    def test_a_pool_that_spins_and_then_sleeps(self):
        # With a warm cache the others' turns are shorter than what these threads take to fall asleep.
        self.passes(self.judge(self.pool(8, 0.02), "--cache", "hot"))

    def test_threads_that_sleep_only_when_nobody_is_measured(self):
        run = self.judge(self.pool(2, 0.3))
        self.assertEqual((run.code, run.lines.get("STATUS")), (6, "EXTRA_THREAD"), run.output)

    def test_a_thread_that_never_rests(self):
        run = self.judge(self.pool(1, 1e9))
        self.assertEqual((run.code, run.lines.get("STATUS")), (6, "EXTRA_THREAD"), run.output)


if __name__ == "__main__":
    unittest.main()
