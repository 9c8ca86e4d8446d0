// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/pythonparserscript.h"

namespace ako {

// Reads texts from its standard input, each after a line with its length, and prints a line of JSON for each.
const char *const pythonParserScript = R"python(
import ast, json, resource, sys
for limit, value in ((resource.RLIMIT_AS, 1 << 30), (resource.RLIMIT_CPU, 10), (resource.RLIMIT_CORE, 0)):
    try:
        resource.setrlimit(limit, (value, value))
    except (ValueError, OSError):
        pass
MOST = 4000
CLOCKS = ("perf_counter", "perf_counter_ns", "time.time", "monotonic", "elapsed_time", "default_timer")
MAKERS = ("rand", "randn", "randint", "ones", "zeros", "empty", "normal", "uniform", "full", "arange")


def dotted(node, names):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ".".join(reversed(parts)) if parts else ""
    parts.append(names.get(node.id, node.id))
    return ".".join(reversed(parts))


def note(into, name, line):
    if name and name not in into and len(into) < MOST:
        into[name] = line


def imports(tree, facts, names):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                note(facts["imports"], alias.name, node.lineno)
                if alias.asname:
                    names[alias.asname] = alias.name
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            note(facts["imports"], module, node.lineno)
            start = module if module.endswith(".") else module + "."
            for alias in node.names:
                note(facts["imports"], start + alias.name, node.lineno)
                if node.level == 0:
                    names[alias.asname or alias.name] = start + alias.name


def top(body, facts):
    for node in body:
        if isinstance(node, ast.ClassDef):
            note(facts["classes"], node.name, node.lineno)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            note(facts["functions"], node.name, node.lineno)
        elif isinstance(node, ast.If):
            if "__name__" in ast.dump(node.test):
                facts["hasMainGuard"] = True
            else:
                top(node.body, facts)
                top(node.orelse, facts)
        elif isinstance(node, ast.Try):
            top(node.body, facts)
            for handler in node.handlers:
                top(handler.body, facts)


def uses(tree, facts, names):
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", ()):
            inner = decorator.func if isinstance(decorator, ast.Call) else decorator
            note(facts["decorators"], dotted(inner, names), decorator.lineno)
        if isinstance(node, ast.Call):
            note(facts["calls"], dotted(node.func, names), node.lineno)
            for keyword in node.keywords:
                if keyword.arg in ("allow_tf32", "input_precision") and isinstance(keyword.value, ast.Constant):
                    note(facts["settings"], "%s=%s" % (keyword.arg, keyword.value.value), node.lineno)
            if dotted(node.func, names).endswith("set_float32_matmul_precision") and node.args:
                value = getattr(node.args[0], "value", "")
                note(facts["settings"], "float32_matmul_precision=%s" % value, node.lineno)
        elif isinstance(node, ast.Assert):
            note(facts["calls"], "assert", node.lineno)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                name = getattr(target, "attr", "")
                if name == "allow_tf32":
                    note(facts["settings"], "allow_tf32=%s" % node.value.value, node.lineno)


WEAK = ("float16", "half", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8e4nv", "float8e5")


# torch.float16, tl.float16, x.half(), "bfloat16" as a keyword's value.
def weak(tree, facts, names):
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WEAK:
            note(facts["weakTypes"], node.attr, node.lineno)
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant) and node.value.value in WEAK:
            note(facts["weakTypes"], str(node.value.value), node.value.lineno)


def forward(tree, facts, names):
    for model in tree.body:
        if not isinstance(model, ast.ClassDef) or model.name not in ("Model", "ModelNew"):
            continue
        for method in model.body:
            if not isinstance(method, ast.FunctionDef) or method.name != "forward":
                continue
            for node in ast.walk(method):
                if isinstance(node, ast.Call):
                    note(facts["forwardCalls"], dotted(node.func, names), node.lineno)
                elif isinstance(node, (ast.For, ast.While)) and not facts["forwardLoop"]:
                    facts["forwardLoop"] = node.lineno


# A statement list with a clock read before and after a statement that makes random inputs.
def timed_input(tree, facts, names):
    def called(node):
        return [(dotted(call.func, names), call.lineno) for call in ast.walk(node) if isinstance(call, ast.Call)]

    def is_clock(name):
        return any(name == clock or name.endswith("." + clock) for clock in CLOCKS) or name.endswith(".record")

    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        inside, pending = False, 0
        for statement in body:
            found = called(statement) if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)) else []
            if any(is_clock(name) for name, _ in found):
                if inside and pending and not facts["timedInput"]:
                    facts["timedInput"] = pending
                inside, pending = True, 0
            elif inside and not pending:
                for name, line in found:
                    if name.startswith(("torch.", "numpy.")) and name.rsplit(".", 1)[-1] in MAKERS:
                        pending = line


def read(text):
    facts = {"classes": {}, "functions": {}, "imports": {}, "decorators": {}, "calls": {}, "settings": {},
             "weakTypes": {}, "forwardCalls": {}, "forwardLoop": 0, "timedInput": 0, "hasMainGuard": False}
    try:
        tree = ast.parse(text)
        names = {}
        imports(tree, facts, names)
        top(tree.body, facts)
        uses(tree, facts, names)
        weak(tree, facts, names)
        forward(tree, facts, names)
        timed_input(tree, facts, names)
    except SyntaxError as error:
        return {"error": str(error.msg), "line": error.lineno or 0}
    except ValueError as error:
        return {"error": str(error), "line": 0}
    except (RecursionError, MemoryError):
        return {}
    return facts


version = "%d.%d" % sys.version_info[:2]
while True:
    head = sys.stdin.buffer.readline()
    if not head.strip():
        break
    facts = read(sys.stdin.buffer.read(int(head)))
    facts["python"] = version
    print("ako:" + json.dumps(facts), flush=True)
)python";

} // namespace ako
