# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a candidate's output with the golden one. Runs where the solution was never loaded.

A floating output passes if every element is within atol + rtol * |golden|, and the rms of its error is within a small
factor of the reference's own error. The first rule catches wrong values, the second one silently weaker arithmetic.
Integers and booleans have to be equal.
"""

import math

import torch

CHUNK = 1 << 24
# Of the rms rule: how much larger than the reference's own error, or than a few roundings, an error may be.
ERROR_FACTOR = 8.0
ROUNDINGS = 2.0
# In 16 bits the last rounding is nearly all of the error, and a few of them are already a visible share of the value.
NARROW_ELEMENT_FACTOR = 4.0
NARROW_ROUNDINGS = 0.5
_NARROW = {"float16", "bfloat16"}
# An error below this share of the golden rms everywhere is the mark of weaker arithmetic rather than of a wrong answer.
PRECISION_SHARE = 0.05

_UNIT = {
    "float64": 2.0**-53,
    "float32": 2.0**-24,
    "float16": 2.0**-11,
    "bfloat16": 2.0**-8,
}
_RTOL = {"float64": 1e-12, "float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2}
_KERNELBENCH = {"float64": 1e-4, "float32": 1e-4, "float16": 1e-2, "bfloat16": 1e-2}


class Tolerance:
    """rtol, and atol either absolute or as a factor of the golden rms."""

    def __init__(self, rtol=None, atol=None, rms_rule=True, preset="default", matched_ratio=1.0):
        self.rtol, self.atol, self.rms_rule, self.preset = rtol, atol, rms_rule, preset
        self.matched_ratio = matched_ratio

    def of(self, dtype, rms):
        if self.rtol is not None:
            return self.rtol, self.atol if self.atol is not None else self.rtol
        if self.preset == "kernelbench":
            value = _KERNELBENCH.get(dtype, 1e-2)
            return value, value
        value = _RTOL.get(dtype, 6e-2)
        return value, value * rms


class Errors:
    """Sums over the elements of one output."""

    def __init__(self):
        self.count = 0
        self.square_error = self.square_golden = self.square_candidate = self.product = 0.0
        self.max_abs = self.max_rel = 0.0
        self.mismatches = 0

    @property
    def rms_error(self):
        return math.sqrt(self.square_error / self.count) if self.count else 0.0

    @property
    def rms_golden(self):
        return math.sqrt(self.square_golden / self.count) if self.count else 0.0

    @property
    def cosine(self):
        norm = math.sqrt(self.square_golden * self.square_candidate)
        return self.product / norm if norm else (1.0 if self.square_golden == self.square_candidate else 0.0)


def _wide(tensor):
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())
    return tensor.detach().reshape(-1).to(torch.float64)


def _chunks(*flat):
    for start in range(0, max(flat[0].numel(), 1), CHUNK):
        yield start, [item[start : start + CHUNK] for item in flat]


def rms(tensor):
    total, count = 0.0, 0
    flat = tensor.detach().reshape(-1)
    if flat.is_complex():
        flat = torch.view_as_real(flat.resolve_conj()).reshape(-1)
    for _, (part,) in _chunks(flat):
        part = part.to(torch.float64)
        finite = part[torch.isfinite(part)]
        total += float((finite * finite).sum())
        count += int(finite.numel())
    return math.sqrt(total / count) if count else 0.0


def errors_against(golden, candidate, extra=0.0, rtol=0.0, atol=0.0, working=None):
    """Sums of candidate against golden. `working`, the reference at working precision, says where values leave the
    finite range; `extra` is added to the allowed error of every element."""
    result = Errors()
    first_bad = None
    gold_flat, cand_flat = golden.detach().reshape(-1), candidate.detach().reshape(-1)
    work_flat = (working if working is not None else golden).detach().reshape(-1)
    if gold_flat.is_complex():
        gold_flat, cand_flat, work_flat = (
            torch.view_as_real(item.resolve_conj()).reshape(-1) for item in (gold_flat, cand_flat, work_flat)
        )
    for start, (gold, cand, work) in _chunks(gold_flat, cand_flat, work_flat):
        gold, cand, work = gold.to(torch.float64), cand.to(torch.float64), work.to(torch.float64)
        # Where the reference itself leaves the finite range, the same class is asked of the candidate.
        special = ~torch.isfinite(work)
        same_class = (torch.isnan(work) & torch.isnan(cand)) | (work == cand)
        ordinary = ~special & torch.isfinite(gold)
        error = torch.where(ordinary, (cand - gold).abs(), torch.zeros_like(gold))
        bound = atol + extra + rtol * gold.abs()
        bad = torch.where(special, ~same_class, ~(error <= bound) & ordinary)
        result.mismatches += int(bad.sum())
        finite_error = torch.where(torch.isfinite(error), error, torch.full_like(error, math.inf))
        size = torch.where(ordinary, gold.abs(), torch.zeros_like(gold))
        result.count += int(gold.numel())
        result.square_error += float((finite_error * finite_error).sum())
        result.square_golden += float((size * size).sum())
        plain = torch.where(ordinary & torch.isfinite(cand), cand, torch.zeros_like(cand))
        result.square_candidate += float((plain * plain).sum())
        result.product += float((plain * torch.where(ordinary, gold, torch.zeros_like(gold))).sum())
        if gold.numel():
            result.max_abs = max(result.max_abs, float(finite_error.max()))
            relative = torch.where(size > 0, finite_error / size.clamp_min(1e-300), torch.zeros_like(size))
            result.max_rel = max(result.max_rel, float(relative.max()))
        if first_bad is None and bool(bad.any()):
            first_bad = start + int(torch.nonzero(bad)[0])
    return result, first_bad


def _index_of(position, shape):
    index = []
    for size in reversed(shape):
        index.append(position % size)
        position //= size
    return list(reversed(index))


class Verdict:
    """What comparing one set of outputs said."""

    def __init__(self):
        self.status = "OK"
        self.message = ""
        self.max_abs = self.max_rel = self.rms_ratio = 0.0
        self.cosine = self.matched = 1.0
        self.first_bad = None
        self.worst_row = None

    def as_json(self):
        return dict(vars(self))

    def fail(self, status, message):
        # A wrong value outweighs a weak one.
        if self.status in ("OK", "PRECISION"):
            self.status, self.message = status, message


def judge(outputs, golden, working, tolerance, names=None):
    """Outputs, golden and working are lists of tensors on one device, equal in number and shape."""
    verdict = Verdict()
    for index, (output, gold, work) in enumerate(zip(outputs, golden, working)):
        name = names[index] if names else "output[%d]" % index
        if work.is_floating_point() or work.is_complex():
            _judge_floating(verdict, name, output, gold, work, tolerance)
        else:
            _judge_exact(verdict, name, output, work)
    return verdict


def _note_first(verdict, name, position, output, expected):
    if verdict.first_bad is not None:
        return
    got, want = output.reshape(-1)[position : position + 1], expected.reshape(-1)[position : position + 1]
    verdict.first_bad = {
        "output": name,
        "index": _index_of(position, list(expected.shape)),
        "got": float(got) if not output.is_complex() else None,
        "expected": float(want) if not expected.is_complex() else None,
    }


def _judge_exact(verdict, name, output, work):
    bad = output != work
    count = int(bad.sum())
    if count == 0:
        return
    verdict.matched = min(verdict.matched, 1.0 - count / max(work.numel(), 1))
    _note_first(verdict, name, int(torch.nonzero(bad.reshape(-1))[0]), output, work)
    verdict.fail("INCORRECT", "%s: %d of %d elements differ" % (name, count, work.numel()))


def _judge_floating(verdict, name, output, gold, work, tolerance):
    dtype = str(output.dtype).split(".")[1]
    golden_rms = rms(gold)
    rtol, atol = tolerance.of(dtype, golden_rms)
    own, _ = errors_against(gold, work, working=work)
    # Room for what the reference's own arithmetic costs: a sum in another order errs elsewhere by as much.
    element_factor, roundings = (NARROW_ELEMENT_FACTOR, NARROW_ROUNDINGS) if dtype in _NARROW else (ERROR_FACTOR, ROUNDINGS)
    extra = element_factor * own.max_abs if tolerance.rms_rule and math.isfinite(own.max_abs) else 0.0
    found, first = errors_against(gold, output, extra, rtol, atol, work)
    base = max(own.rms_error, roundings * _UNIT.get(dtype, 2.0**-4) * golden_rms)
    ratio = found.rms_error / base if base else (0.0 if found.rms_error == 0 else math.inf)
    verdict.max_abs = max(verdict.max_abs, found.max_abs)
    verdict.max_rel = max(verdict.max_rel, found.max_rel)
    verdict.rms_ratio = max(verdict.rms_ratio, ratio)
    verdict.cosine = min(verdict.cosine, found.cosine)
    matched = 1.0 - found.mismatches / max(found.count, 1)
    verdict.matched = min(verdict.matched, matched)
    inexact = found.max_abs <= PRECISION_SHARE * golden_rms and gold.numel() >= 64
    if matched < tolerance.matched_ratio:
        flat_output = torch.view_as_real(output) if output.is_complex() else output
        flat_gold = torch.view_as_real(gold) if gold.is_complex() else gold
        if first is not None:
            _note_first(verdict, name, first, flat_output, flat_gold)
        _note_worst_row(verdict, name, output, gold, extra + atol, rtol)
        status = "PRECISION" if inexact and ratio > ERROR_FACTOR and tolerance.rms_rule else "INCORRECT"
        worst = "the largest by %.6g" % found.max_abs if math.isfinite(found.max_abs) else "some are NaN or infinite"
        verdict.fail(status, "%s: %d of %d elements are wrong, %s" % (name, found.mismatches, found.count, worst))
    elif tolerance.rms_rule and ratio > ERROR_FACTOR:
        verdict.fail("PRECISION", "%s: the error is %.3g times what the reference's precision allows" % (name, ratio))


def _note_worst_row(verdict, name, output, gold, atol, rtol):
    if verdict.worst_row is not None or gold.dim() < 2 or gold.is_complex() or gold.numel() > CHUNK:
        return
    bad = ~((output.to(torch.float64) - gold.to(torch.float64)).abs() <= atol + rtol * gold.to(torch.float64).abs())
    rows = bad.reshape(gold.shape[0], -1).sum(dim=1)
    worst = int(rows.argmax())
    verdict.worst_row = {"output": name, "row": worst, "bad": int(rows[worst])}
