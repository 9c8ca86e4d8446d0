# SPDX-License-Identifier: GPL-3.0-or-later
"""The parent's side of workers: starts or finds the zygote, asks it for workers, talks to them with time limits."""

import os
import secrets
import socket
import subprocess
import sys
import time

from akobench import linux
from akobench.integrity import evaluator_hash
from akobench.protocol import Channel, Closed, ProtocolError, TimedOut
from akobench.status import Failure

IMPORT_SECONDS = 180
CONNECT_SECONDS = 3
LOG_LIMIT = 32 * 1024
SERVER_VARIABLE = "AKO_KERNELBENCH_SERVER"
# Not handed to user code: they steer the interpreter, or name what only the parent has to know.
_WITHHELD = ("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "AKO_RESULT_JSON", "AKO_PROGRESS", "AKO_LABEL",
             "AKO_TRAJECTORY", SERVER_VARIABLE)


def worker_environment():
    environment = {key: value for key, value in os.environ.items() if key not in _WITHHELD}
    # Tools that user code starts (ninja, nvcc's helpers, "python") belong to this interpreter.
    folder = os.path.dirname(os.path.abspath(sys.executable))
    path = environment.get("PATH", os.defpath)
    if folder not in path.split(os.pathsep):
        environment["PATH"] = path + os.pathsep + folder
    return environment


class Zygote:
    def __init__(self):
        self.process = None
        self.channel = None
        self.greeting = None
        self.warm = False

    @classmethod
    def open(cls, server=None):
        zygote = cls()
        server = server or os.environ.get(SERVER_VARIABLE)
        if not (server and zygote._connect(server) and zygote._is_ours()):
            zygote._start()
        return zygote

    def _is_ours(self):
        """Made by the same Python from the same evaluator; one that was just started greets once torch is imported."""
        try:
            self.greeting, _ = self.channel.receive(IMPORT_SECONDS)
        except (Closed, TimedOut, ProtocolError):
            self.greeting = None
        if self.greeting and (self.greeting.get("evaluator"), self.greeting.get("python")) == (evaluator_hash(), sys.executable):
            return True
        self.channel.close()
        self.channel, self.greeting, self.warm = None, None, False
        return False

    def _connect(self, path):
        """False where there is no such server; one that is being started may take a moment to listen."""
        deadline = time.monotonic() + (CONNECT_SECONDS if os.path.isdir(os.path.dirname(path)) else 0)
        while True:
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                if os.lstat(path).st_uid != os.getuid():
                    sock.close()
                    return False
                sock.connect(path)
                break
            except OSError:
                sock.close()
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.02)
        self.channel = Channel(sock)
        self.warm = True
        return True

    def _start(self):
        ours, theirs = socket.socketpair()
        script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench.py")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        self.process = subprocess.Popen(
            [sys.executable, "-I", script, "--zygote", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=environment,
        )
        theirs.close()
        self.channel = Channel(ours)

    def wait_ready(self):
        if self.greeting is None:
            try:
                self.greeting, _ = self.channel.receive(IMPORT_SECONDS)
            except (Closed, TimedOut, ProtocolError):
                raise Failure("INFRASTRUCTURE", "the worker process did not start. Does %s -I -c 'import torch' work?" % sys.executable) from None
        if "error" in self.greeting:
            raise Failure(
                "INFRASTRUCTURE",
                "the Python at %s cannot import torch (%s). Install PyTorch for it, or run bench.py with the Python that has it."
                % (sys.executable, self.greeting["error"]),
            )

    def ask(self, message, fds=()):
        try:
            self.channel.send(message, fds)
            return self.channel.receive(30)[0]
        except (Closed, TimedOut, ProtocolError):
            raise Failure("INFRASTRUCTURE", "the process that starts workers is gone. Run the bench again.") from None

    def fork(self, role, directory):
        self.wait_ready()
        ours, theirs = socket.socketpair()
        log_read, log_write = os.pipe()
        reply = self.ask(
            {"op": "fork", "role": role, "environment": worker_environment(), "directory": directory},
            [theirs.fileno(), log_write],
        )
        theirs.close()
        os.close(log_write)
        os.set_blocking(log_read, False)
        return Worker(self, role, reply["pid"], Channel(ours), log_read)

    def end_workers(self):
        """Nothing that user code started outlives this: it could change what is told about it."""
        if self.channel and self.greeting:
            try:
                self.ask({"op": "end"})
            except Failure:
                pass

    def close(self):
        if self.channel:
            self.channel.close()
            self.channel = None
        if self.process:
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                linux.kill_tree(self.process.pid)
                self.process.wait()
            self.process = None


class WorkerDied(Exception):
    def __init__(self, status):
        super().__init__("worker died")
        self.status = status  # wait status, or None


class WorkerCheated(Exception):
    """What came over the channel is no answer to what was asked."""


class WorkerError(Exception):
    def __init__(self, error):
        super().__init__(error.get("message", ""))
        self.kind = str(error.get("kind", "internal"))
        self.status = error.get("status")
        self.message = str(error.get("message", ""))
        self.log = str(error.get("log", ""))


class WorkerTimeout(Exception):
    pass


class Worker:
    def __init__(self, zygote, role, pid, channel, log_fd):
        self.zygote, self.role, self.pid, self.channel, self._log_fd = zygote, role, pid, channel, log_fd
        self.log = bytearray()
        self.dropped = 0
        self.token = None
        self.dead = False

    def ask(self, operation, timeout, fds=(), **arguments):
        self.start(operation, fds, **arguments)
        return self.finish(timeout)

    def start(self, operation, fds=(), **arguments):
        self.token = secrets.token_hex(16)
        try:
            self.channel.send({"op": operation, "token": self.token, **arguments}, fds)
        except Closed:
            pass  # finish() tells how it ended

    def finish(self, timeout):
        """The reply and its descriptors."""
        try:
            message, fds = self.channel.receive(timeout, lambda fd: self.drain(), self._watched)
        except Closed:
            self.drain()
            raise WorkerDied(self._end_status()) from None
        except ProtocolError:
            raise WorkerCheated() from None
        except TimedOut:
            self.drain()
            raise WorkerTimeout() from None
        self.drain()
        if message.get("token") != self.token or not self.token:
            raise WorkerCheated()
        self.token = None
        if not message.get("ok"):
            raise WorkerError(message.get("error") or {})
        return message, fds

    def _watched(self):
        return [self._log_fd] if self._log_fd is not None else []

    def drain(self):
        """Takes what the worker printed: kept for people, bounded, never parsed."""
        while self._log_fd is not None:
            try:
                data = os.read(self._log_fd, 65536)
            except BlockingIOError:
                return
            if not data:
                os.close(self._log_fd)
                self._log_fd = None
                return
            self.log += data
            if len(self.log) > 2 * LOG_LIMIT:
                self.dropped += len(self.log) - LOG_LIMIT
                del self.log[: len(self.log) - LOG_LIMIT]

    def text(self):
        self.drain()
        return self.log[-LOG_LIMIT:].decode(errors="replace")

    def _end_status(self):
        try:
            return self.zygote.ask({"op": "ended", "pid": self.pid}).get("status")
        except Failure:
            return None

    def kill(self):
        if self.dead:
            return
        self.dead = True
        try:
            self.zygote.ask({"op": "kill", "pid": self.pid})
        except Failure:
            pass
        self.channel.close()
        self.drain()
        if self._log_fd is not None:
            os.close(self._log_fd)
            self._log_fd = None
