# SPDX-License-Identifier: GPL-3.0-or-later
"""The few calls of the CUDA driver that torch does not offer: cache facts and the persisting-L2 limit."""

import ctypes

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
