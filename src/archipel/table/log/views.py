"""Everything about a game that leaves the table: messages for one seat or for spectators, made from their views alone.

Log entries are described with `state.notation_for` and `game.unseen`; no other module reads hidden state for a message.
"""

import base64
import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET, Raw

from archipel.core import registry
from archipel.core.game import Game
from archipel.core.rules import CHANCE
from archipel.core.state import State

from .. import protocol
from . import events
from .history import History, Step
from .table import Table

Eye = int | None
EntryView = Callable[[Eye], protocol.Entry]
_encode = msgspec.json.Encoder().encode
MISSED = 500
"""How many missed entries are sent one by one; after more, the whole position is sent."""
FOLLOWED = 5_000
"""How many entries of a game are replayed to find out what somebody knew."""
NOTES = 100
"""How many entries other than actions a whole view has: the latest."""


class Views:
    """The messages prepared for a table in its current version, one per viewer."""

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
        """The game as this viewer sees it."""
        self._renew()
        known = self._positions.get(eye)
        if known is None:
            self._view = self._view or self.table.action_names.game.views(self.table.state)
            known = self._positions[eye] = _position(
                self.table, _encode(self.table.action_names.game.unaided(self._view(eye))), eye
            )
        return known

    def whole(self, eye: Eye) -> bytes:
        """The update for a client that knows nothing."""
        self._renew()
        known = self._whole.get(eye)
        if known is None:
            known = self._whole[eye] = _standing(self, self.table.began, standing(self.table, eye), eye, whole=True)
        return known


def _position(table: Table, view: bytes, eye: Eye) -> protocol.Position:
    state, history = table.state, table.history
    mine = eye is not None and eye == table.mover
    return protocol.Position(
        game=table.game,
        moves=history.moves,
        hash=view_hash(view),
        seat=eye,
        view=Raw(view),
        legal=table.action_names.legal(state) if mine else [],
        undo=eye is not None and table.may_undo(eye),
        request=_request(table),
        time=table.timer.shown() if table.timed else None,
        over=_over(table),
        chance=_chance(table, eye) if table.slow_chance else None,
        candidate=_candidate(table),
        closed=table.closed,
        opening=_opening(table),
    )


def _opening(table: Table) -> protocol.Opening | None:
    start = table.start
    if table.playing or table.closed or not (start.seals or start.voids):
        return None
    void = start.voids[-1] if start.voids else None
    return protocol.Opening(
        game=table.game + 1,
        commit=table.next_lot.commit,
        seals=table.frozen_seals(),
        frozen=table.opening,
        opened=sorted(start.opened),
        void=protocol.Void(list(void.seats), void.how) if void else None,
        awaited=sorted(start.awaited - start.seals.keys()),
    )


def _candidate(table: Table) -> protocol.Candidate | None:
    asks = table.candidate
    return protocol.Candidate(asks.seat, asks.name, list(asks.waiting)) if asks else None


def _chance(table: Table, eye: Eye) -> Raw | None:
    """What the game shows about slow chance outcomes."""
    chance, waiting = table.slow_chance, table.computing or table.entering
    enters = table.entering and eye in table.actors
    return Raw(_encode(chance.shown(table.state, table.history.last_detail, waiting, enters))) if chance else None


def view_hash(view: bytes) -> str:
    """A digest of a view."""
    return hashlib.sha256(view).hexdigest()[:16]


def _request(table: Table) -> protocol.Request | None:
    request = table.request
    return protocol.Request(request.seat, request.moves, list(request.waiting)) if request else None


def _over(table: Table) -> protocol.Over | None:
    ending = table.ending
    return protocol.Over(ending.how, ending.winner, ending.seat, sorted(table.again)) if ending else None


def about(table: Table) -> protocol.About:
    """The description of a table."""
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
        mode=setup.mode or (slow.former if (slow := registry.slow_chance(setup.game)) else None),
        secret=_has_secrets(table.action_names.game),
    )


@cache
def _has_secrets(game: Game) -> bool:
    """True if different seats see different things at the first decision after the deal."""
    state, rng = game.new(), np.random.default_rng(0)
    while state.mover == CHANCE:
        state = state.after(state.sample(rng))
    shown = [game.unaided(state.view(seat)) | {"seat": None} for seat in range(game.seats)]
    return any(other != shown[0] for other in shown)


def chairs(table: Table) -> list[protocol.Chair]:
    """Who sits where. Only names are sent; the identity of a person never is."""
    return [protocol.Chair(chair.kind, chair.name, chair.level, chair.left) for chair in table.chairs]


