# SPDX-License-Identifier: GPL-3.0-or-later
"""The usual kinds of problem, each correct against itself."""

import unittest

import support


class Problems(support.BenchTest):
    def check(self, path, *arguments):
        run = self.quick(path, path, *arguments)
        self.assertEqual((run.code, run.lines.get("STATUS")), (0, "OK"), run.output)
        self.assertEqual(run.lines["CORRECT"], "True")
        self.assertGreater(float(run.lines["RUNTIME"]), 0)
        self.assertGreater(run.document["correct"]["workloads"][0]["checks"], 2)

    def test_bfloat16(self):
        for name in ("matmul", "layernorm", "softmax"):
            with self.subTest(name):
                self.check(support.HERE / "problems" / (name + ".py"), "--precision", "bf16")


def _add(path):
    setattr(Problems, "test_" + path.stem, lambda self: self.check(path))


for _path in support.PROBLEMS:
    _add(_path)

if __name__ == "__main__":
    unittest.main()
