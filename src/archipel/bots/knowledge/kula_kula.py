"""What is known of Kula Kula: every seat's chance to win, and a sailor who weighs the oracle's cards against it.

A small trained network looks at a position from each seat in turn: what the seat has, what lies ahead of it, how the
others stand. Its answers are the seats' standings; the chances to win are in proportion to their exponentials. How it
was trained says `training/kula_kula.py`, with what, the recipe beside the weights.
"""

import sys
from math import exp
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archipel.bots.exact.kula_kula.oracle import another_card
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import OVER, Record
from archipel.games.kula_kula.board import MAX_SPACES
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
    dolphin_points,
    end_turn,
    land,
    must_go,
    trade,
)

from . import Knowledge, Lore, Weights, register

WEIGHTS = Path(__file__).with_suffix(".weights")
RECIPE = WEIGHTS.with_suffix(".json")

Inputs = NDArray[np.float32]

# Inputs: each name is where a group begins.

AHEAD = 14  # how far a seat looks
WEALTH = 14  # Pukas beyond so many count alike, at the usual price
NEED = 0  # so many Kauri are wanting
PUKAS = NEED + 8  # so many Pukas it has
TRADES = PUKAS + WEALTH  # trades it can pay and wants
LAST = TRADES + 1  # it can pay all it wants
WAIT = LAST + 1  # turns until its own
SEA = WAIT + 5  # Pukas at each distance
MARKET = SEA + AHEAD  # Kauri at each distance
PAYING = MARKET + AHEAD  # of those, as many as it can pay and wants
BOATS = PAYING + AHEAD  # other boats at each distance
BEHIND = BOATS + AHEAD  # other boats that come up from behind, at each distance from none
DECK = BEHIND + 5  # the share of each kind, and how many cards
PLENTY = DECK + 4  # Pukas at sea, Kauri on the islands
HOME = PLENTY + 2  # it must come home with its Kauri, has enough of them, and how far it is
OTHERS = HOME + 3  # how every other seat stands, in the order of turns
OTHER = 9
INPUTS = OTHERS + 4 * OTHER
HIDDEN = 32

LORE = np.dtype(
    (
        np.record,
        [
            ("kula_kula_inputs", "f4", (3, INPUTS, HIDDEN)),
            ("kula_kula_bias", "f4", (3, HIDDEN)),
            ("hidden", "f4", (3, HIDDEN)),
            ("direct", "f4", (3, INPUTS)),
        ],
    )
)
"""For 3, 4 and 5 players; inputs also speak for themselves."""

DEEP = 5
"""So many more cards a sailor considers in a playout."""


# What the network sees


@compiled
def wanted(facts: Record, s: Record, seat: int) -> int:
    """How many Kauri are wanting."""
    return max(0, facts.goal - s.kauris[seat])


