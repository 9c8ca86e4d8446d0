# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of tensors as bytes in a memory file plus a JSON description, so that processes exchange nothing executable.

A tree is None, bool, int, float, str, a list, a tuple, a dict with string keys, or a tensor. Objects of other kinds
travel pickled, and only from the reference's process to others, never from a solution's.
"""

import base64
import fcntl
import mmap
import os
import pickle
import warnings

import torch

_ALIGNMENT = 64
DTYPES = {
    str(value).split(".")[1]: value for value in vars(torch).values() if isinstance(value, torch.dtype)
}


class UnsupportedLeaf(Exception):
    pass


def dtype_name(dtype):
    return str(dtype).split(".")[1]


def is_tensor(value):
    return isinstance(value, torch.Tensor)


def leaves(tree):
    """The tensors of a tree, in order."""
    if is_tensor(tree):
        return [tree]
    if isinstance(tree, (list, tuple)):
        return [leaf for item in tree for leaf in leaves(item)]
    if isinstance(tree, dict):
        return [leaf for key in tree for leaf in leaves(tree[key])]
    return []


def map_leaves(function, tree):
    if is_tensor(tree):
        return function(tree)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*[map_leaves(function, item) for item in tree])
    if isinstance(tree, (list, tuple)):
        return type(tree)(map_leaves(function, item) for item in tree)
    if isinstance(tree, dict):
        return {key: map_leaves(function, item) for key, item in tree.items()}
    return tree


def as_bytes(tensor):
    """The elements as a flat uint8 tensor, in logical order."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    if flat.numel() == 0:
        return torch.empty(0, dtype=torch.uint8, device=flat.device)
    return flat.view(torch.uint8)


def _dense_strides(tensor):
    """Strides worth keeping: of a tensor that covers its memory once, in another order than row by row."""
    if tensor.is_contiguous() or tensor.numel() == 0:
        return None
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape)):
        if size == 1:
            continue
        if stride != expected:
            return None
        expected *= size
    return list(tensor.stride())


def describe(tensor):
    return {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape), "strides": _dense_strides(tensor)}


