# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory that the parent shares with a process whose GPU is held back: a word that lets it go, what unmasks its
inputs, and what it says of its outputs.

All calls of a trial are queued before the parent lets the GPU go, so that launching takes no time here. Inputs lie masked
on the GPU; what unmasks them is written in the moment of the release. The word that all is done comes with a digest of
every output, which only a finished output has; what is handed over later has to have the same."""

import ctypes
import fcntl
import mmap
import os
import select
import time

RELEASED, QUEUED, DONE, HEADER = 0, 64, 128, 4096
# An input's words are masked by one pad for its columns times another for its rows.
COLUMNS = 4096
# An output is told by the sum of each column of so many, and the rest that fills no row.
DIGEST_COLUMNS, DIGEST_BYTES = 509, 6144
POLL_SECONDS = 0.0002
_WORD = ctypes.c_uint32


def pad_words(nbytes):
    """What masks an input of that size."""
    return COLUMNS + nbytes // 4 // COLUMNS + 1


class Layout:
    """words: what masks the inputs of one call; leaves: tensors in its output."""

    def __init__(self, calls, words, leaves):
        self.calls, self.words, self.leaves = calls, words, leaves
        self.pad_bytes = 4 * calls * self.words
        self.digests = HEADER + -(-self.pad_bytes // 4096) * 4096
        self.digest_bytes = calls * leaves * DIGEST_BYTES
        self.size = self.digests + -(-self.digest_bytes // 4096) * 4096

    def digest_of(self, call, leaf):
        return (call * self.leaves + leaf) * DIGEST_BYTES


class Gate:
    """The parent's end."""

    def __init__(self, layout):
        self.layout, self.number = layout, 0
        self.fd = os.memfd_create("ako", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.fd, layout.size)
        fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        self._map = mmap.mmap(self.fd, layout.size, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
        self._released, self._queued, self._done = (_WORD.from_buffer(self._map, place) for place in (RELEASED, QUEUED, DONE))

    def hand_over(self, member):
        """Why the process cannot be held back; nothing where it can."""
        layout = self.layout
        try:
            reply, _ = member.ask("open_gate", 60, "opening memory for the GPU and the evaluator", [self.fd],
                                  calls=layout.calls, words=layout.words, leaves=layout.leaves)
        finally:
            os.close(self.fd)
        return "" if reply.get("opened") else str(reply.get("why"))

    def trial(self, member, pads, seeds, waits, limit, most):
        """Seconds from the release until all was done, what it said of its outputs, and its reply. No seconds where its
        calls could not be queued within the limit, or did not end within the most."""
        self.number += 1
        if not waits:
            self._open(pads)
        member.start("pass_gate", number=self.number, seeds=seeds, waits=waits)
        queued = self._is_queued(member.worker.channel, limit)
        word, number, now = self._done, self.number, time.perf_counter_ns
        begin = now()
        end = begin + int(most * 1e9)
        self._open(pads)
        if queued:
            while word.value != number and now() < end:
                pass
        took, done = now() - begin, queued and word.value == number
        said = bytes(self._map[self.layout.digests : self.layout.digests + self.layout.digest_bytes])
        reply, _ = member.finish(member.call_timeout * len(seeds), "calls that are queued before they may begin")
        return took / 1e9 if done and reply.get("held") else None, said, reply

    def _is_queued(self, channel, limit):
        deadline = time.monotonic() + limit
        while self._queued.value != self.number:
            if select.select([channel], [], [], POLL_SECONDS)[0] or time.monotonic() > deadline:
                return self._queued.value == self.number
        return True

    def _open(self, pads):
        self._map[HEADER : HEADER + len(pads)] = pads
        self._released.value = self.number

    def digests(self, said, call):
        layout = self.layout
        places = [layout.digest_of(call, leaf) for leaf in range(layout.leaves)]
        return [said[place : place + DIGEST_BYTES].hex() for place in places]
