# SPDX-License-Identifier: GPL-3.0-or-later
"""Framed JSON messages with file descriptors over a UNIX socket."""

import array
import json
import os
import select
import socket
import struct
import time

LIMIT = 64 * 1024 * 1024
MAX_FDS = 8


class ProtocolError(Exception):
    """What came is no message of ours."""


class Closed(Exception):
    """The other end is gone."""


class TimedOut(Exception):
    pass


class Channel:
    def __init__(self, sock):
        self.sock = sock
        self._buffer = bytearray()
        self._fds = []

    def fileno(self):
        return self.sock.fileno()

    def close(self):
        for fd in self._fds:
            os.close(fd)
        self._fds = []
        self.sock.close()

    def send(self, message, fds=()):
        data = json.dumps(message).encode()
        frame = struct.pack("<I", len(data)) + data
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        try:
            sent = self.sock.sendmsg([frame], ancillary)
            if sent < len(frame):
                self.sock.sendall(frame[sent:])
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Closed() from error

    def receive(self, timeout=None, on_idle=None, extra=tuple):
        """One message and its descriptors. extra() names further descriptors to watch; on_idle(fd) is called for them."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            message = self._parse()
            if message is not None:
                fds, self._fds = self._fds, []
                return message, fds
            self._wait(deadline, on_idle, extra)

    def _wait(self, deadline, on_idle, extra):
        remaining = None if deadline is None else deadline - time.monotonic()
        if remaining is not None and remaining <= 0:
            raise TimedOut()
        readable, _, _ = select.select([self.sock, *extra()], [], [], remaining)
        for other in readable:
            if other is not self.sock:
                on_idle(other)
        if self.sock in readable:
            self.read_available()

    def read_available(self):
        try:
            data, fds, _, _ = socket.recv_fds(self.sock, 1 << 16, MAX_FDS)
        except ConnectionResetError as error:
            raise Closed() from error
        self._fds.extend(fds)
        if not data:
            raise Closed()
        self._buffer += data

    def poll(self):
        """A message if a whole one has been read, else None."""
        message = self._parse()
        if message is None:
            return None
        fds, self._fds = self._fds, []
        return message, fds

    def _parse(self):
        if len(self._buffer) < 4:
            return None
        (length,) = struct.unpack_from("<I", self._buffer)
        if length > LIMIT:
            raise ProtocolError("a frame of %d bytes" % length)
        if len(self._buffer) < 4 + length:
            return None
        data = bytes(self._buffer[4 : 4 + length])
        del self._buffer[: 4 + length]
        try:
            message = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("a frame that is not JSON") from error
        if not isinstance(message, dict):
            raise ProtocolError("a frame that is no object")
        return message
