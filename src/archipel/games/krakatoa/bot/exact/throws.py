"""The value of a throw before it is made: the mean over all outcomes, for the best aim.

Values are stored for every pair of marks, every table and every number of points that the turn has brought so far
("tally"). They depend on the value given to the end of the turn: points still to come, or win chances.
"""

import numpy as np

from archipel.core.compiled import compiled, kernel
from archipel.core.rules import Numbers, Reals, copy

from .faces import HOLDS, LATER, NEXT, TABLES, Chances, Small
from .spans import Plane, Worths

FREE = 3
PIECE = 50
"""How many tallies are computed at once, so that they fit into the processor's cache; spans are whole pieces."""
_BAGS = 10
_STEP = np.array([100, 10, 1])
_OTHERS = np.array([[1, 2], [0, 2], [0, 1]])


@compiled
def add(part: float, source: Chances, target: Chances) -> None:
    for t in range(len(source)):
        target[t] += part * source[t]


@compiled
def settle(
    worth: Numbers,
    earned: Small,
    after: Worths,
    marks: int,
    table: int,
    total: int,
    low: int,
    endless: bool,
    out: Chances,
) -> None:
    """The value of a throw that touched and shows this table, for tallies from `low` on.

    Endless: tallies are the last two digits of a total, and points count as they come. Otherwise the tally is what the
    turn has brought above `total`, and only the end counts; beyond the last tally there is no distinction.
    """
    gain = worth[table] << NEXT[marks]
    kept = LATER[marks]
    last = after.shape[2] - 1
    digits = (total + low + gain) % 100
    for t in range(len(out)):
        earning = earned[kept, table, digits]
        out[t] = gain + after[earning, table, digits] if endless else after[earning, table, min(low + t + gain, last)]
        digits = digits + 1 if digits < 99 else 0


@kernel("krakatoa", brief=True)
def settled(
    worth: Numbers, earned: Small, after: Worths, marks: int, table: int, total: int, tally: int, endless: bool
) -> float:
    """The same for one tally."""
    gain = worth[table] << NEXT[marks]
    digits = (total + tally + gain) % 100
    earning = earned[LATER[marks], table, digits]
    if endless:
        return gain + after[earning, table, digits]
    return after[earning, table, min(tally + gain, after.shape[2] - 1)]


@compiled
def gather(thrown: Chances, tables: Chances, k: int, out: Chances) -> None:
    """Average over what set k may show; `out` is indexed by the bags of the other two."""
    x, y = _STEP[_OTHERS[k, 0]], _STEP[_OTHERS[k, 1]]
    out[:] = 0
    for a in range(_BAGS):
        for i in range(_BAGS):
            for j in range(_BAGS):
                add(thrown[a], tables[a * _STEP[k] + i * x + j * y], out[i, j])


@compiled
def aim(
    touches: float, jolted: Chances, touched: Chances, scratched: Chances, best: Chances, half: Chances, one: Chances
) -> None:
    """The best aim for each two bags on the table; `touched` and `scratched` have the values of what they become."""
    best[:] = -np.inf
    for second in range(2):
        half[:] = 0
        for i in range(_BAGS):  # the result for the set that is not aimed at
            for j in range(_BAGS):
                for other in range(_BAGS):
                    if second:
                        add(jolted[3, i, other], touched[other, j], half[i, j])
                    else:
                        add(jolted[3, j, other], touched[i, other], half[i, j])
        for i in range(_BAGS):
            for j in range(_BAGS):
                for letter in range(3):
                    if HOLDS[j if second else i, letter]:
                        one[:] = 0
                        add(1 - touches, scratched[i, j], one)
                        for new in range(_BAGS):
                            if second:
                                add(touches * jolted[letter, j, new], half[i, new], one)
                            else:
                                add(touches * jolted[letter, i, new], half[new, j], one)
                        for t in range(len(one)):
                            best[i, j, t] = max(best[i, j, t], one[t])