@compiled
def payable(facts: Record, s: Record, seat: int) -> int:
    """How many Kauri the seat wants and can pay."""
    return min(wanted(facts, s, seat), s.pukas[seat] // facts.price)


@compiled
def distance(facts: Record, start: int, end: int) -> int:
    return (end - start + facts.spaces) % facts.spaces


@compiled
def look_at_self(facts: Record, s: Record, seat: int, turn: int, out: Inputs) -> None:
    need, trades = wanted(facts, s, seat), payable(facts, s, seat)
    out[NEED + min(need, 7)] = 1.0
    out[PUKAS + min(s.pukas[seat] * 3 // facts.price, WEALTH - 1)] = 1.0
    out[TRADES] = min(trades, 4)
    out[LAST] = 1.0 if 0 < need <= trades else 0.0
    out[WAIT + (seat - turn + facts.players) % facts.players] = 1.0
    if facts.return_home:
        out[HOME] = 1.0
        if need == 0:
            out[HOME + 1] = 1.0
            out[HOME + 2] = distance(facts, s.boats[seat], facts.starts[seat]) / facts.spaces


@compiled
def look_ahead(facts: Record, s: Record, seat: int, out: Inputs) -> None:
    """What lies on the next spaces."""
    trades = payable(facts, s, seat)
    space = s.boats[seat]
    for k in range(AHEAD):
        space += 1
        if space == facts.spaces:
            space = 0
        if not facts.island[space]:
            out[SEA + k] = s.shells[space]
        else:
            out[MARKET + k] = min(s.shells[space], 4)
            out[PAYING + k] = min(trades, s.shells[space])


@compiled
def look_at_plenty(facts: Record, s: Record, out: Inputs) -> None:
    """What there is in all, the oracle's cards among it."""
    cards = s.deck[0] + s.deck[1] + s.deck[2]
    for kind in range(3):
        out[DECK + kind] = s.deck[kind] / cards if cards else facts.cards[kind] / 42
    out[DECK + 3] = min(cards / 42, 2.0)
    for space in range(facts.spaces):
        out[PLENTY + (1 if facts.island[space] else 0)] += s.shells[space] * np.float32(0.1)


@compiled
def look_at_other(facts: Record, s: Record, seat: int, other: int, out: Inputs, at: int) -> None:
    """Another seat, its notes from `at` on, and where its boat is."""
    need, trades = wanted(facts, s, other), payable(facts, s, other)
    out[at] = min(need, 7)
    out[at + 1] = 1.0 if need <= 1 else 0.0
    out[at + 2] = 1.0 if need == 2 else 0.0
    out[at + 3] = min(s.pukas[other] / facts.price, 4.0)
    out[at + 4] = min(trades, 4)
    out[at + 5] = 1.0 if 0 < need <= trades else 0.0
    near_by(facts, s, other, trades, out, at + 6)
    ahead = distance(facts, s.boats[seat], s.boats[other])
    if 0 < ahead <= AHEAD:
        out[BOATS + ahead - 1] += 1.0
    behind = (facts.spaces - ahead) % facts.spaces
    if behind < 5:
        out[BEHIND + behind] += 1.0


@compiled
def near_by(facts: Record, s: Record, seat: int, trades: int, out: Inputs, at: int) -> None:
    """Pukas and Kauri within four spaces ahead of a seat, the nearer the more; the Kauri if it can pay."""
    space = s.boats[seat]
    for k in range(4):
        space += 1
        if space == facts.spaces:
            space = 0
        near = np.float32(1.0 - 0.2 * k)
        if not facts.island[space]:
            out[at] += s.shells[space] * near
        elif trades > 0:
            out[at + 1] += min(trades, s.shells[space]) * near
            if min(trades, s.shells[space]) >= wanted(facts, s, seat):
                out[at + 2] = max(out[at + 2], near)


@compiled
def look(facts: Record, s: Record, seat: int, turn: int, out: Inputs) -> None:
    """What is to be said of a seat's standing, number by number; `turn`: whose turn is next."""
    for k in range(INPUTS):
        out[k] = 0.0
    look_at_self(facts, s, seat, turn, out)
    look_ahead(facts, s, seat, out)
    look_at_plenty(facts, s, out)
    for k in range(1, facts.players):
        look_at_other(facts, s, seat, (seat + k) % facts.players, out, OTHERS + (k - 1) * OTHER)


# What it says


@compiled
def standing(lore: Record, table: int, seen: Inputs, hidden: Inputs) -> float:
    """The network's answer."""
    for h in range(HIDDEN):
        hidden[h] = lore.kula_kula_bias[table, h]
    total = np.float32(0.0)
    for k in range(INPUTS):
        number = seen[k]
        if number != 0:
            total += lore.direct[table, k] * number
            for h in range(HIDDEN):
                hidden[h] += lore.kula_kula_inputs[table, k, h] * number
    for h in range(HIDDEN):
        if hidden[h] > 0:
            total += lore.hidden[table, h] * hidden[h]
    return float(total)


@compiled
def win_chances(lore: Record, facts: Record, s: Record, turn: int, out: Weights) -> None:
    """Every seat's chance to win, before the turn of a seat."""
    seen = np.empty(INPUTS, np.float32)
    hidden = np.empty(HIDDEN, np.float32)
    most = -np.inf
    for seat in range(facts.players):
        look(facts, s, seat, turn, seen)
        out[seat] = standing(lore, facts.players - 3, seen, hidden)
        most = max(most, out[seat])
    total = 0.0
    for seat in range(facts.players):
        out[seat] = exp(out[seat] - most)
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
    world[0] = s
    after = world[0]
    end_turn(facts, after)
    idol = chance_after(lore, facts, after, seat, chances)
    # A record does not keep its array alive; this loop does until it ends.
    for steps in range(farthest + 1):
        world[0] = s
        after = world[0]
        land(facts, after, steps)
        settle(facts, after)
        landing[steps % facts.spaces] = chance_after(lore, facts, after, seat, chances)
    return idol


@compiled
def another(lore: Record, facts: Record, s: Record, deep: int, landing: Weights) -> float:
    """The mover's chance to win by drawing on; and by landing so many steps on."""
    idol = harbours(lore, facts, s, min(facts.spaces - 1, s.way + 2 * deep), landing)
    return -np.inf if must_go(s) else another_card(s, facts.spaces, landing, idol, deep)


@compiled
def asked(lore: Record, facts: Record, s: Record, space: int, deep: int, world: Lore) -> float:
    """The mover's chance to win if he has asked the oracle, and the dolphin points to a space.

    `world` has room for a state; the caller keeps it alive, which a record does not.
    """
    landing = np.empty(MAX_SPACES)
    world[0] = s
    after = world[0]
    dolphin_points(facts, after, space)
    return another(lore, facts, after, deep, landing)


@compiled
def weigh(lore: Record, facts: Record, s: Record, deep: int, out: Weights) -> None:
    """The mover's chances to win by the first and the second of the two actions between which he chooses."""
    landing = np.empty(MAX_SPACES)
    if s.phase == TRADING:
        out[0] = 1.0
        out[1] = 0.0
    elif s.phase == PUSHING:
        out[0] = another(lore, facts, s, deep, landing)
        out[1] = landing[s.way % facts.spaces]
    else:
        harbours(lore, facts, s, 1, landing)
        out[0] = landing[1]
        out[1] = 0.0
        world = np.empty(1, STATE)
        for k in range(facts.numbered):
            out[1] += asked(lore, facts, s, facts.sea[k], deep, world) / facts.numbered


@compiled
def playout(lore: Record, facts: Record, s: Record, rng: Rng) -> int:
    """What a careful sailor does; the dolphin he imagines once."""
    if s.phase == TRADING:
        return TRADE
    landing = np.empty(MAX_SPACES)
    if s.phase == PUSHING:
        return DRAW if another(lore, facts, s, DEEP, landing) >= landing[s.way % facts.spaces] else GO
    harbours(lore, facts, s, 1, landing)
    world = np.empty(1, STATE)
    ask = asked(lore, facts, s, facts.sea[below(rng, facts.numbered)], DEEP, world)
    return SAIL if landing[1] >= ask else ORACLE


def read(path: Path) -> Lore:
    """The network's numbers from a file."""
    return np.fromfile(path, LORE).view(LORE)


# Estimates are not noisy and actions differ by little, so a small curiosity is enough.
KNOWLEDGE = register(Knowledge(sys.modules[__name__], read(WEIGHTS), curiosity=0.3, unfold=2))
