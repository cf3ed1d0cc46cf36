"""Kula Kula's knowledge for the search: a seat's win chance, and a player who weighs the oracle's cards against it.

A small trained network sees what a seat sees at the end of its turn: what it has, what is ahead of it, how the others
stand, and how many Pukas are behind their screens together. Its output is the seat's win chance.
`training/kula_kula.py` trains it; the recipe is stored beside the weights.
"""

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from archipel.bots.knowledge import Knowledge, Lore, Weights, register
from archipel.core import bits
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled, kernel
from archipel.core.maths import exp
from archipel.core.rules import CHANCE, OVER, Facts, Raw, Record, apply, copy, draw, record, redeal
from archipel.games.kula_kula.board import MAX_SPACES
from archipel.games.kula_kula.bot.oracle import another_card
from archipel.games.kula_kula.rules import (
    DRAW,
    GO,
    ORACLE,
    PUSHING,
    SAIL,
    STATE,
    TRADE,
    TRADING,
    Position,
    Setup,
    dolphin_points,
    end_turn,
    first_offer,
    land,
    must_go,
    trade,
)

WEIGHTS = Path(__file__).with_suffix(".weights")
RECIPE = WEIGHTS.with_suffix(".json")

Inputs = NDArray[np.float32]

# Inputs: each name is the first index of a group.

AHEAD = 14  # how far a seat looks ahead
WEALTH = 14  # larger numbers of Pukas count as this many, at the usual price
SCREENS = 10  # the same for the Pukas of the others
NEED = 0  # the number of Kauri that it still needs
PUKAS = NEED + 8  # the number of its Pukas
TRADES = PUKAS + WEALTH  # the number of trades that it needs and can pay
LAST = TRADES + 1  # it can pay for all it needs
REST = LAST + 1  # Pukas behind the others' screens, per seat; and as a number
SEA = REST + SCREENS + 1  # Pukas at each distance
MARKET = SEA + AHEAD  # Kauri at each distance
PAYING = MARKET + AHEAD  # of those, as many as it needs and can pay
BOATS = PAYING + AHEAD  # other boats at each distance
BEHIND = BOATS + AHEAD  # other boats behind it, at each distance from 0
DECK = BEHIND + 5  # the share of each kind, and the number of cards
PLENTY = DECK + 4  # Pukas at sea, Kauri on the islands
HOME = PLENTY + 2  # it must come home with its Kauri, has enough of them, and its distance
OTHERS = HOME + 3  # how each other seat stands, in turn order
OTHER = 10
INPUTS = OTHERS + 4 * OTHER
HIDDEN = 48

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
"""For 3, 4 and 5 players; inputs also act on the output directly."""

DEEP = 5
"""How many more cards the player in a playout considers."""


# The network's inputs


@compiled
def wanted(facts: Setup, s: Position, seat: int) -> int:
    """The number of Kauri that a seat still needs."""
    return max(0, facts.goal - s.kauris[seat])


