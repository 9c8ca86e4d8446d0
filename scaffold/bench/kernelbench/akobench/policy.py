# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks of a kernel that is there for show: defined and never used, or replaced by a library as soon as it fails.

Told from the source alone; neither is forbidden, both are reported."""

import ast
import re

_BOUNDS = r"(?:__launch_bounds__\s*\([^)]*\)\s*)?"
_DEVICE_FUNCTION = re.compile(r"__global__\s+" + _BOUNDS + r"void\s+" + _BOUNDS + r"(\w+)")
_DECORATORS = ("jit", "autotune", "kernel", "prim_func")


def kernel_names(facts):
    """Of the GPU kernels that the source defines, in a Python language or in CUDA text."""
    return _jitted(facts.tree) + _DEVICE_FUNCTION.findall(facts.text)


def _jitted(tree):
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
            and any(ast.unparse(decorator).split("(")[0].split(".")[-1] in _DECORATORS for decorator in node.decorator_list)]


def unused_kernels(facts):
    used = {node.id for node in ast.walk(facts.tree) if isinstance(node, ast.Name)}
    used |= {node.attr for node in ast.walk(facts.tree) if isinstance(node, ast.Attribute)}
    found = [name for name in _jitted(facts.tree) if name not in used]
    return found + [name for name in _DEVICE_FUNCTION.findall(facts.text) if len(re.findall(r"\b%s\b" % name, facts.text)) == 1]


def fallbacks(facts):
    """Lines where a failure inside a function is swallowed and something else is computed in its place."""
    found = set()
    for function in ast.walk(facts.tree):
        if isinstance(function, ast.FunctionDef):
            found.update(handler.lineno for node in ast.walk(function) if isinstance(node, ast.Try)
                         for handler in node.handlers if _calls(node.body) and _answers(handler.body))
    return sorted(found)


def _calls(body):
    return any(isinstance(node, ast.Call) for statement in body for node in ast.walk(statement))


def _answers(body):
    nodes = [node for statement in body for node in ast.walk(statement)]
    if any(isinstance(node, ast.Raise) for node in nodes):
        return False
    return any(isinstance(node, (ast.Return, ast.Assign)) and node.value is not None
               and any(isinstance(part, (ast.Call, ast.BinOp)) for part in ast.walk(node.value)) for node in nodes)
