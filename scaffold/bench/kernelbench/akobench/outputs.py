# SPDX-License-Identifier: GPL-3.0-or-later
"""What a call returned: exact kind, shape and storage, and a copy in memory of our own at once."""

import random

import torch

from akobench import tensors

# Captured before any user code runs; used instead of methods, which an instance or a patch could replace.
_Tensor = torch.Tensor
_copy = torch.Tensor.copy_
_numel = torch.Tensor.numel
_element_size = torch.Tensor.element_size
_data_ptr = torch.Tensor.data_ptr
_stride = torch.Tensor.stride
_storage = getattr(torch.Tensor, "untyped_storage", torch.Tensor.storage)
_getattribute = object.__getattribute__


class BadOutput(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def storage_range(tensor):
    storage = _storage(tensor)
    size = storage.nbytes()
    start = storage.data_ptr()
    return (start, start + size)


def expected_form(tree):
    """The form a correct output has, as JSON: made from the reference's output, checked against each candidate's."""
    if tensors.is_tensor(tree):
        return {
            "tensor": {
                "dtype": tensors.dtype_name(tree.dtype),
                "shape": list(tree.shape),
                "expanded": _is_expanded(tree),
                "lazy": _is_lazy(tree),
            }
        }
    if isinstance(tree, (list, tuple)):
        return {"sequence": [expected_form(item) for item in tree]}
    if isinstance(tree, dict):
        return {"dict": [[str(key), expected_form(item)] for key, item in tree.items()]}
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return {"scalar": type(tree).__name__}
    raise BadOutput("BAD_OUTPUT_TYPE", "the output holds a %s; tensors and plain numbers can be judged" % _kind(tree))


def form_leaves(form):
    if "tensor" in form:
        return [form["tensor"]]
    if "sequence" in form:
        return [leaf for item in form["sequence"] for leaf in form_leaves(item)]
    if "dict" in form:
        return [leaf for _, item in form["dict"] for leaf in form_leaves(item)]
    return []


def _kind(value):
    return type(value).__name__


def _is_expanded(tensor):
    return storage_range(tensor)[1] - storage_range(tensor)[0] < _numel(tensor) * _element_size(tensor)


# Marks of a tensor whose elements are made, negated or conjugated only when they are read; torch has more from version to version.
_LAZY_MARKS = [mark for mark in (torch.is_conj, torch.is_neg, getattr(torch, "_is_zerotensor", None), getattr(torch._C, "_is_cow_tensor", None)) if mark]


def _is_lazy(tensor):
    return any(mark(tensor) for mark in _LAZY_MARKS)


class Collected:
    """The tensors of a checked output in order, and its plain values."""

    def __init__(self):
        self.tensors = []
        self.scalars = []


def collect(output, form, device_type, name="output"):
    found = Collected()
    _collect(output, form, device_type, name, found)
    return found


def _collect(value, form, device_type, name, found):
    if "tensor" in form:
        _check_tensor(value, form["tensor"], device_type, name)
        found.tensors.append(value)
    elif "sequence" in form:
        items = form["sequence"]
        if not isinstance(value, (list, tuple)):
            raise BadOutput("BAD_OUTPUT_TYPE", "%s is a %s where the reference gives %d values" % (name, _kind(value), len(items)))
        if len(value) != len(items):
            raise BadOutput("BAD_SHAPE", "%s has %d values where the reference gives %d" % (name, len(value), len(items)))
        for index, (item, item_form) in enumerate(zip(value, items)):
            _collect(item, item_form, device_type, "%s[%d]" % (name, index), found)
    elif "dict" in form:
        keys = [key for key, _ in form["dict"]]
        if not isinstance(value, dict) or sorted(map(str, value)) != sorted(keys):
            raise BadOutput("BAD_OUTPUT_TYPE", "%s is no dict with the keys %s" % (name, ", ".join(keys)))
        by_name = {str(key): item for key, item in value.items()}
        for key, item_form in form["dict"]:
            _collect(by_name[key], item_form, device_type, "%s[%r]" % (name, key), found)
    else:
        if tensors.is_tensor(value) or type(value).__name__ != form["scalar"]:
            raise BadOutput("BAD_OUTPUT_TYPE", "%s is a %s where the reference gives a %s" % (name, _kind(value), form["scalar"]))
        found.scalars.append(value)


def _check_tensor(value, form, device_type, name):
    if type(value) is not _Tensor:
        raise BadOutput("BAD_OUTPUT_TYPE", "%s is a %s, not a plain torch.Tensor" % (name, _kind(value)))
    if _getattribute(value, "__dict__"):
        raise BadOutput("BAD_OUTPUT_TYPE", "%s carries attributes of its own: %s" % (name, ", ".join(_getattribute(value, "__dict__"))[:80]))
    if value.layout != torch.strided:
        raise BadOutput("BAD_OUTPUT_TYPE", "%s has the layout %s; a dense tensor is needed" % (name, value.layout))
    if value.device.type != device_type:
        raise BadOutput("BAD_OUTPUT_TYPE", "%s is on %s; the reference gives it on %s" % (name, value.device.type, device_type))
    if list(value.shape) != form["shape"]:
        raise BadOutput("BAD_SHAPE", "%s has the shape %s; the reference gives %s" % (name, list(value.shape), form["shape"]))
    if tensors.dtype_name(value.dtype) != form["dtype"]:
        raise BadOutput("BAD_DTYPE", "%s is %s; the reference gives %s" % (name, tensors.dtype_name(value.dtype), form["dtype"]))
    if not form["lazy"] and _is_lazy(value):
        raise BadOutput("BAD_OUTPUT_TYPE", "%s is a view that computes when it is read, which leaves the work to its reader" % name)
    if not form["expanded"] and _is_expanded(value):
        raise BadOutput("BAD_OUTPUT_TYPE", "%s is an expanded view of a smaller storage, which leaves the work to its reader" % name)


def snapshot_buffers(form, device):
    return [
        torch.empty(leaf["shape"], dtype=tensors.DTYPES[leaf["dtype"]], device=device) for leaf in form_leaves(form)
    ]


def fill_snapshot(buffers, found):
    for buffer, tensor in zip(buffers, found.tensors):
        _copy(buffer, tensor)


_SCATTERED_BYTES = 1 << 30
_MOST_SCATTERED = 12


class Scatter:
    """Leaves NaN in memory that the next allocations of an output's size are likely to get, and varies which that is.

    Where a tensor lies costs or saves a GPU kernel up to a microsecond; a process that always got the same places would
    look faster or slower than another one running the same code."""

    def __init__(self, device):
        self.device = device
        self._random = random.SystemRandom()
        self._empty, self._fill, self._view = torch.empty, torch.Tensor.fill_, torch.Tensor.view

    def scatter(self, form):
        """Blocks to be held during the call; as many others have been given back."""
        held = []
        for leaf in form_leaves(form):
            count = 1
            for size in leaf["shape"]:
                count *= size
            if count:
                held += self._blocks(count, tensors.DTYPES[leaf["dtype"]])
        return held

    def _blocks(self, count, dtype):
        blocks = [self._poisoned(count, dtype)]
        if self.device.type != "cuda":
            return []
        nbytes = count * _element_size(blocks[0])
        for _ in range(min(_MOST_SCATTERED, _SCATTERED_BYTES // nbytes) - 1):
            blocks.append(self._poisoned(count, dtype))
        self._random.shuffle(blocks)
        return blocks[: len(blocks) // 2]

    def _poisoned(self, count, dtype):
        block = self._empty(count, dtype=dtype, device=self.device)
        self._fill(self._view(block, torch.uint8), 0xFF)
        return block


def overlaps(ranges, others):
    return any(start < other_end and other_start < end for start, end in ranges for other_start, other_end in others)
