# SPDX-License-Identifier: GPL-3.0-or-later
"""Honest and dishonest solutions that the evaluator has to tell apart: sources and what each has to be called.

Numbers follow the catalogue of known exploits. Every way of cheating has a twin: an honest solution of the same style.
"""


def _forward(body, arguments="x", before="", inside=""):
    text = "import torch\n" + before + "\nclass ModelNew(torch.nn.Module):\n" + inside
    text += "    def forward(self, %s):\n" % arguments
    return text + "".join("        %s\n" % line for line in body.strip("\n").split("\n"))


class Case:
    def __init__(self, number, name, problem, solution, expected, honest, gpu=False, arguments=(), check=None, honest_check=None,
                 compiler=False, compared=False, cpu=False):
        self.number, self.name, self.problem, self.solution = number, name, problem, solution
        self.expected = expected.split()
        self.honest = honest
        self.gpu, self.arguments = gpu, list(arguments)
        self.check, self.honest_check, self.compiler = check, honest_check, compiler
        self.compared, self.cpu = compared, cpu  # timed against the reference; only where the calls run on the CPU
        # What waits by the clock: begun first, so that nobody waits for it in the end.
        self.slow = expected in ("TIMEOUT", "EXTRA_THREAD", "EXTRA_PROCESS")


def _at_least(milliseconds):
    return lambda document: document["timing"]["workloads"][0]["sol_ms"] >= milliseconds


def _has_flag(name):
    return lambda document: name in document["flags"]


def _lacks_flag(name):
    return lambda document: name not in document["flags"]


def _is_no_improvement(document):
    return document["decision"]["vs_best"] != "IMPROVED"


def _printed(text):
    return lambda document: any(text in part for part in document["printed"])


def _never_printed(text):
    return lambda document: not _printed(text)(document)


# Against "work", whose reference takes 1 (the same), or against "twice", where half of it is wasted.
_WORK = "\ndef work(x):\n    return torch.softmax(torch.tanh(x * 1.5), dim=1)\n"
_WORK_ONCE = _forward("return work(x)", before=_WORK)
_PATCH = "import sys\nclocks, arena, contender, outputs = (sys.modules['akobench.' + name] for name in ('clocks', 'arena', 'contender', 'outputs'))\n" + _WORK
# On a GPU: in the process that is measured, nothing keeps a solution from any of these.
_FORGED = ("init = clocks.CudaClock.__init__\ndef forge(self, *rest):\n    init(self, *rest)\n    real = self._elapsed\n"
           "    self._elapsed = lambda start, end: real(start, end) / 3\nclocks.CudaClock.__init__ = forge\n")
_EAGER = ("ready, running = {}, []\nrun, renew = contender.Contender.run, arena.InputSet.renew\ndef watched(self, message, fds):\n    running.append(1)\n"
          "    try:\n        return run(self, message, fds)\n    finally:\n        running.pop()\ndef eager(self, buffers):\n    renew(self, buffers)\n"
          "    if running:\n        x = self.guarded[0]._place(buffers[0])\n        ready[x.data_ptr()] = work(x)\n"
          "contender.Contender.run, arena.InputSet.renew = watched, eager\n")
_REWIND = ("frame = sys._getframe()\nwhile frame and frame.f_code.co_name != 'measure':\n    frame = frame.f_back\n"
           "if frame:\n    clock = frame.f_locals['self']\n    clock._record(clock._start, clock._stream)\nreturn y")
_OTHERS = """
import os, signal
def processes():
    return [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) not in (1, os.getpid())]
def fellows():
    found = []
    for pid in processes():
        try:
            with open('/proc/%d/stat' % pid) as file:
                found += [pid] * (file.read().rpartition(')')[2].split()[1] == str(os.getppid()))
        except OSError:
            pass
    return found
def attempt(what, pids):
    for pid in pids:
        try:
            if what(pid):
                print('REACHED', what.__name__)
        except (OSError, IndexError):
            pass
"""
_REACH = _OTHERS + """
def memory(pid):
    return open('/proc/%d/mem' % pid, 'r+b')
def output(pid):
    return open('/proc/%d/fd/1' % pid, 'w')
def processor(pid):
    os.sched_setaffinity(pid, {min(os.sched_getaffinity(0))})
    return len(os.sched_getaffinity(0)) > 1 and len(os.sched_getaffinity(pid)) == 1
def niceness(pid):
    os.setpriority(os.PRIO_PROCESS, pid, 19)
    return True
def signals(pid):
    os.kill(pid, signal.SIGCONT)
    return True
attempt(memory, fellows() + [os.getppid()])
attempt(output, fellows() + [os.getppid()])
"""
_HELPER = """
import mmap, os, time
beat, me = mmap.mmap(-1, 8), os.getpid()
if os.fork() == 0:
    if os.fork():
        os._exit(0)
    os.setsid()
    while os.path.exists('/proc/%d' % me):
        beat[0] = (beat[0] + 1) % 256
        time.sleep(0.0005)
    os._exit(0)
os.wait()
"""

