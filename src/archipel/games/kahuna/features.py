"""A view of Kahuna as a row of numbers."""

from archipel.core.features import Part, by_seat, each, flag, mover, number, one_of, pile, row, seat, some_of

from .board import CARDS_PER_ISLAND, HAND_LIMIT, ISLANDS, LINES, ROUNDS
from .game import PHASES, Kahuna

CARDS = CARDS_PER_ISLAND * len(ISLANDS)
MOST_POINTS = 1 + 2 + len(ISLANDS)


def layout(game: Kahuna) -> Part:
    """Line by line and card by card, what is remembered of the foe's hand included."""
    cards = some_of(ISLANDS, CARDS_PER_ISLAND)
    return row(
        seat=one_of(0, 1),
        mover=mover(2),
        phase=one_of(*PHASES),
        turn=seat(2),
        round=one_of(*range(1, ROUNDS + 1)),
        scores=by_seat(2, number(MOST_POINTS)),
        winner=seat(2),
        bridges=by_seat(2, some_of(LINES)),
        stones=by_seat(2, some_of(ISLANDS)),
        hands=by_seat(2, pile(ISLANDS, CARDS_PER_ISLAND, HAND_LIMIT)),
        shown=by_seat(2, cards),
        known=by_seat(2, cards),
        maybe=by_seat(2, cards),
        since=by_seat(2, each(*[number(CARDS)] * CARDS)),
        laid=by_seat(2, cards),
        hidden_discard=by_seat(2, pile(ISLANDS, CARDS_PER_ISLAND, CARDS)),
        open=cards,
        discard=cards,
        deck=number(CARDS),
        passed=flag(),
        played=flag(),
        discarded=flag(),
        refill=one_of(*LINES),
        left=number(9),
        last_turns=one_of(2, 1),
    )