SEATING = {events.Sat, events.Rose, events.BotSat, events.Started, events.Removed}
_RESEATING = SEATING - {events.Started}
_ELSEWHERE = {events.Spoke, events.Muted}
"""Entries that change nothing about the position."""
_PROMISING = {events.Started, events.Ended}
_ACTIONS = (events.Acted, events.Happened)


def portions(entries: Sequence[events.Entry]) -> list[list[events.Entry]]:
    """Entries, split after each change of seats and before each new game: each is told to those who sit there then."""
    parts: list[list[events.Entry]] = [[]]
    for entry in entries:
        begins = isinstance(entry, events.Started)
        if parts[-1] and (begins or type(parts[-1][-1]) in _RESEATING):
            parts.append([])
        parts[-1].append(entry)
    return parts


def news(views: Views, shown: list[protocol.Entry], kinds: set[type], eye: Eye) -> bytes:
    """The update after new entries of these kinds, for this viewer."""
    table = views.table
    return _encode(
        protocol.Update(
            since=table.version - len(shown),
            version=table.version,
            entries=shown,
            chairs=UNSET if kinds.isdisjoint(SEATING) else chairs(table),
            position=UNSET if kinds <= _ELSEWHERE else views.position(eye),
            commit=UNSET if kinds.isdisjoint(_PROMISING) else table.commit,
        )
    )


def caught_up(views: Views, since: int | None, seen: str | None, eye: Eye) -> bytes:
    """The update for a client that last saw that version with a view of that hash; everything if these do not match."""
    table = views.table
    if since is None or seen is None or not table.began <= since <= table.version:
        return views.whole(eye)
    if table.version - since > MISSED or table.version - table.began > FOLLOWED:
        return views.whole(eye)
    shown: list[protocol.Entry] = []
    if since == table.version:
        then = views.position(eye).hash
    else:
        shown, then = replayed(table, since, eye)
    return _standing(views, since, shown, eye, whole=False) if then == seen else views.whole(eye)


def _standing(views: Views, since: int, shown: list[protocol.Entry], eye: Eye, whole: bool) -> bytes:
    """An update with everything."""
    return _encode(
        protocol.Update(
            since=since,
            version=views.table.version,
            entries=shown,
            whole=whole,
            chairs=chairs(views.table),
            position=views.position(eye),
            commit=views.table.commit,
        )
    )


def standing(table: Table, eye: Eye) -> list[protocol.Entry]:
    """The running game as this viewer may know it: its actions, and other recent events.

    What was taken back, and the chat, is left out: a whole view is never longer than a game.
    """
    history = History(table.action_names)
    return [entry_view(table, version, entry, _follow(history, entry))(eye) for version, entry in _standing_log(table)]


def _standing_log(table: Table) -> list[tuple[int, events.Entry]]:
    actions: list[tuple[int, events.Entry]] = []
    notes: deque[tuple[int, events.Entry]] = deque(maxlen=NOTES)
    for version, entry in enumerate(table.log[table.began :], table.began + 1):
        if isinstance(entry, _ACTIONS):
            actions.append((version, entry))
        elif isinstance(entry, events.WentBack):
            del actions[entry.moves :]
        elif not isinstance(entry, events.Spoke):
            notes.append((version, entry))
    return sorted([*actions, *notes], key=itemgetter(0))


def replayed(table: Table, since: int, eye: Eye) -> tuple[list[protocol.Entry], str]:
    """The entries after a version as this viewer may know them, and the hash of the viewer's view then."""
    history = History(table.action_names)
    shown: list[protocol.Entry] = []
    seen = ""
    for version, entry in enumerate(table.log[table.began :], table.began + 1):
        if version - 1 == since:
            seen = view_hash(_encode(history.state.game.unaided(history.state.view(eye))))
        step = _follow(history, entry)
        if version > since and not isinstance(entry, events.Spoke):
            shown.append(entry_view(table, version, entry, step)(eye))
    return shown, seen


def _follow(history: History, entry: events.Entry) -> Step | None:
    if isinstance(entry, _ACTIONS):
        return history.act(history.action_names.number(history.state, entry.action))
    if isinstance(entry, events.WentBack):
        history.back(entry.moves)
    return None


