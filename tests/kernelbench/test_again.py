# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody is accused by one measurement: what a busy machine makes once is measured again in fresh processes."""

import types
import unittest
from unittest import mock

import support
import test_loop
from akobench import again, confirmation, options, report, schedule, session
from akobench.result import Result
from akobench.status import Accusation, Failure

def gain(about="large gain in main"):
    return Accusation("INTEGRITY", "A gain that is not there.", about)


def thread():
    return Accusation("EXTRA_THREAD", "A thread that runs.")


class Scripted:
    """A session whose measurements end as the script says: None is one without a contradiction."""

    def __init__(self, *script):
        self.script, self.suspected, self.anew, self.result = list(script), [], 0, Result("signal")

    def measure(self, suspected):
        self.suspected.append(suspected)
        found = self.script.pop(0)
        if found:
            raise found

    def start_anew(self):
        self.anew += 1


class Decision(unittest.TestCase):
    def status_of(self, scripted):
        try:
            again.measure(scripted)
            return "OK"
        except Failure as failure:
            self.message = failure.message
            return failure.status

    def test_what_is_found_twice_counts_and_nothing_else(self):
        rows = [
            ("nothing", [None], "OK", 1),
            ("a gain once", [gain(), None], "OK", 2),
            ("a thread once", [thread(), None], "OK", 2),
            ("two things, once each", [gain(), thread(), None], "OK", 3),
            ("a gain twice", [gain(), gain()], "INTEGRITY", 2),
            ("a thread twice", [thread(), thread()], "EXTRA_THREAD", 2),
            ("a gain, a thread, a gain", [gain(), thread(), gain()], "INTEGRITY", 3),
            ("gains of two workloads", [gain("large gain in main"), gain("large gain in odd"), None], "OK", 3),
            ("small, then large", [gain("small gain in main"), gain(), None], "OK", 3),
            ("three things, once each", [gain(), thread(), Accusation("SUSPICIOUS", "Ten times.")], "UNSTABLE", 3),
            ("no matter of times", [Failure("INCORRECT", "Wrong.")], "INCORRECT", 1),
            ("a wrong answer the second time", [gain(), Failure("INCORRECT", "Wrong.")], "INCORRECT", 2),
        ]
        for name, script, status, measured in rows:
            with self.subTest(name):
                made = Scripted(*script)
                self.assertEqual((self.status_of(made), len(made.suspected), made.anew), (status, measured, measured - 1))
                self.assertEqual(made.suspected, [False] + [True] * (measured - 1))
                self.assertEqual(made.script, [])

    def test_what_was_dropped_is_told(self):
        made = Scripted(gain(), None)
        again.measure(made)
        self.assertEqual(made.result.dropped, ["A gain that is not there."])
        self.assertIn("A gain that is not there.", made.result.notes[0])

    def test_an_accusation_says_that_it_was_so_twice(self):
        self.status_of(Scripted(thread(), thread()))
        self.assertIn("twice", self.message)


class Claims(unittest.TestCase):
    """What becomes of a claim, by its size, the answer to it, and whether it is the first of its kind."""

    def outcome(self, estimate, answer, suspected):
        asked = types.SimpleNamespace(
            golden=None, suspected=suspected, margin=0.005, cuda=False, workloads=[{"id": "main"}], call_ms={"main": 1.0},
            options=types.SimpleNamespace(mode="signal"), _announce=lambda *rest: None, _members=list)
        entry = {"id": "main", "sol": {"median": 1.0}, "speedup_ref": {"est": estimate, "lo": estimate - 0.01, "hi": estimate + 0.01}}

        class Told(confirmation.Confirmation):
            def _tell_again(self, workload, claims, call_ms):
                self._conclude(workload["id"], claims)

        with mock.patch.object(confirmation.Claim, "answer", answer):
            try:
                return Told(asked).confirm([entry]) or "believed"
            except Accusation as accusation:
                return accusation.cause

    def test_all(self):
        doubted, small, large = ["main"], ("INTEGRITY", "small gain in main"), ("INTEGRITY", "large gain in main")
        rows = [
            (1.09, "borne out", False, "believed"), (1.09, "open", False, "believed"), (1.09, "refuted", False, small),
            (1.09, "borne out", True, "believed"), (1.09, "open", True, doubted), (1.09, "refuted", True, doubted),
            (2.0, "borne out", False, "believed"), (2.0, "open", False, doubted), (2.0, "refuted", False, large),
            (2.0, "borne out", True, "believed"), (2.0, "open", True, doubted), (2.0, "refuted", True, large),
        ]
        for estimate, answer, suspected, expected in rows:
            with self.subTest(estimate, answer=answer, suspected=suspected):
                self.assertEqual(self.outcome(estimate, answer, suspected), expected)


class Measured(support.BenchTest):
    """The real thing: the kernel against itself, on a machine whose timed calls lie."""

    def judge(self, times, factor=3.0):
        """In so many measurements the solution's calls seem that many times as fast as they are."""
        measured = []

        class Lying(schedule.WorkloadTimer):
            def __init__(self, *rest):
                super().__init__(*rest)
                measured.append(self)

            def _turns(self, *rest):
                samples = super()._turns(*rest)
                if len(measured) <= times:
                    samples = [{**sample, "solution": sample["reference"] / factor} for sample in samples]
                return samples

        reference = self.write("reference.py", test_loop.REFERENCE)
        chosen = options.parse(["--ref", str(reference), "--solution", str(self.write("solution.py", test_loop.REFERENCE)), "--signal",
                                "--device", "cpu", "--cache", "hot", "--num-correct-trials", "2"])
        chosen.server = self.server.path
        # What the parent's clock says of a lie depends on how busy the machine is; what becomes of its answer does not.
        answer = property(lambda claim: "refuted" if len(measured) <= times else "open")
        with mock.patch.object(session, "WorkloadTimer", Lying), mock.patch.object(confirmation.Claim, "answer", answer):
            made = session.Session(chosen, lambda stage, share: None)
            made.result.cache, made.directory_override = "hot", str(self.folder)
            return report.to_json(made.run())

    def test_the_same_kernel_is_not_accused_for_one_measurement(self):
        document = self.judge(1)
        self.assertEqual((document["status"], document["correct"]["pass"]), ("OK", True), document)
        self.assertIn("3", document["timing"]["measured_again"][0])
        self.assertTrue(any(note.startswith("Measured again") for note in document["notes"]), document["notes"])
        self.assertNotEqual(document["decision"]["vs_best"], "IMPROVED")
        self.assertLess(document["decision"]["est"], 2.5)

    def test_what_lies_twice_is_refused(self):
        document = self.judge(2)
        self.assertEqual((document["status"], document["state"], document["correct"]["pass"]), ("INTEGRITY", "quarantined", False), document)
        self.assertIn("twice", document["message"])
        self.assertNotIn("est", document["decision"])


if __name__ == "__main__":
    unittest.main()
