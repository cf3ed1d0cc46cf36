"""Krakatoa's rules: land nine dice, then throw set after set at the others; quakes, rumbles and eruptions multiply.

A seat's action is `KEEP`, `REROLL` or ``THROW + set * 6 + target``, where the targets are the six dice of the other two
sets in order. A landing is its letters as a number in base 3, the first die leading: one set in the opening roll, else
all three; after an aimed throw it is twice that, plus one if the throw touched.
"""

import sys
from typing import Annotated

import numpy as np

from archipel.core import bits
from archipel.core.chance import Rng, below, word
from archipel.core.compiled import compiled
from archipel.core.fields import Int8, Int32, Row, dtype
from archipel.core.rules import CHANCE, OVER, TOO_MANY, Numbers, Rules, register

from .board import (
    ALIKE,
    BOXES,
    COLOURS,
    FALLS,
    LANDINGS,
    LETTER,
    OPENING,
    POINTS,
    QUAKE,
    ROUNDS,
    SCALE,
    THROWS,
    TUMBLE,
    VOLCANO,
)


class Setup:
    """The options and the board: fixed for a game."""

    seats: Int8
    sides: Int8  # fewer than seats with teams; seat 2 is then on side 0, seat 3 on side 1
    advanced: Int8
    touches: Int32  # the model: the probability to touch, in parts of SCALE
    turns: Annotated[Row, "i4", (2, 3, 2)]  # the model: as TURNS in board.py


class Position:
    """A state of the game."""

    mover: Int8
    winners: Int8
    phase: Int8
    round_no: Int8  # 0: the opening roll
    throw_no: Int8  # from 1, in the thrower's turn; 0 in the opening roll
    order: Annotated[Row, "i1", 4]  # the seats that throw, -1 after the last
    throwers: Int8  # their number
    turn: Int8  # whose turn it is, as an index into order
    rerolled: Int8  # all nine dice are being thrown again
    dice: Annotated[Row, "i1", 3]  # what each set shows, or -1
    aim: Int8  # the throw that is about to land, counted from THROW, or -1
    throwoff: Annotated[Row, "i1", 4]  # each side's last opening roll during that phase, or -1
    totals: Annotated[Row, "i2", 4]
    marks: Annotated[Row, "i1", (4, 2)]  # for each side's next throw and the one after: 0 to 2
    boxes: Int8


FACTS, STATE = dtype(Setup), dtype(Position)


THROWOFF, DECIDE, AIM, LAND, DONE = range(5)
PHASES = ("throwoff", "decide", "throw", "land", "over")
MARKS = ("", "x", "xx")
"""One mark doubles a throw, two make it count four times."""

KEEP, REROLL, THROW = range(3)
TARGETS = 6
ACTIONS = THROW + 3 * TARGETS
FREE = 3
"""In place of a set: any of the three."""

_DIE = SCALE - 1
_DIE_BITS = SCALE.bit_length() - 1
_ONE = np.uint64(1)


@compiled
def begin(facts: Setup, s: Position) -> None:
    s.mover = CHANCE
    s.phase = THROWOFF
    s.throwers = facts.sides
    s.boxes = BOXES if facts.advanced else 0
    pick_up(s)
    s.aim = -1
    for k in range(4):
        s.throwoff[k] = -1
        s.order[k] = k if k < facts.sides else -1


@compiled
def thrower(s: Position) -> int:
    return s.order[s.turn]


@compiled
def side_of(facts: Setup, seat: int) -> int:
    return seat if seat < facts.sides else seat - facts.sides


@compiled
def apply(facts: Setup, s: Position, action: int) -> None:
    if s.mover == CHANCE:
        land(facts, s, action)
    elif action == KEEP:
        score(facts, s, True)
    elif action == REROLL:
        s.rerolled = 1
        pick_up(s)
        wait(s)
    else:
        s.aim = action - THROW
        wait(s)


@compiled
def wait(s: Position) -> None:
    """Wait for the dice to land."""
    s.phase = LAND
    s.mover = CHANCE


@compiled
def land(facts: Setup, s: Position, landing: int) -> None:
    if s.phase == THROWOFF:
        throw_off(facts, s, landing)
    elif s.throw_no > 1:
        s.aim = -1
        show(s, landing >> 1)
        score(facts, s, landing & 1 == 1)
    elif s.rerolled:
        s.rerolled = 0
        show(s, landing)
        score(facts, s, True)
    else:
        show(s, landing)
        s.phase = DECIDE
        s.mover = thrower(s)


@compiled
def pick_up(s: Position) -> None:
    """Take all dice off the table."""
    for k in range(3):
        s.dice[k] = -1


@compiled
def show(s: Position, faces: int) -> None:
    s.dice[0] = faces // (FALLS * FALLS)
    s.dice[1] = faces // FALLS % FALLS
    s.dice[2] = faces % FALLS


