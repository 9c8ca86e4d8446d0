# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls that are all queued before the GPU may begin with the first: the worker's end of gate.py."""

import ctypes

import torch

from akobench import cudadriver, loading, masks, outputs
from akobench.gate import DIGEST_BYTES, DONE, HEADER, QUEUED, RELEASED, Layout

LEAD_NS = 5_000_000
MOST_SCATTERED = 8  # calls whose outputs get other memory each time


class Held:
    def __init__(self, contender, fd, calls, words, leaves):
        self.contender, self.clock = contender, contender.clock
        self.layout = Layout(calls, words, leaves)
        self.memory = cudadriver.HostMemory(fd, self.layout.size, self.clock._stream.cuda_stream)
        self.pads = torch.empty((calls, words), dtype=torch.int32, device=contender.device)
        self.digests = torch.zeros(max(1, self.layout.digest_bytes), dtype=torch.uint8, device=contender.device)
        self.queued = ctypes.c_uint32.from_buffer(self.memory.map, QUEUED)

    def close(self):
        del self.queued
        self.memory.close()

    def trial(self, number, seeds, waits):
        """What order the outputs' dimensions have in memory, and whether the first call came back while the GPU was still
        busy with something else: told where nothing waits for the parent."""
        contender, memory, clock = self.contender, self.memory, self.clock
        calls = [contender._prepare(slot, slot, False) for slot in range(len(seeds))]
        places = [contender.scatter.scatter(contender.form) for _ in calls[:MOST_SCATTERED]]
        self.digests.zero_()
        clock.driver.reset_persisting()
        clock.synchronize()
        memory.wait(RELEASED, number)
        memory.read(self.pads.data_ptr(), HEADER, self.layout.pad_bytes)
        for call, pad in zip(calls, self.pads):
            _unmask(call, pad)
        clock.flush_once(0 if waits else LEAD_NS)
        results, ahead = [], None
        for call, seed in zip(calls, seeds):
            loading.seed_everything(seed)
            results.append(contender._result_of(call, contender.function(*call.args, **call.kwargs)))
            ahead = clock.is_flushing() if ahead is None and not waits else ahead
        del places
        orders = [self._note(index, call, result) for index, (call, result) in enumerate(zip(calls, results))]
        memory.write_out(self.digests.data_ptr(), self.layout.digests, self.layout.digest_bytes)
        memory.tell(DONE, number)
        self.queued.value = number
        clock.synchronize()
        for call in calls:
            outputs.fill_snapshot(call.kept.buffers, call.found)
            call.kept.scalars = call.found.scalars
        clock.synchronize()
        return {"orders": orders, "ahead": bool(ahead)}

    def _note(self, index, call, result):
        call.found = outputs.collect(result, self.contender.form, self.contender.device.type)
        orders = []
        for leaf, tensor in enumerate(call.found.tensors):
            order = masks.order_of(tensor)
            if order is None:
                raise ValueError("an output with gaps in its memory")
            place = self.layout.digest_of(index, leaf)
            masks.digest(tensor, order, self.digests[place : place + DIGEST_BYTES])
            orders.append(order)
        return orders


def _unmask(call, pad):
    used = 0
    for guarded, buffer in zip(call.chosen.guarded, call.buffers):
        own, used = pad[used : used + masks.pad_words(guarded.nbytes)], used + masks.pad_words(guarded.nbytes)
        if masks.is_masked(guarded.dtype):
            masks.shift(guarded.payload(buffer), own, -1)
