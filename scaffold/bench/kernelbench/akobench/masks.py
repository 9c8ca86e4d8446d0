# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs that nobody can use before they are unmasked, and digests of outputs. See gate.py."""

import torch

from akobench import tensors
from akobench.gate import COLUMNS, DIGEST_BYTES, DIGEST_COLUMNS, pad_words

# Captured before any user code runs.
_add = torch.Tensor.addcmul_
_sum = torch.sum
_copy = torch.Tensor.copy_


def is_masked(dtype):
    """Copying a bool may change the bits of one that is neither 0 nor 1."""
    return dtype != torch.bool


def shift(memory, pad, sign):
    """Masks the bytes, or unmasks them with the opposite sign. What is left of the last word stays as it is."""
    words = memory[: memory.numel() // 4 * 4].view(torch.int32)
    rows = words.numel() // COLUMNS
    columns, lines = pad[:COLUMNS], pad[COLUMNS:]
    whole, rest = words[: rows * COLUMNS], words[rows * COLUMNS :]
    if rows:
        _add(whole.view(rows, COLUMNS), lines[:rows].unsqueeze(1), columns.unsqueeze(0), value=sign)
    if rest.numel():
        _add(rest, columns[: rest.numel()], lines[rows : rows + 1], value=sign)


def masked(tree, pad):
    """The tree with a masked copy of each tensor; the pad is used up in the order of leaves."""
    used = 0

    def mask(tensor):
        nonlocal used
        if tensor.numel() == 0 or tensor.layout != torch.strided:
            return tensor
        nbytes = tensor.numel() * tensor.element_size()
        own, used = pad[used : used + pad_words(nbytes)], used + pad_words(nbytes)
        if not is_masked(tensor.dtype):
            return tensor
        kept = tensor.detach().resolve_conj().resolve_neg()
        kept = kept.contiguous().clone() if tensors.describe(kept)["strides"] is None else kept.clone()
        shift(kept.as_strided((kept.numel(),), (1,)).view(torch.uint8), own, 1)
        return kept

    return tensors.map_leaves(mask, tree)


def order_of(tensor):
    """The dimensions as they lie in memory; None for a tensor with gaps."""
    order = sorted(range(tensor.dim()), key=lambda index: (-tensor.stride(index), -tensor.shape[index]))
    return order if tensor.permute(order).is_contiguous() else None


def digest(tensor, order, into):
    """Without a copy of what lies in memory like this. into: DIGEST_BYTES of zeros on the same device."""
    memory = tensor.detach().permute(order).reshape(-1)
    if memory.numel() == 0:
        return
    memory = memory.view(torch.uint8)
    rows = memory.numel() // 4 // DIGEST_COLUMNS
    whole = rows * DIGEST_COLUMNS * 4
    if rows:
        _sum(memory[:whole].view(torch.int32).view(rows, DIGEST_COLUMNS), dim=0, dtype=torch.int64, out=into[: 8 * DIGEST_COLUMNS].view(torch.int64))
    if memory.numel() > whole:
        _copy(into[8 * DIGEST_COLUMNS :][: memory.numel() - whole], memory[whole:])


def is_told_by(tensor, order, text):
    """Whether that is the digest of this tensor, had it lain in memory in that order."""
    if not isinstance(order, list) or not all(type(index) is int for index in order) or sorted(order) != list(range(tensor.dim())):
        return False
    found = torch.zeros(DIGEST_BYTES, dtype=torch.uint8, device=tensor.device)
    digest(tensor.permute(order).contiguous(), list(range(tensor.dim())), found)
    return bytes(found.cpu().tolist()).hex() == text
