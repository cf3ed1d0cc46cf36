"""Replays of finished games, step by step, as a seat, a spectator or the referee sees them."""

from collections import OrderedDict
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from archipel.core.rules import CHANCE
from archipel.core.state import State

from .. import protocol
from . import events, views
from .decisions import Refusal
from .table import Ending, Table

PAGE = 48
"""How many steps are returned at once."""
_KEPT = 256

Eye = int | Literal["referee"] | None
_encode = msgspec.json.Encoder().encode


class Played(Struct, frozen=True, gc=False):
    """A finished game: its actions, seats and result."""

    game: int
    actions: tuple[int, ...]
    chairs: tuple[protocol.Chair, ...]
    ending: Ending


_known: OrderedDict[tuple[str, int], Played] = OrderedDict()
"""Finished games never change, so recently requested ones are cached."""


def played(table: Table, game: int | None = None) -> Played:
    """A game of a table (default: the last finished one); Refusal if it is not finished."""
    wanted = _last(table) if game is None else game
    known = _known.get((table.setup.id, wanted)) or _read(table, wanted)
    _known[table.setup.id, wanted] = known
    _known.move_to_end((table.setup.id, wanted))
    if len(_known) > _KEPT:
        _known.popitem(last=False)
    return known


def _last(table: Table) -> int:
    return table.game if table.ending else table.game - 1


def _read(table: Table, game: int) -> Played:
    if table.ending and game == table.game:
        return _played(table)
    again = Table(table.setup)
    for entry in table.log if 0 < game < table.game else ():
        again.apply(entry)
        if isinstance(entry, events.Ended) and again.game == game:
            return _played(again)
    raise Refusal("table.not-over", "The game is not over: nobody may see all hands yet.")


def _played(table: Table) -> Played:
    assert table.ending
    return Played(table.game, tuple(table.history.actions), tuple(views.chairs(table)), table.ending)


def state_after(table: Table, game: Played, moves: int) -> State:
    """The position after this number of actions; Refusal if there were fewer."""
    if moves > len(game.actions):
        raise Refusal("table.no-such-step", "The game was not that long.")
    state = table.action_names.game.new()
    for action in game.actions[:moves]:
        state = state.after(action)
    return state


def page(table: Table, game: Played, eye: Eye, since: int) -> protocol.Replay:
    """The steps from this number of actions on, as this viewer saw them, and all scores over time."""
    _check(table, eye)
    state = table.action_names.game.new()
    scores, movers, steps = [state.scores], [state.mover], [_step(None, state, eye)] if since == 0 else []
    for n, action in enumerate(game.actions, 1):
        before, state = state, state.after(action)
        scores.append(state.scores)
        movers.append(state.mover)
        if since <= n < since + PAGE:
            steps.append(_step((before, action), state, eye))
    return protocol.Replay(
        game=game.game,
        moves=len(game.actions),
        eye=eye,
        since=since,
        steps=steps,
        scores=scores,
        movers=movers,
        chairs=list(game.chairs),
        over=protocol.Over(game.ending.how, game.ending.winner, game.ending.seat),
    )


def _check(table: Table, eye: Eye) -> None:
    if isinstance(eye, int) and not 0 <= eye < table.seats:
        raise Refusal("table.no-such-seat", "There is no such seat.")


def _step(deed: tuple[State, int] | None, after: State, eye: Eye) -> protocol.Step:
    view = Raw(_encode(_seen(after, eye)))
    if deed is None:
        return protocol.Step(view, after.mover)
    before, action = deed
    shown, notation = _described(before, action, eye)
    seat = None if before.mover == CHANCE else before.mover
    written = before.game.written(before, action, after)
    wrote = Raw(_encode(written)) if written else None
    return protocol.Step(view, after.mover, protocol.Deed(seat, Raw(_encode(shown)), notation, wrote))


def _seen(state: State, eye: Eye) -> dict[str, Any]:
    """A view; the referee sees everything, and has no seat."""
    return state.snapshot() | {"seat": None} if eye == "referee" else state.game.unaided(state.view(eye))


def _described(before: State, action: int, eye: Eye) -> tuple[dict[str, Any], str]:
    if eye == "referee":
        return before.decode(action), before.notation(action)
    unseen = before.game.unseen(before, action, eye)
    return before.decode(action) | dict.fromkeys(unseen), before.notation_for(action, eye)
