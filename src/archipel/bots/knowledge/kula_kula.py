"""What is known of Kula Kula: how good a seat stands, and a sailor who weighs the oracle's cards against it.

A seat's standing is a sum of what it has and what lies ahead of it, each times a weight that was fitted to
games; the chances to win are in proportion to the exponentials of the standings.
"""

import json
import sys
from math import exp
from pathlib import Path

import numpy as np

from archipel.bots.exact.kula_kula.oracle import another_card
from archipel.core.chance import Rng
from archipel.core.compiled import compiled
from archipel.core.rules import OVER, Record
from archipel.games.kula_kula.board import BOARD, MAX_SPACES
from archipel.games.kula_kula.rules import (
    CHOOSING,
    DRAW,
    GO,
    ORACLE,
    PUSHING,
    SAIL,
    STATE,
    TRADE,
    TRADING,
    end_turn,
    land,
    must_go,
    trade,
)

from . import Knowledge, Lore, Weights, register

WEIGHTS = Path(__file__).with_suffix(".json")

AHEAD = 10
"""How far a seat looks."""
NEED, PUKAS, TRADES, READY, LAST, ORDER, HOME, SEA, MARKET = 0, 8, 9, 10, 11, 12, 17, 18, 18 + AHEAD
STANDING = MARKET + AHEAD
"""How many weights: for each number of Kauri that are wanting; a Puka; a trade that can be paid; the first of them;
one that would win; each place in the order of turns; the way home; a Puka at each distance; a market at each distance,
for a seat that can pay."""

HOMESICK = -2.0
"""With `return_home`: who has Kauri enough and the whole ring before him stands as if one were wanting."""

LORE = np.dtype((np.record, [("kula_kula", "f8", (3, STANDING))]))
"""For 3, 4 and 5 players."""

DEEP = 6
"""So many more cards a sailor considers in a playout."""


@compiled
def look(facts: Record, s: Record, seat: int, turn: int, out: Weights) -> None:
    """What is to be said of a seat's standing, number by number; `turn`: whose turn is next."""
    for k in range(STANDING):
        out[k] = 0.0
    need = facts.goal - s.kauris[seat]
    trades = s.pukas[seat] // facts.price
    out[NEED + min(max(need, 0), 7)] = 1.0
    out[PUKAS] = min(s.pukas[seat] / facts.price, 6.0)
    out[TRADES] = min(trades, max(need, 0))
    out[READY] = 1.0 if trades > 0 and need > 0 else 0.0
    out[LAST] = 1.0 if 0 < need <= trades else 0.0
    out[ORDER + (seat - turn + facts.players) % facts.players] = 1.0
    space = s.boats[seat]
    if need <= 0:
        out[HOME] = ((facts.starts[seat] - space) % facts.spaces) / facts.spaces
        return
    for k in range(AHEAD):
        space += 1
        if space == facts.spaces:
            space = 0
        if not facts.island[space]:
            out[SEA + k] = s.shells[space]
        elif trades > 0:
            out[MARKET + k] = min(trades, s.shells[space], need)


@compiled
def standing(lore: Record, facts: Record, s: Record, seat: int, turn: int, seen: Weights) -> float:
    look(facts, s, seat, turn, seen)
    total = 0.0
    for k in range(STANDING):
        total += lore.kula_kula[facts.players - 3, k] * seen[k]
    return total


@compiled
def win_chances(lore: Record, facts: Record, s: Record, turn: int, out: Weights) -> None:
    """Every seat's chance to win, before the turn of a seat."""
    seen = np.empty(STANDING)
    total = 0.0
    for seat in range(facts.players):
        out[seat] = exp(standing(lore, facts, s, seat, turn, seen))
        total += out[seat]
    for seat in range(facts.players):
        out[seat] /= total


