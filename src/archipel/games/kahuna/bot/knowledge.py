"""Kahuna's knowledge for the search: a small trained network estimates the value of a position, and so of each action.

The network sees a position from the seat whose turn it is: a row of binary inputs (bridges, stones, cards, and what
they threaten), two hidden layers, one output. `training/kahuna.py` trains it; the recipe is stored beside the weights.
"""

import sys
from pathlib import Path

import numpy as np

from archipel.bots.knowledge import Knowledge, Lore, Weights, register
from archipel.core.bits import bit, count, first
from archipel.core.compiled import compiled
from archipel.core.maths import exp, tanh
from archipel.core.rules import OVER, Numbers, Record, value
from archipel.games.kahuna.board import DEGREE, HAND_LIMIT, LINES_OF, N_ISLANDS, N_LINES, ROUNDS
from archipel.games.kahuna.rules import ENDED, STATE, apply, has_cards

WEIGHTS = Path(__file__).with_suffix(".weights")
RECIPE = WEIGHTS.with_suffix(".json")

# Inputs: each name is the first index of a group. The seat's own come first, then the opponent's.

BRIDGES = 0
STONES = BRIDGES + 2 * N_LINES
HANDS = STONES + 2 * N_ISLANDS
OPEN = HANDS + 4 * N_ISLANDS
DECK = OPEN + 2 * N_ISLANDS
NEAR = DECK + 2 * N_ISLANDS  # islands that need one more bridge
FAR = NEAR + 2 * N_ISLANDS  # islands that need two more bridges
WINS = FAR + 2 * N_ISLANDS  # one more bridge needed, and the card is in the hand
BARE = WINS + 2 * N_ISLANDS  # islands held without a bridge to spare
LOSES = BARE + 2 * N_ISLANDS  # held so, and the opponent has the cards to cut such a bridge
AHEAD = LOSES + 2 * N_ISLANDS  # the lead in stones, by round
LEADS = AHEAD + ROUNDS * 11  # the lead in points, by round
SIZES = LEADS + ROUNDS * 7
LEFT = SIZES + 2 * (HAND_LIMIT + 1)  # cards left to draw
PHASE = LEFT + 2 * N_ISLANDS + 1
PLAYED = PHASE + ENDED
DISCARDED = PLAYED + 1
PASSED = DISCARDED + 1
LAST = PASSED + 1
REFILL = LAST + 2
INPUTS = REFILL + 1
HIDDEN, DEEP = 64, 32

LORE = np.dtype(
    (
        np.record,
        [
            ("kahuna_inputs", "f4", (INPUTS, HIDDEN)),
            ("hidden_bias", "f4", HIDDEN),
            ("hidden", "f4", (HIDDEN, DEEP)),
            ("deep_bias", "f4", DEEP),
            ("deep", "f4", DEEP),
            ("bias", "f4"),
        ],
    )
)

CERTAINTY = 12.0
"""How the value of an action turns into its prior: the weight grows by e for a twelfth of a point."""


# The network's inputs


@compiled
def each(pile: int, group: int, out: Numbers, n: int) -> int:
    """Append one input per bit; return the number of inputs."""
    while pile:
        out[n] = group + first(pile)
        pile &= pile - 1
        n += 1
    return n


@compiled
def reach(hand: int) -> int:
    """The lines for which the hand has a card, as bits."""
    lines = 0
    cards = hand & ((1 << N_ISLANDS) - 1)
    while cards:
        lines |= LINES_OF[first(cards)]
        cards &= cards - 1
    return lines


@compiled
def cuttable(bridges: int, hand: int) -> int:
    """The bridges that the hand has the cards to cut, as bits."""
    lines = 0
    bridges &= reach(hand)
    while bridges:
        line = first(bridges)
        bridges &= bridges - 1
        if has_cards(hand, line, 0) or has_cards(hand, line, 1) or has_cards(hand, line, 2):
            lines |= bit(line)
    return lines


@compiled
def look_at_islands(s: Record, seat: int, side: int, out: Numbers, n: int) -> int:
    """What a seat is about to win and to lose."""
    free = ~(s.bridges[0] | s.bridges[1]) & reach(s.hands[seat])
    in_danger = cuttable(s.bridges[seat], s.hands[1 - seat])
    for island in range(N_ISLANDS):
        lines = int(LINES_OF[island])
        at = side * N_ISLANDS + island
        short = DEGREE[island] // 2 + 1 - count(s.bridges[seat] & lines)
        if s.stones[seat] & bit(island):
            if short == 0:
                out[n] = BARE + at
                n += 1
                if in_danger & lines:
                    out[n] = LOSES + at
                    n += 1
        elif short == 1:
            out[n] = NEAR + at
            n += 1
            if free & lines:
                out[n] = WINS + at
                n += 1
        elif short == 2:
            out[n] = FAR + at
            n += 1
    return n


