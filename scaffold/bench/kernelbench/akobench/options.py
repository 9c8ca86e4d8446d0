# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: AKO4ALL's flags, and those that both built-in evaluators share."""

import argparse
import math

from akobench.status import Failure


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure("USAGE_ERROR", message + ". --help lists the flags.")


def _positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("%s is not a positive number" % text)
    return value


def _seconds(text):
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError("%s is no number of seconds above 0" % text)
    return value


def _device(text):
    if text in ("auto", "cpu") or text.isdigit():
        return text
    raise argparse.ArgumentTypeError("%s is neither auto, cpu nor a device number" % text)


def parser():
    p = _Parser(prog="bench.py", description="Judges a PyTorch-callable kernel against a reference.",
                epilog="Exit status: 0 correct, 1 incorrect, 2 usage or problem, 3 does not compile, 4 crash, 5 time-out, "
                       "6 refused as dishonest, 7 the reference is not valid, 8 this machine lacks something, 9 too noisy.")
    files = p.add_argument_group("files")
    files.add_argument("--ref", "--reference", dest="reference", metavar="FILE", help="module with Model, get_inputs, get_init_inputs; or a definition.json or its folder")
    files.add_argument("--solution", metavar="PATH", help="module with ModelNew or Model, or a folder that holds it")
    files.add_argument("--champion", "--baseline", dest="champion", metavar="PATH", help="the best solution so far: timed interleaved with this one")
    files.add_argument("--inputs", metavar="FILE", help="module with get_inputs and get_init_inputs, instead of the reference's")
    files.add_argument("--json", metavar="FILE", help="write ako.result/1 there")
    what = p.add_argument_group("what is measured")
    mode = what.add_mutually_exclusive_group()
    mode.add_argument("--signal", dest="mode", action="store_const", const="signal", help="quick: ranks candidates")
    mode.add_argument("--verdict", dest="mode", action="store_const", const="verdict", help="full counts and all checks (default)")
    mode.add_argument("--aa", dest="mode", action="store_const", const="aa", help="the solution against itself: the noise of this machine")
    mode.add_argument("--self-test", dest="mode", action="store_const", const="self-test", help="judge the built-in honest and dishonest solutions")
    what.add_argument("--no-ref", action="store_true", help="do not time the reference")
    what.add_argument("--precision", choices=["fp32", "fp16", "bf16", "fp64"], default="fp32")
    what.add_argument("--backend", default="auto", metavar="NAME", help="auto or a name; it only labels the result")
    what.add_argument("--device", type=_device, default="auto", help="auto, cpu or the number of a GPU")
    what.add_argument("--timing-method", default="auto", metavar="NAME", help="auto, cuda_event or host_time")
    what.add_argument("--cache", choices=["cold", "hot"], default="cold")
    what.add_argument("--tol", choices=["default", "kernelbench"], default="default", help="kernelbench: 1e-4 (fp32) or 1e-2, elementwise only")
    what.add_argument("--deterministic", action="store_true", help="the same inputs have to give the same bits")
    counts = p.add_argument_group("how much")
    counts.add_argument("--num-correct-trials", "--seeds", dest="correct_trials", type=_positive, metavar="N")
    counts.add_argument("--num-perf-trials", "--pairs", dest="perf_trials", type=_positive, metavar="N", help="at most so many timed pairs")
    counts.add_argument("--time-cap", type=_seconds, metavar="S", help="for timing, per workload")
    counts.add_argument("--timeout-compile", type=_seconds, default=180.0, metavar="S")
    counts.add_argument("--timeout-run", type=_seconds, default=60.0, metavar="S", help="for a call")
    counts.add_argument("--timeout-total", "--timeout", dest="timeout", type=_seconds, default=600.0, metavar="S", help="for everything")
    other = p.add_argument_group("other")
    other.add_argument("--verbose", action="store_true")
    other.add_argument("--seed", help=argparse.SUPPRESS)
    other.add_argument("--server", metavar="SOCKET", help="use workers of a running --serve")
    other.add_argument("--serve", metavar="SOCKET", help="keep a process with torch imported for many runs")
    other.add_argument("--idle", type=_seconds, default=900.0, metavar="S", help="--serve ends after so long without a run")
    other.add_argument("--zygote", type=int, help=argparse.SUPPRESS)
    return p


def parse(arguments):
    options = parser().parse_args(arguments)
    options.mode = options.mode or ("no-ref" if options.no_ref and options.champion is None else "verdict")
    if options.timing_method not in ("auto", "cuda_event", "host_time", "host", "events"):
        raise Failure("USAGE_ERROR", "--timing-method %s is not known here. Use auto, cuda_event or host_time." % options.timing_method)
    if options.zygote is None and options.serve is None and options.mode != "self-test":
        for name in ("reference", "solution"):
            if getattr(options, name) is None:
                raise Failure("USAGE_ERROR", "--%s is needed" % {"reference": "ref"}.get(name, name))
    return options
