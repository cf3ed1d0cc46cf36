"""Depth-first proof-number search: who wins a position that is too large for alpha-beta alone.

Every position has two costs: the estimated work to prove that its mover wins, and that the mover loses. The mover needs
one good move, so the first is the cost of the move whose replies are cheapest to refute; to prove a loss, every move
must be answered, and those costs add up. The search goes where the next step is cheapest, and stays there as long as
that is so, within limits that it passes down. Positions with few empty cells are left to alpha-beta.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core import bits
from archipel.core.compiled import Array, compiled, kernel
from archipel.core.maths import exp
from archipel.core.rules import Numbers
from archipel.games.stonehenge.rules import N_CELLS

from .alphabeta import LIMIT, LOSS, N_ACTIONS, NODES, UNKNOWN, WIN, Search, list_moves, play, survey, take, wins
from .judgement import likely
from .position import FREE, Table, crossings, name

SMALL = 10
"""Positions with this many empty cells are left to alpha-beta."""
KEPT = 12
"""Positions with at least this many are worth storing; smaller ones are soon solved again."""
TRUST = 0.7
"""The weight of the evaluation."""
BRANCHES = 2.0
"""How many moves must be answered, per empty cell."""
PATIENCE = 1.25
"""A move is followed until it seems this much more expensive than the next best: switching has a cost, too."""
REUSED = 0.5
"""How much cheaper a move seems that has just won against another reply."""
ROOM = 22
"""How many positions can be stored, as a power of two."""

Costs = Annotated[NDArray[np.float64], Array("f8", 2)]
FirstCosts = Annotated[NDArray[np.float64], Array("f8", 3)]
Small = Annotated[NDArray[np.int8], Array("i1")]

NEVER = math.inf


class Memory(NamedTuple):
    """The positions searched so far: keys, their two costs and empty cells; and buffers for the moves on the path."""

    keys: Numbers
    cost: Costs
    empty: Small
    child: Table
    move: Table
    first: FirstCosts
    reply: Numbers
    used: Numbers


def new_memory(room: int | None = None) -> Memory:
    size, depths = 1 << (ROOM if room is None else room), N_CELLS + 2
    return Memory(
        np.zeros(size, np.int64),
        np.zeros((size, 2)),
        np.zeros(size, np.int8),
        np.zeros((depths, N_ACTIONS), np.int64),
        np.zeros((depths, N_ACTIONS), np.int64),
        np.zeros((depths, N_ACTIONS, 2)),
        np.full(depths, -1, np.int64),
        np.zeros(1, np.int64),
    )


@compiled
def slot(memory: Memory, key: int) -> int:
    """The index of the key, or where it would be inserted."""
    mask = len(memory.keys) - 1
    i = (key >> 7) & mask
    while memory.keys[i] != 0 and memory.keys[i] != key:
        i = (i + 1) & mask
    return i


@kernel("stonehenge", brief=True, wide=True)
def costs(memory: Memory, key: int) -> tuple[float, float]:
    """The two stored costs of a position; 0 if it has not been searched."""
    at = slot(memory, key)
    return memory.cost[at, 0], memory.cost[at, 1]


@compiled
def note(memory: Memory, key: int, empty: int, win: float, loss: float) -> None:
    """Store a position's costs."""
    i = slot(memory, key)
    memory.used[0] += int(memory.keys[i] == 0)
    memory.keys[i] = key
    memory.empty[i] = empty
    memory.cost[i, 0] = win
    memory.cost[i, 1] = loss


@compiled
def settle(memory: Memory, key: int, empty: int, result: int) -> None:
    """Store that the mover wins, or loses."""
    if result == WIN:
        note(memory, key, empty, 0.0, NEVER)
    else:
        note(memory, key, empty, NEVER, 0.0)


@kernel("stonehenge", wide=True)
def recall(memory: Memory, proved: Numbers) -> None:
    """Import the positions of a ledger: keys whose lowest bit is the winner, and the next the mover."""
    for word in proved:
        mover = (int(word) >> 1) & 1
        settle(memory, int(word) & ~1, 0, WIN if int(word) & 1 == mover else LOSS)


def proved(memory: Memory, least: int) -> list[tuple[int, int]]:
    """The solved positions with at least this many empty cells: their keys, and the winners."""
    at = np.flatnonzero((memory.empty >= least) & (memory.cost == 0.0).any(axis=1))
    winners = (memory.keys[at] >> 1 & 1) ^ (memory.cost[at, 0] != 0.0)
    return list(zip(memory.keys[at].tolist(), winners.tolist(), strict=True))


