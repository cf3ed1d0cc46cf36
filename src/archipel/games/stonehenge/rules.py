"""Stonehenge's rules: place druids, dominate lines, be the first with eight megaliths.

An action is ``value * 18 + cell`` to place a druid (value from 0), then one
claim for each line, then `DONE`. Lines and cells count from 0 in the board's order.
"""

import sys
from typing import Annotated

import numpy as np

from archipel.core import bits
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.fields import Int8, Int32, Row, dtype
from archipel.core.rules import OVER, Numbers, Rules, copy, register

from .board import BEST, CELLS, FULL_HAND, HELD, KIND, KINDS, LENGTH, LINES, LINES_AT, MEGALITHS, UNIT, UNSEEN


class Setup:
    """The options and the board: fixed for a game."""

    hidden: Int8
    manual: Int8


class Position:
    """A state of the game."""

    mover: Int8
    winners: Int8
    placed: Int8  # manual: the mover has placed in this turn
    free: Int32  # bits: the empty cells
    revealed: Int32  # bits: hidden: the cells turned up
    hand: Annotated[Row, "u2", 2]  # the number of each seat's hand
    druid: Annotated[Row, "i1", 18]  # each cell's value, from 1, negative for seat 1
    lead: Annotated[Row, "i1", 15]  # each line's sum of seat 0 less that of seat 1
    room: Annotated[Row, "u1", 15]  # each line's empty cells
    last: Annotated[Row, "i1", 15]  # full and tied: who placed last on each line; else -1
    owner: Annotated[Row, "i1", 15]  # the owner of each line's megalith, or -1
    megaliths: Annotated[Row, "i1", 2]


FACTS, STATE = dtype(Setup), dtype(Position)


N_CELLS = len(CELLS)
N_LINES = len(LINES)
CLAIM = 6 * N_CELLS
DONE = CLAIM + N_LINES
ACTIONS = DONE + 1


@compiled
def begin(facts: Setup, s: Position) -> None:
    s.free = (1 << N_CELLS) - 1
    s.hand[:] = FULL_HAND
    copy(LENGTH, s.room)
    s.last[:] = -1
    s.owner[:] = -1


@compiled
def dominates(facts: Setup, s: Position, seat: int, line: int) -> bool:
    """True if the line is this seat's whatever the other may still do."""
    lead = s.lead[line] if seat == 0 else -s.lead[line]
    theirs = UNSEEN if facts.hidden else s.hand[1 - seat]
    return lead >= BEST[theirs, s.room[line]] + int(s.last[line] == seat)


@compiled
def claim(s: Position, seat: int, line: int) -> None:
    s.owner[line] = seat
    s.megaliths[seat] += 1
    if s.megaliths[seat] == MEGALITHS:
        s.winners = bits.bit(seat)
        s.mover = OVER


@compiled
def claimable(facts: Setup, s: Position, seat: int) -> int:
    """The lines without a megalith that the seat dominates, as bits; without branches, which would be unpredictable."""
    lines = 0
    for line in range(N_LINES):
        lines |= int((s.owner[line] < 0) & dominates(facts, s, seat, line)) << line
    return lines


@compiled
def claim_all(facts: Setup, s: Position, seat: int) -> None:
    """Claim every line that the seat dominates, in the board's order, up to an eighth megalith."""
    lines = claimable(facts, s, seat)
    while lines and s.mover != OVER:
        claim(s, seat, bits.first(lines))
        lines &= lines - 1


@compiled
def turn_up(s: Position, line: int) -> None:
    for cell in range(N_CELLS):
        for k in range(3):
            if LINES_AT[cell, k] == line:
                s.revealed |= bits.bit(cell)


@compiled
def place(facts: Setup, s: Position, value: int, cell: int) -> None:
    seat = s.mover
    points = value + 1 if seat == 0 else -value - 1
    s.hand[seat] -= UNIT[value]
    s.druid[cell] = points
    s.free &= ~bits.bit(cell)
    for k in range(3):
        line = LINES_AT[cell, k]
        s.lead[line] += points
        s.room[line] -= 1
        if s.room[line] == 0:
            s.last[line] = seat if s.lead[line] == 0 else -1
            if facts.hidden:
                turn_up(s, line)


