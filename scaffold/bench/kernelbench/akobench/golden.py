# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker that knows the answers: loads the reference, makes the inputs, computes golden outputs, judges candidates.

It never loads a solution, and its golden outputs never leave it."""

import mmap
import os
import secrets

import torch

from akobench import caches, compare, cudadriver, masks, outputs, problem, tensors
from akobench.definition import DefinitionError, DefinitionProblem, tolerance_values
from akobench.loading import UserError, seed_everything, user_error
from akobench.problem import KernelBenchProblem

_PRECISIONS = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp64": "float64"}


def working_dtype(name):
    return tensors.DTYPES[_PRECISIONS[name]]


class GoldenWorker:
    def __init__(self):
        self.given = self.drop = None
        self._forget()

    def _forget(self):
        self.problem = None
        self.random, self.constant = {}, {}
        self._answers = {}  # (workload, seed) -> answer; the few that are asked for again

    # --- commands ---

    def load(self, message, fds):
        self._forget()
        caches.use(message["caches"])
        kind = DefinitionProblem if "definition" in message else KernelBenchProblem
        try:
            self.problem = kind(message)
        except DefinitionError as error:
            raise UserError("problem", str(error)) from None
        return {}, []

    def setup(self, message, fds):
        self.device = torch.device(message["device"])
        self.dtype = working_dtype(message["precision"])
        self.preset = message["tolerance"]
        self.cast = not isinstance(self.problem, DefinitionProblem)
        self.seed = message["weight_seed"]
        self.init = tensors.cast_floating(self.problem.init_arguments(self.seed), self.dtype)
        with torch.no_grad():
            self.model = self.problem.make(self.seed, self.dtype, self.device, self.init, None)
        self.state = problem.carry_state(self.model)
        self._prepare_golden()
        reply = {"entry": self.problem.entry(), "workloads": []}
        for workload in self.problem.workloads():
            reply["workloads"].append({**workload, **self._explore(workload["id"])})
        reply["golden"] = "float64" if self.exact else "working precision"
        return reply, []

    def weights(self, message, fds):
        packer = tensors.Packer(allow_pickle=True)
        reply = {"init": packer.add(self.init), "state": packer.add(self.state)}
        return reply, [packer.write()]

    def share(self, message, fds):
        """Opens memory on the GPU for inputs, the solution's and the others' apart, and for the solution's outputs."""
        if self.device.type != "cuda":
            return {"shared": None}, []
        try:
            self.given = self.given or [cudadriver.DeviceMemory(), cudadriver.DeviceMemory()]
            self.drop = self.drop or cudadriver.DeviceMemory()
            for memory in self.given:
                memory.reserve(message["input_bytes"])
            self.drop.reserve(message["drop_bytes"])
        except (OSError, AttributeError) as error:
            return {"shared": None, "why": str(error)}, []
        return {"shared": self._places(2), "drop": {"handle": self.drop.handle, "size": self.drop.size}}, []

    def _places(self, count):
        return [{"handle": memory.handle, "size": memory.size} for memory in self.given[:count]]

    def sets(self, message, fds):
        copies = message.get("copies", 0)
        packer = (tensors.DevicePacker if copies else tensors.Packer)(allow_pickle=True)
        made = (self._inputs(message["workload"], seed) for seed in message["seeds"])
        if message.get("masked"):
            pads = self._pads(fds[0], len(message["seeds"]))
            made = (masks.masked(tree, pad) for tree, pad in zip(made, pads))
        specs = [packer.add(tree) for tree in made]
        if not copies:
            return {"sets": specs}, [packer.write()]
        packer.write(self.given[:copies], self.device)
        return {"sets": specs, "shared": self._places(copies)}, []

    def _pads(self, fd, count):
        """One for the inputs of each call, on the device."""
        size = os.fstat(fd).st_size
        with mmap.mmap(fd, size) as view:
            pads = torch.frombuffer(view, dtype=torch.int32).clone()
        os.close(fd)
        return pads.view(count, -1).to(self.device)

    def judge(self, message, fds):
        """Compares a candidate's dumped outputs with the golden ones of the same seed."""
        unpacker = tensors.DeviceUnpacker(self.drop, self.device) if message.get("shared") else tensors.Unpacker(fds[0])
        results = []
        for item in message["items"]:
            answer = self._answer(message["workload"], item["seed"], item["call_seed"])
            results.append(self._judge_one(message["workload"], item, answer, unpacker))
        return {"results": results}, []

    def weigh(self, message, fds):
        """Does the check refuse answers that are plainly wrong?"""
        workload = message["workload"]
        answer = self._answer(workload, message["seed"], message["seed"])
        other = self._answer(workload, message["other_seed"], message["other_seed"])
        accepted = []
        for name, candidate in _wrong_answers(answer, None if self.constant[workload] else other):
            if self._compare(workload, candidate, [], answer).status == "OK":
                accepted.append(name)
        return {"accepted": accepted}, []

    # --- inputs ---

    def _inputs(self, workload, seed):
        tree = self.problem.inputs(workload, seed, self.device)
        if self.cast:
            tree = tensors.cast_floating(tree, self.dtype)
        if self.constant.get(workload):
            tree = _jitter(tree, seed)
        return tree

    def _on_device(self, tree):
        return tensors.map_leaves(lambda tensor: tensor.detach().to(self.device, copy=True), tree)

    # --- answers ---

    def _prepare_golden(self):
        self.exact = True
        try:
            self.wide = problem.widen(self.model)
        except Exception:
            self.wide, self.exact = None, False

    def _run(self, function, arguments, call_seed):
        seed_everything(call_seed)
        try:
            with torch.no_grad():
                return problem.call(function, arguments)
        except BaseException as error:
            raise user_error(error, "run") from None

    def _run_wide(self, arguments, call_seed):
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            wide = tensors.cast_floating(arguments, torch.float64)
            found = self._run(self.wide, self._on_device(wide), call_seed)
        finally:
            torch.set_default_dtype(before)
        if any(leaf.is_floating_point() and leaf.dtype != torch.float64 for leaf in tensors.leaves(found)):
            raise ValueError("the reference computes in a fixed precision")
        return found

    def _answer(self, workload, seed, call_seed):
        key = (workload, seed, call_seed)
        if key not in self._answers:
            self._answers[key] = self._compute_answer(workload, seed, call_seed)
            while len(self._answers) > 2:
                self._answers.pop(next(iter(self._answers)))
        return self._answers[key]

    def _compute_answer(self, workload, seed, call_seed):
        arguments = self._inputs(workload, seed)
        working = self._run(self.model, self._on_device(arguments), call_seed)
        answer = Answer(working, self._on_device(arguments))
        if self.exact and not self.random.get(workload):
            try:
                golden = tensors.leaves(self._run_wide(arguments, call_seed))
                if [item.shape for item in golden] != [item.shape for item in answer.working]:
                    raise ValueError("the reference's output depends on the precision")
                answer.golden = golden
            except (UserError, ValueError, TypeError):
                self.exact = False
        return answer

    # --- facts of the problem ---

    def _explore(self, workload):
        """Runs the reference a few times: the output's form, whether it is random, stateful, changes its inputs."""
        first_seed, second_seed = secrets.randbits(48), secrets.randbits(48)
        arguments, other = self._inputs(workload, first_seed), self._inputs(workload, second_seed)
        self.constant[workload] = _same_tree(arguments, other)
        used = self._on_device(arguments)
        first = self._run(self.model, used, first_seed)
        changed = [index for index, (a, b) in enumerate(zip(tensors.leaves(arguments), tensors.leaves(used)))
                   if not _same(a.to(self.device), b)]
        form = outputs.expected_form(first)
        # A copy before the next calls: a reference may hand out a buffer that it uses again.
        kept = [leaf.clone() for leaf in tensors.leaves(first)]
        aliases = _aliases(first, used)
        again = self._run(self.model, self._on_device(arguments), first_seed)
        moved = self._run(self.model, self._on_device(arguments), second_seed)
        if outputs.expected_form(again) != form:
            raise UserError("undetermined", "the reference's output changes its form from call to call")
        difference = _difference(kept, tensors.leaves(again))
        if difference > 1e-3:
            raise UserError("undetermined", "the reference gives another answer for the same inputs each time (relative difference %.3g)" % difference)
        self.random[workload] = _difference(kept, tensors.leaves(moved)) > max(1e-3, 2 * difference)
        self._answer(workload, first_seed, first_seed)  # compiles what double precision needs
        return {
            "seed": first_seed,  # of an answer that is known already
            "form": form,
            "bitwise": difference == 0.0,
            "random": self.random[workload],
            "constant_inputs": self.constant[workload],
            "changed_inputs": changed,
            "aliases": aliases,
            "input_sizes": _sizes(tensors.leaves(arguments)),
            "bytes": sum(leaf.numel() * leaf.element_size() for leaf in tensors.leaves(arguments)),
            "output_bytes": sum(leaf.numel() * leaf.element_size() for leaf in kept),
            "reference_nan": any(bool(torch.isnan(leaf).any()) for leaf in kept if leaf.is_floating_point()),
        }

    # --- judging ---

    def _tolerance(self, workload):
        own = tolerance_values(self.problem.tolerance(workload))
        if own is not None:
            return compare.Tolerance(own[0], own[1], rms_rule=False, matched_ratio=own[2])
        if self.preset == "kernelbench" or not self.exact:
            return compare.Tolerance(preset="kernelbench", rms_rule=False)
        return compare.Tolerance()

    def _compare(self, workload, candidate, scalars, answer):
        golden = answer.golden if answer.golden is not None else answer.working
        tolerance = self._tolerance(workload)
        if answer.golden is None:
            tolerance = compare.Tolerance(tolerance.rtol, tolerance.atol, False, "kernelbench", tolerance.matched_ratio)
        verdict = compare.judge(candidate, golden, answer.working, tolerance)
        for got, want in zip(scalars, answer.scalars):
            if got != want and not (got != got and want != want):
                close = isinstance(want, float) and isinstance(got, float) and abs(got - want) <= 1e-4 * (abs(want) + 1e-6)
                if not close:
                    verdict.fail("INCORRECT", "a plain value is %r, the reference gives %r" % (got, want))
        return verdict

    def _judge_one(self, workload, item, answer, unpacker):
        candidate = []
        for description, work in zip(item["tensors"], answer.working):
            tensor = unpacker.tree({"tensor": description})
            if tensor.shape != work.shape or tensor.dtype != work.dtype:
                return {"status": "BAD_SHAPE", "message": "an output of another form than the reference's"}
            candidate.append(tensor.to(self.device))
        if len(candidate) != len(answer.working):
            return {"status": "BAD_SHAPE", "message": "another number of outputs than the reference gives"}
        if "digests" in item and not (len(item["orders"]) == len(candidate) and all(map(masks.is_told_by, candidate, item["orders"], item["digests"]))):
            return {"status": "INTEGRITY", "message": "the outputs handed over are not those that were there when the calls were said to be done"}
        return self._compare(workload, candidate, item["scalars"], answer).as_json()