@compiled
def spent(search: Search, memory: Memory) -> bool:
    """True if the nodes or the memory are used up."""
    return bool(search.counts[NODES] >= search.counts[LIMIT] or 4 * memory.used[0] > 3 * len(memory.keys))


@kernel("stonehenge", brief=True)
def guess(search: Search, depth: int, small: int) -> tuple[float, float]:
    """The estimated cost of a position that has not been searched, in small positions to solve."""
    empty = bits.count(search.stack[depth, FREE])
    win = loss = 1.0
    for cells in range(small + 1, empty + 1):
        if (empty - cells) % 2 == 0:
            loss *= BRANCHES * cells
        else:
            win *= BRANCHES * cells
    odds = likely(search.stack, depth)
    tilt = exp(TRUST * (-odds if empty & 1 else odds))
    return win / tilt, loss * tilt


@compiled
def known_before(memory: Memory, depth: int, n: int, key: int) -> bool:
    for i in range(n):
        if memory.child[depth, i] == key:
            return True
    return False


@compiled
def open_up(search: Search, memory: Memory, depth: int, small: int) -> tuple[int, int]:
    """List the positions after this one with their initial costs; return their number, or WIN or LOSS if that is
    obvious."""
    result, within = survey(search, depth)
    if result != UNKNOWN:
        return result, 0
    empty = bits.count(search.stack[depth, FREE])
    n, count = list_moves(search, depth, within, *crossings(search.stack, depth)), 0
    for i in range(n):
        move = take(search.lists, depth, i, n)
        result = play(search.stack, depth, move)
        if result == WIN:
            return WIN, 0
        key = name(search.stack, depth + 1)
        if result == LOSS or known_before(memory, depth, count, key):
            continue
        memory.child[depth, count] = key
        memory.move[depth, count] = move
        result, _ = survey(search, depth + 1)
        if result == LOSS:
            settle(memory, key, empty - 1, LOSS)
            return WIN, 0
        if result == WIN:
            memory.first[depth, count, 0] = 0.0
            memory.first[depth, count, 1] = NEVER
        else:
            win, loss = guess(search, depth + 1, small)
            memory.first[depth, count, 0] = win
            memory.first[depth, count, 1] = loss * (REUSED if memory.reply[depth] == move else 1.0)
        count += 1
    return UNKNOWN, count


@compiled
def reckon(memory: Memory, depth: int, count: int) -> tuple[float, float, int, float, float]:
    """The two costs of a position; the cheapest move, the cost of its reply, and the next best."""
    win = second = NEVER
    loss = foe_s = 0.0
    best = -1
    for i in range(count):
        at = slot(memory, memory.child[depth, i])
        seen = memory.keys[at] != 0
        foe_wins = memory.cost[at, 0] if seen else memory.first[depth, i, 0]
        foe_loses = memory.cost[at, 1] if seen else memory.first[depth, i, 1]
        loss += foe_wins
        if foe_loses < win:
            second, win, best, foe_s = win, foe_loses, i, foe_wins
        elif foe_loses < second:
            second = foe_loses
    return win, loss, best, foe_s, second


@kernel("stonehenge", wide=True)
def seek(search: Search, memory: Memory, depth: int, key: int, most_win: float, most_loss: float, small: int) -> None:
    """Search for a proof either way, until the costs reach these limits or the nodes are used up."""
    empty = bits.count(search.stack[depth, FREE])
    result, count = open_up(search, memory, depth, small)
    if result != UNKNOWN:
        settle(memory, key, empty, result)
        return
    while True:
        win, loss, best, foe_s, second = reckon(memory, depth, count)
        if win == 0.0:
            memory.reply[depth] = memory.move[depth, best]
            settle(memory, key, empty, WIN)
            return
        if win == NEVER:
            settle(memory, key, empty, LOSS)
            return
        if win >= most_win or loss >= most_loss or spent(search, memory):
            note(memory, key, empty, win, loss)
            return
        child = memory.child[depth, best]
        play(search.stack, depth, memory.move[depth, best])
        if empty - 1 > small:
            limit = min(most_win, PATIENCE * second)
            seek(search, memory, depth + 1, child, most_loss - (loss - foe_s), limit, small)
        else:
            result = wins(search, depth + 1)
            if result != UNKNOWN:
                settle(memory, child, empty - 1, result)
