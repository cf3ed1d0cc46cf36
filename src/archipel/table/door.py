"""The one door: everything about a game that leaves the table leaves here, as one pair of eyes may see it.

It takes views. What an entry says is told by `state.told` and what `game.unseen` leaves; nobody else looks in.
"""

import base64
import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from archipel.core.state import State

from . import log, protocol, throwing
from .course import Course, Step
from .table import Table

Eye = int | None
Tell = Callable[[Eye], protocol.Entry]
_encode = msgspec.json.Encoder().encode


class Door:
    """What has been made ready for a table as it is now, for each pair of eyes; made anew when the table changes."""

    __slots__ = ("_positions", "_view", "_whole", "table", "version")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.version = -1
        self._view: Callable[[Eye], dict[str, Any]] | None = None
        self._positions: dict[Eye, protocol.Position] = {}
        self._whole: dict[Eye, bytes] = {}

    def _renew(self) -> None:
        if self.version != self.table.version:
            self._view = None
            self._positions.clear()
            self._whole.clear()
            self.version = self.table.version

    def position(self, eye: Eye) -> protocol.Position:
        """The game as these eyes see it."""
        self._renew()
        known = self._positions.get(eye)
        if known is None:
            self._view = self._view or self.table.words.game.views(self.table.state)
            known = self._positions[eye] = _position(self.table, _encode(self._view(eye)), eye)
        return known

    def whole(self, eye: Eye) -> bytes:
        """The update for somebody who knows nothing."""
        self._renew()
        known = self._whole.get(eye)
        if known is None:
            told = retold(self.table, self.table.began, eye)[0]
            known = self._whole[eye] = _standing(self, self.table.began, told, eye, whole=True)
        return known


def _position(table: Table, view: bytes, eye: Eye) -> protocol.Position:
    state, course = table.state, table.course
    mine = eye is not None and eye == table.mover
    return protocol.Position(
        game=table.game,
        moves=course.moves,
        hash=view_hash(view),
        seat=eye,
        view=Raw(view),
        legal=table.words.legal(state) if mine else [],
        undo=eye is not None and table.may_undo(eye),
        request=_request(table),
        time=table.timer.shown(),
        over=_over(table),
        dice=_dice(table, eye),
    )


def _dice(table: Table, eye: Eye) -> protocol.Dice | None:
    """How dice lie that are simulated, and those in the hand; nothing where they fall by odds, or there are none."""
    if table.setup.by_odds:
        return None
    thrown = table.falling or table.at_home
    hand = throwing.hand(table.state) if thrown else ()
    fall, tray = table.course.last_fall, table.tray
    return protocol.Dice(
        lies=throwing.told(tray.without(hand)) if tray else {},
        hand=list(hand),
        thrower=throwing.thrower_of(table.state) if thrown else None,
        land=table.at_home and eye in table.actors,
        last=fall[0] if fall else 0,
    )


def view_hash(view: bytes) -> str:
    """What tells one view from another."""
    return hashlib.sha256(view).hexdigest()[:16]


def _request(table: Table) -> protocol.Request | None:
    request = table.request
    return protocol.Request(request.seat, request.moves, list(request.waiting)) if request else None


def _over(table: Table) -> protocol.Over | None:
    ending = table.ending
    return protocol.Over(ending.how, ending.winner, ending.seat, sorted(table.again)) if ending else None


def about(table: Table) -> protocol.About:
    """What the table is."""
    setup = table.setup
    return protocol.About(
        id=setup.id,
        game=setup.game,
        options=Raw(_encode(setup.options)),
        seats=table.seats,
        visibility=setup.visibility,
        clock=setup.clock,
        hints=setup.hints,
        series=setup.series,
        dice=setup.dice or next(iter(throwing.ways(setup.game)[1:2]), None),
    )


def chairs(table: Table) -> list[protocol.Chair]:
    """Who sits where. Who a person is, the table keeps to itself; only names are told."""
    return [protocol.Chair(chair.kind, chair.name, chair.level, chair.left) for chair in table.chairs]


SEATING = {log.Sat, log.Rose, log.BotSat, log.Started}
_ELSEWHERE = {log.Spoke}
"""Entries that change nothing about the position."""
_PROMISING = {log.Started, log.Ended}
_ACTIONS = (log.Acted, log.Happened)


def news(door: Door, told: list[protocol.Entry], kinds: set[type], eye: Eye) -> bytes:
    """The update after new entries of these kinds, as they are told to these eyes."""
    table = door.table
    return _encode(
        protocol.Update(
            since=table.version - len(told),
            version=table.version,
            entries=told,
            chairs=UNSET if kinds.isdisjoint(SEATING) else chairs(table),
            position=UNSET if kinds <= _ELSEWHERE else door.position(eye),
            commit=UNSET if kinds.isdisjoint(_PROMISING) else table.commit,
        )
    )


def caught_up(door: Door, since: int | None, seen: str | None, eye: Eye) -> bytes:
    """The update for somebody who last saw that version, with a view of that hash; everything if that does not fit."""
    table = door.table
    if since is None or seen is None or not table.began <= since <= table.version:
        return door.whole(eye)
    told: list[protocol.Entry] = []
    if since == table.version:
        then = door.position(eye).hash
    else:
        told, then = retold(table, since, eye)
    return _standing(door, since, told, eye, whole=False) if then == seen else door.whole(eye)


