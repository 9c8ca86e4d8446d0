# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody is accused by one measurement: what rests on times has to be found again in fresh processes."""

from akobench.status import Accusation, Failure

MOST_MEASUREMENTS = 3


def measure(session):
    """Until a measurement raises nothing, whose numbers count, or an accusation is made for the same cause again."""
    accusations = []
    while True:
        try:
            session.measure(bool(accusations))
            break
        except Accusation as found:
            causes = [earlier.cause for earlier in accusations]
            accusations.append(found)
            if found.cause in causes:
                found.message += " It was so twice, in fresh processes each time."
                raise
            if len(accusations) == MOST_MEASUREMENTS:
                raise Failure("UNSTABLE", "Measured %d times, and never without a contradiction, nor twice with the same one. Measure again "
                              "when less runs beside it. %s" % (len(accusations), " ".join(item.message for item in accusations))) from None
        session.start_anew()
    session.result.dropped = [item.message for item in accusations]
    session.result.notes += ["Measured again in fresh processes, which did not show this once more: " + text for text in session.result.dropped]
