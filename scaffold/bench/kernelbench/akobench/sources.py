# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be told about Python sources without running them: syntax, classes, the backend they are written for."""

import ast
import os
import re

from akobench.status import Failure

SOLUTION_CLASSES = ["ModelNew", "Model"]
_FIRST_NAMES = ["solution.py", "kernel.py", "model.py", "main.py"]
BACKENDS = ["cuda", "triton", "tilelang", "cute", "hip", "torch"]


class Facts:
    def __init__(self, path, text, tree):
        self.path, self.text, self.tree = path, text, tree
        self.classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.functions = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.imports = _imports(tree)


def _imports(tree):
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(node.module + "." + alias.name for alias in node.names)
    return found


def read(path, status, whose):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Failure(status, "%s cannot be read: %s" % (path, error.strerror)) from None
    try:
        tree = ast.parse(data, path)
    except SyntaxError as error:
        raise Failure(status, "%s has a syntax error in line %s: %s" % (whose, error.lineno, error.msg)) from None
    except ValueError as error:
        raise Failure(status, "%s is no Python source: %s" % (whose, error)) from None
    return Facts(path, data.decode("utf-8", "replace"), tree)


def solution_file(path, whose="the solution", status="COMPILE_ERROR", names=SOLUTION_CLASSES):
    """The module in a file or folder that defines the class (or run(), for a definition)."""
    if os.path.isfile(path):
        return os.path.abspath(path)
    if not os.path.isdir(path):
        raise Failure("USAGE_ERROR", "%s: there is no such file or folder (%s)" % (path, whose))
    candidates = []
    broken = None
    for name in sorted(os.listdir(path)):
        if name.endswith(".py"):
            full = os.path.join(os.path.abspath(path), name)
            try:
                facts = read(full, status, os.path.relpath(full))
            except Failure as failure:
                broken = failure
                continue
            rank = _rank(facts, names)
            if rank is not None:
                candidates.append((rank, name, full))
    if not candidates:
        raise broken or Failure(status, "%s: no Python file in it defines %s" % (path, " or ".join(names)))
    best = min(rank for rank, _, _ in candidates)
    chosen = [item for item in candidates if item[0] == best]
    if len(chosen) > 1:
        preferred = [item for item in chosen if item[1] in _FIRST_NAMES]
        if len(preferred) != 1:
            raise Failure("PROBLEM_ERROR", "%s: %s each define it. Name one with --solution."
                          % (path, " and ".join(item[1] for item in chosen)))
        chosen = preferred
    return chosen[0][2]


def _rank(facts, names):
    for rank, name in enumerate(names):
        if name in facts.classes or name in facts.functions:
            return rank
    return None


def ignored_inputs(facts):
    return [name for name in ("get_inputs", "get_init_inputs") if name in facts.functions]


def bodies(facts, names):
    """What these functions consist of: a copy of the reference's own changes nothing."""
    return [ast.dump(node) for node in facts.tree.body if isinstance(node, ast.FunctionDef) and node.name in names]


def _folder_facts(main):
    yield main
    folder = os.path.dirname(main.path)
    for name in sorted(os.listdir(folder)):
        full = os.path.join(folder, name)
        if name.endswith(".py") and full != main.path and name[:-3] in main.imports:
            try:
                yield read(full, "COMPILE_ERROR", name)
            except Failure:
                continue


def backend(main):
    """cuda, triton, tilelang, cute, hip or torch, from imports and from device code in strings."""
    found = set()
    for facts in _folder_facts(main):
        tops = {name.split(".")[0] for name in facts.imports}
        found.update(tops & {"tilelang", "triton"})
        if any(name == "cute" or name.startswith("cutlass.cute") or name == "cutlass" for name in facts.imports):
            found.add("cute")
        if any(name.startswith("torch.utils.cpp_extension") for name in facts.imports) or "cpp_extension" in facts.text:
            found.add("hip" if re.search(r"hip/hip_runtime|hipLaunchKernel|__HIP", facts.text) else _extension(facts.text))
        if tops & {"cupy", "pycuda"} or "numba.cuda" in facts.imports:
            found.add("cuda")
    found.discard("torch")
    for name in ("tilelang", "cute", "triton", "hip", "cuda"):
        if name in found:
            return name
    return "torch"


def _extension(text):
    return "cuda" if "__global__" in text or "cuda_sources" in text or ".cu" in text else "torch"


NEEDS_GPU = {"cuda", "triton", "tilelang", "cute", "hip"}