@compiled
def apply(facts: Setup, s: Position, action: int) -> None:
    seat = s.mover
    if action == DONE:
        s.placed = 0
        s.mover = 1 - seat
    elif action >= CLAIM:
        claim(s, seat, action - CLAIM)
    else:
        place(facts, s, action // N_CELLS, action % N_CELLS)
        if facts.manual:
            s.placed = 1
            return
        # Only these three lines can have become the mover's: the opponent's hand has not changed.
        for k in range(3):
            line = LINES_AT[action % N_CELLS, k]
            if s.owner[line] < 0 and s.mover != OVER and dominates(facts, s, seat, line):
                claim(s, seat, line)
        claim_all(facts, s, 1 - seat)
        if s.mover != OVER:
            s.mover = 1 - seat


@compiled
def may_claim(facts: Setup, s: Position, line: int) -> bool:
    return facts.manual != 0 and s.owner[line] < 0 and dominates(facts, s, s.mover, line)


@compiled
def may_be_done(facts: Setup, s: Position) -> bool:
    if s.free:
        return s.placed == 1
    if not facts.manual:
        return False
    for line in range(N_LINES):
        if may_claim(facts, s, line):
            return False
    return True


@compiled
def may_place(s: Position, value: int, cell: int) -> bool:
    return s.placed == 0 and s.free & bits.bit(cell) != 0 and HELD[s.hand[s.mover], value] > 0


@compiled
def is_legal(facts: Setup, s: Position, action: int) -> bool:
    if action < 0 or action >= ACTIONS:
        return False
    if action == DONE:
        return may_be_done(facts, s)
    if action >= CLAIM:
        return may_claim(facts, s, action - CLAIM)
    return may_place(s, action // N_CELLS, action % N_CELLS)


@compiled
def legal(facts: Setup, s: Position, out: Numbers) -> int:
    n = 0
    if not s.placed:
        hand = s.hand[s.mover]
        for k in range(KINDS[hand]):
            free = s.free
            while free:
                out[n] = KIND[hand, k] * N_CELLS + bits.first(free)
                free &= free - 1
                n += 1
    if facts.manual:
        for line in range(N_LINES):
            if may_claim(facts, s, line):
                out[n] = CLAIM + line
                n += 1
        if may_be_done(facts, s):
            out[n] = DONE
            n += 1
    return n


@compiled
def pick(facts: Setup, s: Position, rng: Rng) -> int:
    if facts.manual:
        out = np.empty(ACTIONS, np.int64)
        return out[below(rng, legal(facts, s, out))]
    hand = s.hand[s.mover]
    value = KIND[hand, below(rng, KINDS[hand])]
    return value * N_CELLS + bits.nth(s.free, below(rng, bits.count(s.free)))


@compiled
def weights(facts: Setup, s: Position, out: Numbers) -> int:
    return 0


@compiled
def draw(facts: Setup, s: Position, rng: Rng) -> int:
    return 0


@compiled
def label(facts: Setup, s: Position, action: int, seat: int) -> int:
    """An opponent's druid shows its value only when it fills a line; face down it shows only its cell."""
    if not facts.hidden or s.mover == seat:
        return action
    for k in range(3):
        if s.room[LINES_AT[action % N_CELLS, k]] == 1:
            return action
    return action % N_CELLS


@compiled
def redeal(facts: Setup, s: Position, seat: int, rng: Rng) -> None:
    """Shuffle each opponent's face-down druids with those in their hand."""
    if not facts.hidden:
        return
    for owner in range(2):
        if owner != seat:
            shuffle_druids(s, owner, rng)


@compiled
def shuffle_druids(s: Position, owner: int, rng: Rng) -> None:
    """The pool is always in the same order, wherever its druids are, so that states that look the same give the same
    sample."""
    sign = 1 if owner == 0 else -1
    pool = np.empty(9, np.int64)
    n = 0
    for value in range(6):
        copies = HELD[s.hand[owner], value]
        for cell in range(N_CELLS):
            if s.druid[cell] * sign == value + 1 and not s.revealed & bits.bit(cell):
                copies += 1
        for _ in range(copies):
            pool[n] = value
            n += 1
    for cell in range(N_CELLS):
        if s.druid[cell] * sign > 0 and not s.revealed & bits.bit(cell):
            i = below(rng, n)
            swap(s, owner, cell, pool[i])
            n -= 1
            pool[i] = pool[n]


@compiled
def swap(s: Position, owner: int, cell: int, value: int) -> None:
    """Exchange the face-down druid on the cell with one of that value in the hand."""
    before = s.druid[cell]
    after = value + 1 if owner == 0 else -value - 1
    s.hand[owner] += UNIT[abs(before) - 1] - UNIT[value]
    s.druid[cell] = after
    for k in range(3):
        s.lead[LINES_AT[cell, k]] += after - before


RULES = register(Rules(sys.modules[__name__], FACTS, STATE, ACTIONS, inlined_wasm=("judge",)))
