# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that has imported torch, knows no user code and no CUDA, and forks workers on request.

Started by one bench run for itself, or left running by the app (bench.py --serve) so that many runs share the import.
Each connection is one bench run: when it ends, whatever runs for it is killed. A process that serves many runs keeps
a few spare workers that have opened the GPU already; each is used once, and none is made while something is measured.
"""

import os
import selectors
import signal
import socket
import struct
import sys
import time

from akobench import integrity, linux
from akobench.protocol import Channel, Closed, ProtocolError


def _import_torch():
    try:
        import numpy  # noqa: F401  (torch uses it; user code is likely to)
    except Exception:
        pass
    try:
        import torch
    except Exception as error:  # a broken install raises OSError or worse
        return {"error": "%s: %s" % (type(error).__name__, error)}
    return {"torch": torch.__version__, "cuda": torch.version.cuda, "hip": getattr(torch.version, "hip", None)}


# Threads of a parallel region that has ended look out for the next one this long (1 ms at most), and then sleep: they would
# slow whoever is measured next. Read when the libraries are loaded, hence before torch is imported.
QUIET_POOLS = {"GOMP_SPINCOUNT": "10000", "KMP_BLOCKTIME": "1", "OPENBLAS_THREAD_TIMEOUT": "20"}


def _quieten_pools():
    os.environ.pop("OMP_WAIT_POLICY", None)
    os.environ.update(QUIET_POOLS)


MOST_LOOKS_AROUND = 50
SPARES, SPARES_ON_ROOMY_GPU = 4, 6
ROOMY_BYTES = 32 << 30  # a GPU on which a few contexts more do not matter
# A spare was made under these; a run that has them otherwise gets a fresh worker.
_DEVICE_VARIABLES = ("CUDA_", "PYTORCH_", "NVIDIA_", "TORCH_")


def _device_environment(environment):
    return {key: value for key, value in environment.items() if key.startswith(_DEVICE_VARIABLES)}


class Spare:
    def __init__(self, pid, channel):
        self.pid, self.channel = pid, channel


class Connection:
    def __init__(self, channel):
        self.channel = channel
        self.workers = set()


class Zygote:
    def __init__(self, idle_seconds=None):
        self.idle_seconds = idle_seconds
        self.selector = selectors.DefaultSelector()
        self.connections = []
        self.listener = None
        self.ended = {}  # pid -> wait status
        self.greeting = None
        self.spares = []
        self.spares_wanted = SPARES

    def run(self):
        linux.become_subreaper()
        linux.keep_memory_private()  # inherited by every worker
        linux.give_up_reach()
        self._watch_children()
        facts = {"pid": os.getpid(), "evaluator": integrity.evaluator_hash(), "python": sys.executable}
        _quieten_pools()
        self.greeting = {**facts, **_import_torch()}
        if "error" not in self.greeting and not self.greeting["cuda"] and not self.greeting["hip"]:
            from akobench import clocks

            clocks.make_walk()  # such a torch measures on the CPU
        # What the import left is never collected in the children: fewer pages are copied.
        import gc

        gc.freeze()
        for connection in self.connections:
            self._greet(connection)
        self._refill()
        while self._step():
            pass

    def listen(self, listener):
        self.listener = listener
        self.selector.register(listener, selectors.EVENT_READ, self._accept)

    def add(self, sock):
        connection = Connection(Channel(sock))
        self.connections.append(connection)
        self.selector.register(sock, selectors.EVENT_READ, lambda: self._serve(connection))
        if self.greeting:
            self._greet(connection)

    def _greet(self, connection):
        try:
            connection.channel.send(self.greeting)
        except Closed:
            pass

    def _watch_children(self):
        reader, self._wake = socket.socketpair()
        reader.setblocking(False)
        self._wake.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._wake_reader = reader
        self.selector.register(reader, selectors.EVENT_READ, self._reap)

    def _step(self):
        timeout = self.idle_seconds if self.listener and not self.connections else None
        events = self.selector.select(timeout)
        if not events and timeout is not None:
            return False
        for key, _ in events:
            if key.fileobj.fileno() >= 0:
                key.data()
        return bool(self.connections or self.listener)

    def _accept(self):
        try:
            sock, _ = self.listener.accept()
            pid, _, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        except OSError:
            return
        if pid in linux.descendants(os.getpid()) or linux.has_more_filters(pid):
            sock.close()  # user code, of this server or of another run, would get processes that nobody counts as its own
            return
        self.add(sock)

    def _reap(self):
        try:
            while self._wake_reader.recv(4096):
                pass
        except BlockingIOError:
            pass
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.ended[pid] = status

    def _serve(self, connection):
        try:
            connection.channel.read_available()
            while True:
                item = connection.channel.poll()
                if item is None:
                    return
                self._handle(connection, *item)
        except (Closed, ProtocolError, OSError, KeyError):
            self._drop(connection)

    def _handle(self, connection, message, fds):
        operation = message["op"]
        if operation == "fork":
            self._fork(connection, message, fds)
        elif operation == "ended":
            connection.channel.send({"status": self._end_of(message["pid"])})
        elif operation == "kill":
            if message["pid"] in connection.workers:
                linux.kill_tree(message["pid"])
            connection.channel.send({})
        elif operation == "end":
            self._end_workers(connection)
            connection.channel.send({})

    def _end_workers(self, connection):
        """Kills whatever ran for this connection until a look around finds nothing that has not been killed yet. How long
        the system takes to clear up after them does not matter: none of them runs another instruction."""
        killed, found = set(), set()
        for _ in range(MOST_LOOKS_AROUND):
            alive = connection.workers - self.ended.keys()
            found = alive.union(self._strays(), *map(linux.descendants, alive)) - killed
            if not found:
                return
            linux.kill_all(found)
            killed |= found

    def _end_of(self, pid):
        deadline = time.monotonic() + 2.0
        while pid not in self.ended and time.monotonic() < deadline:
            self._reap()
            time.sleep(0.002)
        return self.ended.get(pid)

    def _drop(self, connection):
        if connection not in self.connections:
            return
        self.connections.remove(connection)
        self.selector.unregister(connection.channel.sock)
        connection.channel.close()
        for pid in connection.workers:
            if pid not in self.ended:
                linux.kill_tree(pid)
            self.ended.pop(pid, None)
        for pid in self._strays():
            linux.kill_tree(pid)
        self._refill()

    def _strays(self):
        known = {spare.pid for spare in self.spares}.union(*[connection.workers for connection in self.connections])
        return linux.children_of(os.getpid()) - known

    def _fork(self, connection, message, fds):
        pid = self._hand_to_spare(message, fds) or self._fork_worker(message, fds)
        for fd in fds:
            os.close(fd)
        connection.workers.add(pid)
        connection.channel.send({"pid": pid})

    def _fork_worker(self, message, fds):
        pid = os.fork()
        if pid == 0:
            self._in_child(lambda: self._become_worker(message, fds))
        return pid

    # --- spare workers ---

    def _refill(self):
        if not self.listener or self.connections or not self.greeting.get("cuda"):
            return
        while len(self.spares) < self.spares_wanted:
            ours, theirs = socket.socketpair()
            pid = os.fork()
            if pid == 0:
                ours.close()
                self._in_child(lambda: self._become_spare(theirs))
            theirs.close()
            spare = Spare(pid, Channel(ours))
            self.spares.append(spare)
            self.selector.register(ours, selectors.EVENT_READ, lambda spare=spare: self._hear_spare(spare))

    def _hear_spare(self, spare):
        try:
            spare.channel.read_available()
            item = spare.channel.poll()
            if item and not item[0].get("cuda"):
                self.spares_wanted = 0  # no GPU here: forking is all there is to save
                self._forget(spare)
            elif item and item[0]["memory"] >= ROOMY_BYTES:
                self.spares_wanted = SPARES_ON_ROOMY_GPU
                self._refill()
        except (Closed, ProtocolError, OSError):
            self._forget(spare)

    def _forget(self, spare):
        if spare in self.spares:
            self.spares.remove(spare)
            self.selector.unregister(spare.channel.sock)
            spare.channel.close()

    def _hand_to_spare(self, message, fds):
        if _device_environment(message["environment"]) != _device_environment(os.environ):
            return None
        # One that is not ready yet is still sooner than a fresh one, and two of them would disturb each other.
        for spare in list(self.spares):
            try:
                spare.channel.send(message, fds)
                return spare.pid
            except Closed:
                continue
            finally:
                self._forget(spare)
        return None

    def _become_spare(self, sock):
        channel = Channel(sock)
        self._settle()
        from akobench.worker import warm_device

        memory = warm_device()
        try:
            channel.send({"cuda": memory > 0, "memory": memory})
        except Closed:
            pass  # it has been handed out already: what to do lies in the socket
        try:
            message, fds = channel.receive()
        except Closed:
            return
        channel.close()
        self._serve_worker(message, fds)

    # --- in a child ---

    def _in_child(self, body):
        try:
            body()
        except BaseException:
            import traceback

            traceback.print_exc()
            sys.stderr.flush()
            os._exit(70)
        os._exit(0)

    def _settle(self):
        os.setsid()
        linux.die_with_parent()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(nothing, fd)
        os.close(nothing)
        self._close_everything()

    def _become_worker(self, message, fds):
        self._settle()
        self._serve_worker(message, fds)

    def _serve_worker(self, message, fds):
        control, log = fds
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.close(log)
        os.environ.clear()
        os.environ.update(message["environment"])
        _quieten_pools()
        os.chdir(message["directory"])
        from akobench.worker import serve

        if message["role"] == "contender":
            linux.become_subreaper()  # what it starts stays below it
            linux.leave_others_alone()
            linux.keep_freed_memory()
        serve(Channel(socket.socket(fileno=control)), message["role"])

    def _close_everything(self):
        self.selector.close()
        self._wake.close()
        self._wake_reader.close()
        if self.listener:
            self.listener.close()
        for connection in self.connections:
            connection.channel.close()
        for spare in self.spares:
            spare.channel.close()


def open_listener(path):
    """A socket only this user can reach. Its folder has to be this user's own."""
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    facts = os.lstat(folder)
    if facts.st_uid != os.getuid() or facts.st_mode & 0o022:
        raise OSError("%s belongs to someone else or is open to others" % folder)
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(8)
    return listener


def serve(path, idle_seconds):
    zygote = Zygote(idle_seconds)
    listener = open_listener(path)
    zygote.listen(listener)
    print("READY %s" % path, flush=True)
    try:
        zygote.run()
    except KeyboardInterrupt:
        pass
    finally:
        try:
            os.unlink(path)
        except OSError:
            pass
    return 0


def serve_one(fd):
    # Ctrl+C in a terminal reaches the whole group; the parent decides, and its end ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    linux.die_with_parent()
    zygote = Zygote()
    zygote.add(socket.socket(fileno=fd))
    zygote.run()
    return 0