class Answer:
    def __init__(self, working, arguments):
        self.working = [leaf.clone() for leaf in tensors.leaves(working)]
        self.scalars = _scalars(working)
        self.golden = None
        self.arguments = arguments


def _sizes(leaves):
    """In bytes; none where one of them is no block of memory."""
    dense = all(leaf.layout == torch.strided for leaf in leaves)
    return [leaf.numel() * leaf.element_size() for leaf in leaves if leaf.numel()] if dense else []


def _scalars(tree):
    if tensors.is_tensor(tree):
        return []
    if isinstance(tree, (list, tuple)):
        return [value for item in tree for value in _scalars(item)]
    if isinstance(tree, dict):
        return [value for key in tree for value in _scalars(tree[key])]
    return [tree]


def _same(left, right):
    return left.shape == right.shape and left.dtype == right.dtype and torch.equal(tensors.as_bytes(left), tensors.as_bytes(right))


def _same_tree(left, right):
    pairs = list(zip(tensors.leaves(left), tensors.leaves(right)))
    return bool(pairs) and all(_same(a, b) for a, b in pairs)


def _difference(left, right):
    """The largest rms difference of any output, relative to its own size."""
    worst = 0.0
    for one, other in zip(left, right):
        if _same(one, other):
            continue
        found, _ = compare.errors_against(one, other)
        worst = max(worst, found.rms_error / (found.rms_golden or 1.0), 1e-300)
    return worst


