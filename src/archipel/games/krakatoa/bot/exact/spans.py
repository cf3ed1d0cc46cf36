"""Arithmetic on values by numbers of points: in compiled code, so that it gives the same bits everywhere.

A plane has a row for each pair of marks, and a column for each number of points.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from archipel.core.compiled import Array, kernel
from archipel.core.maths import exp
from archipel.core.rules import Reals

Plane = Annotated[NDArray[np.float64], Array("f8", 2)]
Worths = Annotated[NDArray[np.float64], Array("f8", 3)]
"""By marks, table and tally."""


@kernel("krakatoa", brief=True)
def lay_out(end: Plane, first: int, last: int, out: Worths) -> None:
    """Give every table the values of the end of a turn, for pairs of marks from `first` to before `last`."""
    for marks in range(first, last):
        for table in range(out.shape[1]):
            for tally in range(out.shape[2]):
                out[marks, table, tally] = end[marks, tally]


@kernel("krakatoa", brief=True)
def mirror(given: Plane, out: Plane) -> None:
    """Turn the columns of a plane round: points reached become points missing."""
    for marks in range(out.shape[0]):
        for points in range(out.shape[1]):
            out[marks, points] = given[marks, out.shape[1] - 1 - points]


@kernel("krakatoa", brief=True)
def fall(plane: Plane) -> None:
    """Let no column exceed the one before it: having more points includes having less."""
    for marks in range(plane.shape[0]):
        for points in range(1, plane.shape[1]):
            plane[marks, points] = min(plane[marks, points], plane[marks, points - 1])


@kernel("krakatoa", brief=True)
def differences(reach: Plane, out: Plane) -> None:
    """The probability of each number of points, from that of at least as many."""
    last = out.shape[1] - 1
    for marks in range(out.shape[0]):
        for points in range(last):
            out[marks, points] = reach[marks, points] - reach[marks, points + 1]
        out[marks, last] = reach[marks, last]


@kernel("krakatoa", brief=True)
def sums(first: Plane, rest: Reals, out: Plane) -> None:
    """The probability of each sum of two independent numbers of points."""
    out[:] = 0
    for marks in range(first.shape[0]):
        for points in range(first.shape[1]):
            for more in range(len(rest)):
                out[marks, points + more] += first[marks, points] * rest[more]


@kernel("krakatoa", brief=True)
def gather_up(plane: Plane) -> None:
    """The probability of at least each number of points, from that of exactly as many."""
    for marks in range(plane.shape[0]):
        for points in range(plane.shape[1] - 2, -1, -1):
            plane[marks, points] += plane[marks, points + 1]


@kernel("krakatoa", brief=True)
def stay_below(reach: Reals, lead: int, out: Reals) -> None:
    """Multiply each number by the probability that a side reaches less than `lead` and its index together."""
    for k in range(len(out)):
        needed = lead + k
        if needed <= 0:
            out[k] = 0
        elif needed < len(reach):
            out[k] *= 1 - reach[needed]


@kernel("krakatoa", brief=True)
def win_by(own: Plane, ahead: Reals, pride: float, out: Plane) -> None:
    """The win chance by the points that a turn still brings: `own` are those of later turns, `ahead` says how likely
    the others have at most each total, from one point less on; a shared win counts half."""
    for marks in range(out.shape[0]):
        for points in range(out.shape[1]):
            chance = 0.0
            for more in range(own.shape[1]):
                chance += own[marks, more] * (ahead[points + more] + ahead[points + more + 1]) / 2
            out[marks, points] = chance + pride * points


@kernel("krakatoa", brief=True)
def soften(worths: Reals, softness: float, out: Reals) -> None:
    """Cumulated probabilities that fall by a factor of e for each `softness` below the best."""
    best = worths[0]
    for worth in worths:
        best = max(best, worth)
    total = 0.0
    for k in range(len(worths)):
        total += exp((worths[k] - best) / softness)
        out[k] = total
    for k in range(len(worths)):
        out[k] /= total