@compiled
def estimate(lore: Record, facts: Record, s: Record, worth: Weights) -> bool:
    """Known between turns only."""
    if s.phase != CHOOSING:
        return False
    win_chances(lore, facts, s, s.seat, worth)
    for seat in range(facts.players):
        worth[seat] = (worth[seat] * facts.players - 1) / (facts.players - 1)
    return True


@compiled
def settle(facts: Record, s: Record) -> None:
    """Trade as often as can be."""
    while s.phase == TRADING:
        trade(facts, s)


@compiled
def chance_after(lore: Record, facts: Record, after: Record, seat: int, chances: Weights) -> float:
    """The chance to win of a seat whose turn has just ended."""
    if after.mover == OVER:
        return 1.0 if after.winners >> seat & 1 else 0.0
    win_chances(lore, facts, after, after.seat, chances)
    return chances[seat]


@compiled
def harbours(lore: Record, facts: Record, s: Record, farthest: int, landing: Weights) -> float:
    """The mover's chance to win after landing so many steps on; and that after no step, which an idol makes."""
    seat = int(s.seat)
    world = np.empty(1, STATE)
    chances = np.empty(5)
    for steps in range(farthest + 1):
        world[0] = s
        after = world[0]
        land(facts, after, steps)
        settle(facts, after)
        landing[steps % facts.spaces] = chance_after(lore, facts, after, seat, chances)
    world[0] = s
    after = world[0]
    end_turn(facts, after)
    return chance_after(lore, facts, after, seat, chances)


@compiled
def weigh(lore: Record, facts: Record, s: Record, deep: int, out: Weights) -> None:
    """The mover's chances to win by the first and the second of the two actions between which he chooses."""
    landing = np.empty(MAX_SPACES)
    if s.phase == TRADING:
        out[0] = 1.0
        out[1] = 0.0
        return
    farthest = min(facts.spaces - 1, s.way + 2 * deep)
    idol = harbours(lore, facts, s, farthest, landing)
    draw = -np.inf if must_go(s) else another_card(s, facts.spaces, landing, idol, deep)
    if s.phase == PUSHING:
        out[0] = draw
        out[1] = landing[s.way % facts.spaces]
    else:
        out[0] = landing[1]
        out[1] = draw


@compiled
def playout(lore: Record, facts: Record, s: Record, rng: Rng) -> int:
    """What a careful sailor does."""
    if s.phase == TRADING:
        return TRADE
    worths = np.empty(2)
    weigh(lore, facts, s, DEEP, worths)
    first = worths[0] >= worths[1]
    if s.phase == CHOOSING:
        return SAIL if first else ORACLE
    return DRAW if first else GO


def first_guess() -> Lore:
    """Weights to begin the training with."""
    lore = np.zeros(1, LORE)
    weights = lore["kula_kula"][0]
    fading = 0.8 ** np.arange(AHEAD)
    weights[:, NEED:PUKAS] = -np.arange(8)
    weights[:, [PUKAS, TRADES, READY, LAST]] = 0.5, 0.1, 0.1, 0.5
    weights[:, SEA:MARKET] = weights[:, MARKET:] = 0.1 * fading
    return lore


def fitted() -> Lore:
    """The weights that the training found."""
    lore = np.zeros(1, LORE)
    lore["kula_kula"][0] = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    for weights, goal in zip(lore["kula_kula"][0], BOARD["goal_kauri"].values(), strict=True):
        _extend(weights, goal)
    return lore


def _extend(weights: Weights, goal: int) -> None:
    """What games to the usual goal never show: a higher one, and Kauri enough on the way home."""
    for need in range(goal + 1, PUKAS):
        weights[need] = weights[need - 1] + weights[goal] - weights[goal - 1]
    weights[NEED] = weights[NEED + 1] - HOMESICK
    weights[HOME] = HOMESICK


# Estimates are not noisy and actions differ by little, so a small curiosity is enough.
KNOWLEDGE = register(Knowledge(sys.modules[__name__], fitted(), curiosity=0.3, unfold=2))
