# SPDX-License-Identifier: GPL-3.0-or-later
"""Times one call: on the host for CPU kernels, by CUDA events for GPU ones. What is needed is captured before user code."""

import math
import os
import statistics
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
MOST_WALK_BYTES = 128 << 20
PACE_ROWS, PACE_PASSES, PACE_KERNELS = 24, 40, 32


class Sample:
    """starved: the GPU was waiting for the host's launches, so that the time is partly the host's."""

    __slots__ = ("ms", "host_ms", "cpu_ms", "gap_ns", "escaped_ns", "limit_changed", "starved")

    def __init__(self, ms, host_ms, cpu_ms=0.0, gap_ns=0, escaped_ns=0, limit_changed=False, starved=False):
        self.ms = ms
        self.host_ms = host_ms
        self.cpu_ms = cpu_ms
        self.gap_ns = gap_ns
        self.escaped_ns = escaped_ns
        self.limit_changed = limit_changed
        self.starved = starved

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


def _nothing(outputs):
    return None


_walk = None


def walk_bytes(last_level, processors):
    """How much has to be read to empty the caches, and whether that empties the last one too. One larger than
    MOST_WALK_BYTES belongs to many processors, of which these are a few, and would take longer than most kernels; then each
    processor's own caches are emptied, for all contenders alike."""
    if last_level <= MOST_WALK_BYTES:
        return min(2 * last_level, MOST_WALK_BYTES), True
    return min(max(32 << 20, processors * (4 << 20)), MOST_WALK_BYTES), False