class Packer:
    """Collects trees, then writes all their tensors into one memory file."""

    def __init__(self, allow_pickle=False):
        self.allow_pickle = allow_pickle
        self._tensors = []
        self._size = 0

    def add(self, tree):
        if tree is None or isinstance(tree, (bool, int, str)):
            return {"value": tree}
        if isinstance(tree, float):
            return {"float": tree.hex() if tree == tree else "nan"}
        if is_tensor(tree):
            return self._add_tensor(tree)
        if isinstance(tree, (list, tuple)):
            kind = "tuple" if isinstance(tree, tuple) else "list"
            return {kind: [self.add(item) for item in tree]}
        if isinstance(tree, dict) and all(isinstance(key, str) for key in tree):
            return {"dict": [[key, self.add(item)] for key, item in tree.items()]}
        if self.allow_pickle:
            return {"pickle": base64.b64encode(pickle.dumps(tree)).decode()}
        raise UnsupportedLeaf("a %s" % type(tree).__name__)

    def _add_tensor(self, tensor):
        tensor = tensor.detach()
        if tensor.layout != torch.strided:
            tensor = tensor.to_dense()
        description = describe(tensor)
        nbytes = tensor.numel() * tensor.element_size()
        description.update(offset=self._size, nbytes=nbytes)
        self._tensors.append((self._size, nbytes, tensor))
        self._size += -(-nbytes // _ALIGNMENT) * _ALIGNMENT
        return {"tensor": description}

    def write(self):
        """The memory file's descriptor, which nobody can write to any more; its owner closes it."""
        fd = os.memfd_create("ako", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        size = max(self._size, _ALIGNMENT)
        os.ftruncate(fd, size)
        with mmap.mmap(fd, size) as view:
            whole = torch.frombuffer(view, dtype=torch.uint8)
            for offset, nbytes, tensor in self._tensors:
                if nbytes:
                    whole[offset : offset + nbytes].copy_(as_bytes(tensor))
            del whole
        return sealed(fd)


class Outbox:
    """A memory file that exists, every page of it, before there is anything to put into it."""

    def __init__(self, size):
        self._fd = os.memfd_create("ako", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self._fd, max(size, _ALIGNMENT))
        self._map = mmap.mmap(self._fd, max(size, _ALIGNMENT), flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
        self._whole = torch.frombuffer(self._map, dtype=torch.uint8)
        self._used = 0

    def put(self, tensor):
        """Its description, as of a Packer."""
        flat, offset = as_bytes(tensor), self._used
        self._whole[offset : offset + flat.numel()].copy_(flat)
        self._used += -(-flat.numel() // _ALIGNMENT) * _ALIGNMENT
        return {**describe(tensor), "offset": offset, "nbytes": flat.numel()}

    def close(self):
        """Its descriptor, which nobody can write to any more."""
        del self._whole
        self._map.close()
        return sealed(self._fd)


def sealed(fd):
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE)
    return fd


class Unpacker:
    """Reads trees out of a memory file. What it returns are views of a private mapping: writing changes no one else's,
    or ends the process where the mapping is for reading only."""

    def __init__(self, fd, allow_pickle=False, writable=True):
        size = os.fstat(fd).st_size
        self.allow_pickle = allow_pickle
        self._size = size
        protection = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
        self._map = mmap.mmap(fd, size, flags=mmap.MAP_PRIVATE | mmap.MAP_POPULATE * (not writable), prot=protection)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it cannot be written is meant
            self._whole = torch.frombuffer(self._map, dtype=torch.uint8)
        os.close(fd)

    def tree(self, spec):
        if "tensor" in spec:
            return self.tensor(spec["tensor"])
        if "value" in spec:
            return spec["value"]
        if "float" in spec:
            return float("nan") if spec["float"] == "nan" else float.fromhex(spec["float"])
        if "list" in spec:
            return [self.tree(item) for item in spec["list"]]
        if "tuple" in spec:
            return tuple(self.tree(item) for item in spec["tuple"])
        if "dict" in spec:
            return {key: self.tree(item) for key, item in spec["dict"]}
        if "pickle" in spec and self.allow_pickle:
            return pickle.loads(base64.b64decode(spec["pickle"]))
        raise UnsupportedLeaf("an unknown description")

    def raw(self, description):
        offset, nbytes = description["offset"], description["nbytes"]
        if offset < 0 or nbytes < 0 or offset + nbytes > self._size:
            raise UnsupportedLeaf("a tensor outside its file")
        return self._whole[offset : offset + nbytes]

    def tensor(self, description):
        """Row by row whatever its strides were: who places it restores them."""
        dtype = DTYPES[description["dtype"]]
        shape = description["shape"]
        if description["nbytes"] == 0:
            return torch.empty(shape, dtype=dtype)
        return self.raw(description).view(dtype).reshape(shape)


class DevicePacker(Packer):
    """As Packer, for GPU memory that other processes map."""

    def write(self, memories, device):
        for memory in memories:
            memory.reserve(self._size)
        for offset, nbytes, tensor in self._tensors:
            if nbytes:
                flat = as_bytes(tensor.to(device))
                for memory in memories:
                    memory.put(offset, flat.data_ptr(), nbytes)
        torch.cuda.synchronize(device)


class DeviceUnpacker(Unpacker):
    """Reads trees whose tensors lie in mapped GPU memory. What it returns are copies."""

    def __init__(self, memory, device, allow_pickle=False):
        self.memory, self.device, self.allow_pickle = memory, device, allow_pickle

    def tensor(self, description):
        result = torch.empty(description["shape"], dtype=DTYPES[description["dtype"]], device=self.device)
        nbytes = description["nbytes"]
        if nbytes != result.numel() * result.element_size():
            raise UnsupportedLeaf("a tensor of another size than its description")
        if nbytes:
            self.memory.get(result.data_ptr(), description["offset"], nbytes)
        return result


def tensor_specs(spec):
    """The tensor descriptions in a description of a tree, in the order of leaves()."""
    if "tensor" in spec:
        return [spec["tensor"]]
    if "list" in spec or "tuple" in spec:
        return [leaf for item in spec.get("list", spec.get("tuple")) for leaf in tensor_specs(item)]
    if "dict" in spec:
        return [leaf for _, item in spec["dict"] for leaf in tensor_specs(item)]
    return []


def cast_floating(tree, dtype):
    """Floating tensors in that precision; integers, booleans and complex numbers as they are."""
    return map_leaves(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor, tree)
