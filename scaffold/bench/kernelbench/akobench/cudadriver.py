# SPDX-License-Identifier: GPL-3.0-or-later
"""The few calls of the CUDA driver that torch does not offer: cache facts and the persisting-L2 limit."""

import ctypes
import mmap
import os

_PERSISTING_L2_LIMIT = 6  # CU_LIMIT_PERSISTING_L2_CACHE_SIZE
_L2_SIZE, _MEMORY_CLOCK_KHZ, _BUS_BITS = 38, 36, 37  # CUdevice_attribute


class Driver:
    """Needs a current context. Every call degrades to "not known" where the driver lacks it."""

    def __init__(self, index):
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            self._library = None
        self.l2_bytes = self._attribute(index, _L2_SIZE) or 64 * 1024 * 1024
        clock, bits = self._attribute(index, _MEMORY_CLOCK_KHZ), self._attribute(index, _BUS_BITS)
        self.peak_bytes_per_ms = 2.0 * clock * bits / 8 if clock and bits else None
        self._limit = ctypes.c_size_t(0)

    def _attribute(self, index, attribute):
        if self._library is None:
            return 0
        value = ctypes.c_int(0)
        if self._library.cuDeviceGetAttribute(ctypes.byref(value), attribute, index) != 0:
            return 0
        return value.value

    def reset_persisting(self):
        """No line survives a flush because a kernel asked for it to persist."""
        if self._library is not None:
            if self.limit_changed():
                self._library.cuCtxSetLimit(_PERSISTING_L2_LIMIT, ctypes.c_size_t(0))
            self._library.cuCtxResetPersistingL2Cache()

    def limit_changed(self):
        if self._library is None:
            return False
        if self._library.cuCtxGetLimit(ctypes.byref(self._limit), _PERSISTING_L2_LIMIT) != 0:
            return False
        return self._limit.value != 0


class _Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


_GRANULE = 2 << 20  # smaller pieces share what is handed out with other allocations


class DeviceMemory:
    """GPU memory of its own, which other processes can map: data goes from one to the other without leaving the GPU."""

    def __init__(self):
        self._library = ctypes.CDLL("libcuda.so.1")
        self.address, self.size, self._mapped = 0, 0, False
        self.handle = None

    def reserve(self, size):
        """At least that much, exported. What it held before is gone."""
        if size <= self.size:
            return
        self.close()
        size = -(-size // _GRANULE) * _GRANULE
        address, handle = ctypes.c_uint64(0), _Handle()
        _check(self._library.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size)), "cuMemAlloc")
        self.address, self.size = address.value, size
        _check(self._library.cuIpcGetMemHandle(ctypes.byref(handle), address), "cuIpcGetMemHandle")
        self.handle = bytes(handle.bytes).hex()

    def map(self, handle, size):
        """What another process exported under that handle."""
        if (handle, size) == (self.handle, self.size):
            return
        self.close()
        known, address = _Handle(), ctypes.c_uint64(0)
        ctypes.memmove(ctypes.byref(known), bytes.fromhex(handle), 64)
        _check(self._library.cuIpcOpenMemHandle_v2(ctypes.byref(address), known, 1), "cuIpcOpenMemHandle")
        self.address, self.size, self.handle, self._mapped = address.value, size, handle, True

    def put(self, offset, address, nbytes):
        self._copy(self.address + offset, address, offset, nbytes)

    def get(self, address, offset, nbytes):
        self._copy(address, self.address + offset, offset, nbytes)

    def _copy(self, to, source, offset, nbytes):
        if offset < 0 or nbytes < 0 or offset + nbytes > self.size:
            raise OSError("a tensor outside its memory")
        _check(self._library.cuMemcpyDtoDAsync_v2(ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(nbytes), None), "cuMemcpyDtoD")

    def close(self):
        if self.address:
            release = self._library.cuIpcCloseMemHandle if self._mapped else self._library.cuMemFree_v2
            release(ctypes.c_uint64(self.address))
        self.address, self.size, self.handle, self._mapped = 0, 0, None, False


_REGISTER_PORTABLE, _REGISTER_MAPPED = 1, 2  # CU_MEMHOSTREGISTER_
_WAIT_GEQ, _WRITE_DEFAULT = 0, 0


class HostMemory:
    """Memory shared with another process, which the GPU reads and writes in the order of a stream."""

    def __init__(self, fd, size, stream):
        self._library = ctypes.CDLL("libcuda.so.1")
        self._stream = ctypes.c_void_p(stream)
        self._wait = getattr(self._library, "cuStreamWaitValue32_v2", None) or self._library.cuStreamWaitValue32
        self._tell = getattr(self._library, "cuStreamWriteValue32_v2", None) or self._library.cuStreamWriteValue32
        self.size = size
        self.map = mmap.mmap(fd, size, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
        os.close(fd)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        _check(self._library.cuMemHostRegister_v2(ctypes.c_void_p(self._address), ctypes.c_size_t(size),
                                                  ctypes.c_uint(_REGISTER_PORTABLE | _REGISTER_MAPPED)), "cuMemHostRegister")
        place = ctypes.c_uint64(0)
        _check(self._library.cuMemHostGetDevicePointer_v2(ctypes.byref(place), ctypes.c_void_p(self._address), ctypes.c_uint(0)),
               "cuMemHostGetDevicePointer")
        self._on_device = place.value

    def wait(self, offset, value):
        """What follows in the stream waits until the word there is at least that."""
        _check(self._wait(self._stream, ctypes.c_uint64(self._on_device + offset), ctypes.c_uint32(value), ctypes.c_uint(_WAIT_GEQ)), "cuStreamWaitValue32")

    def tell(self, offset, value):
        """Writes a word there once everything before it in the stream has been done."""
        _check(self._tell(self._stream, ctypes.c_uint64(self._on_device + offset), ctypes.c_uint32(value), ctypes.c_uint(_WRITE_DEFAULT)), "cuStreamWriteValue32")

    def read(self, address, offset, nbytes):
        if nbytes:
            self._within(offset, nbytes)
            _check(self._library.cuMemcpyHtoDAsync_v2(ctypes.c_uint64(address), ctypes.c_void_p(self._address + offset),
                                                      ctypes.c_size_t(nbytes), self._stream), "cuMemcpyHtoD")

    def write_out(self, address, offset, nbytes):
        if nbytes:
            self._within(offset, nbytes)
            _check(self._library.cuMemcpyDtoHAsync_v2(ctypes.c_void_p(self._address + offset), ctypes.c_uint64(address),
                                                      ctypes.c_size_t(nbytes), self._stream), "cuMemcpyDtoH")

    def _within(self, offset, nbytes):
        if offset + nbytes > self.size:
            raise OSError("a copy outside its memory")

    def close(self):
        if self._address:
            self._library.cuMemHostUnregister(ctypes.c_void_p(self._address))
        self._address = 0


def _check(code, what):
    if code != 0:
        raise OSError("%s failed with CUDA error %d" % (what, code))
