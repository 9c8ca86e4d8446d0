# SPDX-License-Identifier: GPL-3.0-or-later
"""How an evaluation ends: the words of ako.result/1 and the exit status each one means."""

EXIT_CODES = {
    "OK": 0,
    "INCORRECT": 1,
    "BAD_SHAPE": 1,
    "BAD_DTYPE": 1,
    "BAD_OUTPUT_TYPE": 1,
    "ALIAS": 1,
    "PRECISION": 1,
    "NONDETERMINISTIC": 1,
    "USAGE_ERROR": 2,
    "PROBLEM_ERROR": 2,
    "COMPILE_ERROR": 3,
    "RUNTIME_ERROR": 4,
    "CRASH_NO_REPORT": 4,
    "OUT_OF_MEMORY": 4,
    "TIMEOUT": 5,
    "GUARD_HIT": 6,
    "INPUT_MUTATED": 6,
    "ESCAPED_WORK": 6,
    "EXTRA_THREAD": 6,
    "EXTRA_PROCESS": 6,
    "LIMIT_CHANGED": 6,
    "INTEGRITY": 6,
    "SUSPICIOUS": 6,
    "REFERENCE_ERROR": 7,
    "PROBLEM_WEAK": 7,
    "CHAMPION_ERROR": 8,
    "INFRASTRUCTURE": 8,
    "UNSTABLE": 9,
    "INTERRUPTED": 130,
}

# Words that say the solution itself is no honest answer; its run is never mistaken for a slow or wrong kernel.
QUARANTINED = {name for name, code in EXIT_CODES.items() if code == 6}


class Failure(Exception):
    """Ends an evaluation. The message names the object and says what to do; log is bounded text of a worker."""

    def __init__(self, status, message, log=""):
        super().__init__(message)
        assert status in EXIT_CODES, status
        self.status = status
        self.message = message
        self.log = log


class Accusation(Failure):
    """Rests on times, which a busy machine makes as well: it counts where fresh processes give the same cause again.
    about: what has to be the same, beside the status."""

    def __init__(self, status, message, about=""):
        super().__init__(status, message)
        self.cause = (status, about)


def result_state(status, mode):
    code = EXIT_CODES[status]
    if code == 0:
        return "confirmed" if mode == "verdict" else "provisional"
    if code == 6:
        return "quarantined"
    if code in (7, 8, 9):
        return "invalid"
    return "provisional"