@compiled
def payable(facts: Setup, s: Position, seat: int) -> int:
    """The number of Kauri that the seat needs and can pay."""
    return min(wanted(facts, s, seat), s.pukas[seat] // facts.price)


@compiled
def distance(facts: Setup, start: int, end: int) -> int:
    return (end - start + facts.spaces) % facts.spaces


@compiled
def look_at_self(facts: Setup, s: Position, seat: int, out: Inputs) -> None:
    need, trades = wanted(facts, s, seat), payable(facts, s, seat)
    out[NEED + min(need, 7)] = 1.0
    out[PUKAS + min(s.pukas[seat] * 3 // facts.price, WEALTH - 1)] = 1.0
    out[TRADES] = min(trades, 4)
    out[LAST] = 1.0 if 0 < need <= trades else 0.0
    if facts.return_home:
        out[HOME] = 1.0
        if need == 0:
            out[HOME + 1] = 1.0
            out[HOME + 2] = distance(facts, s.boats[seat], facts.starts[seat]) / facts.spaces


@compiled
def look_at_screens(facts: Setup, s: Position, seat: int, out: Inputs) -> None:
    """What the others have together: how it is split is hidden."""
    pukas = 0
    for k in range(1, facts.players):
        pukas += s.pukas[(seat + k) % facts.players]
    each = np.float32(pukas * 3.0 / facts.price / (facts.players - 1))
    out[REST + min(int(2 * each), SCREENS - 1)] = 1.0
    out[REST + SCREENS] = min(each, np.float32(8.0))


@compiled
def look_ahead(facts: Setup, s: Position, seat: int, out: Inputs) -> None:
    """What is on the next spaces."""
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
def look_at_plenty(facts: Setup, s: Position, out: Inputs) -> None:
    """The totals, including the oracle's cards."""
    cards = s.deck[0] + s.deck[1] + s.deck[2]
    for kind in range(3):
        out[DECK + kind] = s.deck[kind] / cards if cards else facts.cards[kind] / 42
    out[DECK + 3] = min(cards / 42, 2.0)
    for space in range(facts.spaces):
        out[PLENTY + (1 if facts.island[space] else 0)] += s.shells[space] * np.float32(0.1)


@compiled
def look_at_other(facts: Setup, s: Position, seat: int, other: int, out: Inputs, at: int) -> None:
    """What can be seen of another seat, from index `at` on, and the position of its boat."""
    need, space = wanted(facts, s, other), s.boats[other]
    out[at] = min(need, 7)
    out[at + 1] = 1.0 if need <= 1 else 0.0
    out[at + 2] = 1.0 if need == 2 else 0.0
    out[at + 3] = 1.0 if need == 3 else 0.0
    # A seat that has stopped at a market and left something there can hardly pay.
    out[at + 4] = 1.0 if facts.island[space] and s.shells[space] > 0 else 0.0
    near_by(facts, s, other, out, at + 5)
    if facts.return_home and need == 0:
        out[at + 9] = 1.0 - distance(facts, space, facts.starts[other]) / facts.spaces
    ahead = distance(facts, s.boats[seat], space)
    if 0 < ahead <= AHEAD:
        out[BOATS + ahead - 1] += 1.0
    behind = (facts.spaces - ahead) % facts.spaces
    if behind < 5:
        out[BEHIND + behind] += 1.0


@compiled
def near_by(facts: Setup, s: Position, seat: int, out: Inputs, at: int) -> None:
    """Pukas and Kauri within two spaces ahead of a seat, and within four."""
    space = s.boats[seat]
    for k in range(4):
        space += 1
        if space == facts.spaces:
            space = 0
        kind = 1 if facts.island[space] else 0
        if k < 2:
            out[at + kind] += min(s.shells[space], 3)
        else:
            out[at + 2 + kind] += min(s.shells[space], 3)


@compiled
def look(facts: Setup, s: Position, seat: int, out: Inputs) -> None:
    """Write what a seat that has just ended its turn can see; the network's inputs."""
    for k in range(INPUTS):
        out[k] = 0.0
    look_at_self(facts, s, seat, out)
    look_at_screens(facts, s, seat, out)
    look_ahead(facts, s, seat, out)
    look_at_plenty(facts, s, out)
    for k in range(1, facts.players):
        look_at_other(facts, s, seat, (seat + k) % facts.players, out, OTHERS + (k - 1) * OTHER)


# The network's output


@compiled
def standing(lore: Record, table: int, seen: Inputs, hidden: Inputs) -> float:
    """Evaluate the network."""
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
def win_chance(lore: Record, facts: Setup, s: Position, seat: int) -> float:
    """A seat's win chance at the end of its turn, from what it can see."""
    seen = np.empty(INPUTS, np.float32)
    hidden = np.empty(HIDDEN, np.float32)
    look(facts, s, seat, seen)
    return 1.0 / (1.0 + exp(-standing(lore, facts.players - 3, seen, hidden)))


@compiled
def settle(facts: Setup, s: Position) -> None:
    """Trade as often as possible."""
    while s.phase == TRADING:
        trade(facts, s)


@compiled
def chance_after(lore: Record, facts: Setup, after: Position, seat: int) -> float:
    """The win chance of a seat whose turn has just ended."""
    if after.mover == OVER:
        return (after.winners >> seat & 1) / bits.count(after.winners)
    return win_chance(lore, facts, after, seat)


@compiled
def harbours(lore: Record, facts: Setup, s: Position, farthest: int, landing: Weights) -> float:
    """The mover's win chance after landing each number of steps ahead; and after no step, which is what an idol
    does."""
    seat = int(s.seat)
    world = np.empty(1, STATE)
    world[0] = s
    after = world[0]
    end_turn(facts, after)
    idol = chance_after(lore, facts, after, seat)
    # A record does not keep its array alive; this loop does until it ends.
    for steps in range(farthest + 1):
        world[0] = s
        after = world[0]
        land(facts, after, steps)
        settle(facts, after)
        landing[steps % facts.spaces] = chance_after(lore, facts, after, seat)
    return idol


@compiled
def another(lore: Record, facts: Setup, s: Position, deep: int, landing: Weights) -> float:
    """The mover's win chance by drawing again; and by landing each number of steps ahead."""
    idol = harbours(lore, facts, s, min(facts.spaces - 1, s.way + 2 * deep), landing)
    return -np.inf if must_go(s) else another_card(s, facts.spaces, landing, idol, deep)


@compiled
def asked(lore: Record, facts: Setup, s: Position, space: int, deep: int, world: Lore) -> float:
    """The mover's win chance after consulting the oracle, if the dolphin points to a space.

    `world` is a buffer for a state; the caller keeps it alive, which a record does not.
    """
    landing = np.empty(MAX_SPACES)
    world[0] = s
    after = world[0]
    dolphin_points(facts, after, space)
    return another(lore, facts, after, deep, landing)


@compiled
def weigh(lore: Record, facts: Setup, s: Position, deep: int, out: Weights) -> None:
    """The mover's win chances by the first and the second of the two actions."""
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
def playout(lore: Record, facts: Setup, s: Position, rng: Rng) -> int:
    """The action of a careful player, who samples the dolphin once."""
    if s.phase == TRADING:
        return TRADE
    if must_go(s):
        return GO
    landing = np.empty(MAX_SPACES)
    if s.phase == PUSHING:
        return DRAW if another(lore, facts, s, DEEP, landing) >= landing[s.way % facts.spaces] else GO
    harbours(lore, facts, s, 1, landing)
    world = np.empty(1, STATE)
    ask = asked(lore, facts, s, facts.sea[below(rng, facts.numbered)], DEEP, world)
    return SAIL if landing[1] >= ask else ORACLE


@compiled
def sail_on(lore: Lore, facts: Facts, raw: Raw, seat: int, action: int, rng: Rng) -> float:
    """A seat acts, and everybody plays by the network until its next turn has ended; return its win chance then."""
    s = record(facts[0], raw)
    until = s.turn + 1 + facts[0].players
    apply(facts[0], s, action)
    while s.mover != OVER and s.turn < until:
        if s.mover == CHANCE:
            apply(facts[0], s, draw(facts[0], s, rng))
        else:
            apply(facts[0], s, playout(lore[0], facts[0], s, rng))
    return chance_after(lore[0], facts[0], s, seat)


@kernel("kula_kula", brief=True)
def chances_of(lore: Lore, facts: Facts, raw: Raw, deep: int, out: Weights) -> None:
    """`weigh` for a Python state."""
    weigh(lore[0], facts[0], record(facts[0], raw), deep, out)


@kernel("kula_kula", brief=True)
def win_chance_of(lore: Lore, facts: Facts, raw: Raw, seat: int) -> float:
    """`win_chance` for a Python state."""
    return win_chance(lore[0], facts[0], record(facts[0], raw), seat)


@kernel("kula_kula")
def look_out(lore: Lore, facts: Facts, raw: Raw, times: int, seed: int, sums: Weights) -> None:
    """Simulate both of the mover's actions in sampled worlds, and add up the mover's win chances."""
    rng = np.array([np.uint64(seed)])
    world, tried = raw.copy(), raw.copy()
    s = record(facts[0], raw)
    for _ in range(times):
        copy(raw, world)
        redeal(facts[0], record(facts[0], world), s.seat, rng)
        for i in range(2):
            copy(world, tried)
            sums[i] += sail_on(lore, facts, tried, s.seat, first_offer(s) + i, rng)


def read(path: Path) -> Lore:
    """Read the network's weights from a file."""
    return np.fromfile(path, LORE).view(LORE)


KNOWLEDGE = register(Knowledge(sys.modules[__name__], read(WEIGHTS)))
