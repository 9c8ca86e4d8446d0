# SPDX-License-Identifier: GPL-3.0-or-later
"""Gains of fractions of a millisecond on a GPU, told again by the parent's own clock: see gate.py for how.

What a solution's process does with a trial as a whole, such as making several calls by one launch, is not ruled out.

Calls that wait for the GPU cannot be queued. Where they are the reference's or the champion's, timed calls are all there
is; where they are the solution's, a large gain stays unconfirmed."""

import os
import secrets

from akobench.gate import Gate, Layout, pad_words
from akobench.status import Failure

# A trial should last at least so long, the kernels' own time counted; short of what a GPU takes into its queue.
TRIAL_MS, LEAST_CALLS, MOST_CALLS = 0.4, 4, 16
FEWER = 4  # times fewer calls, where so many cannot be queued
MOST_PAD_BYTES = 8 << 20
# What two processes differ by for each call, whatever they run.
SLACK_MS = 0.0004
QUEUE_SECONDS, MOST_FAILURES = 0.2, 1
LEAST_SECONDS, LONGEST = 2.0, 50  # a trial has failed when it takes longer, or so many times what it should
# Rounds of each crew: in the first ones nothing waits for the parent, and it shows who can be queued.
FREE_ROUNDS, WARM_ROUNDS = 2, 3
JUDGED = {"signal": 0.5}  # share of the trials of which an output is judged
_random = secrets.SystemRandom()


class Took:
    """As a Spent, by the wall alone."""

    alone = False

    def __init__(self, seconds):
        self.wall = self.cpu = seconds


class Queue:
    """refused: who could not be queued; waits: for a reason of its own, such as calls that wait for the GPU, and not because
    the machine is too busy."""

    def __init__(self, session, workload, roles):
        self.session, self.golden, self.workload, self.roles = session, session.golden, workload, roles
        self.words = sum(map(pad_words, workload["input_sizes"]))
        self.gates, self.ahead, self.broken = {}, set(), set()
        self.refused = self.why = ""
        self.waits = False

    def trials(self):
        """What each role took, and in how many calls, for as long as it is asked for. Ends when someone is refused."""
        count = self._calls()
        while count:
            self.refused = ""
            yield from self._with(count)
            if self.waits or not self.refused:
                return
            count //= FEWER if count >= FEWER else count + 1

    def _with(self, count):
        crews, failures, number = self.session.crews, 0, 0
        if not self._open(count):
            return
        while True:
            spent = self._round(crews[number % len(crews)], count, number >= FREE_ROUNDS * len(crews))
            missing = [role for role in self.roles if role not in spent]
            failures = failures + 1 if missing else 0
            number += 1
            if failures > MOST_FAILURES:
                return self._refuse(missing)
            if number == FREE_ROUNDS * len(crews) and len(self.ahead) < len(self.roles):
                self.waits, self.why = True, "they wait for the GPU, by item(), synchronize() or the like"
                return self._refuse([role for role in self.roles if role not in self.ahead])
            if number > WARM_ROUNDS * len(crews) and not missing:
                yield spent, count

    def _calls(self):
        wanted = round(TRIAL_MS / max(self.session.call_ms[self.workload["id"]], 1e-3))
        room = min(self.session._room_for(self.workload), MOST_PAD_BYTES // (4 * self.words + 1))
        return max(1, min(MOST_CALLS, room, max(LEAST_CALLS, wanted)))

    def _refuse(self, missing):
        """What the solution cannot help comes first."""
        others = [role for role in missing if role != "solution"]
        self.refused = (others or missing)[0]
        self.waits |= self.refused in self.broken

    def _open(self, count):
        layout = Layout(count, self.words, leaves_of(self.workload["form"]))
        for crew in self.session.crews:
            for role in sorted(self.roles):  # the solution last
                gate = self.gates[crew.members[role]] = Gate(layout)
                self.why = gate.hand_over(crew.members[role])
                if self.why:
                    self.broken.add(role)
                    self._refuse([role])
                    return False
        return True

    def _round(self, crew, count, waits):
        self.session._check_time()
        seeds, call_seeds = ([secrets.randbits(48) for _ in range(count)] for _ in range(2))
        pads = os.urandom(4 * count * self.words)
        self.golden.hand_out(self.workload, seeds, [crew.members[role] for role in self.roles], pads)
        spent = {}
        for role in _random.sample(self.roles, len(self.roles)):
            seconds = self._trial(crew.members[role], pads, seeds, call_seeds, waits)
            if seconds is not None:
                spent[role] = Took(seconds)
        return spent

    def _trial(self, member, pads, seeds, call_seeds, waits):
        most = max(LEAST_SECONDS, LONGEST * self.session.call_ms[self.workload["id"]] * len(seeds) / 1e3)
        seconds, said, reply = self.gates[member].trial(member, pads, call_seeds, waits, QUEUE_SECONDS, most)
        if reply.get("ahead"):
            self.ahead.add(member.role)
        if seconds is None:
            self.why = str(reply.get("why") or "not within the time that is given")
            self.broken |= {member.role} if reply.get("why") else set()
        elif member.role == "solution" and _random.random() < JUDGED.get(self.session.options.mode, 1.0):
            self._judge(member, said, reply, seeds, call_seeds)
        return seconds

    def _judge(self, member, said, reply, seeds, call_seeds):
        """One output, chosen when all of them are told."""
        index, orders = _random.randrange(len(seeds)), reply.get("orders")
        if not isinstance(orders, list) or len(orders) != len(seeds) or not all(isinstance(item, list) for item in orders):
            raise member._failure("INTEGRITY", "%s: the report of a call is not in the evaluator's form" % member.whose)
        told = {"orders": orders[index], "digests": self.gates[member].digests(said, index)}
        found = self.golden.judge(self.workload, member, [index], seeds, call_seeds, told)
        self.session.result.note_checks(self.workload["id"], found)
        if found[0]["status"] != "OK":
            raise Failure(found[0]["status"], "In a call by the evaluator's own clock: " + found[0]["message"])


def leaves_of(form):
    """Tensors in an output of that form."""
    if "tensor" in form:
        return 1
    inner = form["sequence"] if "sequence" in form else [item for _, item in form.get("dict", [])]
    return sum(map(leaves_of, inner))