def _aliases(output, arguments):
    ranges = [outputs.storage_range(leaf) for leaf in tensors.leaves(output)]
    return outputs.overlaps(ranges, [outputs.storage_range(leaf) for leaf in tensors.leaves(arguments)])


def _jitter(tree, seed):
    """Inputs that never change are scaled by up to 2 %, element by element, so that no call can be answered from memory.
    Zeros, signs and infinities stay."""
    generator = torch.Generator().manual_seed(seed % (1 << 62))

    def change(tensor):
        if not tensor.is_floating_point() or tensor.numel() == 0:
            return tensor
        factor = torch.rand(tensor.shape, generator=generator, dtype=torch.float32) * 0.04 + 0.98
        return (tensor.to(torch.float32) * factor.to(tensor.device)).to(tensor.dtype)

    return tensors.map_leaves(change, tree)


def _shuffled(leaf):
    flat = leaf.reshape(-1)
    return flat.roll(max(1, flat.numel() // 3)).reshape(leaf.shape)


def _wrong_answers(answer, other):
    yield "zeros", [torch.zeros_like(leaf) for leaf in answer.working]
    if any(leaf.numel() > 1 for leaf in answer.working):
        yield "a shuffled answer", [_shuffled(leaf) for leaf in answer.working]
    if other is not None:
        yield "the answer to other inputs", other.working
    given = {(tuple(leaf.shape), leaf.dtype): leaf for leaf in tensors.leaves(answer.arguments)}
    copies = [given.get((tuple(leaf.shape), leaf.dtype)) for leaf in answer.working]
    if all(copy is not None for copy in copies) and not all(map(_same, copies, answer.working)):
        yield "a copy of an input", copies
