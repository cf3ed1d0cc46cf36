"""How many ways there are to play on: counts that any slip in the rules would change.

They are pinned here, and agreed on by the engine and by the tests' own referee.
"""

import copy
from typing import Any

import pytest

import archipel
from archipel.core.state import State

from .referee import Referee, kahuna, stonehenge

REFEREES: dict[str, type[Referee]] = {"kahuna": kahuna.Referee, "stonehenge": stonehenge.Referee}


def perft(state: State, depth: int) -> int:
    """How many sequences of so many actions there are, chance included; a finished game counts where it ends."""
    if depth == 0 or state.mover == archipel.OVER:
        return 1
    actions = state.actions()
    return len(actions) if depth == 1 else sum(perft(state.after(action), depth - 1) for action in actions)


def refereed(referee: Any, depth: int) -> int:
    """The same by the referee."""
    if depth == 0 or referee.mover == archipel.OVER:
        return 1
    actions = referee.legal()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        then = copy.deepcopy(referee)
        then.play(action)
        total += refereed(then, depth - 1)
    return total


def test_stonehenge_from_the_empty_board_by_arithmetic() -> None:
    """Every value in hand may go to every empty cell; of three values there are two copies, of three only one."""
    state = archipel.game("stonehenge").new()
    assert perft(state, 1) == 6 * 18
    assert perft(state, 2) == 6 * 18 * 6 * 17
    assert perft(state, 3) == 18 * 17 * 16 * 6 * (3 * 6 + 3 * 5)


def test_kahuna_deals_by_arithmetic() -> None:
    """Any three cards in a row, but no card thrice."""
    state = archipel.game("kahuna").new()
    assert [perft(state, depth) for depth in (1, 2, 3)] == [12, 12**2, 12**3 - 12]


DEAL = "deal ELAI, deal HUNA, deal HUNA, deal ALOA, deal BARI, deal KAHU, deal LALE, deal LALE, deal JOJO"
OPENING = f"{DEAL}, ELAI>IFFI, draw deck, deal DUDA, ALOA>HUNA, BARI>ELAI, draw LALE, deal ALOA"
MIDDLE = "6@F, 1@G, 1@A, 6@B, 1@D, 5@E, 2@J, 4@K, 2@N, 3@M, 3@O, 2@P"


@pytest.mark.parametrize(
    ("game", "options", "moves", "counts"),
    [
        ("stonehenge", {}, "6@K", [102, 8160]),
        ("stonehenge", {}, MIDDLE, [18, 270, 2153]),
        ("stonehenge", {"hidden": True}, MIDDLE, [18, 270, 2160]),
        ("stonehenge", {"claims": "manual"}, MIDDLE.replace(",", ", done,") + ", done", [22, 190, 1374]),
        ("kahuna", {}, DEAL, [17, 182, 2099]),
        ("kahuna", {}, OPENING, [16, 158, 1587]),
        ("kahuna", {"edition": "tilsit"}, OPENING, [15, 159, 1505]),
        ("kahuna", {"guarded": True, "open_cards": True}, OPENING, [16, 159, 1600]),
        ("kahuna", {"handicap": [0, 2]}, DEAL, [27, 702, 11_674]),
    ],
)
def test_engine_and_referee_count_alike(game: str, options: dict[str, Any], moves: str, counts: list[int]) -> None:
    state, referee = archipel.game(game, **options).new(), REFEREES[game](**options)
    for text in moves.split(", "):
        action = state.parse(text)
        referee.play(state.decode(action))
        state = state.after(action)
    depths = range(1, len(counts) + 1)
    assert [perft(state, depth) for depth in depths] == counts
    assert [refereed(referee, depth) for depth in depths] == counts
