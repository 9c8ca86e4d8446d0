# SPDX-License-Identifier: GPL-3.0-or-later
"""User code as real modules: found by path, with a true __file__ and importable siblings, so that inspection works."""

import importlib.util
import os
import random
import sys
import traceback

import torch

from akobench import arena, tensors

_TEXT_LIMIT = 16 * 1024


class UserError(Exception):
    """User code failed. kind: compile, missing, memory, run."""

    def __init__(self, kind, message, log=""):
        super().__init__(message)
        self.kind = kind
        self.log = log


def _safe_text(error):
    try:
        return str(error)[:2000]
    except BaseException:
        return "(an error without text)"


def user_error(error, kind):
    text = _safe_text(error)
    names = {cls.__name__ for cls in type(error).__mro__}
    if "MemoryError" in names or "OutOfMemoryError" in names or "out of memory" in text or "can't allocate memory" in text:
        kind = "memory"
    summary = "%s: %s" % (type(error).__name__, text.strip().split("\n")[0] if text.strip() else "")
    return UserError(kind, summary.rstrip(": "), traceback.format_exc()[-_TEXT_LIMIT:])


def seed_everything(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % (1 << 32))


def import_file(path, name):
    """The module at path under a name of our own; its folder becomes importable, after everything that is installed."""
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # SystemExit and KeyboardInterrupt of user code end nothing here
        raise user_error(error, "compile") from None
    return module


def find_class(module, names, path):
    for name in names:
        found = getattr(module, name, None)
        if isinstance(found, type):
            return found
    raise UserError("missing", "%s defines no class %s" % (os.path.basename(path), " or ".join(names)))


def build_model(model_class, init_arguments, seed, dtype, device, state=None):
    """Constructed on the CPU after seeding, given the reference's state where names and shapes agree, then moved.

    Returns the model and whether the state was carried over."""
    args, kwargs = arena.as_call(init_arguments)
    try:
        seed_everything(seed)
        model = model_class(*args, **kwargs)
        carried = state is not None and _carry_state(model, state)
        if isinstance(model, torch.nn.Module):
            model = model.to(device=device, dtype=dtype)
    except BaseException as error:
        raise user_error(error, "run") from None
    return model, carried


def _carry_state(model, state):
    if not isinstance(model, torch.nn.Module):
        return False
    own = model.state_dict()
    same = set(own) == set(state) and all(
        tensors.is_tensor(own[key]) and tuple(own[key].shape) == tuple(state[key].shape) for key in own
    )
    if same:
        model.load_state_dict(state)
    return same
