# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a session that finds and reads its files: reference or definition, inputs, solution, champion."""

import json
import os
import sys
import tempfile

from akobench import caches, definition, integrity, policy, sources
from akobench.status import Failure


class CaseFiles:
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

    def _scratch_folder(self, name):
        if self.scratch is None:
            self.scratch = tempfile.mkdtemp(prefix="ako-bench-")
        path = os.path.join(self.scratch, name)
        os.makedirs(path, exist_ok=True)
        return path

    def _own_caches(self):
        """By what is in a source's file or folder. A file that others lie beside may import them: how it is then compiled
        is not kept."""
        path = os.path.abspath(self.options.solution)
        self.is_alone = os.path.isdir(path) or path.endswith(".json") or len(os.listdir(os.path.dirname(path))) == 1
        python = "%s %s %s " % (sys.executable, sys.version, self.result.torch)
        contents = {role: python + self.manifest.hash_of(role) for role in ("solution", "champion", "reference")}
        if self.options.mode == "aa":
            contents["champion"] = contents["solution"]
        contents["golden"] = "golden " + contents["reference"]
        return caches.Caches(contents, lambda: self._scratch_folder("caches"), None if self.frugal else caches.default_base())

    def _scratch_file(self, name, text):
        path = os.path.join(self._scratch_folder(os.path.dirname(name)), os.path.basename(name))
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
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
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
        self._read_policy(facts)
        ignored = sources.ignored_inputs(facts)
        if ignored and not self.definition and sources.bodies(facts, ignored) != sources.bodies(reference, ignored):
            self.result.flags.append("INPUTS_IGNORED")
            self.result.notes.append("%s defines %s; inputs come from the reference or --inputs, never from the solution."
                                     % (os.path.basename(self.solution), " and ".join(ignored)))

    def _read_policy(self, facts):
        """Not refused: a library behind a kernel may be what was asked for. But whoever reads the result has to know."""
        self.kernel_names = policy.kernel_names(facts)
        if policy.unused_kernels(facts):
            self.result.flag("POLICY_UNUSED_KERNEL")
            self.result.notes.append("Defined, but called nowhere: %s." % ", ".join(policy.unused_kernels(facts)))
        lines = policy.fallbacks(facts)
        if lines:
            self.result.flag("POLICY_FALLBACK")
            self.result.notes.append("%s, line %d: when the code before it fails, other code answers in its place, unnoticed."
                                     % (os.path.basename(self.solution), lines[0]))
