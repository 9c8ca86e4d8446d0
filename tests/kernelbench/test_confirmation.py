# SPDX-License-Identifier: GPL-3.0-or-later
"""What the parent's clock says to a claim: pure parts of telling a gain again."""

import itertools
import os
import types
import unittest

import support  # noqa: F401
import torch
from akobench import arena, gate, linux, masks, queued, tensors
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

    def test_what_processes_differ_by_is_allowed_for(self):
        small = claim([(spent(4), spent(4))] * LOOKS[0], gain_ms=0.01)
        self.assertEqual(small.answer, "refuted")
        small.slack_ms = 0.003
        self.assertEqual(small.answer, "open")
        self.assertEqual(small.as_json()["clock"], "queued")

    def test_other_numbers_of_calls_begin_anew(self):
        found = claim([(spent(4), spent(4))] * LOOKS[0])
        found.add({"reference": spent(9), "solution": spent(8)}, 4)
        self.assertEqual((len(found.trials), found.calls), (1, 4))

    def test_nothing_told_is_open(self):
        self.assertEqual(Claim("reference", {"est": 2.0, "lo": 1.9, "hi": 2.1}, 0.01, 0.0004).as_json()["answer"], "open")


class Queued(unittest.TestCase):
    """Inputs that nobody can use before they are unmasked, and digests that tell one output from another."""

    shapes = [((300, 100), torch.float32, None), ((7, 3), torch.float16, None), ((33,), torch.int64, None), ((64, 50, 9), torch.float32, (2, 0, 1)),
              ((5,), torch.int8, None), ((3 * gate.COLUMNS + 1,), torch.float32, None), ((100,), torch.bool, None), ((6000, 2), torch.bfloat16, (1, 0))]

    def made(self):
        for shape, dtype, order in self.shapes:
            tensor = (torch.randn(shape) * 9).to(dtype)
            yield tensor.permute(order) if order else tensor

    def test_masked_and_unmasked(self):
        for tensor in self.made():
            with self.subTest(tensor.shape, dtype=tensor.dtype):
                nbytes = tensor.numel() * tensor.element_size()
                pad = torch.randint(-(2**31), 2**31 - 1, (gate.pad_words(nbytes),), dtype=torch.int32)
                (found,) = masks.masked([tensor], pad)
                self.assertEqual(torch.equal(found, tensor), not masks.is_masked(tensor.dtype))
                packer = tensors.Packer()
                spec = packer.add([found])
                chosen = arena.InputSet(spec, tensors.Unpacker(packer.write()), torch.device("cpu"))
                (arrived,), buffers = chosen.fresh()
                chosen.renew(buffers)
                if masks.is_masked(tensor.dtype):
                    masks.shift(chosen.guarded[0].payload(buffers[0]), pad, -1)
                self.assertTrue(torch.equal(arrived, tensor))

    def test_digests(self):
        for tensor in self.made():
            with self.subTest(tensor.shape, dtype=tensor.dtype):
                order, digest = masks.order_of(tensor), torch.zeros(gate.DIGEST_BYTES, dtype=torch.uint8)
                masks.digest(tensor, order, digest)
                text = bytes(digest.tolist()).hex()
                handed = tensor.contiguous().clone()
                self.assertTrue(masks.is_told_by(handed, order, text))
                handed.view(-1).view(torch.uint8)[-1] ^= 1
                self.assertFalse(masks.is_told_by(handed, order, text))
                self.assertFalse(masks.is_told_by(tensor, [*order, 0], text))

    def test_a_tensor_with_gaps_has_no_order(self):
        self.assertIsNone(masks.order_of(torch.randn(3, 4)[:, :2]))

    def test_tensors_of_a_form(self):
        leaf = {"tensor": {}}
        self.assertEqual(queued.leaves_of({"sequence": [leaf, {"dict": [["a", leaf], ["b", {"scalar": "int"}]]}]}), 2)

    def queue(self, rounds, ahead=("reference", "solution"), broken=()):
        """What a queue does when that is who answers in each round; the counts that it tried."""
        counts = []

        class Fake(queued.Queue):
            def _open(self, count):
                counts.append(count)
                return True

            def _round(self, crew, count, waits):
                self.ahead.update(ahead)
                self.broken.update(broken)
                return {role: queued.Took(1.0) for role in (next(rounds) if waits else self.roles)}

        session = types.SimpleNamespace(crews=[None], golden=None, call_ms={"main": 0.02}, _room_for=lambda workload: 25)
        made = Fake(session, {"id": "main", "input_sizes": [1 << 20]}, ["reference", "solution"])
        return made, counts

    def test_a_trial_that_failed_once(self):
        rounds = iter([["reference", "solution"], ["reference"], ["reference", "solution"], ["solution"], ["reference", "solution"]])
        made, counts = self.queue(rounds)
        told = made.trials()
        self.assertEqual([next(told)[1] for _ in range(2)], [16, 16])
        self.assertEqual((made.refused, counts), ("", [16]))

    def test_fewer_calls_where_so_many_cannot_be_queued(self):
        made, counts = self.queue(itertools.repeat(["reference"]))
        self.assertEqual(list(made.trials()), [])
        self.assertEqual((made.refused, made.waits, counts), ("solution", False, [16, 4, 1]))

    def test_someone_who_waits_for_the_gpu(self):
        for ahead, refused in ((["solution"], "reference"), (["reference"], "solution"), ([], "reference")):
            made, counts = self.queue(itertools.repeat([]), ahead)
            self.assertEqual(list(made.trials()), [])
            self.assertEqual((made.refused, made.waits, counts), (refused, True, [16]))

    def test_someone_who_cannot_be_told(self):
        made, _ = self.queue(itertools.repeat(["solution"]), broken=["reference"])
        self.assertEqual(list(made.trials()), [])
        self.assertEqual((made.refused, made.waits), ("reference", True))

    def test_memory_of_gate_keeps_its_size(self):
        made = gate.Gate(gate.Layout(4, 5000, 2))
        self.addCleanup(os.close, made.fd)
        self.assertEqual(os.fstat(made.fd).st_size, made.layout.size)
        self.assertRaises(OSError, os.ftruncate, made.fd, 0)
        self.assertLessEqual(made.layout.digest_of(3, 1) + gate.DIGEST_BYTES, made.layout.digest_bytes)


if __name__ == "__main__":
    unittest.main()