# The opening roll.


@compiled
def throw_off(facts: Setup, s: Position, fall: int) -> None:
    s.throwoff[thrower(s)] = fall
    s.turn += 1
    if s.turn == s.throwers:
        s.turn = 0
        keep_best(s)
        if s.throwers == 1:
            open_sheet(facts, s)


@compiled
def keep_best(s: Position) -> None:
    """Keep only the seats with the highest points in the order."""
    best = 0
    for k in range(s.throwers):
        best = max(best, POINTS[s.throwoff[s.order[k]]])
    level = 0
    for k in range(s.throwers):
        seat = s.order[k]
        s.order[k] = -1
        if POINTS[s.throwoff[seat]] == best:
            s.order[level] = seat
            level += 1
    s.throwers = level


@compiled
def open_sheet(facts: Setup, s: Position) -> None:
    """The opening roll is won: mark the first boxes, and start."""
    for side in range(facts.sides):
        if facts.advanced:
            s.marks[side, 0] = OPENING[s.throwoff[side]]
        s.throwoff[side] = -1
    start_round(facts, s, s.order[0])


# Rounds and turns.


@compiled
def start_round(facts: Setup, s: Position, first: int) -> None:
    """Start the next round with the first side, clockwise."""
    s.round_no += 1
    s.throwers = facts.sides
    for k in range(facts.sides):
        s.order[k] = thrower_of(facts, s.round_no, (first + k) % facts.sides)
    s.turn = 0
    start_turn(s)


@compiled
def thrower_of(facts: Setup, round_no: int, side: int) -> int:
    """Who throws for the side: in teams, the partners take the rounds in turn."""
    if facts.seats > facts.sides and round_no % 2 == 0:
        return side + facts.sides
    return side


@compiled
def start_turn(s: Position) -> None:
    s.throw_no = 1
    pick_up(s)
    wait(s)


@compiled
def leader(facts: Setup, s: Position) -> int:
    """The side with the highest total; if tied, the one that was earlier in the order."""
    best = side_of(facts, s.order[0])
    for k in range(1, s.throwers):
        side = side_of(facts, s.order[k])
        if s.totals[side] > s.totals[best]:
            best = side
    return best


@compiled
def throws_on(facts: Setup, s: Position) -> bool:
    """True if the thrower has another throw in this turn, including bonus boxes."""
    if s.throw_no < THROWS:
        return True
    return s.round_no == ROUNDS and s.boxes > 0 and s.marks[side_of(facts, thrower(s)), 0] > 0


@compiled
def go_on(facts: Setup, s: Position) -> None:
    if throws_on(facts, s):
        s.throw_no += 1
        s.phase = AIM
        s.mover = thrower(s)
    elif s.turn + 1 < s.throwers:
        s.turn += 1
        start_turn(s)
    elif s.round_no < ROUNDS:
        start_round(facts, s, leader(facts, s))
    else:
        finish(facts, s)


@compiled
def finish(facts: Setup, s: Position) -> None:
    s.phase = DONE
    s.mover = OVER
    best = s.totals[leader(facts, s)]
    for seat in range(facts.seats):
        if s.totals[side_of(facts, seat)] == best:
            s.winners |= bits.bit(seat)


# Points and marks.


@compiled
def points(s: Position) -> int:
    return int(POINTS[s.dice[0]]) + int(POINTS[s.dice[1]]) + int(POINTS[s.dice[2]])


@compiled
def score(facts: Setup, s: Position, touched: bool) -> None:
    """Write down the throw, use up its mark, earn others; then it is the next player's turn."""
    side = side_of(facts, thrower(s))
    gain = points(s) << int(s.marks[side, 0]) if touched else 0
    s.totals[side] += gain
    if facts.advanced:
        s.marks[side, 0] = s.marks[side, 1]
        s.marks[side, 1] = 0
        if touched:
            earn(s, side, gain > 0)
        if s.throw_no > THROWS:
            s.boxes -= 1
    go_on(facts, s)


@compiled
def earn(s: Position, side: int, changed: bool) -> None:
    quake = QUAKE[s.totals[side] % 100] if changed else 0
    lasting = eruption(s)
    s.marks[side, 0] = min(2, s.marks[side, 0] + quake + rumble(s) + lasting)
    s.marks[side, 1] = lasting


@compiled
def volcanoes(s: Position) -> int:
    return int(VOLCANO[s.dice[0]] > 0) + int(VOLCANO[s.dice[1]] > 0) + int(VOLCANO[s.dice[2]] > 0)


@compiled
def rumble(s: Position) -> int:
    """The marks for exactly two colours on the nine dice."""
    if bits.count(COLOURS[s.dice[0]] | COLOURS[s.dice[1]] | COLOURS[s.dice[2]]) != 2:
        return 0
    return 1 if volcanoes(s) < 2 else 2


