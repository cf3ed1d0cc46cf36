"""Records of games played at a table, for download, sharing and verification."""

from collections.abc import Iterator

import msgspec
from msgspec import Raw

from archipel.core import registry
from archipel.core.record import Record, result
from archipel.core.rules import CHANCE
from archipel.core.slow_chance import NotFair, Step

from ..protocol import NewTable
from . import bot_moves, events
from .history import History
from .setup import Setup, made
from .table import Table


def record(table: Table, game: int | None = None) -> Record:
    """The record of a table's game (default: the last one); ValueError while it is being played."""
    wanted = table.game if game is None else game
    for played in games(table):
        if played.fair["game"] == wanted:
            return played
    raise ValueError("A record is available when its game is over.")


def games(table: Table) -> Iterator[Record]:
    """The records of all finished games."""
    again = Table(table.setup)
    for entry in table.log:
        again.apply(entry)
        if isinstance(entry, events.Ended):
            yield _record(again)


def _record(table: Table) -> Record:
    history = table.history
    return Record(
        game=table.setup.game,
        options=table.setup.options,
        actions=_actions(history),
        players=[chair.name if chair.kind == "person" else chair.level for chair in table.chairs],
        result=result(history.state),
        fair=_fair(table),
    )


def _fair(table: Table) -> dict[str, object]:
    """The source of the draws; for an imported record, what it contained itself."""
    if table.setup.imported is not None:
        return table.setup.imported | {"game": table.game}
    return (
        table.lot.shown()
        | {"draws": [draw for draw in table.history.draws if draw]}
        | bot_moves.recorded(table.history.bot_moves, table.setup.game)
        | _outcomes(table)
        | _about(table)
    )


def _outcomes(table: Table) -> dict[str, object]:
    """The game's data about computed or entered outcomes: enough to compute them again."""
    history, chance = table.history, table.slow_chance
    if chance is None:
        return {}
    details = {number: detail for number, (_, detail) in history.details.items()}
    steps = [Step(history.extras.get(number), details.get(number)) for number in range(history.moves)]
    return chance.recorded(table.setup.mode or chance.former, steps)


def _about(table: Table) -> dict[str, object]:
    """More about the table: the number of the game, its rules version, and an end outside the rules."""
    about: dict[str, object] = {"table": table.setup.id, "game": table.game, "rules": table.setup.rules}
    if table.voids:
        about["voids"] = [{"seats": list(void.seats), "by": void.how} for void in table.voids]
    if table.setup.branch and table.game == 1:
        about["branch"] = table.setup.branch
    if table.ending and table.ending.how != "rules":
        about["ended"] = {"by": table.ending.how, "seat": table.ending.seat}
    return about


def imported(record: Record, now: int) -> tuple[Setup, list[events.Entry]]:
    """A table for the game of a record; ValueError if the game is not finished."""
    last = record.check()
    ended = record.fair.get("ended")
    if record.result is None and not isinstance(ended, dict):
        raise ValueError("Only a game that is over can be imported.")
    wanted = NewTable(game=record.game, chairs=[], options=record.options, visibility="public")
    setup = made(wanted, "", now)
    setup.imported = record.fair
    setup.mode, outcomes = _computed_outcomes(record)
    names = record.players or [f"seat {seat}" for seat in range(last.game.seats)]
    entries: list[events.Entry] = [
        events.Sat(at=now, seat=seat, who=f"record-{seat}", name=name) for seat, name in enumerate(names)
    ]
    entries.append(events.Started(at=now, game=1))
    entries += _played(record, outcomes, now)
    if isinstance(ended, dict):
        late = ended.get("by") == "time"
        entries.append(events.Ended(at=now, how="time" if late else "resigned", seat=int(ended.get("seat") == 1)))
    else:
        entries.append(events.Ended(at=now, how="rules"))
    return setup, entries


def _computed_outcomes(record: Record) -> tuple[str | None, list[Step]]:
    """The mode of a record and its computed outcomes, as far as this version can read them."""
    chance = registry.slow_chance(record.game)
    if chance is None:
        return None, []
    try:
        mode = chance.mode_of(record.fair)
        return mode, chance.outcomes_of(record.fair) if chance.modes[mode] == "computed" else []
    except NotFair:
        return chance.former, []


def _played(record: Record, outcomes: list[Step], now: int) -> Iterator[events.Entry]:
    draw = 0
    states = list(record.states())
    for state, after, action in zip(states, states[1:], record.actions, strict=False):
        written = Raw(msgspec.json.encode(action))
        extra, detail = outcomes[draw] if draw < len(outcomes) else (None, None)
        if state.mover == CHANCE:
            draw += 1
            yield events.Happened(at=now, action=written, draw=draw, detail=_opaque(detail))
        else:
            extra = extra if after.mover == CHANCE else None
            yield events.Acted(at=now, seat=state.mover, action=written, extra=_opaque(extra))


def _opaque(data: bytes | None) -> Raw:
    return Raw(data) if data else events.NOTHING


def _actions(history: History) -> list[dict[str, object]]:
    state, actions = history.action_names.game.new(), []
    for action in history.actions:
        actions.append(state.decode(action))
        state = state.after(action)
    return actions
