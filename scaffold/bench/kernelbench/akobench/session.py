# SPDX-License-Identifier: GPL-3.0-or-later
"""One evaluation from files to result. Runs in the parent: no torch, no user code."""

import json
import os
import secrets
import shutil
import sys
import tempfile
import time

from akobench import definition, integrity, linux, sources, stats
from akobench.contenders import Contender, Golden, _close
from akobench.facts import Facts
from akobench.launcher import Zygote
from akobench.result import Result
from akobench.schedule import Crew, Escapes, Settings, WorkloadTimer
from akobench.status import Failure

DTYPES = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp64": "float64"}
SUSPICIOUS_RATIO = 10.0
# Two processes on one GPU differ by a constant with about this standard deviation, whatever the kernel takes.
OFFSET_MS = 0.0005
# A signal only ranks: it stops once the median is known to this share.
SIGNAL_EXACTNESS = 0.01
BLOCK_BYTES = {"cpu": 192 << 20, "cuda": 2 << 30}


class Session:
    directory_override = None

    def __init__(self, options, progress):
        self.options, self.progress = options, progress
        self.result = Result(options.mode)
        self.zygote = None
        self.golden = None
        self.crews = []
        self.scratch = None
        self.deadline = time.monotonic() + options.timeout

    def run(self):
        begin = time.monotonic()
        try:
            self._evaluate()
        except Failure as failure:
            self.result.fail(failure)
        except KeyboardInterrupt:
            self.result.fail(Failure("INTERRUPTED", "Interrupted."))
        except OSError as error:
            self.result.fail(Failure("INFRASTRUCTURE", "The evaluator failed: %s" % error))
        finally:
            self._finish()
        self.result.duration = time.monotonic() - begin
        return self.result

    def _finish(self):
        for handle in self._handles():
            text = handle.worker.text()
            if text:
                self.result.printed.append((handle.role, text))
        if self.zygote:
            self.zygote.close()
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _handles(self):
        handles = [self.golden] if self.golden else []
        return handles + [member for crew in self.crews for member in crew.members.values()]

    def _evaluate(self):
        self.progress("read", 0.0)
        self._find_files()
        self.zygote = Zygote.open(self.options.server)
        self._read_sources()
        self.progress("load", 0.05)
        self.zygote.wait_ready()
        self.progress("workers", 0.08)
        self.result.warm = self.zygote.warm
        self.result.torch = self.zygote.greeting.get("torch", "")
        self._start_workers()
        self._load()
        self._set_up()
        self.result.compiled = True
        for number, workload in enumerate(self._checked_workloads()):
            self.progress("check", 0.2 + 0.2 * number / len(self.workloads))
            self._check(workload)
        self.result.correct = True
        self._time()
        self._look_around()
        self._decide()
        self.progress("done", 1.0)

    # --- files ---

    def _find_files(self):
        options = self.options
        if not os.path.exists(options.reference):
            raise Failure("USAGE_ERROR", "%s: there is no such file (--ref)" % options.reference)
        self.definition = self._definition_path()
        if self.definition:
            self._read_definition()
        else:
            self.reference = sources.solution_file(options.reference, "the reference", "REFERENCE_ERROR", ["Model", "ModelNew"])
        names = ["run"] if self.definition else sources.SOLUTION_CLASSES
        self.solution, self.solution_entry = self._contender_file(options.solution, "solution", names)
        self.champion = None
        if options.mode == "aa":
            self.champion, self.champion_entry = self.solution, self.solution_entry
        elif options.champion:
            self.champion, self.champion_entry = self._contender_file(options.champion, "champion", names)
        self.inputs = os.path.abspath(options.inputs) if options.inputs else None
        if self.inputs and not os.path.isfile(self.inputs):
            raise Failure("USAGE_ERROR", "%s: there is no such file (--inputs)" % options.inputs)
        self.manifest = integrity.Manifest({
            "reference": os.path.abspath(options.reference),
            "inputs": self.inputs,
            "solution": os.path.abspath(options.solution),
            "champion": os.path.abspath(options.champion) if options.champion else None,
            "evaluator": integrity.evaluator_folder(),
        })
        self.result.hashes(self.manifest)

    def _definition_path(self):
        path = self.options.reference
        if os.path.isdir(path) and os.path.exists(os.path.join(path, "definition.json")):
            return path
        return path if path.endswith(".json") else None

    def _scratch_file(self, name, text):
        if self.scratch is None:
            self.scratch = tempfile.mkdtemp(prefix="ako-bench-")
        path = os.path.join(self.scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def _read_definition(self):
        try:
            self.definition, self.workload_entries, path = definition.read(self.definition)
        except definition.DefinitionError as error:
            raise Failure("PROBLEM_ERROR", str(error)) from None
        for item in self.workload_entries:
            item["folder"] = os.path.dirname(os.path.abspath(path))
        self.reference = self._scratch_file("reference/reference.py", self.definition["reference"])
        self.result.problem = str(self.definition["name"])

    def _contender_file(self, path, role, names):
        status = "COMPILE_ERROR" if role == "solution" else "CHAMPION_ERROR"
        if path.endswith(".json") and self.definition:
            return self._solution_json(path, role, status)
        file = sources.solution_file(path, "the " + role, status, names)
        if self.definition:
            return file, {"kind": "function", "name": "run", "destination": None}
        return file, {"kind": "module", "classes": sources.SOLUTION_CLASSES}

    def _solution_json(self, path, role, status):
        try:
            with open(path, encoding="utf-8") as file:
                spec = json.load(file)
            main, symbol, destination = definition.entry_of_solution(spec)
            found = {item["path"]: item["content"] for item in spec["sources"]}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Failure(status, "%s cannot be read as a solution: %s" % (path, error)) from None
        if main not in found or not main.endswith(".py") or not all(map(definition.safe_relative, found)):
            raise Failure(status, "%s: its entry point %s is no Python file among its sources" % (path, main))
        for name, text in found.items():
            self._scratch_file("%s/%s" % (role, name), text)
        return os.path.join(self.scratch, role, main), {"kind": "function", "name": symbol, "destination": destination}

    def _read_sources(self):
        self.result.problem = self.result.problem or os.path.splitext(os.path.basename(self.reference))[0]
        reference = sources.read(self.reference, "REFERENCE_ERROR", "the reference " + os.path.basename(self.reference))
        facts = sources.read(self.solution, "COMPILE_ERROR", "the solution " + os.path.basename(self.solution))
        explicit = self.options.backend not in ("auto", "")
        self.result.backend = self.options.backend if explicit else sources.backend(facts)
        self.result.backend_source = "explicit" if explicit else "auto"
        ignored = sources.ignored_inputs(facts)
        if ignored and not self.definition and sources.bodies(facts, ignored) != sources.bodies(reference, ignored):
            self.result.flags.append("INPUTS_IGNORED")
            self.result.notes.append("%s defines %s; inputs come from the reference or --inputs, never from the solution."
                                     % (os.path.basename(self.solution), " and ".join(ignored)))

    # --- workers ---

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
        count = 1 if self.options.mode == "signal" else (4 if self.cuda else 2)
        for _ in range(count):
            self.crews.append(Crew({
                role: Contender(self.zygote.fork(role, self.directory), role, self.options.timeout_run)
                for role in self._roles()
            }))
        if self.cuda:
            # Every process pays for its own CUDA context: all at once, before user code.
            for member in self._members():
                member.start("device", device="0")
            for member in self._members():
                member.finish(60, "opening the GPU")

    def _members(self):
        return [member for crew in self.crews for member in crew.members.values()]

    def _device(self):
        wanted = self.options.device
        self.directory = self.directory_override or os.getcwd()
        if wanted.isdigit():
            visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
            os.environ["CUDA_VISIBLE_DEVICES"] = visible[int(wanted)] if len(visible) > int(wanted) and visible[0] else wanted
        self.golden = Golden(self.zygote.fork("golden", self.directory), self.options.timeout_run * 2)
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
        settings = {"reference": self.reference, "inputs": self.inputs}
        if self.definition:
            settings.update(definition=self.definition, workloads=self.workload_entries)
        self.golden.start("load", **settings)
        for crew in self.crews:
            for role, member in crew.members.items():
                path, entry = self._code_of(role)
                member.start("load", path=path, role=role, entry=entry)
        self.golden.finish(self.options.timeout_compile, "loading the reference")
        for role in ("reference", "champion", "solution"):
            for crew in self.crews:
                if role in crew.members:
                    crew.members[role].finish(self.options.timeout_compile, "loading")

    def _code_of(self, role):
        if role == "reference":
            entry = {"kind": "function", "name": "run", "destination": False} if self.definition else {"kind": "module", "classes": ["Model", "ModelNew"]}
            return self.reference, entry
        return (self.solution, self.solution_entry) if role == "solution" else (self.champion, self.champion_entry)

    def _set_up(self):
        seed = secrets.randbits(31)
        self.progress("set-up", 0.12)
        reply, fds = self.golden.ask("setup", self.options.timeout_compile, "running the reference", device=self.device,
                                     precision=self.options.precision, tolerance=self.options.tol, weight_seed=seed)
        self.workloads = reply["workloads"]
        self.result.golden = reply["golden"]
        host = self.options.timing_method in ("host_time", "host")
        try:
            for member in self._members():
                member.start("setup", fds, device=self.device, dtype=DTYPES[self.options.precision], weight_seed=seed, host=host,
                             cold=self.options.cache == "cold", init=reply["init"], state=reply["state"])
            for member in sorted(self._members(), key=lambda item: item.role):
                facts, _ = member.finish(self.options.timeout_compile, "building the module")
                if member.role == "solution":
                    self.result.set_up = facts
        finally:
            _close(fds)
        self._note_problem()

    def _note_problem(self):
        for workload in self.workloads:
            if workload["constant_inputs"]:
                self.result.flag("PROBLEM_WEAK")
                self.result.notes.append("The inputs are the same in every call; floating ones are varied by up to 2 % so that an answer cannot be kept.")
            if workload["random"]:
                self.result.flag("RANDOM_REFERENCE")
            if workload["reference_nan"]:
                self.result.flag("REFERENCE_NAN")

    # --- correctness ---

    def _checked_workloads(self):
        # The main one last: its calls and the timed ones that follow are made in one process.
        others = self.workloads[1:] if self.options.mode != "signal" else self.workloads[1:2]
        return [*others, self.workloads[0]]

    def _seeds(self):
        return self.options.correct_trials or {"signal": 2}.get(self.options.mode, 5)

    def _check(self, workload):
        self._check_time()
        count = max(1, min(self._seeds(), self._block_size(workload) - 1 or 1))
        self.result.seeds = max(self.result.seeds, count)
        seeds = [secrets.randbits(48) for _ in range(count)]
        if count > 1 or self._block_size(workload) > 1:
            seeds.append(seeds[0])
        call_seeds = list(seeds)
        self._announce(workload, self._members())
        solution = self.crews[0].solution
        others = [member for member in self._members() if member is not solution] if workload is self.workloads[0] else []
        self.golden.hand_out(workload, seeds, [solution, *others])
        # Meanwhile the others make their first call, where compiling is still allowed, and the check is weighed.
        for member in others:
            member.start_run([0], call_seeds[:1])
        self.golden.start("weigh", workload=workload["id"], seed=seeds[0], other_seed=secrets.randbits(48))
        first = solution.run([0], call_seeds[:1], "its first call")
        self._finish_first_calls(others)
        self.result.first_call_ms.setdefault(workload["id"], first[0]["host_ms"])
        if not solution.sealed:
            solution.seal()
        solution.call_timeout = max(self.options.timeout_run / 6, 50 * first[0]["host_ms"] / 1e3)
        rest = list(range(1, len(seeds)))
        if rest:
            samples = solution.run(rest, [call_seeds[index] for index in rest], "a call")
            self._check_escapes([*first, *samples])
        accepted = self.golden.finish(self.golden.timeout, "weighing the check")[0]["accepted"]
        found = self.golden.judge(workload, solution, list(range(count)), seeds, call_seeds)
        self.result.note_checks(workload["id"], found)
        for verdict in found:
            if verdict["status"] != "OK":
                raise Failure(verdict["status"], "Workload %s: %s." % (workload["id"], verdict["message"]))
        if rest:
            self._check_repeat(workload, solution, len(seeds) - 1)
        if accepted:
            self.result.checker_selftest = "weak: accepts " + ", ".join(accepted)
            raise Failure("PROBLEM_WEAK", "Workload %s: the check would accept %s. Choose inputs whose answer says more."
                          % (workload["id"], " and ".join(accepted)))
        self.result.checker_selftest = "ok"

    def _check_escapes(self, samples):
        escapes = Escapes()
        for item in samples:
            if item.get("limit_changed"):
                raise Failure("LIMIT_CHANGED", "The solution set memory aside in the L2 cache that survives between calls.")
            escapes.note(item["escaped_ns"])
        # Few calls: only what nearly all of them show is told now; the timed ones decide the rest.
        if len(escapes.gaps) >= max(3, 0.7 * escapes.calls):
            escapes.judge()

    def _check_repeat(self, workload, solution, last):
        reply, _ = solution.ask("compare_kept", 60, "comparing two calls", sets=[0, last])
        if not reply.get("same"):
            self.result.deterministic = False
            self.result.flag("NONDETERMINISTIC")
            if self.options.deterministic and workload["bitwise"]:
                raise Failure("NONDETERMINISTIC", "The solution gave different outputs for the same inputs; the reference does not.")

    def _announce(self, workload, members):
        for member in members:
            member.start("workload", form=workload["form"], changed_inputs=workload["changed_inputs"],
                         aliases=workload["aliases"], arguments=self._argument_count())
        for member in members:
            member.finish(30, "taking a workload")

    def _argument_count(self):
        return len(self.definition["inputs"]) if self.definition else 0

    def _block_size(self, workload):
        need = 3 * workload["bytes"] + 3 * workload["output_bytes"] + 1
        return int(max(1, min(10 if self.options.mode == "signal" else 8, BLOCK_BYTES["cuda" if self.cuda else "cpu"] // need)))

    def _check_time(self):
        if time.monotonic() > self.deadline:
            raise Failure("TIMEOUT", "The evaluation took longer than %.0f s in all." % self.options.timeout)

    # --- timing ---

    def _time(self):
        facts = self.facts = Facts(os.getcwd(), self.manifest, self.device)
        self.result.noise = None if self.options.mode == "aa" else facts.noise
        self.margin = stats.margin_of(self.result.noise)
        timed = self.workloads[:1] if self.options.mode in ("signal", "aa") else self.workloads
        processes = {member.worker.pid: linux.descendants(member.worker.pid) for member in self._members() if member.role == "solution"}
        for number, workload in enumerate(timed):
            self._check_time()
            share = 0.6 / len(timed)
            progress = lambda done, base=0.4 + share * number, name=workload["id"]: self.progress("time-" + name, base + share * done)
            for crew in self.crews:
                crew.samples = []
            if workload is not self.workloads[0] or len(timed) > 1:
                self._announce(workload, self._members())
                self._warm_up(workload)
            timer = WorkloadTimer(self.golden, self.crews, workload, self._settings(workload), progress)
            try:
                timer.run()
            finally:
                self.result.note_checks(workload["id"], timer.verdicts)
            if any(crew.is_host_bound() for crew in self.crews):
                self.result.flag("HOST_BOUND")
            self.result.note_timing(workload, timer, self._floor(workload))
        for pid, before in processes.items():
            if linux.descendants(pid) - before:
                raise Failure("EXTRA_PROCESS", "The solution started a process during the timed calls.")

    def _warm_up(self, workload):
        """A first call of every process with this workload."""
        seeds = [secrets.randbits(48)]
        self.golden.hand_out(workload, seeds, self._members())
        for member in self._members():
            member.start_run([0], seeds)
        self._finish_first_calls(self._members())

    def _finish_first_calls(self, members):
        for member in sorted(members, key=lambda item: item.role):
            member.finish_run(1, "its first call")
        # All alike, so that none is measured under other conditions.
        for member in members:
            if not member.sealed:
                member.seal()

    def _settings(self, workload):
        signal = self.options.mode == "signal"
        pairs = self.options.perf_trials or (40 if signal else 160)
        cap = self.options.time_cap or (1.0 if signal else 20.0)
        margin = 0.0 if self.options.mode == "aa" else self.margin
        return Settings(pairs, cap, margin, self._block_size(workload), 5 if signal else 4, 1 if signal else 2,
                        OFFSET_MS if self.cuda else 0.0, SIGNAL_EXACTNESS if signal else 0.0)

    def _floor(self, workload):
        """The time in which the inputs could be read once at the memory's theoretical rate, ms."""
        peak = self.result.set_up.get("peak_bytes_per_ms")
        return workload["bytes"] / peak if peak else None

    # --- afterwards ---

    def _look_around(self):
        changed = self.manifest.changed()
        if changed:
            raise Failure("INTEGRITY", "Changed while the solution was measured: %s." % ", ".join(changed))

    def _decide(self):
        self.result.total_up(self.margin)
        against = self.result.against_champion
        if self.options.mode == "aa" and against is not None:
            self.result.noise = 100 * max(abs(against.estimate - 1), against.half_width)
            self.facts.noise = self.result.noise
        self.facts.take_references(self.result)
        self.facts.save()
        self._suspect()

    def _suspect(self):
        for entry in self.result.timings:
            ratio, floor = entry.get("speedup_ref"), entry.get("floor_ms")
            if floor and entry["sol"]["median"] < 0.95 * floor:
                self.result.flag("BELOW_FLOOR")
                raise Failure("SUSPICIOUS", "Workload %s took %.4g ms; reading its inputs once takes %.4g ms at the memory's theoretical rate." % (entry["id"], entry["sol"]["median"], floor))
            if ratio and ratio["est"] > SUSPICIOUS_RATIO:
                self.result.flag("SUSPICIOUS_10X")
                raise Failure("SUSPICIOUS", "Workload %s is %.4g times faster than the reference; more than 10 times is looked at by a person before it is believed." % (entry["id"], ratio["est"]))


def _gpu_remedy(reply):
    if reply.get("cuda_built"):
        return "This torch is built for a GPU: is the driver loaded (nvidia-smi), and CUDA_VISIBLE_DEVICES not empty?"
    return "This torch is built for the CPU only."


def show_progress(stage, fraction):
    if os.environ.get("AKO_PROGRESS") == "1":
        sys.stderr.write("AKO_PROGRESS %s %.3f\n" % (stage, fraction))
        sys.stderr.flush()