@compiled
def within(n: int, most: int) -> int:
    return max(-most, min(most, n))


@compiled
def look(s: Record, out: Numbers) -> int:
    """Write the indices of the inputs that are 1; return their number."""
    me = int(s.turn)
    n = 0
    for side in range(2):
        seat = me if side == 0 else 1 - me
        n = each(int(s.bridges[seat]), BRIDGES + side * N_LINES, out, n)
        n = each(int(s.stones[seat]), STONES + side * N_ISLANDS, out, n)
        n = each(int(s.hands[seat]), HANDS + side * 2 * N_ISLANDS, out, n)
        n = look_at_islands(s, seat, side, out, n)
        out[n] = SIZES + side * (HAND_LIMIT + 1) + min(HAND_LIMIT, count(s.hands[seat]))
        n += 1
    n = each(int(s.open), OPEN, out, n)
    n = each(int(s.deck), DECK, out, n)
    stones = count(s.stones[me]) - count(s.stones[1 - me])
    points = int(s.scores[me]) - int(s.scores[1 - me])
    before = int(s.round_) - 1
    out[n] = AHEAD + before * 11 + 5 + within(stones, 5)
    out[n + 1] = LEADS + before * 7 + 3 + within(points, 3)
    out[n + 2] = LEFT + count(s.deck) + count(s.open)
    out[n + 3] = PHASE + int(s.phase)
    n += 4
    if s.played:
        out[n] = PLAYED
        n += 1
    if s.discarded:
        out[n] = DISCARDED
        n += 1
    if s.passed:
        out[n] = PASSED
        n += 1
    if s.last_turns:
        out[n] = LAST + int(s.last_turns) - 1
        n += 1
    if s.refill >= 0:
        out[n] = REFILL
        n += 1
    return n


# The network's output


@compiled
def worth_to_turn(lore: Record, s: Record) -> float:
    """The value of a position that is not over, for the seat whose turn it is."""
    inputs = np.empty(INPUTS, np.int64)
    n = look(s, inputs)
    hidden = np.empty(HIDDEN, np.float32)
    deep = np.empty(DEEP, np.float32)
    for j in range(HIDDEN):
        hidden[j] = lore.hidden_bias[j]
    rows = lore.kahuna_inputs
    for i in range(n):
        at = inputs[i]
        for j in range(HIDDEN):
            hidden[j] += rows[at, j]
    for j in range(DEEP):
        deep[j] = lore.deep_bias[j]
    further = lore.hidden
    for i in range(HIDDEN):
        fires = max(hidden[i], np.float32(0))
        for j in range(DEEP):
            deep[j] += fires * further[i, j]
    total = float(lore.bias)
    for j in range(DEEP):
        if deep[j] > 0:
            total += float(deep[j]) * float(lore.deep[j])
    return tanh(total)


@compiled
def worth_to(lore: Record, s: Record, seat: int) -> float:
    """The value of a position for a seat, also at the end."""
    if s.mover == OVER:
        return value(s.winners, 2, seat)
    worth = worth_to_turn(lore, s)
    return worth if s.turn == seat else -worth


@compiled
def estimate(lore: Record, facts: Record, s: Record, worth: Weights) -> bool:
    mine = worth_to_turn(lore, s)
    worth[s.turn] = mine
    worth[1 - s.turn] = -mine
    return True


@compiled
def look_ahead(lore: Record, facts: Record, s: Record, actions: Numbers, n: int, out: Weights) -> None:
    """The value of the position after each action, for the mover."""
    after = np.empty(1, STATE)
    for k in range(n):
        after[0] = s
        apply(facts, after[0], actions[k])
        out[k] = worth_to(lore, after[0], s.mover)


@compiled
def soften(out: Weights, n: int, certainty: float) -> None:
    """Turn values into weights."""
    most = -1.0
    for k in range(n):
        most = max(most, out[k])
    for k in range(n):
        out[k] = exp((out[k] - most) * certainty)


@compiled
def prior(lore: Record, facts: Record, s: Record, actions: Numbers, n: int, out: Weights) -> bool:
    look_ahead(lore, facts, s, actions, n, out)
    soften(out, n, CERTAINTY)
    return True


def read(path: Path) -> Lore:
    """Read the network's weights from a file."""
    return np.fromfile(path, LORE).view(LORE)


KNOWLEDGE = register(Knowledge(sys.modules[__name__], read(WEIGHTS), curiosity=1.0, unfold=2))
