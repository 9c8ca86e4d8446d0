# SPDX-License-Identifier: GPL-3.0-or-later
"""Where compilers of contenders (Triton, torch's extensions and others) keep what they made: apart for every source.

Without this all of them share ~/.triton and the like, where a solution could leave what the champion or the reference
then loads. Here a folder belongs to one content of a source, and is found again by the next measurement of it. After a run
only the solution's own may be other than before: whatever else has changed is thrown away, as is what a run left that
did not end well. One run at a time keeps anything; what runs beside it has folders of its own, which end with it."""

import fcntl
import hashlib
import os
import shutil

VARIABLES = ("TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "TORCHINDUCTOR_CACHE_DIR", "TILELANG_CACHE_DIR", "CUTE_DSL_CACHE_DIR", "CUPY_CACHE_DIR")
MOST_KEPT, MOST_BYTES = 24, 1 << 30
_LOCK, _IN_USE = "lock", "in-use"


def default_base():
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "ako4all", "kernelbench")


def use(folder):
    """In a worker, before user code."""
    os.environ.update({name: os.path.join(folder, name.rsplit("_", 2)[0].lower()) for name in VARIABLES})


class Caches:
    """contents: what each role's folder belongs to; scratch(): a folder that ends with the run. base None: nothing is kept."""

    def __init__(self, contents, scratch, base=None):
        self._contents, self._base, self._before = contents, base, {}
        self._lock = _locked(base) if base else None
        try:
            if self.keeps:
                self._begin()
        except OSError:
            os.close(self._lock)
            self._lock = None
        if not self.keeps:
            self._base = scratch()

    @property
    def keeps(self):
        return self._lock is not None

    def folder_of(self, role):
        folder = os.path.join(self._base, self._name(role))
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder

    def trust(self, role):
        """What is there by now was made before any code of the solution's could run."""
        if self.keeps:
            self._before[self._name(role)] = _state(os.path.join(self._base, self._name(role)))

    def close(self, ended_well):
        """When nothing runs any more that user code started. ended_well: the solution's folder is worth keeping."""
        if not self.keeps:
            return
        own = self._name("solution")
        try:
            for name in _names(self._base):
                if not (ended_well if name == own else _state(os.path.join(self._base, name)) == self._before.get(name)):
                    self._remove(name)
            if ended_well:
                os.utime(self.folder_of("solution"))
            self._make_room()
            os.unlink(os.path.join(self._base, _IN_USE))
        except OSError:
            pass  # the next run begins with nothing
        os.close(self._lock)
        self._lock = None

    def _begin(self):
        mark = os.path.join(self._base, _IN_USE)
        if os.path.lexists(mark):
            for name in _names(self._base):
                self._remove(name)  # a run was ended, and nobody knows what it left
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        self._before = {name: _state(os.path.join(self._base, name)) for name in _names(self._base)}

    def _name(self, role):
        return hashlib.sha256(self._contents[role].encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def _remove(self, name):
        path = os.path.join(self._base, name)
        if os.path.islink(path) or not os.path.isdir(path):
            os.unlink(path)
        else:
            shutil.rmtree(path, ignore_errors=True)

    def _make_room(self):
        total = 0
        latest_first = sorted(_names(self._base), key=lambda name: -os.lstat(os.path.join(self._base, name)).st_mtime_ns)
        for number, name in enumerate(latest_first):
            total += sum(os.lstat(path).st_size for path in _paths(os.path.join(self._base, name)))
            if number >= MOST_KEPT or total > MOST_BYTES:
                self._remove(name)


def _locked(base):
    """A descriptor that keeps other runs out; None where another one is there, or nothing can be kept."""
    try:
        os.makedirs(base, mode=0o700, exist_ok=True)
        facts = os.lstat(base)
        if os.path.islink(base) or facts.st_uid != os.getuid() or facts.st_mode & 0o022:
            return None
        lock = os.open(os.path.join(base, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return lock
    except OSError:
        os.close(lock)
        return None


def _names(base):
    return [name for name in os.listdir(base) if name not in (_LOCK, _IN_USE)]


def _paths(folder):
    yield folder
    if not os.path.islink(folder):
        for place, folders, files in os.walk(folder):
            yield from (os.path.join(place, name) for name in folders + files)


def _state(folder):
    """A mark of all that is there. When something was changed is set by the system alone."""
    state = hashlib.sha256()
    try:
        for path in sorted(_paths(folder)):
            facts = os.lstat(path)
            state.update(repr((path, facts.st_ino, facts.st_mode, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)).encode("utf-8", "surrogateescape"))
    except OSError:
        return None
    return state.hexdigest()
