"""Records of games played at a table: what may be taken away, shown to others and checked."""

from collections.abc import Iterator
from typing import Any

import msgspec

from archipel.core.record import Record, result
from archipel.core.rules import CHANCE

from . import log, throwing
from .course import Course
from .protocol import Aim, NewTable
from .rethrowing import NotFair, Thrown, throws_of, way_of
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
        if isinstance(entry, log.Ended):
            yield _record(again)


def _record(table: Table) -> Record:
    course = table.course
    return Record(
        game=table.setup.game,
        options=table.setup.options,
        actions=_actions(course),
        players=[chair.name if chair.kind == "person" else chair.level for chair in table.chairs],
        result=result(course.state),
        fair=_fair(table),
    )


def _fair(table: Table) -> dict[str, object]:
    """What the draws came from; of a record that was imported, what it said itself."""
    if table.setup.imported is not None:
        return table.setup.imported | {"game": table.game}
    return table.lot.shown() | {"draws": [draw for draw in table.course.draws if draw]} | _dice(table) | _told(table)


def _dice(table: Table) -> dict[str, object]:
    """How the dice fell, where they are simulated or rolled at home: of each throw enough to throw it again."""
    if table.setup.by_odds:
        return {}
    if table.setup.dice == "pad":
        return {"dice": {"by": "pad"}}
    return {"dice": {"by": table.setup.dice, "throws": list(_throws(table.course))}}


def _throws(course: Course) -> Iterator[object]:
    """What a record tells of each throw; the aim belongs to the action before."""
    for number, fell in enumerate(course.falls):
        if fell:
            _, fall = fell
            aim = course.aims[number - 1] if number else None
            lies = msgspec.json.decode(fall.lies)
            yield msgspec.to_builtins(
                Thrown(lies=lies, engine=fall.engine, sha256=fall.sha256, cocked=fall.cocked, aim=aim)
            )


def _told(table: Table) -> dict[str, object]:
    """What else the record tells of the table: which of its games it was, its rules, and an end that no rule knows."""
    told: dict[str, object] = {"table": table.setup.id, "game": table.game, "rules": table.setup.rules}
    if table.setup.branch and table.game == 1:
        told["branch"] = table.setup.branch
    if table.ending and table.ending.how != "rules":
        told["ended"] = {"by": table.ending.how, "seat": table.ending.seat}
    return told


def imported(record: Record, now: int) -> tuple[Setup, list[log.Entry]]:
    """A table at which the game of a record was played; ValueError if it was not played to its end."""
    last = record.check()
    ended = record.fair.get("ended")
    if record.result is None and not isinstance(ended, dict):
        raise ValueError("Only a game that is over can be imported.")
    wanted = NewTable(game=record.game, chairs=[], options=record.options, visibility="public")
    setup = made(wanted, "", now)
    setup.imported = record.fair
    setup.dice, throws = _told_throws(record)
    names = record.players or [f"seat {seat}" for seat in range(last.game.seats)]
    entries: list[log.Entry] = [
        log.Sat(at=now, seat=seat, who=f"record-{seat}", name=name) for seat, name in enumerate(names)
    ]
    entries.append(log.Started(at=now, game=1))
    entries += _played(record, throws, now)
    if isinstance(ended, dict):
        late = ended.get("by") == "time"
        entries.append(log.Ended(at=now, how="time" if late else "resigned", seat=int(ended.get("seat") == 1)))
    else:
        entries.append(log.Ended(at=now, how="rules"))
    return setup, entries


def _told_throws(record: Record) -> tuple[Any, list[Thrown]]:
    """How a record's dice fell, as far as it tells in words that we know."""
    if record.game != throwing.GAME:
        return None, []
    try:
        way = way_of(record.fair)
        return way, throws_of(record.fair) if way == "physics" else []
    except NotFair:
        return "odds", []


def _played(record: Record, throws: list[Thrown], now: int) -> Iterator[log.Entry]:
    draw = 0
    states = list(record.states())
    for state, after, action in zip(states, states[1:], record.actions, strict=False):
        written = msgspec.Raw(msgspec.json.encode(action))
        thrown = throws[draw] if draw < len(throws) else None
        if state.mover == CHANCE:
            draw += 1
            yield log.Happened(at=now, action=written, draw=draw, fall=_fall(thrown))
        else:
            aim: Aim | None = thrown.aim if thrown and after.mover == CHANCE else None
            yield log.Acted(at=now, seat=state.mover, action=written, aim=aim)


def _fall(thrown: Thrown | None) -> log.Fall | None:
    if thrown is None:
        return None
    return log.Fall(msgspec.Raw(msgspec.json.encode(thrown.lies)), thrown.engine, thrown.sha256, thrown.cocked)


def _actions(course: Course) -> list[dict[str, object]]:
    state, actions = course.words.game.new(), []
    for action in course.actions:
        actions.append(state.decode(action))
        state = state.after(action)
    return actions
