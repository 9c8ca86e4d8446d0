# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be computed: a KernelBench module, or a definition with workloads. Loaded by the golden worker only."""

import copy

import torch

from akobench import arena, loading, tensors
from akobench.loading import UserError

REFERENCE_CLASSES = ["Model", "ModelNew"]


class KernelBenchProblem:
    """class Model, get_inputs() and get_init_inputs(); the last two may come from a file of their own."""

    def __init__(self, settings):
        self.path = settings["reference"]
        self.module = loading.import_file(self.path, "ako_reference")
        self.inputs_path = settings.get("inputs") or self.path
        source = self.module
        if settings.get("inputs"):
            source = loading.import_file(self.inputs_path, "ako_inputs")
        self.model_class = loading.find_class(self.module, REFERENCE_CLASSES, self.path)
        self.get_inputs = self._function(source, "get_inputs")
        self.get_init_inputs = getattr(source, "get_init_inputs", None) or getattr(self.module, "get_init_inputs", None)

    def _function(self, module, name):
        found = getattr(module, name, None)
        if not callable(found):
            raise UserError("inputs", "%s has no %s(); give a file that has it with --inputs" % (self.inputs_path, name))
        return found

    def workloads(self):
        return [{"id": "main", "weight": 1.0, "axes": {}}]

    def entry(self):
        return {"kind": "module", "classes": REFERENCE_CLASSES}

    def init_arguments(self, seed):
        if self.get_init_inputs is None:
            return []
        loading.seed_everything(seed)
        try:
            return _arguments(self.get_init_inputs(), "get_init_inputs")
        except loading.UserError:
            raise
        except BaseException as error:
            raise loading.user_error(error, "run") from None

    def inputs(self, workload, seed, device):
        """Made on the device where that is possible (orders of magnitude faster for large tensors)."""
        loading.seed_everything(seed)
        try:
            return _arguments(self._inputs_on(device), "get_inputs")
        except loading.UserError:
            raise
        except BaseException as error:
            raise loading.user_error(error, "inputs") from None

    def _inputs_on(self, device):
        if device.type == "cuda" and hasattr(torch, "set_default_device"):
            try:
                with torch.device(device):
                    return self.get_inputs()
            except Exception:
                pass
        return self.get_inputs()

    def make(self, seed, dtype, device, init, state):
        model, _ = loading.build_model(self.model_class, init, seed, dtype, device, state)
        return model

    def tolerance(self, workload):
        return None


def _arguments(made, function):
    if isinstance(made, (list, tuple, dict, int, float)) or tensors.is_tensor(made):
        return made
    raise loading.UserError("inputs", "%s() gave a %s; it has to give a list of arguments, or a dict of them by name" % (function, type(made).__name__))


def carry_state(model):
    """The reference's state on the CPU, as a solution may be given it."""
    if not isinstance(model, torch.nn.Module):
        return {}
    return {key: value.detach().cpu() for key, value in model.state_dict().items() if tensors.is_tensor(value)}


def widen(model):
    """The same module with the same rounded weights, in double precision."""
    wide = copy.deepcopy(model)
    return wide.double() if isinstance(wide, torch.nn.Module) else wide


def call(function, arguments):
    args, kwargs = arena.as_call(arguments)
    return function(*args, **kwargs)