def _standing(door: Door, since: int, told: list[protocol.Entry], eye: Eye, whole: bool) -> bytes:
    """An update that leaves nothing out."""
    return _encode(
        protocol.Update(
            since=since,
            version=door.table.version,
            entries=told,
            whole=whole,
            chairs=chairs(door.table),
            position=door.position(eye),
            commit=door.table.commit,
        )
    )


def retold(table: Table, since: int, eye: Eye) -> tuple[list[protocol.Entry], str]:
    """The entries after a version as these eyes may know them, and the hash of the view that they had then."""
    course = Course(table.words)
    told: list[protocol.Entry] = []
    seen = ""
    for version, entry in enumerate(table.log[table.began :], table.began + 1):
        if version - 1 == since:
            seen = view_hash(_encode(course.state.view(eye)))
        step = _follow(course, entry)
        if version > since:
            told.append(telling(table, version, entry, step)(eye))
    return told, seen


def _follow(course: Course, entry: log.Entry) -> Step | None:
    if isinstance(entry, _ACTIONS):
        return course.act(course.words.number(course.state, entry.action))
    if isinstance(entry, log.WentBack):
        course.back(entry.moves)
    return None


def telling(table: Table, version: int, entry: log.Entry, step: Step | None, way: bytes | None = None) -> Tell:
    """One entry, for one pair of eyes after the other: what all of them may know of it is put into words once.

    `step` is what was played if it is an action, `way` the trajectory of dice that have just landed.
    """
    if isinstance(entry, _ACTIONS):
        assert step is not None
        return _telling_action(table, version, entry, step, way)
    told: protocol.Entry = _TELL[type(entry)](table, version, entry)
    return lambda eye: told


def _telling_action(table: Table, version: int, entry: log.Acted | log.Happened, step: Step, way: bytes | None) -> Tell:
    before, action, _ = step
    written = before.game.written(*step)
    wrote = Raw(_encode(written)) if written else None

    def worded(json: Raw, notation: str) -> protocol.Entry:
        if isinstance(entry, log.Acted):
            return protocol.Acted(version, entry.at, entry.seat, json, notation, entry.aim, wrote)
        return protocol.Happened(version, entry.at, json, notation, entry.draw, _fall(entry, before, way), wrote)

    def told(eye: Eye) -> protocol.Entry:
        """Without what these eyes do not see."""
        unseen = before.game.unseen(before, action, eye)
        if not unseen:
            return open_to_all
        return worded(Raw(_encode(before.decode(action) | dict.fromkeys(unseen))), before.told(action, eye))

    open_to_all = worded(entry.action, table.words.of(before, action).notation)
    return told


def _fall(entry: log.Happened, before: State, way: bytes | None) -> protocol.Fall | None:
    if not entry.fall:
        return None
    scratch = msgspec.json.decode(entry.action).get("touched") is False
    return protocol.Fall(list(throwing.hand(before)), scratch, entry.fall.cocked, in_letters(way) if way else None)


def in_letters(way: bytes) -> str:
    """A trajectory as it stands in a message."""
    return base64.b64encode(way).decode()


def _told_start(table: Table, version: int, entry: log.Started) -> protocol.Entry:
    names = [chair.name if chair.kind == "person" else chair.level for chair in table.chairs]
    return protocol.Started(version, entry.at, entry.game, table.lot.commit, list(table.lot.seeds), names)


def _told_end(table: Table, version: int, entry: log.Ended) -> protocol.Entry:
    shown, ending = table.lot.shown(), table.ending
    return protocol.Ended(
        v=version,
        at=entry.at,
        by=entry.how,
        winner=ending.winner if ending else None,
        scores=table.state.scores,
        seed=shown["seed"],
        salt=shown["salt"],
        seat=entry.seat,
        points=list(table.points),
    )


_TELL: dict[type, Any] = {
    log.Sat: lambda table, v, e: protocol.Sat(v, e.at, e.seat, e.name),
    log.Rose: lambda table, v, e: protocol.Rose(v, e.at, e.seat),
    log.BotSat: lambda table, v, e: protocol.BotSat(v, e.at, e.seat, e.level),
    log.Started: _told_start,
    log.WentBack: lambda table, v, e: protocol.WentBack(v, e.at, e.seat, e.moves, e.agreed),
    log.AskedBack: lambda table, v, e: protocol.AskedBack(v, e.at, e.seat, e.moves),
    log.Answered: lambda table, v, e: protocol.Answered(v, e.at, e.seat, e.agree),
    log.Ended: _told_end,
    log.Agreed: lambda table, v, e: protocol.Agreed(v, e.at, e.seat, e.agree),
    log.Spoke: lambda table, v, e: protocol.Spoke(v, e.at, e.name, e.text, e.seat),
    log.Resumed: lambda table, v, e: protocol.Resumed(v, e.at),
}

__all__ = ["Door", "Eye", "about", "caught_up", "chairs", "in_letters", "news", "retold", "telling", "view_hash"]
