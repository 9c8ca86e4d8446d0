# SPDX-License-Identifier: GPL-3.0-or-later
"""Which GPU kernels a call launches, as CUPTI reports them through torch's profiler. In a worker."""

import torch

MOST_NAMES = 64
LONGEST_NAME = 200


def profiled(call, synchronize):
    """Names with counts, and the time from the first kernel's begin to the last one's end (ms)."""
    from torch.profiler import ProfilerActivity, profile

    synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as session:
        call()
        synchronize()
    counts, first, last = {}, None, None
    for event in session.events():
        if event.device_type != torch.autograd.DeviceType.CUDA:
            continue
        name = event.name[:LONGEST_NAME]
        if name in counts or len(counts) < MOST_NAMES:
            counts[name] = counts.get(name, 0) + 1
        begin, end = event.time_range.start, event.time_range.end
        first = begin if first is None else min(first, begin)
        last = end if last is None else max(last, end)
    return {"kernels": sorted(counts.items()), "span_ms": None if first is None else (last - first) / 1e3}
