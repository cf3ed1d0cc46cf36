"""The consequences of an action in Kahuna, for the story of a game: islands won, bridges lost, scorings."""

from typing import Any

from archipel.core.bits import count
from archipel.core.plain import Plain
from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State

from .board import ISLANDS, LINES
from .rules import CUT, FREE, HIDDEN_DISCARD, REFILL, plain


def brought(before: State, action: int, after: State) -> dict[str, Any] | None:
    """The public consequences, or None if there are none.

    `won` and `lost` are islands of the player and of the opponent, `stripped` the opponent's lines that lost their
    bridge (except the one that was cut). A scoring has `round`, `islands` and `points` by seat; `sudden` is a win by
    removing the last bridge, `bare` one at the end of a turn because the opponent has none left, `last_turns` the start
    of the last turns.
    """
    s, then = before.plain, after.plain
    if _touches_the_board(s, action):
        happened = _on_the_board(s, action, then) | _scoring(s, action, then)
    elif before.game.options["sudden_end"] == "state" and then.mover == OVER and s.bare >> 1 - s.turn & 1:
        happened = {"bare": True}
    else:
        happened = _scoring(s, action, then)
    return {key: value for key, value in happened.items() if value} or None


def _touches_the_board(s: Plain, action: int) -> bool:
    return s.mover != CHANCE and (action <= REFILL or FREE <= action < HIDDEN_DISCARD)


def _on_the_board(s: Plain, action: int, then: Plain) -> dict[str, Any]:
    own, other = s.mover, 1 - s.mover
    usual = plain(action)
    cut = LINES[(usual - CUT) // 3] if CUT <= usual < REFILL else None
    return {
        "won": _names(ISLANDS, then.stones[own] & ~s.stones[own]),
        "lost": _names(ISLANDS, s.stones[other] & ~then.stones[other]),
        "stripped": [line for line in _names(LINES, s.bridges[other] & ~then.bridges[other]) if line != cut],
        "sudden": then.mover == OVER,
    }


def _scoring(s: Plain, action: int, then: Plain) -> dict[str, Any]:
    if then.round_ == s.round_ and (then.mover != OVER or _touches_the_board(s, action)):
        return {"last_turns": then.last_turns > 0 and s.last_turns == 0}
    points = [int(now - was) for now, was in zip(then.scores, s.scores, strict=True)]
    return {"round": int(s.round_), "islands": [int(count(held)) for held in s.stones], "points": points}


def _names(all_: tuple[str, ...], bits: int) -> list[str]:
    return [name for place, name in enumerate(all_) if bits >> place & 1]
