# SPDX-License-Identifier: GPL-3.0-or-later
"""Means and shares with 95% confidence intervals, as src/lab/ratio.c computes them, and their text.

Observations belong to groups, such as the positions of one game. Those of a group are correlated, so the standard error is
that between groups (cluster-robust, Liang and Zeger 1986).
"""
import collections
import math
from statistics import fmean

# '{:.2f} ({:.2f} to {:.2f})'.format(*interval) is its text.
Interval = collections.namedtuple('Interval', 'mean low high')


def student(freedom):
    """The factor of a 95% interval by Student's t distribution; see ratio_student()."""
    if freedom <= 2:
        return (12.706, 4.303)[freedom - 1]
    z = 1.959964
    return (z + z * (z**2 + 1) / 4 / freedom + z * ((5 * z**2 + 16) * z**2 + 3) / 96 / freedom**2
            + z * (((3 * z**2 + 19) * z**2 + 17) * z**2 - 15) / 384 / freedom**3)


def _margin(deviations, groups):
    """Half of the interval of the sum of observations, from the deviation and the group of each."""
    of_groups = collections.defaultdict(float)
    for deviation, group in zip(deviations, groups or range(len(deviations))):
        of_groups[group] += deviation
    number = len(of_groups)
    if number < 2:
        return math.inf
    return student(number - 1) * math.sqrt(sum(d**2 for d in of_groups.values()) * number / (number - 1))


def mean_of(values, groups=None):
    """The mean of a list of values. `groups` has the group of each; without it each value is a group of its own."""
    mean = fmean(values)
    margin = _margin([value - mean for value in values], groups) / len(values)
    return Interval(mean, mean - margin, mean + margin)


def per_million(events, trials, groups=None):
    """All events per million trials, from lists with those of each observation; the limits are 0 and a million if only one group
    has trials, or if no trial or each is an event."""
    rows = [row for row in zip(events, trials, groups or range(len(trials))) if row[1] > 0]
    events, trials, groups = map(list, zip(*rows))
    share = sum(events) / sum(trials)
    margin = _margin([e - share * t for e, t in zip(events, trials)], groups) / sum(trials) if 0 < share < 1 else 1
    return Interval(*(1e6 * x for x in (share, max(share - margin, 0), min(share + margin, 1))))


def factor(logs):
    """A ratio, from its logarithm. Takes and returns an Interval, as the next two functions do."""
    return Interval(*map(math.exp, logs))


def change(logs):
    """How much a ratio is above 1, in percent, from its logarithm."""
    return Interval(*(100 * (math.exp(x) - 1) for x in logs))


def saving(logs):
    """How much a ratio is below 1, in percent, from its logarithm: the high limit of one is the low limit of the other."""
    return Interval(*(100 * (1 - math.exp(x)) for x in (logs.mean, logs.high, logs.low)))


def change_text(logs):
    return '{:+.1f}% ({:+.1f} to {:+.1f}%)'.format(*change(logs))


def saving_text(logs):
    return '{:.1f}% ({:.1f} to {:.1f}%)'.format(*saving(logs))


def game_of(position):
    """The game of a position of middlegames-500.epd, which has 20 positions of each."""
    return (position - 1) // 20
