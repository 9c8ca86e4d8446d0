# SPDX-License-Identifier: GPL-3.0-or-later
"""Medians, intervals without random numbers, and how several runs and shapes are put together. Pure functions."""

import math

LEVEL = 0.99


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else 0.5 * (ordered[middle - 1] + ordered[middle])


def _quantile(ordered, share):
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def summary(values):
    """STATS of ako.result/1; None for no values."""
    if not values:
        return None
    ordered = sorted(values)
    middle = median(ordered)
    return {
        "median": middle,
        "mean": math.fsum(ordered) / len(ordered),
        "min": ordered[0],
        "max": ordered[-1],
        "q1": _quantile(ordered, 0.25),
        "q3": _quantile(ordered, 0.75),
        "mad": median([abs(value - middle) for value in ordered]),
        "n": len(ordered),
    }


def order_ranks(count, level=LEVEL):
    """The ranks (from 0) whose values enclose the median at that level (sign test); the extremes where too few."""
    tail = (1.0 - level) / 2.0
    total, rank = 0.0, -1
    for k in range(count):
        total += math.comb(count, k) * 0.5**count
        if total > tail:
            break
        rank = k
    rank = max(rank, 0)
    return rank, count - 1 - rank


def median_interval(values, level=LEVEL):
    ordered = sorted(values)
    low, high = order_ranks(len(ordered), level)
    return median(ordered), ordered[low], ordered[high]


class Ratio:
    """How many times faster; with its interval. Above 1: the candidate is faster. `sampling` is the half-width that
    more pairs would reduce."""

    def __init__(self, estimate, low, high, sampling=None):
        self.estimate, self.low, self.high = estimate, low, high
        self.sampling = (high - low) / 2 if sampling is None else sampling

    @property
    def half_width(self):
        return (self.high - self.low) / 2

    def as_json(self):
        return {"est": self.estimate, "lo": self.low, "hi": self.high}


def _trimmed_mean(values):
    """Of four and more the outer two are left out: one set of processes that was disturbed does not move the estimate."""
    ordered = sorted(values)
    kept = ordered[1:-1] if len(ordered) >= 4 else ordered
    return math.fsum(kept) / len(kept)


def paired_ratio(crews, level=LEVEL, offset_ms=0.0):
    """crews: one list of (candidate ms, other ms) per fresh set of processes.

    Within a crew the pairs differ by noise; between crews by the constant offset that two processes have, whose
    standard deviation is taken to be at least offset_ms. The estimate is the (trimmed) mean of the crews' medians, and the
    interval holds both."""
    logs = [[math.log(other) - math.log(own) for own, other in crew if own > 0 and other > 0] for crew in crews]
    logs = [crew for crew in logs if crew]
    if not logs:
        return None
    centres = [median(crew) for crew in logs]
    centre = _trimmed_mean(centres)
    residuals = [value - own for crew, own in zip(logs, centres) for value in crew]
    _, low, high = median_interval(residuals, level)
    variance = (offset_ms / median([own for crew in crews for own, _ in crew])) ** 2
    if len(centres) > 1:
        variance = max(variance, math.fsum((value - centre) ** 2 for value in centres) / (len(centres) - 1))
    between = 2.0 * math.sqrt(variance / len(centres))
    return Ratio(
        math.exp(centre),
        math.exp(centre - math.hypot(low, between)),
        math.exp(centre + math.hypot(high, between)),
        (high - low) / 2,
    )


def weighted_geomean(items):
    """items: (value, weight). Refuses a value of nothing instead of letting it carry the mean to zero."""
    items = list(items)
    for value, _ in items:
        if not value > 1e-7:
            raise ValueError("a time of %r ms is no time" % value)
    total = math.fsum(weight for _, weight in items)
    return math.exp(math.fsum(math.log(value) * weight for value, weight in items) / total)


def combine_ratios(items):
    """items: (Ratio, weight): the weighted geometric mean, its interval from the independent ones in quadrature."""
    items = list(items)
    total = math.fsum(weight for _, weight in items)
    centre = math.fsum(math.log(ratio.estimate) * weight for ratio, weight in items) / total
    down = math.sqrt(math.fsum((math.log(r.estimate / r.low) * w / total) ** 2 for r, w in items))
    up = math.sqrt(math.fsum((math.log(r.high / r.estimate) * w / total) ** 2 for r, w in items))
    return Ratio(math.exp(centre), math.exp(centre - down), math.exp(centre + up))


def closest_groups(values, size, count):
    """Indices in that many groups of that size, so that the values within each lie close together. Some may be left over."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    best = {0: (0.0, [])}  # groups made so far -> cost and groups, of the values seen so far
    history = [best]
    for end in range(1, len(order) + 1):
        here = dict(history[end - 1])
        if end >= size:
            group = order[end - size : end]
            spread = (values[group[-1]] - values[group[0]]) ** 2
            for made, (cost, groups) in history[end - size].items():
                if made < count and (made + 1 not in here or cost + spread < here[made + 1][0]):
                    here[made + 1] = (cost + spread, [*groups, list(group)])
        history.append(here)
    return history[-1][count][1]


# --- decision ---

MINIMUM_MARGIN = 0.005
SHAPE_REGRESSION = 0.97
LARGEST_SAME = 0.1  # however large the noise: what may differ by more than this is not called the same


def margin_of(noise_percent):
    return max(MINIMUM_MARGIN, 2.0 * (noise_percent or 0.0) / 100.0)


def verdict_word(ratio, margin):
    if ratio is None:
        return "NONE"
    if ratio.low > 1.0 + margin:
        return "IMPROVED"
    if ratio.high < 1.0 / (1.0 + margin):
        return "REGRESSED"
    within = min(margin, LARGEST_SAME)
    if ratio.low >= 1.0 - within and ratio.high <= 1.0 + within:
        return "SAME"
    return "AMBIGUOUS"


def is_settled(ratio, margin, enough=0.0):
    """More pairs would not change what is said, or the sampling is as exact as was asked for."""
    if ratio is None:
        return False
    return ratio.sampling < max(margin / 2, enough) or verdict_word(ratio, margin) in ("IMPROVED", "REGRESSED")
