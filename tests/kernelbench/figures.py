# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the evaluator itself on this machine and prints figures; judges none.

    python3 tests/kernelbench/figures.py [problems] [corpus] [noise] [host] [modes] [claims] [wall] [--repeats N] [--json FILE]
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import support
from akobench import corpus, selftest

CHAIN = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.softmax(torch.tanh(x * 1.5), dim=1)
def get_inputs():
    return [torch.randn({rows}, 1024)]
def get_init_inputs():
    return []
"""
SOLUTIONS = {"softmax": "softmax_triton", "elementwise": "elementwise_triton", "layernorm": "layernorm_triton", "reduction": "reduction_inline"}


class Raw:
    """What was measured, as it came: for a file beside the tests."""

    def __init__(self):
        self.document, self.section = {}, []

    def begin(self, name):
        self.section = self.document.setdefault(name, [])

    def add(self, **entry):
        self.section.append(entry)


RAW = Raw()


class Bench:
    def __init__(self, folder, device):
        self.folder, self.device = pathlib.Path(folder), device
        self.server = None

    def __call__(self, *arguments, warm=True, stages=None):
        report = self.folder / "result.json"
        report.unlink(missing_ok=True)
        command = [sys.executable, "-I", str(support.EVALUATOR / "bench.py"), "--json", str(report), "--device", self.device, *map(str, arguments)]
        if warm:
            command += ["--server", self.server.path]
        begin = time.monotonic()
        environment = {**os.environ, "AKO_PROGRESS": "1"} if stages is not None else None
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        if stages is not None:
            for line in process.stderr:
                stages.append("%.2f %s" % (time.monotonic() - begin, line.strip().replace("AKO_PROGRESS ", "")))
        output, errors = process.communicate()
        wall = time.monotonic() - begin
        document = json.loads(report.read_text()) if report.exists() else {"status": "NO_REPORT", "message": output + errors}
        RAW.add(arguments=[str(argument).replace(str(self.folder) + "/", "") for argument in arguments], warm=warm, wall_s=round(wall, 3),
                **{key: document.get(key) for key in ("status", "message", "backend", "flags", "notes", "timing", "decision", "confirmation", "correct")})
        return wall, document


def chain(folder, rows):
    path = pathlib.Path(folder) / ("chain_%d.py" % rows)
    path.write_text(CHAIN.format(rows=rows))
    return path


def problems(bench, gpu, only):
    print("== problems against themselves, and solutions in other languages")
    for path in support.PROBLEMS if not only or "problems" in only else []:
        wall, document = bench("--ref", path, "--solution", path, "--signal")
        line(path.stem, document, wall)
    for problem, solution in SOLUTIONS.items() if gpu else []:
        if only and solution not in only:
            continue
        wall, document = bench("--ref", support.HERE / "problems" / (problem + ".py"), "--solution", support.HERE / "solutions" / (solution + ".py"))
        line(solution, document, wall)


def line(name, document, wall):
    timing = (document.get("timing", {}).get("workloads") or [{}])[0]
    print("%-20s %-16s %-9s sol %-10s ref %-10s x%-8s wall %.2f s  %s %s" % (
        name, document["status"], document.get("backend", ""), _short(timing.get("sol_ms")), _short(timing.get("ref_ms")),
        _short((timing.get("speedup_ref") or {}).get("est")), wall, " ".join(document.get("flags", [])), document.get("message", "")[:300]), flush=True)
    if timing.get("kernels"):
        print("    kernels %s span %s ms" % (timing["kernels"], _short(timing.get("cupti_span_ms"))))
    for note in document.get("notes", []):
        print("    " + note)
    if document["status"] not in ("OK",):
        print("\n".join("    " + text for text in document.get("log", "").splitlines()[-12:]))


def _tail(timing):
    tail = timing.get("tail_us")
    return "%.1f..%.1f us" % (tail["median"], tail["max"]) if tail else "-"


def _short(value):
    return "-" if value is None else "%.5g" % value


def noise(bench, gpu, repeats, modes, sizes, *more):
    print("== identical modules: speedup over the reference", *more)
    for rows in sizes or ((1024, 5120) if gpu else (256, 1024)):
        path = chain(bench.folder, rows)
        for mode in modes:
            ratios, words, walls, spread = [], [], [], []
            for number in range(repeats):
                stages = [] if number == 0 else None
                wall, document = bench("--ref", path, "--solution", path, "--" + mode, *more, stages=stages)
                if stages:
                    print("   " + " | ".join(stages), flush=True)
                if document["status"] != "OK":
                    line("chain %d" % rows, document, wall)
                    continue
                timing = document["timing"]["workloads"][0]
                ratios.append(timing["speedup_ref"]["est"])
                spread.append((timing["speedup_ref"]["hi"] - timing["speedup_ref"]["lo"]) / 2)
                words.append(document["decision"]["vs_best"])
                walls.append(wall)
                print("   %d %s %.5g ms x%.5f +-%.4f %s pairs %d crews %s %s launch us %s" % (rows, mode, timing["sol_ms"], ratios[-1], spread[-1], words[-1], timing["pairs"],
                      " ".join("%.4f" % value for value in timing["crews"]["speedup_ref"]), "x%d %.2f s %s tail %s" % (
                          timing["batch"], wall, document["env"]["handover"], _tail(timing)),
                      " ".join("%.2f" % value for value in document["timing"].get("launch_us", []))), flush=True)
            if ratios:
                print("%d rows %s: %d runs, %.5g ms, largest |speedup-1| %.3f %%, mean %.3f %%, improved %d, regressed %d, wall %.2f s" % (
                    rows, mode, len(ratios), timing["sol_ms"], 100 * max(abs(r - 1) for r in ratios),
                    100 * sum(abs(r - 1) for r in ratios) / len(ratios), words.count("IMPROVED"), words.count("REGRESSED"), sum(walls) / len(walls)), flush=True)


def modes(bench, gpu):
    print("== other ways to measure, identical modules")
    path = chain(bench.folder, 1024 if gpu else 256)
    for arguments in (["--aa"], ["--signal", "--timing-method", "host_time"], ["--signal", "--cache", "hot"], ["--signal", "--precision", "bf16"],
                      ["--signal", "--no-ref"], ["--champion", path, "--time-cap", "3"]):
        wall, document = bench("--ref", path, "--solution", path, *arguments)
        line(" ".join(map(str, arguments))[:40], document, wall)
    slow = bench.folder / "row_by_row.py"
    slow.write_text(path.read_text().replace("return torch.softmax(torch.tanh(x * 1.5), dim=1)",
                                             "return torch.stack([torch.softmax(torch.tanh(row * 1.5), dim=0) for row in x])"))
    wall, document = bench("--ref", slow, "--solution", path)
    line("beyond belief", document, wall)
    print("    %s" % document.get("examination"))


GRAPH = """if self.graph is None:
    self.x = x.clone()
    work(self.x)
    torch.cuda.synchronize()
    self.graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(self.graph):
        self.y = work(self.x)