@compiled
def eruption(s: Position) -> int:
    """The marks, for two throws, for three volcanoes that are all different or all the same."""
    if volcanoes(s) < 3:
        return 0
    colours = bits.count(VOLCANO[s.dice[0]] | VOLCANO[s.dice[1]] | VOLCANO[s.dice[2]])
    return 2 if colours == 1 else 1 if colours == 3 else 0


# Legal actions and outcomes.


@compiled
def set_due(s: Position) -> int:
    """The set of this throw, or FREE."""
    return s.throw_no - 3 if 3 <= s.throw_no <= THROWS else FREE


@compiled
def is_legal(facts: Setup, s: Position, action: int) -> bool:
    if s.mover == CHANCE:
        return may_land(s, action)
    if action < THROW:
        return action >= 0 and s.phase == DECIDE
    return action < ACTIONS and s.phase == AIM and set_due(s) in (FREE, (action - THROW) // TARGETS)


@compiled
def may_land(s: Position, landing: int) -> bool:
    if landing < 0 or landing >= landings(s):
        return False
    return s.aim < 0 or landing & 1 == 1 or lies_still(s, landing >> 1)


@compiled
def landings(s: Position) -> int:
    """The number of possible landings now."""
    if s.phase == THROWOFF:
        return FALLS
    return LANDINGS if s.aim < 0 else 2 * LANDINGS


@compiled
def lies_still(s: Position, faces: int) -> bool:
    """True if both sets on the table show the same letters as before."""
    for k in range(2, -1, -1):
        if k != s.aim // TARGETS and ALIKE[faces % FALLS] != ALIKE[s.dice[k]]:
            return False
        faces //= FALLS
    return True


@compiled
def legal(facts: Setup, s: Position, out: Numbers) -> int:
    n = 0
    for action in range(ACTIONS):
        if is_legal(facts, s, action):
            out[n] = action
            n += 1
    return n


@compiled
def pick(facts: Setup, s: Position, rng: Rng) -> int:
    if s.phase == DECIDE:
        return below(rng, 2)
    due = set_due(s)
    return THROW + (below(rng, 3 * TARGETS) if due == FREE else due * TARGETS + below(rng, TARGETS))


@compiled
def weights(facts: Setup, s: Position, out: Numbers) -> int:
    return TOO_MANY


# The model: how the dice land when nobody throws real ones.


@compiled
def draw(facts: Setup, s: Position, rng: Rng) -> int:
    if s.phase == THROWOFF:
        return tumble(rng)
    if s.aim < 0:
        return (tumble(rng) * FALLS + tumble(rng)) * FALLS + tumble(rng)
    touched = below(rng, SCALE) < facts.touches
    faces = 0
    for k in range(3):
        faces = faces * FALLS + fall(facts, s, k, touched, rng)
    return 2 * faces + touched


@compiled
def tumble(rng: Rng) -> int:
    """What a thrown set shows: every face of its dice is equally likely."""
    return int(TUMBLE[below(rng, len(TUMBLE))])


@compiled
def fall(facts: Setup, s: Position, k: int, touched: bool, rng: Rng) -> int:
    """What the set shows after an aimed throw."""
    if k == s.aim // TARGETS:
        return tumble(rng)
    return jolt(facts, s, k, rng) if touched else int(s.dice[k])


@compiled
def jolt(facts: Setup, s: Position, k: int, rng: Rng) -> int:
    """What a set on the table shows after a throw that touched."""
    target = target_in(s, k)
    luck = np.int64(word(rng) >> _ONE)
    shows = 0
    for die in range(3):
        limits = facts.turns[int(die == target), LETTER[s.dice[k], die]]
        part = luck & _DIE
        shows = shows * 3 + int(part >= limits[0]) + int(part >= limits[1])
        luck >>= _DIE_BITS
    return shows


@compiled
def target_in(s: Position, k: int) -> int:
    """The die of this set that is aimed at; not 0, 1 or 2 if none is."""
    thrown, target = s.aim // TARGETS, s.aim % TARGETS
    return target - 3 * (k - int(k > thrown))


@compiled
def label(facts: Setup, s: Position, action: int, seat: int) -> int:
    """Everything is visible; landings with the same points share a label, because there are too many."""
    if s.mover != CHANCE or s.phase == THROWOFF:
        return action
    faces = action if s.aim < 0 else action >> 1
    return POINTS[faces // (FALLS * FALLS)] + POINTS[faces // FALLS % FALLS] + POINTS[faces % FALLS]


@compiled
def redeal(facts: Setup, s: Position, seat: int, rng: Rng) -> None:
    """Nothing is hidden."""


RULES = register(
    Rules(sys.modules[__name__], FACTS, STATE, ACTIONS, inlined=("judge", "simulate"), inlined_wasm=("judge",))
)
