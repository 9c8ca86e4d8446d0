# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems in the form of FlashInfer-Bench and SOL-ExecBench: definition.json and workload.jsonl.

read() is plain Python for the parent; DefinitionProblem needs torch and is used by the golden worker.
"""

import ast
import json
import math
import operator
import os

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
}
_FUNCTIONS = {"min": min, "max": max, "ceildiv": lambda a, b: -(-a // b)}


class DefinitionError(Exception):
    pass


def read(path):
    """The definition and its workloads. path is the folder or the definition.json in it."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    definition_path = os.path.join(folder, "definition.json") if os.path.isdir(path) else path
    definition = _json_file(definition_path)
    for key in ("name", "axes", "inputs", "outputs", "reference"):
        if key not in definition:
            raise DefinitionError("%s has no \"%s\"" % (definition_path, key))
    for key in ("axes", "inputs", "outputs"):
        if not isinstance(definition[key], dict) or not all(isinstance(item, dict) for item in definition[key].values()):
            raise DefinitionError("%s: \"%s\" is not an object of objects" % (definition_path, key))
    if not isinstance(definition["reference"], str):
        raise DefinitionError("%s: \"reference\" is not the text of a Python file" % definition_path)
    workloads = _workloads(os.path.join(folder, "workload.jsonl"), folder)
    for workload in workloads:
        _check_sizes(definition, workload)
    return definition, workloads, definition_path


def _check_sizes(definition, workload):
    values = axis_values(definition, workload)
    for kind in ("inputs", "outputs"):
        for name, spec in definition[kind].items():
            try:
                shape_of(spec, values)
            except KeyError as missing:
                raise DefinitionError("%s %s has the axis %s, which the definition does not have" % (kind[:-1], name, missing)) from None
            except TypeError:
                raise DefinitionError("the shape of %s %s is no list" % (kind[:-1], name)) from None


def _json_file(path):
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError) as error:
        raise DefinitionError("%s cannot be read: %s" % (path, error)) from None
    if not isinstance(value, dict):
        raise DefinitionError("%s is no JSON object" % path)
    return value


