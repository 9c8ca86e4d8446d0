# SPDX-License-Identifier: GPL-3.0-or-later
"""Times one call: on the host for CPU kernels, by CUDA events for GPU ones. What is needed is captured before user code."""

import os
import time

import torch

from akobench import cudadriver

_now = time.perf_counter_ns
_raw = time.clock_gettime_ns
_RAW_CLOCK = time.CLOCK_MONOTONIC_RAW
_cpu_now = time.process_time_ns
# A kernel's own tail after the end event is a microsecond; work on another stream is seen beyond this.
ESCAPE_NS = 10_000
ESCAPE_SHARE = 0.02


class Sample:
    __slots__ = ("ms", "host_ms", "cpu_ms", "gap_ns", "escaped_ns", "limit_changed")

    def __init__(self, ms, host_ms, cpu_ms=0.0, gap_ns=0, escaped_ns=0, limit_changed=False):
        self.ms = ms
        self.host_ms = host_ms
        self.cpu_ms = cpu_ms
        self.gap_ns = gap_ns
        self.escaped_ns = escaped_ns
        self.limit_changed = limit_changed

    def as_json(self):
        return {name: getattr(self, name) for name in self.__slots__}


def last_level_cache_bytes():
    largest = 0
    folder = "/sys/devices/system/cpu/cpu0/cache"
    try:
        for name in os.listdir(folder):
            path = os.path.join(folder, name, "size")
            if os.path.exists(path):
                with open(path) as file:
                    text = file.read().strip()
                factor = {"K": 1024, "M": 1024 * 1024}.get(text[-1:], 1)
                largest = max(largest, int(text.rstrip("KM")) * factor)
    except (OSError, ValueError):
        pass
    return largest or 32 * 1024 * 1024


class CpuClock:
    method = "host-monotonic-raw"

    def __init__(self, device, cold=True):
        self.cache_bytes = last_level_cache_bytes()
        size = min(2 * self.cache_bytes, 128 * 1024 * 1024)
        self._walk = torch.zeros(size // 4, dtype=torch.int32) if cold else None

    def flush(self):
        if self._walk is not None:
            self._walk.add_(1)

    def measure(self, function, args, kwargs, after_call):
        """Calls once; after_call(output) runs right behind the clock. Returns the sample and what after_call gave."""
        cpu = _cpu_now()
        start = _raw(_RAW_CLOCK)
        output = function(*args, **kwargs)
        end = _raw(_RAW_CLOCK)
        kept = after_call(output)
        elapsed = (end - start) / 1e6
        return Sample(elapsed, elapsed, (_cpu_now() - cpu) / 1e6), kept

    def synchronize(self):
        pass


class CudaClock:
    """Events around the call behind a flushed cache. The flush is long enough to hide a short launch sequence."""

    method = "cuda-events"

    def __init__(self, device, cold=True):
        self.device = device
        self.driver = cudadriver.Driver(device.index or 0)
        self.cache_bytes = self.driver.l2_bytes
        size = 2 * self.cache_bytes
        self._walk = torch.zeros(size // 4, dtype=torch.float32, device=device) if cold else None
        self._sum = torch.zeros((), dtype=torch.float32, device=device)
        self._event = torch._C._CudaEventBase
        self._start = self._event(enable_timing=True)
        self._end = self._event(enable_timing=True)
        self._after = self._event(enable_timing=False)
        self._record = self._event.record
        self._wait = self._event.synchronize
        self._elapsed = self._event.elapsed_time
        self._current_stream = torch.cuda.current_stream
        self._synchronize = torch._C._cuda_synchronize
        self._stream = torch.cuda.current_stream(device)

    def flush(self):
        self.driver.reset_persisting()
        if self._walk is not None:
            # Written, then read: lines left dirty would be written back at the cost of the kernel under test.
            self._walk.zero_()
            torch.sum(self._walk, dim=0, out=self._sum)

    def measure(self, function, args, kwargs, after_call):
        stream = self._stream
        host = _now()
        self._record(self._start, stream)
        output = function(*args, **kwargs)
        self._record(self._end, stream)
        kept = after_call(output)
        self._record(self._after, stream)
        self._wait(self._after)
        first = _now()
        self._synchronize()
        second = _now()
        # The same wait with nothing left to wait for: what the host itself takes, jitter and all.
        self._synchronize()
        gap = max(0, (second - first) - (_now() - second))
        elapsed = self._elapsed(self._start, self._end)
        allowed = ESCAPE_NS + ESCAPE_SHARE * elapsed * 1e6
        sample = Sample(elapsed, (first - host) / 1e6, 0.0, int(gap), int(gap) if gap > allowed else 0, self.driver.limit_changed())
        return sample, kept

    def synchronize(self):
        self._synchronize()


def make_clock(device, cold):
    return (CudaClock if device.type == "cuda" else CpuClock)(device, cold)
