"""New tables that continue from a position of a finished game: hidden cards stay, later chance outcomes are new."""

from collections.abc import Iterator
from typing import Any

from archipel.core.rules import OVER

from .. import protocol
from . import decisions, events
from .decisions import Caller, Refusal
from .replay import Played, state_after
from .setup import Setup, made
from .table import Table


def branched(
    table: Table, game: Played, wanted: protocol.NewBranch, caller: Caller, now: int
) -> tuple[Setup, list[events.Entry]]:
    """The setup of such a table, and its first entries; Refusal if the game cannot continue there."""
    if wanted.seat >= table.seats:
        raise Refusal("table.no-such-seat", "There is no such seat.")
    if state_after(table, game, wanted.moves).mover == OVER:
        raise Refusal("table.nobody-to-move", "Nobody is to move in that position.")
    setup = made(_table(table, wanted), caller.who, now)
    setup.mode = None  # computed outcomes stay at the other table: from here on outcomes are drawn
    setup.branch = {"table": table.setup.id, "game": game.game, "moves": wanted.moves}
    setup.taken_over = list(_actions(table, game, wanted.moves))
    return setup, decisions.branch_begun(Table(setup), list(_seated(table, wanted, caller, now)), now)


def _table(table: Table, wanted: protocol.NewBranch) -> protocol.NewTable:
    return protocol.NewTable(game=table.setup.game, chairs=[], options=table.setup.options, hints=True)


def _seated(table: Table, wanted: protocol.NewBranch, caller: Caller, now: int) -> Iterator[events.Entry]:
    for seat in range(table.seats):
        if seat == wanted.seat:
            yield events.Sat(at=now, seat=seat, who=caller.who, name=caller.name, seed=wanted.seed, seal=wanted.seal)
        else:
            yield events.BotSat(at=now, seat=seat, level=wanted.level)


def _actions(table: Table, game: Played, moves: int) -> Iterator[dict[str, Any]]:
    """The actions up to that position, as JSON."""
    state = table.action_names.game.new()
    for action in game.actions[:moves]:
        yield state.decode(action)
        state = state.after(action)
