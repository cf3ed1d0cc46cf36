"""Draw or sail? The value of another card of the oracle, for any values of the spaces where a boat may land.

Cards that were drawn and not yet shuffled back are known, so the deck is known. Only the numbers of boats and fish in a
hand matter, not their order: with n more cards there are n + 1 hands.
"""

import numpy as np
from numpy.typing import NDArray

from archipel.core.compiled import compiled
from archipel.games.kula_kula.board import MAX_CARDS
from archipel.games.kula_kula.rules import BOAT, FISH, IDOL, Position

Worths = NDArray[np.float64]

ALL_CARDS = 3 * MAX_CARDS


@compiled
def left(s: Position, kind: int, boats: int, fish: int) -> int:
    """How many cards of a kind the deck has after some more boats and fish; an empty deck is reshuffled."""
    gone = boats if kind == BOAT else fish if kind == FISH else 0
    if boats + fish < s.deck[BOAT] + s.deck[FISH] + s.deck[IDOL]:
        return s.deck[kind] - gone
    return s.deck[kind] + s.discard[kind] - gone


@compiled
def safe_cards(s: Position) -> int:
    """The maximum number of cards that can be drawn without an idol."""
    safe = s.deck[BOAT] + s.deck[FISH]
    if s.deck[IDOL] == 0:
        safe += s.discard[BOAT] + s.discard[FISH]
    return safe


@compiled
def another_card(s: Position, spaces: int, landing: Worths, idol: float, deep: int) -> float:
    """The value of turning up one more card, and then drawing or sailing, whichever is better.

    `landing` has the value of sailing each number of steps around the ring from the boat's space, `idol` that of
    staying there. After `deep` more cards the boat sails; with ALL_CARDS the result is exact.
    """
    safe = safe_cards(s)
    deep = min(deep, safe)
    best = np.empty(deep + 2)
    for fish in range(deep + 1):
        best[fish] = landing[(s.way + deep + fish) % spaces]
        if deep == safe and left(s, IDOL, deep - fish, fish) > 0:  # only idols are left to draw
            best[fish] = max(best[fish], idol)
    for drawn in range(deep - 1, -1, -1):
        for fish in range(drawn + 1):
            draw = turn_up(s, drawn - fish, fish, best, idol)
            go = landing[(s.way + drawn + fish) % spaces]
            best[fish] = draw if drawn == 0 else max(go, draw)
    return best[0] if deep else idol


@compiled
def turn_up(s: Position, boats: int, fish: int, best: Worths, idol: float) -> float:
    """The mean over the next card; with one more card in hand, `best` is indexed by its fish."""
    n_boat, n_fish, n_idol = left(s, BOAT, boats, fish), left(s, FISH, boats, fish), left(s, IDOL, boats, fish)
    cards = n_boat + n_fish + n_idol
    if cards <= 0 or min(n_boat, n_fish) < 0:  # nothing to draw, or an impossible hand
        return -np.inf
    return (n_boat * best[fish] + n_fish * best[fish + 1] + n_idol * idol) / cards


@compiled
def idol_chance(s: Position) -> float:
    """The probability that the next card is an idol."""
    boats, fish, idols = left(s, BOAT, 0, 0), left(s, FISH, 0, 0), left(s, IDOL, 0, 0)
    return idols / max(1, boats + fish + idols)
