# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a session that starts its workers, gives them their code and sets them up."""

import os
import secrets

from akobench import sources, stats
from akobench.contenders import DROP_SLACK, Contender, Golden, _close
from akobench.schedule import Crew
from akobench.status import Failure
from akobench.zygote import ROOMY_BYTES

DTYPES = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp64": "float64"}
HOST_METHODS = ("host_time", "host")
_random = secrets.SystemRandom()


class Workforce:
    frugal = False  # no process more than has to be, where many evaluations share one GPU

    def _roles(self):
        roles = ["solution"]
        if self.champion:
            roles.append("champion")
        if self.options.mode == "verdict" and not self.options.no_ref or (
            self.options.mode == "signal" and not self.champion and not self.options.no_ref
        ):
            roles.append("reference")
        return roles

    def _start_workers(self):
        self.device = self._device()
        self.cuda = self.device.startswith("cuda")
        self._start_crews()

    def _start_crews(self):
        self.crews = []
        roles = self._roles()
        compares = self.cuda and len(roles) > 1 and not self.frugal
        count = self._crews_wanted(compares)
        spare = 1 if compares else 0
        workers = [self.zygote.fork("contender", self.directory) for _ in range(count * len(roles) + spare)]
        blanks = [Contender(worker, "solution", self.options.timeout_run) for worker in workers]
        if self.cuda:
            # Every process pays for its own CUDA context: all at once, before user code.
            for blank in blanks:
                blank.start("device", device="0")
            for blank in blanks:
                blank.finish(60, "opening the GPU")
        groups = self._alike(blanks, len(roles), count) if compares else chunks(list(range(len(blanks))), len(roles))
        for group in groups:
            _random.shuffle(group)
            members = {role: Contender(workers[index], role, self.options.timeout_run) for role, index in zip(roles, group)}
            self.crews.append(Crew(members, freezes=not self.cuda))
        used = {index for group in groups for index in group}
        for index, worker in enumerate(workers):
            if index not in used:
                worker.kill()

    def by_host_clock(self):
        return self.options.timing_method in HOST_METHODS

    def _crews_wanted(self, compares):
        """As many as a signal finds spare processes for: with one alone chance evens nothing out."""
        if self.frugal:
            return 1
        if self.options.mode != "signal":
            return 4 if self.cuda else 2
        if not self.cuda:
            return 2 if len(self._roles()) > 1 else 1
        return 2 if compares and self.result.device.get("memory", 0) >= ROOMY_BYTES else 1

    def _alike(self, blanks, size, count):
        """Processes that launch kernels equally fast, one as another, are compared with each other. On one GPU they
        differ by a tenth of a microsecond and more for each launch, for as long as they live."""
        paces = [blank.ask("pace", 60, "timing its launches", device=self.device)[0]["us"] for blank in blanks]
        self.result.paces_us = paces
        return stats.closest_groups(paces, size, count)

    def fork_golden(self):
        return self.zygote.fork("golden", self.directory)

    def _members(self):
        return [member for crew in self.crews for member in crew.members.values()]

    def _device(self):
        wanted = self.options.device
        self.directory = self.directory_override or os.getcwd()
        if wanted.isdigit():
            visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
            os.environ["CUDA_VISIBLE_DEVICES"] = visible[int(wanted)] if len(visible) > int(wanted) and visible[0] else wanted
        self.golden = Golden(self.fork_golden(), self.options.timeout_run * 2)
        reply, _ = self.golden.ask("device", 60, "device", device="cpu" if wanted == "cpu" else "0")
        self.result.device = reply
        if not reply.get("cuda"):
            if wanted.isdigit():
                raise Failure("INFRASTRUCTURE", "--device %s: no such CUDA device can be used here. nvidia-smi shows what there is; --device cpu measures on the CPU." % wanted)
            if self.result.backend in sources.NEEDS_GPU and wanted == "auto":
                raise Failure("INFRASTRUCTURE", "The solution is written for %s, but this torch (%s) sees no GPU. %s"
                              % (self.result.backend, self.result.torch, _gpu_remedy(reply)))
            if self.options.timing_method in ("cuda_event", "events"):
                self.result.notes.append("No GPU: timed on the host's clock instead of CUDA events.")
            if wanted == "auto":
                self.result.notes.append("No GPU can be used here: measured on the CPU with the host's clock. " + _gpu_remedy(reply))
        return reply["device"]

    def _load(self):
        settings = {"reference": self.reference, "inputs": self.inputs, "caches": self.caches.folder_of("golden")}
        if self.definition:
            settings.update(definition=self.definition, workloads=self.workload_entries)
        self.golden.start("load", **settings)
        self._load_in_order(self._members(), self._find_answers)

    def _load_in_order(self, members, meanwhile=lambda: None):
        """The solution last: what it is compared with lies in memory before code of the solution could change the file."""
        others = [member for member in members if member.role != "solution"]
        self._start_loading(others)
        meanwhile()
        self._finish_loading(others)
        solutions = [member for member in members if member.role == "solution"]
        self._start_loading(solutions)
        self._finish_loading(solutions)

    def _start_loading(self, members):
        for member in members:
            path, entry = self._code_of(member.role)
            member.start("load", path=path, role=member.role, entry=entry, caches=self.caches.folder_of(member.role))

    def _finish_loading(self, members):
        for role in ("reference", "champion", "solution"):
            for member in members:
                if member.role == role:
                    member.finish(self.options.timeout_compile, "loading")

    def _code_of(self, role):
        if role == "reference":
            entry = {"kind": "function", "name": "run", "destination": False} if self.definition else {"kind": "module", "classes": ["Model", "ModelNew"]}
            return self.reference, entry
        return (self.solution, self.solution_entry) if role == "solution" else (self.champion, self.champion_entry)

    def _find_answers(self):
        """Whatever the reference compiles for them is compiled before there is anything of the solution's."""
        self.golden.finish(self.options.timeout_compile, "loading the reference")
        self.weight_seed = secrets.randbits(31)
        self.progress("set-up", 0.12)
        reply, fds = self.golden.ask("setup", self.options.timeout_compile, "running the reference", device=self.device,
                                     precision=self.options.precision, tolerance=self.options.tol, weight_seed=self.weight_seed)
        _close(fds)
        self.workloads = reply["workloads"]
        self.result.golden = reply["golden"]
        self.caches.trust("golden")

    def _set_up(self):
        self.places = self._share_memory()
        self.golden.shares = self._build(self._members()) and bool(self.places)
        self.result.shares = self.golden.shares
        self._note_problem()

    def _build(self, members):
        """Each its module, with the reference's weights. Whether all of them can map the GPU memory for inputs and outputs."""
        reply, fds = self.golden.ask("weights", self.options.timeout_compile, "handing over its weights")
        places = self.places
        host_core = _random.choice(sorted(os.sched_getaffinity(0))) if self.by_host_clock() else None
        shares = True
        try:
            for member in members:
                member.start("setup", fds, device=self.device, dtype=DTYPES[self.options.precision], weight_seed=self.weight_seed,
                             host_core=host_core, cold=self.options.cache == "cold", init=reply["init"], state=reply["state"],
                             given=places and places["shared"][member.role != "solution"],
                             drop=places["drop"] if places and member.role == "solution" else None)
            for member in sorted(members, key=lambda item: item.role):
                facts, _ = member.finish(self.options.timeout_compile, "building the module")
                shares = shares and bool(facts.get("shared"))
                if member.role == "solution":
                    self.result.set_up = facts
        finally:
            _close(fds)
        return shares

    def hire(self, roles):
        """A crew of fresh processes, when all the others are there already."""
        members = [Contender(self.zygote.fork("contender", self.directory), role, self.options.timeout_run) for role in roles]
        self.crews.append(Crew({member.role: member for member in members}, freezes=not self.cuda))
        if self.cuda:
            for member in members:
                member.start("device", device="0")
            for member in members:
                member.finish(60, "opening the GPU")
        self._load_in_order(members)
        self.golden.shares = self._build(members) and self.golden.shares
        return self.crews[-1]

    def _share_memory(self):
        """Where processes on this GPU can map each other's memory, inputs and outputs need not pass through the host."""
        if not self.cuda:
            return None
        given = max(self._room_for(item) * (item["bytes"] + DROP_SLACK) for item in self.workloads)
        drop = max(8 * (item["output_bytes"] + DROP_SLACK) for item in self.workloads)
        reply, _ = self.golden.ask("share", 60, "opening memory on the GPU", input_bytes=given, drop_bytes=drop)
        if not reply.get("shared"):
            return None
        self.golden.drop_bytes = reply["drop"]["size"]
        return reply

    def _note_problem(self):
        if self.options.cache == "cold" and self.result.set_up.get("empties_all") is False:
            self.result.notes.append("The last cache of this machine is too large to be emptied (%d MB): inputs may lie in it, for all alike."
                                     % (self.result.set_up["cache_bytes"] >> 20))
        for workload in self.workloads:
            if workload["constant_inputs"]:
                self.result.flag("PROBLEM_WEAK")
                self.result.notes.append("The inputs are the same in every call; floating ones are varied by up to 2 % so that an answer cannot be kept.")
            if workload["random"]:
                self.result.flag("RANDOM_REFERENCE")
            if workload["reference_nan"]:
                self.result.flag("REFERENCE_NAN")


def chunks(items, size):
    return [items[first : first + size] for first in range(0, len(items), size)]


def _gpu_remedy(reply):
    if reply.get("cuda_built"):
        return "This torch is built for a GPU: is the driver loaded (nvidia-smi), and CUDA_VISIBLE_DEVICES not empty?"
    return "This torch is built for the CPU only."
