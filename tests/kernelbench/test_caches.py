# SPDX-License-Identifier: GPL-3.0-or-later
"""What a solution leaves where compilers keep things is found by the same solution, and by nobody else."""

import os
import pathlib
import shutil
import tempfile
import unittest

import support
from akobench import caches
from support import AFFINE, HONEST

# As a compiler does: looks for what it made before, and makes it where there is nothing.
COMPILES = """
import os
made = os.path.join(os.environ["TRITON_CACHE_DIR"], "made")
if os.path.exists(made):
    print("FOUND", open(made).read())
else:
    os.makedirs(os.path.dirname(made), exist_ok=True)
    with open(made + str(os.getpid()), "w") as file:
        file.write(NAME)
    os.rename(made + str(os.getpid()), made)
    print("MADE", NAME)
"""
POISONS = """
import glob, os
for folder in glob.glob(os.path.join(os.path.dirname(os.environ["TRITON_CACHE_DIR"]), "..", "*", "")):
    os.makedirs(os.path.join(folder, "triton"), exist_ok=True)
    open(os.path.join(folder, "triton", "made"), "w").write("poison")
"""


class Kept(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ako-caches-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.base = os.path.join(self.folder, "base")

    def opened(self, solution="s", champion="c", reference="r"):
        contents = {"solution": solution, "champion": champion, "reference": reference, "golden": "golden " + reference}
        return caches.Caches(contents, lambda: tempfile.mkdtemp(dir=self.folder), self.base)

    def put(self, made, role, text="made"):
        path = pathlib.Path(made.folder_of(role), "file")
        path.write_text(text)
        return path

    def after(self, role, **contents):
        """What the next run finds there."""
        made = self.opened(**contents)
        path = pathlib.Path(made.folder_of(role), "file")
        found = path.read_text() if path.exists() else None
        made.close(False)
        return found

    def test_the_solutions_own_is_kept(self):
        made = self.opened()
        self.put(made, "solution")
        made.close(True)
        self.assertEqual(self.after("champion", champion="s", solution="t"), "made")
        self.assertEqual(self.after("reference", reference="s", solution="t"), "made")
        self.assertIsNone(self.after("solution", solution="t"))

    def test_nothing_is_kept_of_a_run_that_did_not_end_well(self):
        made = self.opened()
        self.put(made, "solution")
        made.close(False)
        self.assertIsNone(self.after("solution"))

    def test_what_somebody_elses_has_more_is_thrown_away(self):
        for role in ("champion", "reference", "golden"):
            made = self.opened()
            self.put(made, role)
            made.close(True)
            self.assertIsNone(self.after(role), role)

    def test_what_somebody_elses_has_other_is_thrown_away(self):
        made = self.opened(solution="c")
        path = self.put(made, "solution", "made")
        made.close(True)
        made = self.opened()
        times = os.stat(path)
        self.put(made, "champion", "evil")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        made.close(True)
        self.assertIsNone(self.after("champion"))

    def test_what_was_there_before_the_solution_is_kept(self):
        made = self.opened()
        self.put(made, "golden")
        made.trust("golden")
        made.close(True)
        self.assertEqual(self.after("golden"), "made")

    def test_a_run_that_was_ended_leaves_nothing(self):
        made = self.opened()
        self.put(made, "solution")
        made.close(True)
        made = self.opened()
        os.close(made._lock)
        self.assertIsNone(self.after("solution"))

    def test_one_run_at_a_time(self):
        first, second = self.opened(), self.opened()
        self.assertEqual((first.keeps, second.keeps), (True, False))
        self.put(second, "solution")
        second.close(True)
        self.assertEqual(os.listdir(first.folder_of("solution")), [])
        first.close(True)

    def test_a_folder_open_to_others_keeps_nothing(self):
        os.mkdir(self.base)
        os.chmod(self.base, 0o777)
        self.assertFalse(self.opened().keeps)

    def test_links_are_not_followed(self):
        outside = pathlib.Path(self.folder, "outside")
        outside.mkdir()
        (outside / "file").write_text("precious")
        made = self.opened()
        os.symlink(outside, os.path.join(self.base, "link"))
        os.symlink(outside, os.path.join(made.folder_of("champion"), "link"))
        made.close(True)
        self.assertEqual((outside / "file").read_text(), "precious")
        self.assertFalse(os.path.lexists(os.path.join(self.base, "link")))

    def test_only_so_many_are_kept(self):
        for number in range(caches.MOST_KEPT + 3):
            made = self.opened(solution=str(number))
            self.put(made, "solution")
            made.close(True)
        self.assertIsNone(self.after("solution", solution="0"))
        made = self.opened(solution="last")
        self.assertLessEqual(len(caches._names(self.base)), caches.MOST_KEPT)
        made.close(False)


class Compiled(support.BenchTest):
    def measure(self, name, *arguments, before=""):
        folder = self.folder / name
        self.write(name + "/solution.py", COMPILES.replace("NAME", repr(name)) + before + HONEST)
        run = self.quick(self.write("problem/reference.py", AFFINE), folder, "--verbose", *arguments, environment={"XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertEqual(run.code, 0, run.output)
        return [line.removeprefix("| solution: ") for line in run.output.splitlines() if line.startswith("| solution: ")]

    def made(self, name):
        """Whether a run of it had to make what it compiles: one of its processes at the least, before the others find it."""
        told = self.measure(name)
        self.assertLessEqual(set(told), {"MADE " + name, "FOUND " + name})
        self.assertTrue(told)
        return "MADE " + name in told

    def test_only_the_same_solution_finds_it(self):
        self.assertTrue(self.made("one"))
        self.assertTrue(self.made("two"))
        self.assertFalse(self.made("one"))
        # What it plants with others is gone before they are measured again.
        self.measure("three", "--champion", str(self.folder / "one"), before=POISONS)
        self.assertTrue(self.made("one"))
        self.assertTrue(self.made("two"))


if __name__ == "__main__":
    unittest.main()
