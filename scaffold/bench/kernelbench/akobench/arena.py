# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs for the calls of one worker: fresh memory for each call, guard zones around it, and a pristine copy."""

import random

import torch

from akobench import tensors

GUARD_BYTES = 4096
# On a GPU each call finds its inputs at another place within this much memory: see outputs.Scatter.
ROOM_BYTES = 32 << 20
PLACE_BYTES = 4096
_equal = torch.equal
_copy = torch.Tensor.copy_
_fill = torch.Tensor.fill_
_empty_like = torch.empty_like


def _span(description):
    """Elements from the first to the last one in memory."""
    if description.get("strides") is None:
        count = 1
        for size in description["shape"]:
            count *= size
        return count
    return 1 + sum((size - 1) * stride for size, stride in zip(description["shape"], description["strides"]))


class GuardedTensor:
    """A tensor between two guard zones. Stray reads meet NaN (floats) or a large odd pattern, stray writes are seen."""

    def __init__(self, source, description, device):
        self.description = description
        self.dtype = source.dtype
        self.nbytes = _span(description) * source.element_size()
        padded = -(-self.nbytes // 16) * 16
        self.pristine = torch.full((padded + 2 * GUARD_BYTES,), 0xFF, dtype=torch.uint8, device=device)
        self._place(self.pristine).copy_(source)

    def _place(self, buffer):
        payload = self.payload(buffer).view(self.dtype)
        strides = self.description.get("strides")
        if strides is None:
            return payload.view(self.description["shape"])
        return payload.as_strided(self.description["shape"], strides)

    def payload(self, buffer):
        """Its bytes in a buffer, as they lie there."""
        return buffer[GUARD_BYTES : GUARD_BYTES + self.nbytes]

    def fresh(self, room):
        """A buffer with the tensor's place in it; renew() puts the content there."""
        buffer = room.take(self.pristine) if room else _empty_like(self.pristine)
        return buffer, self._place(buffer)

    def renew(self, buffer):
        _copy(buffer, self.pristine)

    def spoil(self, buffer):
        _fill(buffer, 0xFF)

    def damage(self, buffer):
        """None, "guard" or "mutated"."""
        if _equal(buffer, self.pristine):
            return None
        end = GUARD_BYTES + self.nbytes
        head = _equal(buffer[:GUARD_BYTES], self.pristine[:GUARD_BYTES])
        tail = _equal(buffer[end:], self.pristine[end:])
        return "mutated" if head and tail else "guard"


class Room:
    """Memory for one input of one of the calls that are timed together, in which each copy lies elsewhere."""

    def __init__(self):
        self._memory = None
        self._random = random.SystemRandom()

    def take(self, pristine):
        needed = pristine.numel() + ROOM_BYTES
        if self._memory is None or self._memory.numel() < needed:
            self._memory = torch.empty(needed, dtype=torch.uint8, device=pristine.device)
        start = self._random.randrange(0, (self._memory.numel() - pristine.numel()) // PLACE_BYTES) * PLACE_BYTES
        return self._memory[start : start + pristine.numel()]


class Rooms:
    def __init__(self):
        self._rooms = []

    def room(self, index):
        while len(self._rooms) <= index:
            self._rooms.append(Room())
        return self._rooms[index]


class InputSet:
    """The arguments of one call."""

    def __init__(self, spec, unpacker, device):
        self.spec = spec
        self.guarded = []
        self._template = self._build(spec, unpacker, device)

    def _build(self, spec, unpacker, device):
        if "tensor" in spec:
            description = spec["tensor"]
            source = unpacker.tensor(description)
            if description["nbytes"] == 0:
                return _Plain(source.to(device))
            self.guarded.append(GuardedTensor(source, description, device))
            return _Slot(len(self.guarded) - 1)
        for kind, make in (("list", list), ("tuple", tuple)):
            if kind in spec:
                return make(self._build(item, unpacker, device) for item in spec[kind])
        if "dict" in spec:
            return {key: self._build(item, unpacker, device) for key, item in spec["dict"]}
        return _Plain(unpacker.tree(spec))

    def fresh(self, rooms=None):
        """The arguments in memory of their own, and the buffers that hold them; renew() fills those."""
        pairs = [guarded.fresh(rooms.room(index) if rooms else None) for index, guarded in enumerate(self.guarded)]
        return _fill_in(self._template, [view for _, view in pairs]), [buffer for buffer, _ in pairs]

    def renew(self, buffers):
        for guarded, buffer in zip(self.guarded, buffers):
            guarded.renew(buffer)

    def spoil(self, buffers):
        for guarded, buffer in zip(self.guarded, buffers):
            guarded.spoil(buffer)

    def damage(self, buffers, may_change):
        for index, (guarded, buffer) in enumerate(zip(self.guarded, buffers)):
            kind = guarded.damage(buffer)
            if kind == "guard" or (kind == "mutated" and index not in may_change):
                return kind, index
        return None


def unguarded(spec, unpacker, device):
    """The arguments as views of the memory they came in; strided as they were made."""
    descriptions = iter(tensors.tensor_specs(spec))
    return tensors.map_leaves(lambda tensor: _strided(tensor, next(descriptions).get("strides")).to(device), unpacker.tree(spec))


def _strided(tensor, strides):
    return tensor if strides is None else torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype).copy_(tensor)


class _Slot:
    def __init__(self, index):
        self.index = index


class _Plain:
    def __init__(self, value):
        self.value = value


def _fill_in(template, views):
    if isinstance(template, _Slot):
        return views[template.index]
    if isinstance(template, _Plain):
        return template.value
    if isinstance(template, dict):
        return {key: _fill_in(item, views) for key, item in template.items()}
    return type(template)(_fill_in(item, views) for item in template)


def as_call(arguments):
    """What get_inputs() gave, as positional and keyword arguments of forward()."""
    if isinstance(arguments, dict):
        return (), arguments
    if isinstance(arguments, (list, tuple)):
        return tuple(arguments), {}
    return (arguments,), {}
