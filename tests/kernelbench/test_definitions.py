# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems as a folder with definition.json and workload.jsonl (FlashInfer-Bench, SOL-ExecBench), from end to end."""

import copy
import importlib.util
import json
import unittest

import support

REFERENCE = "import torch\ndef run(x, scale):\n    return x * scale / x.abs().sum(dim=1, keepdim=True)\n"
DEFINITION = {
    "name": "scaled_rows",
    "axes": {"rows": {"type": "var"}, "cols": {"type": "const", "value": 40}, "half": {"type": "expr", "expression": "cols // 2"}},
    "inputs": {"x": {"shape": ["rows", "cols"], "dtype": "float32"}, "scale": {"shape": None, "dtype": "float32"}},
    "outputs": {"y": {"shape": ["rows", "cols"], "dtype": "float32"}},
    "reference": REFERENCE,
}
WORKLOADS = [
    {"uuid": "main", "axes": {"rows": 32}, "inputs": {"x": {"type": "random"}, "scale": {"type": "scalar", "value": 3.0}}},
    {"uuid": "odd", "axes": {"rows": 7}, "inputs": {"x": {"type": "random"}, "scale": {"type": "scalar", "value": 0.5}}},
]
RETURNS = "import torch\ndef run(x, scale):\n    return scale * x / torch.sum(torch.abs(x), 1, keepdim=True)\n"
TAKES = "import torch\ndef run(x, scale, y):\n    torch.div(x * scale, x.abs().sum(dim=1, keepdim=True), out=y)\n"


class DefinitionTest(support.BenchTest):
    def setUp(self):
        super().setUp()
        self.definition, self.workloads = copy.deepcopy(DEFINITION), copy.deepcopy(WORKLOADS)

    def judge(self, solution, *arguments, name="solution.py", raw=None):
        self.write("problem/definition.json", raw if raw is not None else json.dumps(self.definition, indent=1))
        if self.workloads is not None:
            self.write("problem/workload.jsonl", "".join(json.dumps(item) + "\n" for item in self.workloads))
        return self.bench("--ref", self.folder / "problem", "--solution", self.write(name, solution), "--num-perf-trials", "8", "--num-correct-trials", "2",
                          "--cache", "hot", "--no-ref", *arguments)

    def passes(self, run, *workloads):
        self.assertEqual((run.code, run.lines.get("STATUS"), run.lines.get("CORRECT")), (0, "OK", "True"), run.output)
        self.assertEqual([item["id"] for item in run.document["timing"]["workloads"]], list(workloads or ("main", "odd")))

    def refused(self, run, code, status, *words):
        self.assertEqual((run.code, run.lines.get("STATUS")), (code, status), run.output)
        for word in words:
            self.assertIn(word, run.lines.get("MESSAGE", ""))
        self.assertNotIn("RUNTIME", run.lines)
        self.assertNotEqual(run.lines.get("CORRECT"), "True")


class Good(DefinitionTest):
    def test_a_solution_that_returns(self):
        self.passes(self.judge(RETURNS))

    def test_a_solution_that_is_given_its_outputs(self):
        self.passes(self.judge(TAKES))

    def test_the_definition_itself_is_named(self):
        self.write("problem/definition.json", json.dumps(self.definition))
        self.write("problem/workload.jsonl", json.dumps(self.workloads[0]))
        self.passes(self.bench("--ref", self.folder / "problem" / "definition.json", "--solution", self.write("s.py", RETURNS), "--no-ref",
                               "--num-perf-trials", "8", "--cache", "hot"), "main")

    def test_a_solution_with_its_sources_in_json(self):
        for text, destination in ((RETURNS, False), (TAKES, True)):
            with self.subTest(destination=destination):
                solution = {"name": "mine", "definition": "scaled_rows", "spec": {"language": "python", "entry_point": "src/main.py::run", "destination_passing_style": destination},
                            "sources": [{"path": "src/main.py", "content": text}]}
                self.passes(self.judge(json.dumps(solution), name="solution.json"))

    def test_inputs_of_its_own(self):
        self.definition["custom_inputs_entrypoint"] = "reference.py::make"
        self.definition["reference"] = REFERENCE + "def make(axes, device):\n    return {'x': 2 + torch.rand(axes['rows'], axes['half'] * 2, device=device)}\n"
        self.workloads[1]["inputs"]["x"] = {"type": "custom"}
        self.passes(self.judge(RETURNS))
        self.refused(self.judge(RETURNS.replace("return scale", "assert float(x.min()) < 2 \n    return scale")), 4, "RUNTIME_ERROR")

    @unittest.skipUnless(importlib.util.find_spec("safetensors"), "there is no safetensors here")
    def test_stored_inputs(self):
        from safetensors.torch import save_file
        import torch

        (self.folder / "problem").mkdir()
        save_file({"rows": torch.randn(7, 40)}, str(self.folder / "problem" / "x.safetensors"))
        self.workloads[1]["inputs"]["x"] = {"type": "safetensors", "path": "x.safetensors", "tensor_key": "rows"}
        self.passes(self.judge(RETURNS))

    def test_a_tolerance_for_each_workload(self):
        rough = RETURNS.replace("return scale", "return (1 + 3e-3 * (x.shape[0] == 7)) * scale")
        self.refused(self.judge(rough), 1, "PRECISION", "odd")
        self.workloads[1]["tolerance"] = {"max_rtol": 1e-2, "max_atol": 1e-2}
        self.passes(self.judge(rough))
        self.refused(self.judge(rough.replace("== 7", "== 32")), 1, "PRECISION", "main")

    def test_right_for_one_workload_only(self):
        self.refused(self.judge(RETURNS.replace("return scale", "return (2 if x.shape[0] == 7 else 1) * scale")), 1, "INCORRECT", "odd")


