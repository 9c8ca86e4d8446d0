# SPDX-License-Identifier: GPL-3.0-or-later
"""A forked worker's loop: one command, one answer. Every answer carries the token of its command."""

import gc
import os
import sys

import torch

from akobench import outputs
from akobench.contender import Contender
from akobench.cudadriver import Driver
from akobench.golden import GoldenWorker
from akobench.loading import UserError
from akobench.protocol import Closed
from akobench.tensors import UnsupportedLeaf


def device_facts(message):
    """Touches the GPU for the first time in this process."""
    wanted = message["device"]
    facts = {"cuda_built": bool(torch.version.cuda or getattr(torch.version, "hip", None)), "cuda": False}
    if wanted != "cpu" and torch.cuda.is_available():
        index = int(wanted) if wanted.isdigit() else 0
        if index >= torch.cuda.device_count():
            return {**facts, "missing": "there are %d CUDA devices, no device %d" % (torch.cuda.device_count(), index)}, []
        torch.cuda.set_device(index)
        properties = torch.cuda.get_device_properties(index)
        free, total = torch.cuda.mem_get_info(index)
        facts.update(cuda=True, device="cuda:%d" % index, gpu=properties.name, memory=total, free=free,
                     capability="%d.%d" % (properties.major, properties.minor), peak_bytes_per_ms=Driver(index).peak_bytes_per_ms)
    else:
        facts["device"] = "cpu"
    return facts, []


def launch_pace(message):
    from akobench.clocks import launch_pace as pace

    found = pace(torch.device(message["device"]))
    torch.cuda.empty_cache()
    return {"us": found}, []


def warm_device():
    """For a spare worker: opens the GPU and loads the kernels that every run needs. The GPU's memory; 0 without one."""
    if not torch.cuda.is_available():
        return 0
    from akobench import arena, compare, tensors
    from akobench.clocks import make_clock
    from akobench.outputs import Scatter

    device = torch.device("cuda:0")
    torch.cuda.set_device(0)
    with torch.no_grad():
        clock = make_clock(device, True)
        x = torch.randn(64, 64, device=device)
        clock.begin_turn()
        bytes_of_x = tensors.as_bytes(x)
        torch.equal(bytes_of_x, bytes_of_x.clone())
        torch.full((4096,), 0xFF, dtype=torch.uint8, device=device)
        Scatter(device).scatter({"tensor": {"shape": [64], "dtype": "float32"}})
        compare.judge([x], [x.double()], [x], compare.Tolerance())
        x.double() @ x.double()
        x @ x
        x.cpu()
        arena.as_call([x])
        del clock, x, bytes_of_x
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return torch.cuda.mem_get_info(0)[1]


def _error(error):
    if isinstance(error, outputs.BadOutput):
        return {"kind": "output", "status": error.status, "message": str(error)}
    if isinstance(error, UserError):
        return {"kind": error.kind, "message": str(error), "log": error.log}
    if isinstance(error, UnsupportedLeaf):
        return {"kind": "unsupported", "message": str(error)}
    from akobench.loading import user_error

    found = user_error(error, "internal")
    return {"kind": found.kind, "message": str(found), "log": found.log}


_BEFORE_USER_CODE = {"device": device_facts, "pace": launch_pace}


def serve(channel, role):
    worker = GoldenWorker() if role == "golden" else Contender()
    own, pid_now, leave = os.getpid(), os.getpid, os._exit
    send, receive, flush_out, flush_err = channel.send, channel.receive, sys.stdout.flush, sys.stderr.flush
    while True:
        try:
            message, fds = receive()
        except Closed:
            os._exit(0)
        operation, token = message["op"], message["token"]
        if operation == "exit":
            os._exit(0)
        try:
            if operation in _BEFORE_USER_CODE:
                reply, made = _BEFORE_USER_CODE[operation](message)
            else:
                reply, made = getattr(worker, operation)(message, fds)
            answer = {"token": token, "ok": True, **reply}
        except BaseException as error:
            answer, made = {"token": token, "ok": False, "error": _error(error)}, []
            del error
            gc.collect()
        if pid_now() != own:
            leave(71)  # a fork of user code that came back here has no say
        for flush in (flush_out, flush_err):
            try:
                flush()
            except BaseException:
                pass
        try:
            send(answer, made)
        except Closed:
            os._exit(0)
        for fd in made:
            os.close(fd)