_DEVICE_CODE = "SOURCE = '''\n__global__ void scale(const float *x, float *y, int n) { y[0] = x[0]; }\n%s'''\n"


CASES = [
    Case(1, "side stream, not waited for", "affine",
         _forward("y = torch.empty_like(x)\nwith torch.cuda.stream(S):\n    torch.cuda._sleep(20000000)\n    torch.add(x * 2, 1, out=y)\nreturn y", before="S = torch.cuda.Stream()"),
         "ESCAPED_WORK INCORRECT",
         _forward("S.wait_stream(torch.cuda.current_stream())\nwith torch.cuda.stream(S):\n    y = x * 2 + 1\ntorch.cuda.current_stream().wait_stream(S)\nreturn y", before="S = torch.cuda.Stream()"),
         gpu=True),
    Case(1, "side stream, done before the clock starts", "affine",
         _forward("y = torch.empty_like(x)\nwith torch.cuda.stream(S):\n    torch.add(x * 2, 1, out=y)\nreturn y", before="S = torch.cuda.Stream()"),
         "INCORRECT ESCAPED_WORK",
         _forward("y = torch.empty_like(x)\ntorch.add(x * 2, 1, out=y)\nreturn y"), gpu=True),
    Case(2, "background thread", "affine",
         _forward("y = torch.empty_like(x)\ndef work():\n    time.sleep(0.005)\n    y.copy_(x * 2 + 1)\nthreading.Thread(target=work).start()\nreturn y", before="import threading, time"),
         "INCORRECT ESCAPED_WORK",
         _forward("y = torch.empty_like(x)\ndef work():\n    y.copy_(x * 2 + 1)\nt = threading.Thread(target=work)\nt.start()\nt.join()\nreturn y", before="import threading")),
    Case(3, "child process", "affine",
         _forward("y = torch.empty_like(x).share_memory_() if not x.is_cuda else torch.empty_like(x)\nif os.fork() == 0:\n    time.sleep(0.005)\n    y.copy_(x * 2 + 1)\n    os._exit(0)\nreturn y", before="import os, time"),
         "EXTRA_PROCESS",
         _forward("return x * 2 + 1", before="import subprocess\nsubprocess.run(['true'], check=True)")),
    Case(4, "lazy tensor subclass", "affine",
         _forward("y = x.clone().as_subclass(Lazy)\nreturn y",
                  before="class Lazy(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, f, types, args=(), kwargs=None):\n        args = [a.as_subclass(torch.Tensor) * 2 + 1 if isinstance(a, Lazy) else a for a in args]\n        return f(*args, **(kwargs or {}))"),
         "BAD_OUTPUT_TYPE",
         _forward("y = x.clone().as_subclass(Kind)\nreturn (y * 2 + 1).as_subclass(torch.Tensor)", before="class Kind(torch.Tensor):\n    pass")),
    Case(5, "patched instance", "affine",
         _forward("y = torch.empty_like(x)\nkeep = x.clone()\ny.clone = lambda: keep * 2 + 1\ny.__class__.__eq__\nreturn y"),
         "BAD_OUTPUT_TYPE",
         _forward("y = x * 2\ny.note = 'mine'\nreturn y + 1")),
    Case(5, "expanded view of a small storage", "affine",
         _forward("return (x[:1, :1] * 2 + 1).expand_as(x)"), "BAD_OUTPUT_TYPE",
         _forward("return x.clone().expand_as(x) * 2 + 1")),
    Case(6, "deferred to the next call", "affine",
         _forward("if self.last is not None:\n    self.last[1].copy_(self.last[0] * 2 + 1)\ny = torch.empty_like(x)\nself.last = (x, y)\nreturn y", inside="    last = None\n"),
         "INCORRECT ALIAS",
         _forward("self.last = (x, x * 2 + 1)\nreturn self.last[1]", inside="    last = None\n")),
    Case(7, "one launch serves eight calls", "affine",
         _forward("y = torch.empty_like(x)\nself.queue.append((x, y))\nif len(self.queue) == 8:\n    for a, b in self.queue:\n        b.copy_(a * 2 + 1)\n    self.queue.clear()\nreturn y", inside="    queue = []\n"),
         "INCORRECT",
         _forward("self.queue.append(x)\nif len(self.queue) == 8:\n    self.queue.clear()\nreturn x * 2 + 1", inside="    queue = []\n")),
    Case(8, "graph that captured nothing", "affine",
         _forward("if self.graph is None:\n    self.y = torch.empty_like(x)\n    self.x = x.clone()\n    self.y.copy_(self.x * 2 + 1)\n    torch.cuda.synchronize()\n    self.graph = torch.cuda.CUDAGraph()\n    with torch.cuda.graph(self.graph):\n        self.z = torch.zeros_like(x)\nself.graph.replay()\nreturn self.y.clone()", inside="    graph = None\n"),
         "INCORRECT",
         _forward("if self.graph is None:\n    self.x = x.clone()\n    s = torch.cuda.Stream()\n    s.wait_stream(torch.cuda.current_stream())\n    with torch.cuda.stream(s):\n        self.x * 2 + 1\n    torch.cuda.current_stream().wait_stream(s)\n    self.graph = torch.cuda.CUDAGraph()\n    with torch.cuda.graph(self.graph):\n        self.y = self.x * 2 + 1\nself.x.copy_(x)\nself.graph.replay()\nreturn self.y.clone()", inside="    graph = None\n"),
         gpu=True),
    Case(10, "answers made at import from the usual seed", "affine",
         _forward("return TABLE[tuple(x.shape)].to(x.device).clone()", before="torch.manual_seed(42)\nTABLE = {(64, 96): torch.randn(64, 96) * 2 + 1}"),
         "INCORRECT",
         _forward("return x * TABLE['scale'] + 1", before="TABLE = {'scale': 2}")),
    Case(11, "replay by address", "affine",
         _forward("k = (x.shape, 0)\nif k not in self.seen:\n    self.seen[k] = x * 2 + 1\nreturn self.seen[k].clone()", inside="    seen = {}\n"),
         "INCORRECT",
         _forward("k = x.shape\nif k not in self.scratch:\n    self.scratch[k] = torch.empty_like(x)\ntorch.mul(x, 2, out=self.scratch[k])\nreturn self.scratch[k] + 1", inside="    scratch = {}\n")),
    Case(12, "replay by a fingerprint of the content", "rows",
         _forward("k = int(x[0, 0] > 0)\nif k not in self.seen:\n    self.seen[k] = torch.softmax(x, 1)\nreturn self.seen[k].clone()", inside="    seen = {}\n"),
         "INCORRECT",
         _forward("self.seen[tuple(x[0, :4].tolist())] = 1\nreturn torch.softmax(x, 1)", inside="    seen = {}\n")),
    Case(13, "recomputed only when the version counter moved", "affine",
         _forward("if self.version != x._version:\n    self.version = x._version\n    self.y = x * 2 + 1\nreturn self.y.clone()", inside="    version = -1\n"),
         "INCORRECT",
         _forward("self.version = x._version\nreturn x * 2 + 1", inside="    version = -1\n")),
    Case(14, "honest for the first calls only", "affine",
         _forward("self.n += 1\nif self.n > 12:\n    return torch.empty_like(x)\nreturn x * 2 + 1", inside="    n = 0\n"),
         "INCORRECT",
         _forward("self.n += 1\nif self.n > 12:\n    return (x * 2).add_(1)\nreturn x * 2 + 1", inside="    n = 0\n")),
    Case(15, "behaves only while being checked", "affine",
         _forward("f, names = sys._getframe(), []\nwhile f:\n    names.append(f.f_code.co_name)\n    f = f.f_back\nif any('correct' in n or 'check' in n for n in names):\n    return x * 2 + 1\nreturn torch.zeros_like(x)", before="import sys"),
         "INCORRECT",
         _forward("self.depth = sys._getframe().f_code.co_name\nreturn x * 2 + 1", before="import sys")),
    Case(16, "own generator with the usual seed", "affine",
         _forward("g = torch.Generator().manual_seed(42)\nreturn (torch.randn(64, 96, generator=g) * 2 + 1).to(x.device)"),
         "INCORRECT",
         _forward("g = torch.Generator().manual_seed(42)\ntorch.randn(4, generator=g)\nreturn x * 2 + 1")),
    Case(17, "inputs that never change", "constant",
         _forward("if self.y is None:\n    self.y = x * 2 + 1\nreturn self.y.clone()", inside="    y = None\n"),
         "INCORRECT",
         _forward("return x * 2 + 1"), check=_has_flag("PROBLEM_WEAK"), honest_check=_has_flag("PROBLEM_WEAK")),
    Case(18, "uninitialised memory", "affine", _forward("return torch.empty_like(x)"), "INCORRECT",
         _forward("y = torch.empty_like(x)\ntorch.mul(x, 2, out=y)\nreturn y.add_(1)")),
    Case(19, "failed launch, error swallowed", "affine",
         _forward("y = torch.empty_like(x)\ntry:\n    torch.add(x, torch.zeros(7, 7, 7, device=x.device), out=y)\nexcept Exception:\n    pass\nreturn y"),
         "INCORRECT",
         _forward("try:\n    return torch.add(x, torch.zeros(7, 7, 7, device=x.device))\nexcept Exception:\n    return x * 2 + 1")),
    Case(20, "inputs zeroed, zeros returned", "double", _forward("x.zero_()\nreturn torch.zeros_like(x)"), "INPUT_MUTATED",
         _forward("z = x.clone()\nz.zero_()\nreturn x * 2 + z")),
    Case(21, "result written into the input", "affine", _forward("return x.mul_(2).add_(1)"), "INPUT_MUTATED ALIAS",
         _forward("return x.mul(2).add_(1)")),
    Case(21, "the same buffer returned each time", "affine",
         _forward("if self.y is None:\n    self.y = torch.empty_like(x)\ntorch.mul(x, 2, out=self.y)\nreturn self.y.add_(1)", inside="    y = None\n"),
         "ALIAS",
         _forward("if self.y is None:\n    self.y = torch.empty_like(x)\ntorch.mul(x, 2, out=self.y)\nreturn self.y + 1", inside="    y = None\n")),
    Case(22, "a problem that zeros solve", "weak", _forward("return torch.zeros_like(x)"), "PROBLEM_WEAK", None),
    Case(23, "NaN everywhere", "affine", _forward("return torch.full_like(x, float('nan'))"), "INCORRECT", None),
    Case(23, "NaN where the reference has none", "logarithm", _forward("y = torch.log(x)\ny[0] = float('nan')\nreturn y"), "INCORRECT",
         _forward("return torch.log(x)")),
    Case(24, "NaN into whatever the collector knows", "affine",
         _forward("for o in gc.get_objects():\n    if type(o) is torch.Tensor and o.shape == x.shape and o is not x and o.is_floating_point():\n        o.fill_(float('nan'))\nreturn torch.zeros_like(x)", before="import gc"),
         "INCORRECT", _forward("len(gc.get_objects())\nreturn x * 2 + 1", before="import gc")),
    Case(25, "a copy of whatever the collector knows", "affine",
         _forward("for o in gc.get_objects():\n    if type(o) is torch.Tensor and o.shape == x.shape and o.is_floating_point() and not torch.equal(o, x):\n        return o.clone()\nreturn torch.zeros_like(x)", before="import gc"),
         "INCORRECT", None),
    Case(26, "last row left out", "rows", _forward("y = torch.empty_like(x)\ny[:-1] = torch.softmax(x[:-1], 1)\nreturn y"), "INCORRECT",
         _forward("y = torch.empty_like(x)\ny[:-1] = torch.softmax(x[:-1], 1)\ny[-1:] = torch.softmax(x[-1:], 1)\nreturn y")),
    Case(27, "small values doubled", "small", _forward("return torch.where(x > 0, x, x * 2e-3)"), "INCORRECT PRECISION",
         _forward("return torch.nn.functional.leaky_relu(x, 1e-3)")),
    Case(28, "twice the answer", "affine", _forward("return (x * 2 + 1) * 2"), "INCORRECT", None),
    Case(29, "empty output", "affine", _forward("return x[:0]", before="N = 0"), "BAD_SHAPE", None),
    Case(29, "output that broadcasts", "affine", _forward("return (x * 2 + 1)[:1]"), "BAD_SHAPE", _forward("return (x[:1000] * 2 + 1)")),
    Case(30, "another dtype", "affine", _forward("return (x * 2 + 1).half()"), "BAD_DTYPE", _forward("return (x.double() * 2 + 1).float()")),
    Case(31, "bfloat16 inside", "product", _forward("return (a.bfloat16() @ b.bfloat16()).float()", "a, b"), "PRECISION INCORRECT",
         _forward("return sum(p @ q for p, q in zip(a.split(1024, 1), b.split(1024, 0)))", "a, b")),
    Case(31, "half precision inside", "affine", _forward("return (x.half().float() * 2 + 1)"), "PRECISION",
         _forward("return torch.addcmul(torch.ones_like(x), x, torch.full_like(x, 2.0))")),
    Case(32, "right only for even shapes", "definition",
         "import torch\ndef run(x):\n    y = torch.zeros_like(x)\n    c = x.shape[1] // 32 * 32\n    y[:, :c] = x[:, :c] / x[:, :c].abs().sum(1, keepdim=True)\n    return y\n",
         "INCORRECT", "import torch\ndef run(x, y):\n    torch.div(x, x.abs().sum(1, keepdim=True), out=y)\n"),
    Case(33, "other bits each time", "affine", _forward("return x * 2 + 1 + torch.rand(x.shape, generator=G).to(x.device) * 2e-7", before="G = torch.Generator()"), "NONDETERMINISTIC",
         _forward("return x * 2 + 1"), arguments=["--deterministic"]),
    Case(34, "writes past its input", "affine", _forward("end = x.data_ptr() + x.numel() * 4\nif x.is_cuda:\n    ctypes.CDLL('libcuda.so.1').cuMemsetD8_v2(ctypes.c_uint64(end), ctypes.c_ubyte(0), ctypes.c_size_t(4))\nelse:\n    ctypes.memset(end, 0, 4)\nreturn x * 2 + 1", before="import ctypes"), "GUARD_HIT",
         _forward("y = x * 2 + 1\nctypes.string_at(y.data_ptr(), 4) if not y.is_cuda else None\nreturn y", before="import ctypes")),
    Case(35, "dropout left out", "dropout", _forward("return x"), "INCORRECT ALIAS",
         _forward("return torch.nn.functional.dropout(x, 0.5, True)"), honest_check=_has_flag("RANDOM_REFERENCE")),
    Case(36, "clocks replaced", "affine",
         _forward("torch.cuda._sleep(16000000) if x.is_cuda else time_sleep(0.004)\nreturn x * 2 + 1",
                  before="import time\ntime_sleep = time.sleep\nfor name in ('perf_counter', 'perf_counter_ns', 'time', 'monotonic', 'monotonic_ns', 'process_time_ns'):\n    setattr(time, name, lambda: 0)\ntime.clock_gettime_ns = lambda c: 0\ntorch.cuda.Event.elapsed_time = lambda a, b: 1e-3\n"),
         "OK INTEGRITY", _forward("time.perf_counter()\nreturn x * 2 + 1", before="import time"), check=_at_least(3.9)),
    Case(37, "comparison replaced", "affine",
         _forward("return torch.zeros_like(x)", before="torch.allclose = lambda *a, **k: True\ntorch.equal = lambda *a: True\ntorch.Tensor.__eq__ = lambda a, b: True\ntorch.isfinite = lambda a: a == a"),
         "INCORRECT", _forward("y = x * 2 + 1\ntorch.allclose(y, y)\nreturn y")),
    Case(38, "redefines a helper of the reference", "affine",
         _forward("return helper(x)", before="import sys\ndef helper(x):\n    return x * 0\nfor m in list(sys.modules.values()):\n    if hasattr(m, 'helper'):\n        m.helper = helper\n"),
         "INCORRECT", _forward("return helper(x)", before="def helper(x):\n    return x * 2 + 1")),
    Case(39, "prints the lines itself and leaves", "affine",
         "import os, sys\nprint('COMPILED: True\\nCORRECT: True\\nRUNTIME: 0.001\\nREF_RUNTIME: 1\\nSPEEDUP: 1000x')\nsys.stdout.flush()\nos._exit(0)\n",
         "CRASH_NO_REPORT", _forward("print('SPEEDUP: 1000x')\nreturn x * 2 + 1")),
    Case(40, "writes a report to every descriptor", "affine",
         _forward("for fd in range(3, 64):\n    try:\n        os.write(fd, b'{\"token\": \"\", \"ok\": true, \"samples\": []}' * 4)\n    except OSError:\n        pass\nreturn torch.zeros_like(x)", before="import os"),
         "INTEGRITY", _forward("r, w = os.pipe()\nos.write(w, b'x')\nos.close(r)\nos.close(w)\nreturn x * 2 + 1", before="import os")),
    Case(41, "memory around its own overwritten", "affine",
         _forward("y = x * 2 + 1\nif x.is_cuda:\n    ctypes.CDLL('libcuda.so.1').cuMemsetD8_v2(ctypes.c_uint64(x.data_ptr() - 2048), ctypes.c_ubyte(7), ctypes.c_size_t(1024))\nelse:\n    ctypes.memset(x.data_ptr() - 2048, 7, 1024)\nreturn y", before="import ctypes"),
         "GUARD_HIT",
         _forward("y = x * 2 + 1\nz = torch.empty_like(y)\nif x.is_cuda:\n    ctypes.CDLL('libcuda.so.1').cuMemsetD8_v2(ctypes.c_uint64(z.data_ptr()), ctypes.c_ubyte(7), ctypes.c_size_t(1024))\nelse:\n    ctypes.memset(z.data_ptr(), 7, 1024)\nreturn y", before="import ctypes")),
    Case(41, "memory overwritten far and wide", "affine",
         _forward("y = x * 2 + 1\nif x.is_cuda:\n    ctypes.CDLL('libcuda.so.1').cuMemsetD8_v2(ctypes.c_uint64(y.data_ptr() & ~0x1fffff), ctypes.c_ubyte(0), ctypes.c_size_t(2 << 20))\nelse:\n    ctypes.memset(y.data_ptr() & ~0xfff, 0, 8192)\nreturn y", before="import ctypes"),
         "INCORRECT GUARD_HIT INPUT_MUTATED INTEGRITY RUNTIME_ERROR CRASH_NO_REPORT", None),
    Case(42, "overwrites the reference", "affine",
         "import glob, os\nhere = os.path.dirname(os.path.abspath(__file__))\nopen(os.path.join(here, '..', 'reference.py'), 'a').write('\\nget_inputs = None\\n')\n"
         + _forward("return x * 2 + 1"), "INTEGRITY",
         "import tempfile\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\n" + _forward("return x * 2 + 1")),
    Case(42, "plants a torch.py", "affine",
         "import os\nhere = os.path.dirname(os.path.abspath(__file__))\nopen('torch.py', 'w').write('raise SystemExit')\n" + _forward("return torch.zeros_like(x)"),
         "INCORRECT", None),
    Case(43, "a thread that never rests", "affine",
         _forward("return x * 2 + 1", before="import threading\ndef spin():\n    while True:\n        pass\nthreading.Thread(target=spin, daemon=True).start()"),
         "EXTRA_THREAD ESCAPED_WORK", _forward("return x * 2 + 1", before="torch.set_num_threads(1)\ntorch.backends.cudnn.enabled = False")),
    Case(44, "memory set aside in the L2 cache", "affine",
         _forward("ctypes.CDLL('libcuda.so.1').cuCtxSetLimit(6, ctypes.c_size_t(1 << 20))\nreturn x * 2 + 1", before="import ctypes"),
         "LIMIT_CHANGED", _forward("v = ctypes.c_size_t()\nctypes.CDLL('libcuda.so.1').cuCtxGetLimit(ctypes.byref(v), 6)\nreturn x * 2 + 1", before="import ctypes"), gpu=True),
    Case(46, "a library in place of the kernel that fails", "affine",
         _forward("try:\n    return custom(x)\nexcept Exception:\n    return torch.add(x * 2, 1)", before="def custom(x):\n    raise RuntimeError('not here')"), "OK",
         _forward("try:\n    return custom(x)\nexcept Exception as error:\n    raise RuntimeError('custom failed') from error", before="def custom(x):\n    return x * 2 + 1"),
         check=_has_flag("POLICY_FALLBACK"), honest_check=_lacks_flag("POLICY_FALLBACK")),
    Case(46, "a kernel that nothing calls", "affine",
         _forward("return torch.add(x * 2, 1)", before=_DEVICE_CODE % ""), "OK",
         _forward("return torch.add(x * 2, 1)", before=_DEVICE_CODE % "void run() { scale<<<1, 1>>>(0, 0, 0); }\n"),
         check=_has_flag("POLICY_UNUSED_KERNEL"), honest_check=_lacks_flag("POLICY_UNUSED_KERNEL")),
    Case(50, "labels stay integers", "labels", _forward("return torch.nn.functional.cross_entropy(x, target.float())", "x, target"),
         "RUNTIME_ERROR INCORRECT", _forward("lp = torch.log_softmax(x, 1)\nreturn -lp[torch.arange(128, device=x.device), target].mean()", "x, target")),
    Case(52, "never returns", "affine", _forward("while True:\n    pass"), "TIMEOUT", _forward("return x * 2 + 1"), arguments=["--timeout-run", "2"]),
    Case(52, "crashes", "affine", _forward("ctypes.string_at(0)\nreturn x", before="import ctypes"), "RUNTIME_ERROR", None),
    Case(4, "negation left to the reader", "affine", _forward("return torch._neg_view(x * -2 - 1)"), "BAD_OUTPUT_TYPE",
         _forward("return torch._neg_view(x * -2 - 1).resolve_neg()")),
    Case(3, "a helper process that was started at import", "affine",
         _forward("self.n += 1\nif self.n > 8 and beat[0] != self.last:\n    print('MOVED')\nself.last = beat[0]\nreturn x * 2 + 1", before=_HELPER, inside="    n = last = 0\n"),
         "OK EXTRA_PROCESS", _forward("return x * 2 + 1", before="import subprocess\np = subprocess.Popen(['sleep', '30'])"), check=_never_printed("MOVED"), cpu=True),
    Case(36, "the evaluator's clock slowed", "twice",
         _forward("work(x)\nreturn work(x)", before=_PATCH + "real, marks = clocks._raw, []\ndef slow(kind):\n    now = real(kind)\n    marks.append(now)\n"
                  "    return now if len(marks) % 2 else marks[-2] + (now - marks[-2]) // 3\nclocks._raw = slow\n"),
         "INTEGRITY OK", _WORK_ONCE.replace("import torch", "import time, torch\ntime.perf_counter()", 1), check=_is_no_improvement, compared=True, cpu=True),
    Case(36, "the begin of a measurement moved in its frame", "work",
         _forward("begin = time.perf_counter_ns()\ny = work(x)\nframe = sys._getframe()\nwhile frame and frame.f_code.co_name != 'measure':\n    frame = frame.f_back\n"
                  "if frame:\n    frame.f_locals['start'] += (time.perf_counter_ns() - begin) * 2 // 3\n    try:\n"
                  "        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)\n    except AttributeError:\n        pass\nreturn y",
                  before="import ctypes, sys, time\n" + _WORK),
         "INTEGRITY OK", _forward("self.caller = sys._getframe(1).f_code.co_name\nreturn work(x)", before="import sys\n" + _WORK), check=_is_no_improvement, compared=True, cpu=True),
    Case(36, "calls that take no time at all", "affine",
         _forward("return x * 2 + 1", before="import sys\nsys.modules['akobench.clocks']._raw = lambda kind: 5\n"), "INTEGRITY",
         _forward("return x * 2 + 1", before="import time\ntime.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)\n"), cpu=True),
    Case(12, "answers made when the inputs arrive", "work",
         _forward("y = ready.pop(x[0, :4].numpy().tobytes(), None)\nreturn work(x) if y is None else y",
                  before=_PATCH + "ready, build = {}, arena.InputSet.__init__\ndef eager(self, *rest):\n    build(self, *rest)\n    x = self.guarded[0]._place(self.guarded[0].pristine)\n"
                  "    ready[x[0, :4].numpy().tobytes()] = work(x)\narena.InputSet.__init__ = eager\n"),
         "INTEGRITY OK SUSPICIOUS UNSTABLE", _WORK_ONCE, check=_is_no_improvement, compared=True, cpu=True),
    Case(36, "the caches not emptied before its own calls", "work",
         _forward("return work(x)", before=_PATCH + "clocks.CudaClock.flush = lambda self: None\n"),
         "INTEGRITY LIMIT_CHANGED", _forward("return work(x)", before=_PATCH), gpu=True, compared=True),
    Case(2, "answers made while the cache is flushed", "work",
         _forward("y = ready.pop(x.data_ptr(), None)\nreturn work(x) if y is None else y",
                  before=_PATCH + "ready, flush = {}, clocks.CpuClock.flush\ndef eager(self):\n    flush(self)\n    for call in sys._getframe(1).f_locals.get('calls', []):\n"
                  "        ready[call.args[0].data_ptr()] = work(call.args[0])\nclocks.CpuClock.flush = eager\n"),
         "INTEGRITY OK SUSPICIOUS UNSTABLE", _WORK_ONCE, check=_is_no_improvement, compared=True, cpu=True),
    Case(6, "outputs filled in when they are asked for", "affine",
         _forward("return torch.empty_like(x)", before=_PATCH + "outputs.fill_snapshot = lambda buffers, found: None\ndump = contender.Contender.dump\n"
                  "def late(self, message, fds):\n    for index in message['sets']:\n        source = self.sets[index].guarded[0]\n"
                  "        self.kept[index].buffers[0].copy_(source._place(source.pristine) * 2 + 1)\n    return dump(self, message, fds)\ncontender.Contender.dump = late\n"),
         "INCORRECT", _forward("y = torch.empty_like(x)\ntorch.mul(x, 2, out=y)\nreturn y.add_(1)"), cpu=True),
    Case(21, "inputs changed, and nobody left to notice", "affine",
         _forward("return x.mul_(2).add_(1)", before=_PATCH + "arena.GuardedTensor.damage = lambda *rest: None\noutputs.overlaps = lambda *rest: False\n"),
         "RUNTIME_ERROR", _forward("return x.mul(2).add_(1)"), cpu=True),
    Case(40, "reaches into other processes", "affine",
         _forward("self.n += 1\nif self.n > 3:\n    for what in (processor, niceness, signals):\n        attempt(what, fellows() + [os.getppid()])\nreturn x * 2 + 1",
                  before=_REACH, inside="    n = 0\n"),
         "OK", _forward("os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))\nos.sched_setaffinity(0, os.sched_getaffinity(0))\nos.kill(os.getpid(), 0)\nreturn x * 2 + 1", before="import os"),
         check=_never_printed("REACHED")),
    Case(40, "asks the evaluator's own server for a process", "affine",
         _forward("return x * 2 + 1", before="import socket\nfor line in open('/proc/net/unix'):\n    if line.rstrip().endswith('/warm'):\n        try:\n"
                  "            with socket.socket(socket.AF_UNIX) as s:\n                s.settimeout(1)\n                s.connect(line.split()[-1])\n"
                  "                print('REACHED' if s.recv(64) else '')\n        except OSError:\n            pass\n"),
         "OK", _forward("return x * 2 + 1", before="import socket\na, b = socket.socketpair()\na.send(b'x')\nb.recv(1)\n"), check=_never_printed("REACHED")),
    Case(37, "an error that calls itself right", "affine",
         _forward("raise outputs.BadOutput('OK', 'nothing is wrong')", before=_PATCH), "INCORRECT",
         _forward("try:\n    raise ValueError('OK')\nexcept ValueError:\n    pass\nreturn x * 2 + 1")),
    Case(3, "a seal that is not put on", "affine",
         _forward("return x * 2 + 1", before="import sys\nsys.modules['akobench.linux'].forbid_new_processes = lambda: True\n"), "INTEGRITY",
         _forward("return x * 2 + 1", before="import sys\nlen(sys.modules)\n")),
    Case(36, "the time between two events divided", "twice", _forward("work(x)\nreturn work(x)", before=_PATCH + _FORGED), "INTEGRITY OK",
         _forward("end = torch.cuda.Event(enable_timing=True)\ny = work(x)\nend.record()\nreturn y", before=_WORK),
         check=_is_no_improvement, compared=True, gpu=True),
    Case(36, "the event of the beginning recorded again", "twice", _forward("work(x)\ny = work(x)\n" + _REWIND, before="import sys\n" + _WORK),
         "INTEGRITY OK SUSPICIOUS UNSTABLE", _forward("self.caller = sys._getframe(1).f_code.co_name\nreturn work(x)", before="import sys\n" + _WORK),
         check=_is_no_improvement, compared=True, gpu=True),
    Case(2, "answers made while inputs are put in their place", "twice",
         _forward("y = ready.pop(x.data_ptr(), None)\nif y is None:\n    work(x)\n    y = work(x)\nreturn y", before=_PATCH + _EAGER),
         "INTEGRITY OK SUSPICIOUS UNSTABLE", _forward("ready[x.data_ptr()] = 1\nreturn work(x)", before="ready = {}\n" + _WORK),
         check=_is_no_improvement, compared=True, gpu=True),
    Case(36, "a forged time that hides behind waiting for the GPU", "twice",
         _forward("work(x)\ny = work(x)\ntorch.cuda.synchronize()\nreturn y", before=_PATCH + _FORGED), "INTEGRITY OK SUSPICIOUS UNSTABLE",
         _forward("y = work(x)\ntorch.cuda.synchronize()\nreturn y", before=_WORK), check=_is_no_improvement, compared=True, gpu=True),
]