def _workloads(path, folder):
    found = []
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    found.append(_workload(json.loads(line), number, folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DefinitionError("%s cannot be read: %s" % (path, error)) from None
    if not found:
        raise DefinitionError("%s holds no workload" % path)
    return found


def _workload(entry, number, folder):
    entry = entry.get("workload", entry)
    return {
        "id": str(entry.get("uuid", "workload-%d" % number))[:64],
        "weight": float(entry.get("weight", 1.0)),
        "axes": {key: int(value) for key, value in entry["axes"].items()},
        "inputs": {name: dict(how) for name, how in entry["inputs"].items()},
        "tolerance": entry.get("tolerance"),
        "folder": folder,
    }


def axis_values(definition, workload):
    values = {}
    for name, axis in definition["axes"].items():
        kind = axis.get("type")
        if kind == "const":
            values[name] = _whole(name, axis.get("value"))
        elif kind == "var":
            if name not in workload["axes"]:
                raise DefinitionError("workload %s gives no value for the axis %s" % (workload["id"], name))
            values[name] = int(workload["axes"][name])
        elif kind != "expr":
            raise DefinitionError("the axis %s is of the unknown type %r; const, var and expr are known" % (name, kind))
    pending = {name: axis for name, axis in definition["axes"].items() if axis["type"] == "expr"}
    for _ in range(len(pending)):
        for name in list(pending):
            try:
                values[name] = evaluate(pending[name].get("expression"), values)
                del pending[name]
            except KeyError:
                continue
            except (ArithmeticError, SyntaxError, TypeError, ValueError) as error:
                raise DefinitionError("the expression %r of the axis %s has no value: %s" % (pending[name].get("expression"), name, error)) from None
    if pending:
        raise DefinitionError("the axes %s depend on unknown names" % ", ".join(pending))
    return values


def _whole(name, value):
    try:
        return int(value)
    except (TypeError, ValueError):
        raise DefinitionError("the axis %s has the value %r, which is no whole number" % (name, value)) from None


def evaluate(expression, values):
    return int(_evaluate(ast.parse(str(expression), mode="eval").body, values))


def _evaluate(node, values):
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_evaluate(node.left, values), _evaluate(node.right, values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluate(node.operand, values)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        return _FUNCTIONS[node.func.id](*[_evaluate(item, values) for item in node.args])
    raise DefinitionError("an axis expression holds something other than + - * / // % min max ceildiv")


def shape_of(spec, values):
    """None: a plain number."""
    shape = spec.get("shape")
    if shape is None:
        return None
    return [int(axis) if str(axis).isdigit() else values[axis] for axis in shape]


class DefinitionProblem:
    def __init__(self, settings):
        from akobench import loading

        self._loading = loading
        self.definition = settings["definition"]
        self._workloads = {item["id"]: item for item in settings["workloads"]}
        self.module = loading.import_file(settings["reference"], "ako_reference")
        self.run = getattr(self.module, "run", None)
        if not callable(self.run):
            raise loading.UserError("missing", "the reference in the definition defines no run()")
        entry = self.definition.get("custom_inputs_entrypoint")
        self.custom = getattr(self.module, entry.split("::")[-1], None) if entry else None

    def workloads(self):
        return [
            {"id": item["id"], "weight": item["weight"], "axes": axis_values(self.definition, item)}
            for item in self._workloads.values()
        ]

    def entry(self):
        return {"kind": "function", "name": "run", "destination": False}

    def init_arguments(self, seed):
        return []

    def make(self, seed, dtype, device, init, state):
        return self.run

    def tolerance(self, workload):
        return self._workloads[workload].get("tolerance")

    def inputs(self, workload, seed, device):
        item = self._workloads[workload]
        values = axis_values(self.definition, item)
        self._loading.seed_everything(seed)
        made = self._custom_inputs(item, values, device)
        arguments = []
        for name, spec in self.definition["inputs"].items():
            how = {"type": "random", **item["inputs"].get(name, {})}
            if name in made:
                arguments.append(made[name])
            elif how["type"] == "scalar" and "value" in how:
                arguments.append(how["value"])
            elif how["type"] == "safetensors":
                arguments.append(self._stored(name, item["folder"], how))
            elif how["type"] == "random":
                try:
                    arguments.append(_random(shape_of(spec, values), spec["dtype"], device))
                except DefinitionError as error:
                    raise self._loading.UserError("inputs", "input %s: %s" % (name, error)) from None
            else:
                raise self._loading.UserError("inputs", "input %s has the unknown type %s" % (name, how["type"]))
        return arguments

    def _stored(self, name, folder, how):
        path = os.path.join(folder, str(how.get("path")))
        try:
            from safetensors.torch import load_file
        except ImportError as error:
            raise self._loading.UserError("inputs", "input %s is stored as safetensors (%s), and this Python cannot import safetensors (%s). Install it there."
                                          % (name, path, error)) from None
        try:
            return load_file(path)[how["tensor_key"]]
        except Exception as error:  # of a Rust library, which has its own
            raise self._loading.UserError("inputs", "input %s cannot be read from the safetensors file %s: %s" % (name, path, error)) from None

    def _custom_inputs(self, item, values, device):
        if not any(how.get("type") == "custom" for how in item["inputs"].values()):
            return {}
        if self.custom is None:
            raise self._loading.UserError("inputs", "the workload asks for custom inputs, but the reference has no entry for them")
        try:
            return self.custom(values, device)
        except BaseException as error:
            raise self._loading.user_error(error, "inputs") from None


def _random(shape, dtype_name, device):
    import torch

    from akobench import tensors

    dtype = tensors.DTYPES.get(dtype_name)
    if dtype is None:
        raise DefinitionError("this torch has no dtype %s" % dtype_name)
    scalar = shape is None
    shape = shape or []
    if dtype == torch.bool:
        value = torch.rand(shape, device=device) < 0.5
    elif dtype.is_floating_point:
        value = torch.randn(shape, device=device)
        value = (value.clamp(-2, 2) if torch.finfo(dtype).bits < 16 else value).to(dtype)
    else:
        low, high = (-128, 128) if dtype == torch.int8 else (-1024, 1025)
        low = max(low, torch.iinfo(dtype).min)
        value = torch.randint(low, min(high, torch.iinfo(dtype).max + 1), shape, device=device).to(dtype)
    return value.item() if scalar else value


def entry_of_solution(sources):
    """For a solution JSON: its file, function and whether outputs are passed in."""
    spec = sources.get("spec", {})
    point = spec.get("entry_point", "main.py::run")
    file, _, symbol = point.partition("::")
    return file, symbol or "run", bool(spec.get("destination_passing_style", True))


def safe_relative(path):
    return not os.path.isabs(path) and ".." not in path.split("/") and bool(path)


def tolerance_values(entry):
    """rtol, atol and matched ratio of a workload's own tolerance."""
    if not entry:
        return None
    ratio = entry.get("required_matched_ratio", entry.get("matched_ratio", 1.0))
    rtol = float(entry.get("max_rtol", entry.get("rtol", 1e-2)))
    atol = float(entry.get("max_atol", entry.get("atol", 1e-2)))
    if not all(math.isfinite(value) for value in (ratio, rtol, atol)):
        return None
    return rtol, atol, float(ratio)
