"""Records of games played at a table: what may be taken away, shown to others and checked."""

from collections.abc import Iterator

import msgspec
from msgspec import Raw

from archipel.core import registry
from archipel.core.record import Record, result
from archipel.core.rules import CHANCE
from archipel.core.slow_chance import NotFair, Step

from ..protocol import NewTable
from . import events
from .history import History
from .setup import Setup, made
from .table import Table


def record(table: Table, game: int | None = None) -> Record:
    """The record of a table's game, the last one if none is named; ValueError while it is being played."""
    wanted = table.game if game is None else game
    for played in games(table):
        if played.fair["game"] == wanted:
            return played
    raise ValueError("A record is given out when its game is over.")


def games(table: Table) -> Iterator[Record]:
    """The records of all games that are over."""
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
    """What the draws came from; of a record that was imported, what it said itself."""
    if table.setup.imported is not None:
        return table.setup.imported | {"game": table.game}
    return (
        table.lot.shown() | {"draws": [draw for draw in table.history.draws if draw]} | _outcomes(table) | _told(table)
    )


def _outcomes(table: Table) -> dict[str, object]:
    """What the game tells of outcomes that were computed or entered: enough to compute them again."""
    history, chance = table.history, table.slow_chance
    if chance is None:
        return {}
    details = {number: detail for number, (_, detail) in history.details.items()}
    steps = [Step(history.extras.get(number), details.get(number)) for number in range(history.moves)]
    return chance.recorded(table.setup.mode or chance.former, steps)


def _told(table: Table) -> dict[str, object]:
    """What else the record tells of the table: which of its games it was, its rules, and an end that no rule knows."""
    told: dict[str, object] = {"table": table.setup.id, "game": table.game, "rules": table.setup.rules}
    if table.setup.branch and table.game == 1:
        told["branch"] = table.setup.branch
    if table.ending and table.ending.how != "rules":
        told["ended"] = {"by": table.ending.how, "seat": table.ending.seat}
    return told


def imported(record: Record, now: int) -> tuple[Setup, list[events.Entry]]:
    """A table at which the game of a record was played; ValueError if it was not played to its end."""
    last = record.check()
    ended = record.fair.get("ended")
    if record.result is None and not isinstance(ended, dict):
        raise ValueError("Only a game that is over can be imported.")
    wanted = NewTable(game=record.game, chairs=[], options=record.options, visibility="public")
    setup = made(wanted, "", now)
    setup.imported = record.fair
    setup.mode, outcomes = _told_outcomes(record)
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


def _told_outcomes(record: Record) -> tuple[str | None, list[Step]]:
    """The mode of a record and its computed outcomes, as far as it tells in words that we know."""
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
