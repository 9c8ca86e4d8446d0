# SPDX-License-Identifier: GPL-3.0-or-later
"""From arguments to printed lines and an exit status."""

import json
import signal
import sys

from akobench import linux
from akobench import options as command_line
from akobench import report
from akobench.result import Result
from akobench.status import EXIT_CODES, Failure

PRINTED_LINES = 40


def main(arguments):
    try:
        options = command_line.parse(arguments)
    except Failure as failure:
        return _usage_failure(failure, _path_of_json(arguments))
    if options.zygote is not None:
        from akobench import zygote

        return zygote.serve_one(options.zygote)
    if options.serve is not None:
        return _serve(options)
    if options.mode == "self-test":
        from akobench import selftest

        return selftest.run(options)
    signal.signal(signal.SIGTERM, _interrupt)
    linux.keep_memory_private()
    return _evaluate(options)


def _interrupt(*_):
    raise KeyboardInterrupt


def _serve(options):
    from akobench import zygote

    try:
        return zygote.serve(options.serve, options.idle)
    except OSError as error:
        sys.stderr.write("bench.py: %s cannot be served: %s\n" % (options.serve, error))
        return EXIT_CODES["INFRASTRUCTURE"]


def _path_of_json(arguments):
    return arguments[arguments.index("--json") + 1] if "--json" in arguments[:-1] else None


def _usage_failure(failure, json_path):
    result = Result("verdict")
    result.cache = "cold"
    result.fail(failure)
    return publish(result, json_path, False)


def _evaluate(options):
    from akobench.session import Session, show_progress

    session = Session(options, show_progress)
    session.result.cache = options.cache
    result = session.run()
    return publish(result, options.json, options.verbose)


def publish(result, json_path, verbose):
    document = report.to_json(result)
    if json_path:
        try:
            report.write_atomically(json_path, json.dumps(document, indent=1) + "\n")
        except OSError as error:
            result.notes.append("%s cannot be written: %s" % (json_path, error.strerror))
            json_path = None
    out = []
    failed = result.status != "OK"
    for role, text in result.printed:
        shown = report.prefixed(role, text)
        if verbose or failed:
            out += shown if verbose else shown[-PRINTED_LINES:]
    if failed and result.log and not any(role for role, _ in result.printed):
        out += report.prefixed("log", result.log)[-PRINTED_LINES:]
    out += report.lines(result, json_path)
    sys.stdout.write("\n".join(out) + "\n")
    sys.stdout.flush()
    return EXIT_CODES[result.status]
