#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges a PyTorch-callable kernel against a reference. GUIDE.md, beside this file, says how; --help lists the flags."""

import importlib.machinery
import os
import sys

if sys.version_info < (3, 10):
    sys.stderr.write("bench.py needs Python 3.10 or newer; this is " + sys.version.split()[0] + ".\n")
    sys.exit(8)

_HERE = os.path.dirname(os.path.realpath(__file__))


class _SourceOnly(importlib.machinery.SourceFileLoader):
    """Byte code in the workspace could be planted by a kernel: the evaluator's own is neither read nor written."""

    def path_stats(self, path):
        raise OSError("no byte code")


class _Finder:
    _finder = importlib.machinery.FileFinder(_HERE, (_SourceOnly, [".py"]))
    _package = importlib.machinery.FileFinder(os.path.join(_HERE, "akobench"), (_SourceOnly, [".py"]))

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == "akobench":
            return cls._finder.find_spec(name)
        if name.startswith("akobench."):
            return cls._package.find_spec(name)
        return None


sys.dont_write_bytecode = True
sys.meta_path.insert(0, _Finder)
# Started without -I, Python puts this folder and whatever PYTHONPATH says in front; nothing here is found by search.
sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) not in (_HERE, os.getcwd())]

from akobench.cli import main  # noqa: E402  (needs the finder above)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
