"""Briscola's rules: three cards each, a trump card under the stock, any card may be played.

A card is a number: its suit times ten, plus its rank, the ace first. A set of cards is 40 bits. An action is the card
that is played or dealt. `leader` leads and draws first, `owner` drew the trump card from under the stock; -1 is none.
"""

import sys

import numpy as np

from archipel.core.bits import bit, count, nth
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, OVER, Numbers, Record, Rules, register

CARDS = [rank + suit for suit in "SHDC" for rank in "A3KQJ76542"]
POINTS = np.array([11, 10, 4, 3, 2, 0, 0, 0, 0, 0] * 4)
N, HAND = len(CARDS), 3
FACTS = np.dtype((np.record, [("briscola", "i1")]))
_SMALL = [(name, "i1") for name in ("mover", "winners", "leader", "led", "trump", "owner")]
STATE = np.dtype((np.record, [*_SMALL, ("stock", "i8"), ("hands", "i8", 2), ("won", "i8", 2)]))


@compiled
def begin(facts: Record, s: Record) -> None:
    s.led = s.trump = s.owner = -1
    s.stock = bit(N) - 1
    s.mover = CHANCE


@compiled
def taker(s: Record) -> int:
    """The seat that is dealt the next card; -1: it is turned up as trump."""
    if count(s.hands[s.leader]) < HAND:
        return int(s.leader)
    return 1 - s.leader if count(s.hands[1 - s.leader]) < HAND else -1


@compiled
def points(cards: int) -> int:
    total = 0
    for card in range(N):
        total += POINTS[card] * (cards >> card & 1)
    return total


@compiled
def settle(s: Record) -> None:
    """Find who acts next."""
    if s.led >= 0:
        s.mover = 1 - s.leader
    elif s.trump < 0 or (s.stock and taker(s) >= 0):
        s.mover = CHANCE
    elif s.hands[0] or s.hands[1]:
        s.mover = s.leader
    else:
        s.mover = OVER
        ahead = points(s.won[0]) - points(s.won[1])
        s.winners = 1 if ahead > 0 else 2 if ahead < 0 else 3


@compiled
def apply(facts: Record, s: Record, action: int) -> None:
    if s.mover == CHANCE:
        seat = taker(s)
        s.stock &= ~bit(action)
        if seat < 0:
            s.trump = action
        else:
            s.hands[seat] |= bit(action)
        if s.stock == 0:  # the last card: the other player takes the trump card
            s.owner = 1 - seat
            s.hands[s.owner] |= bit(s.trump)
    elif s.led < 0:
        s.hands[s.mover] &= ~bit(action)
        s.led = action
    else:
        s.hands[s.mover] &= ~bit(action)
        better = action < s.led if action // 10 == s.led // 10 else action // 10 == s.trump // 10
        s.leader = s.mover if better else s.leader
        s.won[s.leader] |= bit(action) | bit(s.led)
        s.led = -1
    settle(s)


@compiled
def is_legal(facts: Record, s: Record, action: int) -> bool:
    return 0 <= action < N and (s.stock if s.mover == CHANCE else s.hands[s.mover]) & bit(action) != 0


@compiled
def legal(facts: Record, s: Record, out: Numbers) -> int:
    n = count(s.hands[s.mover])
    for k in range(n):
        out[k] = nth(s.hands[s.mover], k)
    return n


@compiled
def weights(facts: Record, s: Record, out: Numbers) -> int:
    for card in range(N):
        out[card] = 1 if s.stock & bit(card) else 0
    return N


@compiled
def pick(facts: Record, s: Record, rng: Rng) -> int:
    return nth(s.hands[s.mover], below(rng, count(s.hands[s.mover])))


@compiled
def draw(facts: Record, s: Record, rng: Rng) -> int:
    return nth(s.stock, below(rng, count(s.stock)))


@compiled
def label(facts: Record, s: Record, action: int, seat: int) -> int:
    """Cards dealt to the other player are not seen."""
    return N if s.mover == CHANCE and taker(s) >= 0 and taker(s) != seat else action


@compiled
def redeal(facts: Record, s: Record, seat: int, rng: Rng) -> None:
    """Shuffle the stock and the hands that the seat does not see; everyone saw who took the trump card."""
    sizes = count(s.hands[0]), count(s.hands[1])
    for other in range(2):
        if other != seat:
            known = s.hands[other] & bit(s.trump) if s.owner == other else 0
            s.stock |= s.hands[other] ^ known
            s.hands[other] = known
    for other in range(2):
        while count(s.hands[other]) < sizes[other]:
            card = draw(facts, s, rng)
            s.stock &= ~bit(card)
            s.hands[other] |= bit(card)


RULES = register(Rules(sys.modules[__name__], FACTS, STATE, N))