self.x.copy_(x)
self.graph.replay()
return self.y.clone()"""
SIDE = """S.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(S):
    y = work(x)
torch.cuda.current_stream().wait_stream(S)
y.record_stream(torch.cuda.current_stream())
return y"""
STRIDED = "return work(x).t().contiguous().t()"


def claims(bench, repeats, sizes):
    """What the parent's own clock says to gains that are there, and to some that are not: three times the same against
    once, and one kernel more or less."""
    print("== claims")
    forward, patch, work = corpus._forward, corpus._PATCH, corpus._WORK
    more, thrice = "x * 1.5\nreturn work(x)", "work(x)\nwork(x)\nreturn work(x)"
    cases = [
        ("honest", thrice, forward("return work(x)", before=work)),
        ("graph", thrice, forward(GRAPH, before=work, inside="    graph = None\n")),
        ("side stream", thrice, forward(SIDE, before=work + "S = torch.cuda.Stream()\n")),
        ("strided", thrice, forward(STRIDED, before=work)),
        ("waits", thrice, forward("y = work(x)\ntorch.cuda.synchronize()\nreturn y", before=work)),
        ("both wait", "x.sum().item()\n" + more, forward("x[0, 0].item()\nreturn work(x)", before=work)),
        ("forged", thrice, forward(thrice, before=patch + corpus._FORGED)),
        ("rewound", thrice, forward("work(x)\nwork(x)\ny = work(x)\n" + corpus._REWIND, before="import sys\n" + work)),
        ("early", thrice, forward("y = ready.pop(x.data_ptr(), None)\nif y is None:\n    work(x)\n    work(x)\n    y = work(x)\nreturn y", before=patch + corpus._EAGER)),
        ("honest small", more, forward("return work(x)", before=work)),
        ("forged small", more, forward(more, before=patch + corpus._FORGED.replace("/ 3", "/ 1.3"))),
    ]
    path, reference = bench.folder / "claim.py", bench.folder / "against.py"
    for rows in sizes or (128, 1024, 5120):
        for name, slow, text in cases:
            path.write_text(text)
            reference.write_text(forward(slow, before=work).replace("ModelNew", "Model")
                                 + "def get_inputs():\n    return [torch.randn(%d, 1024)]\ndef get_init_inputs():\n    return []\n" % rows)
            for number in range(repeats if name.startswith(("honest", "forged")) else 1):
                stages = []
                wall, document = bench("--ref", reference, "--solution", path, "--signal", stages=stages)
                begun = [float(stage.split()[0]) for stage in stages if " confirm " in stage]
                told = [{key: value if isinstance(value, str) else float("%.4g" % value) for key, value in item.items() if value is not None and key != "id"}
                        for item in document.get("confirmation", [])]
                timing = (document.get("timing", {}).get("workloads") or [{}])[0]
                print("   %d %s: %s %s %s ms, %.2f s, confirming from %s on; %s %s %s" % (
                    rows, name, document["status"], document.get("decision", {}).get("vs_best"), _short(timing.get("sol_ms")), wall, begun, told,
                    " ".join(document.get("flags", [])), " ".join([*document.get("notes", []), document.get("message", "")])[:400]), flush=True)


def wall_times(bench, gpu):
    path = chain(bench.folder, 5120 if gpu else 256)
    arguments = ("--ref", path, "--solution", path, "--champion", path, "--signal")
    begin = time.monotonic()
    subprocess.run([sys.executable, "-I", "-c", "import torch"], check=True)
    print("import torch alone: %.2f s" % (time.monotonic() - begin), flush=True)
    for name in ("cold",):
        stages = []
        wall, document = bench(*arguments, warm=False, stages=stages)
        print("wall of one signal, %s: %.2f s (%s)  %s" % (name, wall, document["status"], " | ".join(stages)), flush=True)
    bench.server = selftest.Server(tempfile.mkdtemp(dir=bench.folder))
    for _ in range(3):
        time.sleep(4)  # as between two iterations: spare workers are ready
        stages = []
        wall, document = bench(*arguments, stages=stages)
        print("wall of one signal, warm: %.2f s (%s)  %s" % (wall, document["status"], " | ".join(stages)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="*", default=["wall", "problems", "noise", "corpus"])
    parser.add_argument("--device", default="auto")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--number", type=int, nargs="*", help="of the corpus, only the cases with these numbers")
    parser.add_argument("--only", nargs="*", help="of the problems, only these solutions in other languages")
    parser.add_argument("--modes", nargs="*", default=["signal", "verdict"])
    parser.add_argument("--json", metavar="FILE", help="everything that was measured, as it came")
    parser.add_argument("--rows", nargs="*", type=int, help="of the identical modules")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ako-figures-") as folder:
        bench = Bench(folder, options.device)
        begin = time.monotonic()
        gpu = options.device != "cpu" and subprocess.run(["nvidia-smi"], capture_output=True).returncode == 0 if _has("nvidia-smi") else False
        steps = {
            "wall": lambda: wall_times(bench, gpu),
            "problems": lambda: problems(bench, gpu, options.only),
            "noise": lambda: noise(bench, gpu, options.repeats, options.modes, options.rows),
            "host": lambda: noise(bench, gpu, options.repeats, ["signal"], options.rows, "--timing-method", "host_time"),
            "modes": lambda: modes(bench, gpu),
            "claims": lambda: claims(bench, min(options.repeats, 3), options.rows) if gpu else None,
            "corpus": lambda: whole_corpus(options),
        }
        for name, step in steps.items():
            if name not in options.what:
                continue
            if bench.server is None and name not in ("wall", "corpus"):
                bench.server = selftest.Server(tempfile.mkdtemp(dir=folder))
            RAW.begin(name)
            step()
            if options.json:
                write(options.json, gpu)
        if bench.server:
            bench.server.close()
        print("all in %.1f s" % (time.monotonic() - begin))


def whole_corpus(options):
    print("== corpus")
    begin = time.monotonic()
    outcomes, gpu = selftest.run_corpus(options.device, lambda outcome: print(outcome.line(), flush=True),
                                        lambda case, honest: not options.number or case.number in options.number)
    seconds = time.monotonic() - begin
    print("corpus: %d of %d as expected on the %s, %.1f s" % (sum(item.good for item in outcomes), len(outcomes), "GPU" if gpu else "CPU", seconds))
    RAW.add(gpu=gpu, wall_s=round(seconds, 2), outcomes=[[item.case.number, item.case.name, "honest" if item.honest else "exploit", item.status,
                                                          item.good, round(item.seconds, 2)] for item in outcomes])


def write(path, gpu):
    import torch  # only for its name, and after everything was measured

    about = {"date": datetime.date.today().isoformat(), "python": sys.version.split()[0], "torch": torch.__version__, "cores": len(os.sched_getaffinity(0))}
    if gpu:
        asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        about["gpu"], about["driver"] = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()[0].split(", ")
    pathlib.Path(path).write_text(json.dumps({"machine": about, **RAW.document}, separators=(",", ":")) + "\n")


def _has(program):
    return any(os.access(os.path.join(folder, program), os.X_OK) for folder in os.get_exec_path())


if __name__ == "__main__":
    main()