class Bad(DefinitionTest):
    def test_definitions(self):
        def without(key):
            return lambda: self.definition.pop(key)

        def workload(**changes):
            return lambda: self.workloads[1].update(changes)

        rows = [
            ("no reference", without("reference"), ("definition.json", '"reference"')),
            ("no axes", without("axes"), ('"axes"',)),
            ("an axis without a value", workload(axes={}), ("odd", "rows")),
            ("axes that are a list", workload(axes=[]), ("workload.jsonl",)),
            ("axes that need each other", lambda: self.definition["axes"].update(half={"type": "expr", "expression": "other + 1"}), ("half",)),
            ("an expression that is a call", lambda: self.definition["axes"].update(half={"type": "expr", "expression": "open('x')"}), ("expression",)),
            ("an expression that is none", lambda: self.definition["axes"].update(half={"type": "expr", "expression": "cols //"}), ("half",)),
            ("an unknown kind of axis", lambda: self.definition["axes"].update(half={"type": "odd"}), ("half", "odd")),
            ("a shape of an unknown axis", lambda: self.definition["inputs"]["x"].update(shape=["nobody", "cols"]), ("nobody",)),
            ("an unknown dtype", lambda: self.definition["inputs"]["x"].update(dtype="float31"), ("float31",)),
            ("an unknown kind of input", workload(inputs={"x": {"type": "magic"}, "scale": {"type": "scalar", "value": 1.0}}), ("x", "magic")),
            ("custom inputs and no entry", workload(inputs={"x": {"type": "custom"}, "scale": {"type": "scalar", "value": 1.0}}), ("custom",)),
            ("stored inputs that are not there", workload(inputs={"x": {"type": "safetensors", "path": "gone", "tensor_key": "a"}, "scale": {"type": "scalar", "value": 1.0}}), ("safetensors",)),
            ("no workload", lambda: self.workloads.clear(), ("workload.jsonl", "no workload")),
            ("a scalar without a value", workload(inputs={"x": {"type": "random"}, "scale": {"type": "scalar"}}), ("scale",)),
            ("a constant that is no number", lambda: self.definition["axes"].update(cols={"type": "const", "value": "many"}), ("cols", "many")),
            ("inputs that are a list", lambda: self.definition.update(inputs=["x"]), ("definition.json", '"inputs"')),
            ("inputs of a workload that are a list", workload(inputs=["x"]), ("workload.jsonl",)),
            ("a division by nothing", lambda: self.definition["axes"].update(half={"type": "expr", "expression": "cols // 0"}), ("half",)),
            ("a weight of nothing", workload(weight="much"), ("workload.jsonl",)),
        ]
        for name, change, words in rows:
            with self.subTest(name):
                self.setUp()
                change()
                self.refused(self.judge(RETURNS), 2, "PROBLEM_ERROR", *words)

    def test_files(self):
        self.refused(self.judge(RETURNS, raw="{\n \"name\": 1,\n}"), 2, "PROBLEM_ERROR", "definition.json", "line 3")
        self.refused(self.judge(RETURNS, raw="[]"), 2, "PROBLEM_ERROR", "no JSON object")
        self.setUp()
        self.workloads = None
        self.refused(self.judge(RETURNS), 2, "PROBLEM_ERROR", "workload.jsonl")

    def test_references(self):
        for text, code, status, word in (("def other(x, scale):\n    return x\n", 7, "REFERENCE_ERROR", "run"), ("def f(:\n", 7, "REFERENCE_ERROR", "syntax error"),
                                         ("def run(x):\n    return x\n", 7, "REFERENCE_ERROR", "argument")):
            with self.subTest(word):
                self.definition["reference"] = text
                self.refused(self.judge(RETURNS), code, status, word)

    def test_solutions(self):
        self.refused(self.judge("def go(x, scale):\n    return x\n"), 3, "COMPILE_ERROR", "run")
        self.refused(self.judge("{", name="solution.json"), 3, "COMPILE_ERROR", "solution.json", "line 1")
        self.refused(self.judge("[]", name="solution.json"), 3, "COMPILE_ERROR", "solution.json")
        outside = {"spec": {"entry_point": "../main.py::run"}, "sources": [{"path": "../main.py", "content": RETURNS}]}
        self.refused(self.judge(json.dumps(outside), name="solution.json"), 3, "COMPILE_ERROR", "main.py")


if __name__ == "__main__":
    unittest.main()
