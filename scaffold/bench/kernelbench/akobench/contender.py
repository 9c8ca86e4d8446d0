# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker that runs one contender: solution, champion or reference. Correctness and timing make the same calls.

It holds inputs and its own outputs, never an answer, a seed of inputs, or a say in what is printed."""

import inspect
import os

import torch

from akobench import arena, caches, cudadriver, linux, loading, outputs, tensors
from akobench.clocks import make_clock
from akobench.loading import UserError

_no_grad = torch.no_grad


class Contender:
    def __init__(self):
        self.module = None
        self.function = None
        self.sets = []
        self.kept = []  # one per set: snapshot buffers and plain values
        self.sealed = False
        self.held = None
        self._count_threads = torch.get_num_threads

    def load(self, message, fds):
        caches.use(message["caches"])
        self.path = message["path"]
        self.entry = message["entry"]
        self.module = loading.import_file(self.path, "ako_" + message["role"])
        if self.entry["kind"] == "module":
            self.target = loading.find_class(self.module, self.entry["classes"], self.path)
        else:
            self.target = getattr(self.module, self.entry["name"], None)
            if not callable(self.target):
                raise UserError("missing", "%s defines no function %s()" % (os.path.basename(self.path), self.entry["name"]))
        return {"name": getattr(self.target, "__name__", "?")}, []

    def setup(self, message, fds):
        self.device = torch.device(message["device"])
        self.dtype = tensors.DTYPES[message["dtype"]]
        unpacker = tensors.Unpacker(fds[0], allow_pickle=True)
        self.clock = make_clock(self.device, message["cold"], message["host_core"])
        self.scatter = outputs.Scatter(self.device)
        self.rooms = [] if self.device.type == "cuda" else None
        shared = self._map_memory(message.get("given"), message.get("drop"))
        carried = False
        if self.entry["kind"] == "module":
            init, state = unpacker.tree(message["init"]), unpacker.tree(message["state"])
            with _no_grad():
                self.function, carried = loading.build_model(
                    self.target, init, message["weight_seed"], self.dtype, self.device, state
                )
            if not callable(self.function):
                raise UserError("missing", "%s cannot be called: it has no forward()" % self.target.__name__)
        else:
            self.function = self.target
        self.clock.synchronize()
        return {"carried": carried, "shared": shared, "method": self.clock.method, "cache_bytes": self.clock.cache_bytes, "empties_all": self.clock.empties_all,
                "threads": torch.get_num_threads()}, []

    def _map_memory(self, given, drop):
        """Whether inputs and outputs can be handed over within the GPU."""
        if not given:
            return False
        try:
            self.given = cudadriver.DeviceMemory()
            self.given.map(given["handle"], given["size"])
            if drop:
                self.drop = cudadriver.DeviceMemory()
                self.drop.map(drop["handle"], drop["size"])
            return True
        except (OSError, AttributeError):
            return False

    def workload(self, message, fds):
        """What the calls that follow are about."""
        self.form = message["form"]
        self.may_change = set(message["changed_inputs"])
        self.may_alias = message["aliases"]
        self.destination = self._takes_destination(message["arguments"])
        self.sets, self.kept = [], []
        if self.device.type == "cpu":
            linux.touch_heap(message["heap_bytes"])
        return {}, []

    def _takes_destination(self, count):
        if self.entry["kind"] != "function":
            return False
        wanted = self.entry.get("destination")
        if wanted is not None:
            return wanted
        try:
            inspect.signature(self.function).bind(*[None] * count)
            return False
        except (TypeError, ValueError):
            return True

    def inputs(self, message, fds):
        unpacker = self._unpacker(message, fds)
        self.kept = []
        self.sets = [arena.InputSet(spec, unpacker, self.device) for spec in message["sets"]]
        self.kept = [Kept(self.form, self.device) for _ in self.sets]
        self.clock.synchronize()
        return {}, []

    def _unpacker(self, message, fds):
        shared = message.get("shared")
        if shared is None:
            return tensors.Unpacker(fds[0], allow_pickle=True)
        self.given.map(shared["handle"], shared["size"])
        return tensors.DeviceUnpacker(self.given, self.device, allow_pickle=True)

    def run(self, message, fds):
        """Each window: one call for each of its sets, timed together. From the second command on no process can be
        started any more."""
        samples = []
        self.clock.begin_turn()
        with _no_grad():
            for window in message["windows"]:
                samples.append(self._window(window["sets"], window["seed"], window["late"]).as_json())
        return {"samples": samples, "threads": self._count_threads()}, []

    def ready(self, message, fds):
        """As a trial finds things: nothing of its inputs is here yet, but room for its outputs."""
        self.outbox = tensors.Outbox(message["bytes"])
        if message["flush"]:
            self.clock.flush()
            self.clock.synchronize()
        return {}, []

    def trial(self, message, fds):
        """Inputs come with this command and outputs leave with its answer: whatever is done in between, the parent's
        clock sees. Inputs that the reference does not change cannot be written to."""
        unpacker = tensors.Unpacker(fds[0], allow_pickle=True, writable=bool(self.may_change))
        with _no_grad():
            items = [self._tried(arena.unguarded(spec, unpacker, self.device), seed) for spec, seed in zip(message["sets"], message["seeds"])]
        return {"items": items}, [self.outbox.close()]

    def _tried(self, arguments, seed):
        args, kwargs = arena.as_call(arguments)
        taken = _destination(self.form, self.device) if self.destination else None
        loading.seed_everything(seed)
        try:
            output = self.function(*args, *(taken or ()), **kwargs)
        except BaseException as error:
            raise loading.user_error(error, "run") from None
        found = outputs.collect(_shaped(taken, self.form) if self.destination else output, self.form, self.device.type)
        return {"tensors": [self.outbox.put(tensor) for tensor in found.tensors], "scalars": found.scalars}

    def open_gate(self, message, fds):
        """Memory shared with the parent and the GPU; see held.py."""
        from akobench import held

        if self.held:
            self.held.close()
        self.held = None
        try:
            self.held = held.Held(self, fds[0], message["calls"], message["words"], message["leaves"])
        except (OSError, AttributeError, RuntimeError) as error:
            return {"opened": False, "why": str(error)[:300]}, []
        return {"opened": True}, []

    def pass_gate(self, message, fds):
        """Whatever goes wrong is told at once, without waiting for a GPU that waits itself."""
        try:
            with _no_grad():
                return {"held": True, **self.held.trial(message["number"], message["seeds"], message["waits"])}, []
        except Exception as error:
            return {"held": False, "why": ("%s: %s" % (type(error).__name__, error))[:300]}, []

    def seal(self, message, fds):
        self.sealed = linux.forbid_new_processes()
        return {"sealed": self.sealed}, []

    def dump(self, message, fds):
        on_device = bool(message.get("shared"))
        packer = tensors.DevicePacker() if on_device else tensors.Packer()
        items = []
        for index in message["sets"]:
            kept = self.kept[index]
            items.append({
                "tensors": [packer.add(buffer)["tensor"] for buffer in kept.buffers],
                "scalars": kept.scalars,
            })
        if on_device:
            packer.write([self.drop], self.device)
            return {"items": items}, []
        return {"items": items}, [packer.write()]

    def profile(self, message, fds):
        """The kernels of one call, by CUPTI through torch's profiler."""
        from akobench.kernels import profiled

        chosen = self.sets[0]
        arguments, buffers = chosen.fresh(None)
        chosen.renew(buffers)
        args, kwargs = arena.as_call(arguments)
        if self.destination:
            args = args + tuple(_destination(self.form, self.device))
        with _no_grad():
            return profiled(lambda: self.function(*args, **kwargs), self.clock.synchronize), []

    def compare_kept(self, message, fds):
        """Whether two calls with the same inputs gave the same bits."""
        left, right = (self.kept[index] for index in message["sets"])
        same = all(torch.equal(tensors.as_bytes(a), tensors.as_bytes(b)) for a, b in zip(left.buffers, right.buffers))
        return {"same": same and left.scalars == right.scalars}, []

    # --- calls that are timed together ---

    def _window(self, indices, seed, late):
        calls = [self._prepare(index, slot, late) for slot, index in enumerate(indices)]
        loading.seed_everything(seed)
        held = [self.scatter.scatter(self.form) for _ in calls]
        self.clock.flush()
        if late:
            # Only now is there anything to compute with: work that did not wait for its stream has met NaN.
            for call in calls:
                call.chosen.renew(call.buffers)

        def after(results):
            for call, output in zip(calls, results):
                call.found = outputs.collect(self._result_of(call, output), self.form, self.device.type)
                outputs.fill_snapshot(call.kept.buffers, call.found)

        try:
            sample, _ = self.clock.measure(self.function, [(call.args, call.kwargs) for call in calls], after)
        except outputs.BadOutput:
            raise
        except BaseException as error:
            raise loading.user_error(error, "run") from None
        del held
        for call in calls:
            call.kept.scalars = call.found.scalars
            self._check_memory(call.chosen, call.buffers, call.found, call.kept)
        return sample

    def _prepare(self, index, slot, late):
        call = Call(self.sets[index], self.kept[index], self._rooms_of(slot))
        if late:
            call.chosen.spoil(call.buffers)
        else:
            call.chosen.renew(call.buffers)
        if self.destination:
            call.taken = _destination(self.form, self.device)
            call.args = call.args + tuple(call.taken)
        return call

    def _rooms_of(self, slot):
        if self.rooms is None:
            return None
        while len(self.rooms) <= slot:
            self.rooms.append(arena.Rooms())
        return self.rooms[slot]

    def _result_of(self, call, output):
        return _shaped(call.taken, self.form) if self.destination else output

    def _check_memory(self, chosen, buffers, found, kept):
        damage = chosen.damage(buffers, self.may_change)
        if damage:
            kind, index = damage
            if kind == "guard":
                raise outputs.BadOutput("GUARD_HIT", "memory outside input %d was written" % index)
            raise outputs.BadOutput("INPUT_MUTATED", "input %d was changed by the call" % index)
        ranges = [outputs.storage_range(tensor) for tensor in found.tensors]
        if self.destination or self.may_alias:
            return
        if outputs.overlaps(ranges, [outputs.storage_range(buffer) for buffer in buffers]):
            raise outputs.BadOutput("ALIAS", "the output shares memory with an input; the reference's does not")
        # The outputs of the other calls are still held: a caller may keep two results.
        held = [item for other in self.kept if other is not kept for item in other.ranges]
        if outputs.overlaps(ranges, held):
            raise outputs.BadOutput("ALIAS", "the output shares memory with the result of an earlier call")
        kept.ranges = ranges
        kept.held = found.tensors


class Call:
    """One of the calls that are timed together: its inputs in fresh memory, and what becomes of its output."""

    def __init__(self, chosen, kept, rooms):
        self.chosen, self.kept = chosen, kept
        arguments, self.buffers = chosen.fresh(rooms)
        self.args, self.kwargs = arena.as_call(arguments)
        self.taken = self.found = None


class Kept:
    """What one call left: its copy in our memory, and the output itself, alive until the set is replaced."""

    def __init__(self, form, device):
        self.buffers = outputs.snapshot_buffers(form, device)
        self.scalars = []
        self.ranges = []
        self.held = None


def _destination(form, device):
    made = outputs.snapshot_buffers(form, device)
    for buffer in made:
        if buffer.numel():
            tensors.as_bytes(buffer).fill_(0xFF)
    return made


def _shaped(taken, form):
    if "sequence" in form:
        return list(taken)
    if "dict" in form:
        return {key: tensor for (key, _), tensor in zip(form["dict"], taken)}
    return taken[0]