def make_walk():
    """Memory that is read to empty the caches; made once, before workers are forked, and then shared by all of them."""
    global _walk
    if _walk is None:
        _walk = torch.ones(walk_bytes(last_level_cache_bytes(), torch.get_num_threads())[0] // 4)
    return _walk


class CpuClock:
    method = "host-monotonic-raw"

    def __init__(self, device, cold=True):
        self.cache_bytes = last_level_cache_bytes()
        self._walk = make_walk() if cold else None
        self.empties_all = walk_bytes(self.cache_bytes, 1)[1]
        self._sum, self._add_up = torch.zeros(()), torch.sum

    def flush(self):
        """Reads only: lines that are left dirty would be written back at the cost of the kernel under test."""
        if self._walk is not None:
            self._add_up(self._walk, dim=0, out=self._sum)

    def measure(self, function, calls, after_calls):
        """Makes the calls, (args, kwargs) each, one behind the other; after_calls(outputs) runs right behind the clock.
        Returns the sample, which says what one call took, and what after_calls gave."""
        outputs = []
        cpu = _cpu_now()
        start = _raw(_RAW_CLOCK)
        for args, kwargs in calls:
            outputs.append(function(*args, **kwargs))
        end = _raw(_RAW_CLOCK)
        kept = after_calls(outputs)
        elapsed = (end - start) / 1e6 / len(calls)
        return Sample(elapsed, elapsed, (_cpu_now() - cpu) / 1e6 / len(calls)), kept

    def begin_turn(self):
        self.flush()

    def synchronize(self):
        pass


class CudaClock:
    """Events around the call, behind a flush of the cache that keeps the GPU busy until everything is launched."""

    method = "cuda-events"
    empties_all = True
    LEAST_LEAD_NS, MOST_LEAD_NS = 500_000, 4_000_000
    LEAD_FACTOR = 4
    TURNS_TO_LEARN = 4

    def __init__(self, device, cold=True):
        self.device = device
        self.driver = cudadriver.Driver(device.index or 0)
        self.cache_bytes = self.driver.l2_bytes
        self.cold = cold
        self._walk = torch.zeros(2 * self.cache_bytes // 4, dtype=torch.float32, device=device)
        self._sum = torch.zeros((), dtype=torch.float32, device=device)
        event = torch._C._CudaEventBase
        self._start, self._end = event(enable_timing=True), event(enable_timing=True)
        self._after = event(enable_timing=False)
        self._record, self._wait, self._query, self._elapsed = event.record, event.synchronize, event.query, event.elapsed_time
        self._synchronize = torch._C._cuda_synchronize
        self._zero = torch.Tensor.zero_
        self._add_up = torch.sum
        self._stream = torch.cuda.current_stream(device)
        self._launch_ns = [0] * 8
        self._calls = 0
        self._pass_ns = self._time_pass()
        self._own = torch.ones(1 << 18, device=device)
        self._own_out = torch.empty_like(self._own)
        self._own_call = torch.mul
        self._usual_gaps = [0] * 8

    def _time_pass(self):
        """At its quickest so far: while other processes open the GPU it takes many times as long."""
        best = self._pass_ns
        for _ in range(2):
            self._record(self._start, self._stream)
            for _ in range(8):
                self._zero(self._walk)
            self._record(self._end, self._stream)
            self._wait(self._end)
            best = min(best, self._elapsed(self._start, self._end) * 1e6 / 8)
        return max(1000.0, best)

    _pass_ns = math.inf

    def flush(self):
        """Writes over the cache again and again, as long as launching takes, and then reads: lines left dirty would be
        written back at the cost of the kernel under test."""
        self.driver.reset_persisting()
        lead = min(self.MOST_LEAD_NS, max(self.LEAST_LEAD_NS, self.LEAD_FACTOR * max(self._launch_ns)))
        for _ in range(max(1, int(lead / self._pass_ns))):
            self._zero(self._walk)
        if self.cold:
            self._add_up(self._walk, dim=0, out=self._sum)

    def flush_once(self, lead_ns):
        """As little as it takes for the cache to hold none of the inputs; more where the GPU should be busy for longer."""
        for _ in range(max(int(self.cold), int(lead_ns / self._pass_ns))):
            self._zero(self._walk)
        if self.cold:
            self._add_up(self._walk, dim=0, out=self._sum)
        self._record(self._after, self._stream)

    def is_flushing(self):
        return not self._query(self._after)

    def begin_turn(self):
        """A call of our own: wakes host and GPU up, and shows what waiting usually takes in this process."""
        if self._turns < self.TURNS_TO_LEARN:
            self._pass_ns = self._time_pass()
        self.flush()
        sample, _ = self.measure(self._own_call, [((self._own, 2.0), {"out": self._own_out})], _nothing)
        self._usual_gaps[self._turns % len(self._usual_gaps)] = sample.gap_ns
        self._turns += 1

    _turns = 0

    def measure(self, function, calls, after_calls):
        stream, outputs, count = self._stream, [], len(calls)
        host = _now()
        self._record(self._start, stream)
        for args, kwargs in calls:
            outputs.append(function(*args, **kwargs))
        self._record(self._end, stream)
        launched = _now()
        starved = self._query(self._start)
        kept = after_calls(outputs)
        self._record(self._after, stream)
        self._wait(self._after)
        first = _now()
        self._synchronize()
        second = _now()
        # The same wait with nothing left to wait for: what the host itself takes, jitter and all.
        self._synchronize()
        gap = max(0, (second - first) - (_now() - second))
        self._calls += 1
        self._launch_ns[self._calls % len(self._launch_ns)] = launched - host
        elapsed = self._elapsed(self._start, self._end)
        allowed = ESCAPE_NS + ESCAPE_SHARE * elapsed * 1e6 + 2 * max(self._usual_gaps)
        return Sample(elapsed / count, (first - host) / 1e6 / count, 0.0, int(gap), int(gap) if gap > allowed else 0,
                      self.driver.limit_changed(), bool(starved)), kept

    def synchronize(self):
        self._synchronize()


class CudaHostClock(CudaClock):
    """The host's clock around call and synchronisation: sees every stream, and the launches too.

    core: the processor on which the calling thread of every contender has to run. Else each stays on one of its own, and what
    that one holds in its caches of the driver's code and the interpreter's makes identical modules differ by a fifth."""

    method = "host-clock"

    def __init__(self, device, cold, core):
        super().__init__(device, cold)
        self.core, self._bind = core, os.sched_setaffinity

    def begin_turn(self):
        if self._turns:  # threads that the first call starts may run anywhere
            try:
                self._bind(0, {self.core})
            except OSError:
                pass
        self._turns += 1
        self.flush()

    def flush(self):
        super().flush()
        self._synchronize()

    def measure(self, function, calls, after_calls):
        outputs = []
        start = _now()
        for args, kwargs in calls:
            outputs.append(function(*args, **kwargs))
        self._synchronize()
        elapsed = (_now() - start) / 1e6 / len(calls)
        kept = after_calls(outputs)
        self._synchronize()
        return Sample(elapsed, elapsed, 0.0, 0, 0, self.driver.limit_changed()), kept


def launch_pace(device):
    """Microseconds from one small kernel to the next in this process, from several rows of them, each launched while the
    GPU is still busy with something else. The lower quartile: what disturbs only adds."""
    event = torch._C._CudaEventBase
    start, end = event(enable_timing=True), event(enable_timing=True)
    stream = torch.cuda.current_stream(device)
    busy = torch.empty(16 << 20, dtype=torch.float32, device=device)
    small, result = torch.ones(1 << 12, device=device), torch.empty(1 << 12, device=device)
    found = []
    for number in range(PACE_ROWS + 2):
        for _ in range(PACE_PASSES):
            busy.zero_()
        start.record(stream)
        for _ in range(PACE_KERNELS):
            torch.mul(small, 2.0, out=result)
        end.record(stream)
        end.synchronize()
        if number >= 2:
            found.append(start.elapsed_time(end) * 1e3 / PACE_KERNELS)
    return statistics.quantiles(found, n=4)[0]


def make_clock(device, cold, host_core=None):
    """host_core: by the host's clock, on that processor."""
    if device.type != "cuda":
        return CpuClock(device, cold)
    return CudaClock(device, cold) if host_core is None else CudaHostClock(device, cold, host_core)