@compiled
def spread(best: Chances, k: int, low: int, out: Chances) -> None:
    """Take the throw with set k where it is better, for tallies from `low` on; what k itself shows does not matter."""
    x, y = _STEP[_OTHERS[k, 0]], _STEP[_OTHERS[k, 1]]
    for a in range(_BAGS):
        for i in range(_BAGS):
            for j in range(_BAGS):
                table = a * _STEP[k] + i * x + j * y
                for t in range(PIECE):
                    out[table, low + t] = max(out[table, low + t], best[i, j, t])


@kernel("krakatoa")
def before_throw(
    touches: float,
    thrown: Reals,
    jolted: Worths,
    worth: Numbers,
    earned: Small,
    after: Worths,
    kinds: int,
    due: int,
    total: int,
    endless: bool,
    out: Worths,
) -> None:
    """The value before throwing the set that is due, or any, from the value after it.

    `out` may have fewer tallies than `after`: those that are possible before this throw.
    """
    landed, still = np.empty((TABLES, PIECE)), np.empty((TABLES, PIECE))
    touched, scratched = np.empty((_BAGS, _BAGS, PIECE)), np.empty((_BAGS, _BAGS, PIECE))
    best, half = np.empty((_BAGS, _BAGS, PIECE)), np.empty((_BAGS, _BAGS, PIECE))
    one = np.empty(PIECE)
    out[:] = -np.inf
    for marks in range(kinds):
        for low in range(0, out.shape[2], PIECE):
            for table in range(TABLES):
                settle(worth, earned, after, marks, table, total, low, endless, landed[table])
                copy(after[LATER[marks], table, low : low + PIECE], still[table])
            for k in range(3):
                if due in (FREE, k):
                    gather(thrown, landed, k, touched)
                    gather(thrown, still, k, scratched)
                    aim(touches, jolted, touched, scratched, best, half, one)
                    spread(best, k, low, out[marks])


@kernel("krakatoa")
def before_turn(
    thrown: Reals,
    worth: Numbers,
    earned: Small,
    after: Worths,
    kinds: int,
    total: int,
    endless: bool,
    out: Plane,
    again: Plane,
) -> None:
    """The value of a turn before all nine dice land, and of throwing them again, by marks and tally."""
    span = out.shape[1]
    landed = np.empty((TABLES, span))
    out[:] = 0
    again[:] = 0
    for marks in range(kinds):
        for table in range(TABLES):
            settle(worth, earned, after, marks, table, total, 0, endless, landed[table])
            add(chance_of(thrown, table), landed[table], again[marks])
        for table in range(TABLES):
            chance = chance_of(thrown, table)
            for t in range(span):
                out[marks, t] += chance * max(landed[table, t], again[marks, t])


@compiled
def chance_of(thrown: Chances, table: int) -> float:
    """The probability that nine thrown dice show this table."""
    return thrown[table // 100] * thrown[table // 10 % 10] * thrown[table % 10]


@kernel("krakatoa", brief=True)
def after_aim(
    touches: float,
    thrown: Reals,
    first: Reals,
    second: Reals,
    worth: Numbers,
    earned: Small,
    after: Worths,
    marks: int,
    table: int,
    k: int,
    total: int,
    tally: int,
    endless: bool,
) -> float:
    """The value of one throw with set k; `first` and `second` have the probabilities of the other sets' bags."""
    x, y = _STEP[_OTHERS[k, 0]], _STEP[_OTHERS[k, 1]]
    still = table - table // _STEP[k] % _BAGS * _STEP[k]
    expected = 0.0
    for a in range(_BAGS):
        scratch = after[LATER[marks], still + a * _STEP[k], tally]
        touch = 0.0
        for i in range(_BAGS):
            for j in range(_BAGS):
                lands = a * _STEP[k] + i * x + j * y
                touch += first[i] * second[j] * settled(worth, earned, after, marks, lands, total, tally, endless)
        expected += thrown[a] * (touches * touch + (1 - touches) * scratch)
    return expected


@kernel("krakatoa", brief=True)
def landed(
    worth: Numbers, earned: Small, after: Worths, marks: int, total: int, tally: int, endless: bool, out: Reals
) -> None:
    """The value of a throw that touched, for every table that it may result in."""
    for table in range(len(out)):
        out[table] = settled(worth, earned, after, marks, table, total, tally, endless)
