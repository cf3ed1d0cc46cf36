"""A view of Kahuna as a row of numbers."""

from archipel.core import encoding as told
from archipel.core.bits import count
from archipel.core.compiled import compiled
from archipel.core.encoding import RowOut
from archipel.core.features import Part, by_seat, each, flag, mover, number, one_of, pile, row, seat, some_of
from archipel.core.rules import CHANCE, Record

from .board import CARDS_PER_ISLAND, HAND_LIMIT, ISLANDS, LINES, N_ISLANDS, N_LINES, ROUNDS
from .game import Kahuna
from .rules import PHASES

CARDS = CARDS_PER_ISLAND * len(ISLANDS)
MOST_POINTS = 1 + 2 + len(ISLANDS)


def layout(game: Kahuna) -> Part:
    """Line by line and card by card, including what is remembered of the opponent's hand."""
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
        bare=by_seat(2, flag()),
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


@compiled
def observe(facts: Record, s: Record, seat: int, out: RowOut) -> None:
    """The same from the state itself."""
    viewer = max(seat, 0)
    other = 1 - viewer
    at = told.one_of(out, 0, seat, 2)
    at = told.mover(out, at, s.mover, viewer, 2)
    at = told.one_of(out, at, s.phase, len(PHASES))
    at = told.seat(out, at, s.turn if s.mover == CHANCE else -1, viewer, 2)
    at = told.one_of(out, at, s.round_ - 1, ROUNDS)
    at = told.number(out, at, s.scores[viewer], MOST_POINTS)
    at = told.number(out, at, s.scores[other], MOST_POINTS)
    at = told.winners(out, at, s.winners, viewer, 2)
    at = told.some_of(out, at, s.bridges[viewer], N_LINES)
    at = told.some_of(out, at, s.bridges[other], N_LINES)
    at = told.some_of(out, at, s.stones[viewer], N_ISLANDS)
    at = told.some_of(out, at, s.stones[other], N_ISLANDS)
    out[at] = s.bare >> viewer & 1
    out[at + 1] = s.bare >> other & 1
    at += 2
    at = pile_of(out, at, s.hands[viewer], viewer == seat, HAND_LIMIT)
    at = pile_of(out, at, s.hands[other], False, HAND_LIMIT)
    at = cards_of(out, at, s.shown[viewer])
    at = cards_of(out, at, s.shown[other])
    at = cards_of(out, at, s.shown[viewer] if facts.open_cards else s.known[viewer])
    at = cards_of(out, at, s.shown[other] if facts.open_cards else s.known[other])
    at = cards_of(out, at, s.maybe[viewer])
    at = cards_of(out, at, s.maybe[other])
    at = since_of(out, at, s, viewer)
    at = since_of(out, at, s, other)
    at = cards_of(out, at, s.laid[viewer])
    at = cards_of(out, at, s.laid[other])
    at = pile_of(out, at, s.hidden[viewer], viewer == seat, CARDS)
    at = pile_of(out, at, s.hidden[other], False, CARDS)
    at = cards_of(out, at, s.open)
    at = cards_of(out, at, s.discard)
    at = told.number(out, at, count(s.deck), CARDS)
    out[at] = s.passed
    out[at + 1] = s.played
    out[at + 2] = s.discarded
    at = told.one_of(out, at + 3, s.refill, N_LINES)
    at = told.number(out, at, s.left, 9)
    told.one_of(out, at, 2 - s.last_turns if s.last_turns else -1, 2)


@compiled
def cards_of(out: RowOut, at: int, pile: int) -> int:
    for k in range(N_ISLANDS):
        out[at + k] = ((int(pile) >> k & 1) + (int(pile) >> k + N_ISLANDS & 1)) / CARDS_PER_ISLAND
    return at + N_ISLANDS


@compiled
def pile_of(out: RowOut, at: int, pile: int, seen: bool, size: int) -> int:
    cards_of(out, at, pile if seen else 0)
    return told.number(out, at + N_ISLANDS, count(pile), size)


@compiled
def since_of(out: RowOut, at: int, s: Record, seat: int) -> int:
    """For the cards of `maybe`, in the order of their names: how many cards were laid face down since."""
    if s.maybe[seat] == 0:
        return at + CARDS
    n = 0
    for card in range(N_ISLANDS):
        for place in range(card, CARDS, N_ISLANDS):
            if s.since[seat, place]:
                out[at + n] = int(s.since[seat, place]) / CARDS
                n += 1
    return at + CARDS