def entry_view(
    table: Table, version: int, entry: events.Entry, step: Step | None, recording: bytes | None = None
) -> EntryView:
    """Return a function that describes one entry to one viewer after the other; the common part is computed once.

    `step` is the step if the entry is an action, `recording` that of an outcome that has just been computed.
    """
    if isinstance(entry, _ACTIONS):
        assert step is not None
        return _action_view(table, version, entry, step, recording)
    shown: protocol.Entry = _ENTRY_VIEWS[type(entry)](table, version, entry)
    return lambda eye: shown


def _action_view(
    table: Table, version: int, entry: events.Acted | events.Happened, step: Step, recording: bytes | None
) -> EntryView:
    before, action, _ = step
    written = before.game.written(*step)
    wrote = Raw(_encode(written)) if written else None
    detail = _detail(table, entry, before, recording) if isinstance(entry, events.Happened) and entry.detail else None

    def worded(json: Raw, notation: str) -> protocol.Entry:
        if isinstance(entry, events.Acted):
            return protocol.Acted(version, entry.at, entry.seat, json, notation, entry.extra or None, wrote)
        return protocol.Happened(version, entry.at, json, notation, entry.draw, detail, wrote)

    def shown(eye: Eye) -> protocol.Entry:
        """Without what is hidden from this viewer."""
        unseen = before.game.unseen(before, action, eye)
        if not unseen:
            return open_to_all
        return worded(Raw(_encode(before.decode(action) | dict.fromkeys(unseen))), before.notation_for(action, eye))

    open_to_all = worded(entry.action, table.action_names.of(before, action).notation)
    return shown


def _detail(table: Table, entry: events.Happened, before: State, recording: bytes | None) -> Raw | None:
    """What the game says about a computed outcome."""
    chance, action = table.slow_chance, msgspec.json.decode(entry.action)
    return Raw(_encode(chance.message(before, action, bytes(entry.detail), recording))) if chance else None


def in_letters(recording: bytes) -> str:
    """A recording in the encoding of messages."""
    return base64.b64encode(recording).decode()


def _start_view(table: Table, version: int, entry: events.Started) -> protocol.Entry:
    lot = table.lot
    return protocol.Started(
        version, entry.at, entry.game, lot.commit, list(lot.seeds), list(table.names), list(lot.seals)
    )


def _end_view(table: Table, version: int, entry: events.Ended) -> protocol.Entry:
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


_ENTRY_VIEWS: dict[type, Any] = {
    events.Sat: lambda table, v, e: protocol.Sat(v, e.at, e.seat, e.name),
    events.Rose: lambda table, v, e: protocol.Rose(v, e.at, e.seat),
    events.BotSat: lambda table, v, e: protocol.BotSat(v, e.at, e.seat, e.level),
    events.Started: _start_view,
    events.WentBack: lambda table, v, e: protocol.WentBack(v, e.at, e.seat, e.moves, e.agreed),
    events.AskedBack: lambda table, v, e: protocol.AskedBack(v, e.at, e.seat, e.moves),
    events.Answered: lambda table, v, e: protocol.Answered(v, e.at, e.seat, e.agree),
    events.Ended: _end_view,
    events.Agreed: lambda table, v, e: protocol.Agreed(v, e.at, e.seat, e.agree),
    events.Spoke: lambda table, v, e: protocol.Spoke(v, e.at, e.name, e.text, e.seat),
    events.Resumed: lambda table, v, e: protocol.Resumed(v, e.at),
    events.AskedSeat: lambda table, v, e: protocol.AskedSeat(v, e.at, e.seat, e.name),
    events.AnsweredSeat: lambda table, v, e: protocol.AnsweredSeat(v, e.at, e.seat, e.agree),
    events.Removed: lambda table, v, e: protocol.Removed(v, e.at, e.name, e.seat),
    events.Muted: lambda table, v, e: protocol.Muted(v, e.at, e.name, e.muted),
    events.Closed: lambda table, v, e: protocol.Closed(v, e.at),
    events.Sealed: lambda table, v, e: protocol.Sealed(v, e.at, e.seat, e.seal),
    events.Frozen: lambda table, v, e: protocol.Frozen(v, e.at, e.game, e.commit, e.seals),
    events.Opened: lambda table, v, e: protocol.Opened(v, e.at, e.seat, e.share),
    events.Voided: lambda table, v, e: protocol.Voided(v, e.at, e.game, e.seats, e.how),
}

__all__ = ["Eye", "Views", "about", "caught_up", "chairs", "entry_view", "in_letters", "news", "replayed", "view_hash"]
