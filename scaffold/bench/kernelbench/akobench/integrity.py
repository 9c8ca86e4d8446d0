# SPDX-License-Identifier: GPL-3.0-or-later
"""Hashes of everything a measurement rests on, taken before user code runs and compared afterwards."""

import hashlib
import os

_SKIPPED = {"__pycache__", ".git"}


def files_below(path):
    if os.path.isfile(path) or os.path.islink(path):
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        found.extend(os.path.join(folder, name) for name in sorted(names))
    return found


def tree_hash(path):
    """SHA-256 over names and contents, independent of where the tree lies."""
    total = hashlib.sha256()
    base = path if os.path.isdir(path) else os.path.dirname(path)
    for file in files_below(path):
        total.update(os.path.relpath(file, base).encode("utf-8", "surrogateescape") + b"\0")
        total.update(_file_digest(file) + b"\n")
    return total.hexdigest()


def _file_digest(path):
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(1 << 20), b""):
                digest.update(piece)
    except OSError as error:
        digest.update(("unreadable %s" % error.errno).encode())
    return digest.digest()


def evaluator_folder():
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def evaluator_hash():
    return tree_hash(evaluator_folder())


class Manifest:
    def __init__(self, paths):
        self._before = {name: (path, tree_hash(path)) for name, path in paths.items() if path}

    def hash_of(self, name):
        return self._before[name][1] if name in self._before else ""

    def changed(self):
        """The names of what differs now."""
        return [name for name, (path, before) in self._before.items()
                if not os.path.exists(path) or tree_hash(path) != before]
