"""A table without a server: one device keeps its log, shows it through one pair of eyes, and thinks for its bots.

A page runs this module, translated to JavaScript, in a worker of its own; it decides and tells everything by the same
functions as a server. It does no I/O: the caller stores the entries that `hear` or `bot_acts` returns, and only
then lets `take` tell of them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from archipel.bots.thought import Thought
from archipel.core.record import Record

from .. import protocol
from ..log import branch, decisions, events, records, replay, setup, views
from ..log.decisions import Caller, Refusal
from ..log.setup import Setup
from ..log.table import Table
from ..log.views import Eye, Views
from . import advice
from .judging import judged
from .thinking import Question, advice_question, move_question, seconds, think

Json = dict[str, Any]
YOU = "you"
"""The person whose device it is: every person's seat is theirs."""
HERE = "local-"
"""The ids of this device's tables begin so: a page knows by it whom to ask."""
PACES = {"instant": 0.0, "quick": 0.35, "human": 1.0}
"""How slowly bots answer, as a share of the time that a person would take."""
_MESSAGES: dict[str, Any] = {
    "act": protocol.Act,
    "undo": protocol.Undo,
    "ask-back": protocol.AskBack,
    "resign": protocol.Resign,
    "rematch": protocol.Rematch,
    "seal": protocol.Seal,
    "open": protocol.Open,
    "close": protocol.Close,
}
"""The commands that make sense at a table of one's own."""
_QUESTIONS: dict[str, Any] = {"ask-hint": protocol.AskHint, "ask-analysis": protocol.AskAnalysis}
_encode = msgspec.json.Encoder().encode


class Heard(Struct, gc=False):
    """What came of a message: answers to send at once, entries to keep, and a question for an adviser."""

    answers: list[bytes] = []
    entries: list[events.Entry] = []
    question: "Asked | None" = None


class Asked(Struct, gc=False):
    """A hint or an analysis that is asked for: what the adviser is asked, and what the answer needs."""

    question: Question
    n: int
    state: Any
    moves: int


class LocalTable:
    """One table of this device."""

    def __init__(self, kept: Json, entries: Iterable[str] = ()) -> None:
        self.table = Table(_revived(kept), [events.decode(entry) for entry in entries])
        self.views = Views(self.table)
        self.eye: Eye = None
        self.by = YOU
        self.pace = 1.0

    # What the page says.

    def hear(self, said: Json, now: int) -> Heard:
        """What a message leads to; a refusal is an answer."""
        kind = said["type"]
        if kind == "hello":
            return Heard(self._welcome(msgspec.convert(said, protocol.Hello), now))
        if kind == "ping":
            return Heard([_encode(protocol.Pong(said["sent"], now))])
        if kind == "look":
            return self._look(said["seat"])
        try:
            return self._decided(kind, said, now)
        except Refusal as refusal:
            return Heard([_encode(protocol.refused(said["n"], refusal.rule, refusal.reason))])

    def _decided(self, kind: str, said: Json, now: int) -> Heard:
        if kind in _QUESTIONS:
            return self._asked(msgspec.convert(said, _QUESTIONS[kind]))
        if kind not in _MESSAGES:
            raise Refusal("table.not-here", "That cannot be done at a table without a server.")
        known = self.table.answered(self.by, said["n"])
        if known is not None:
            return Heard([_encode(protocol.Ack(said["n"], known))])
        command = msgspec.convert(said, _MESSAGES[kind])
        return Heard([], decisions.decide(self.table, self._caller(), command, now, frozenset()))

    def _caller(self) -> Caller:
        return Caller(YOU, self._name(), self.by)

    def _name(self) -> str:
        mine = self.table.seats_of(YOU)
        return self.table.chairs[mine[0]].name if mine else YOU

    def _welcome(self, hello: protocol.Hello, now: int) -> list[bytes]:
        mine = self.table.seats_of(YOU)
        usual = mine[0] if len(mine) == 1 else None
        self.eye = hello.eye if hello.eye in mine else usual
        self.by, self.pace = hello.client, PACES[hello.pace]
        about = views.about(self.table)
        return [
            _encode(protocol.Welcome(protocol.PROTOCOL, about, self.table.commit, now)),
            _encode(self._yours()),
            views.caught_up(self.views, hello.since, hello.hash, self.eye),
            _encode(protocol.Presence([True] * self.table.seats, 0)),
        ]

    def _yours(self) -> protocol.Yours:
        return protocol.Yours(self.table.seats_of(YOU), True)

    def _look(self, seat: int | None) -> Heard:
        if seat is not None and seat not in self.table.seats_of(YOU):
            return Heard([_encode(protocol.trouble("table.not-your-seat", "That seat is not yours."))])
        self.eye = seat
        return Heard([self.views.whole(seat)])

    # What is kept is told.

    def take(self, entries: Sequence[events.Entry]) -> list[bytes]:
        """Take entries that are kept into the table; what the page is told of them."""
        told: list[bytes] = []
        for portion in views.portions(entries):
            told += self._told(portion)
        return told

    def _told(self, entries: Sequence[events.Entry]) -> list[bytes]:
        turns = any(isinstance(entry, events.Started) and entry.game > 1 for entry in entries)
        if turns and self.eye is not None:
            self.eye = (self.eye - 1) % self.table.seats
        told = []
        for entry in entries:
            step = self.table.apply(entry)
            told.append(views.telling(self.table, self.table.version, entry, step)(self.eye))
        kinds = {type(entry) for entry in entries}
        sent = [entry for entry in entries if entry.by]
        messages = [_encode(protocol.Ack(entry.n, self.table.answered(entry.by, entry.n) or 0)) for entry in sent]
        messages.append(views.news(self.views, told, kinds, self.eye))
        return messages if kinds.isdisjoint(views.SEATING) else [*messages, _encode(self._yours())]

    # Bots.

    def question(self) -> Question | None:
        """What the bot that is to act is asked: its view, and nothing else; None if no bot is to act."""
        level = self.table.bot_to_move()
        return None if level is None else move_question(self.table, level)

    def patience(self) -> float:
        """How many seconds pass at least before the bot that is to act answers."""
        return self.pace * seconds(self.table.bot_to_move() or "", self.table.state)

    def bot_acts(self, choice: Any, now: int) -> list[events.Entry]:
        """What comes of a bot's choice; if it made none, any legal action must do."""
        legal = self.table.state.actions()
        action = choice[0] if choice and choice[0] in legal else legal[0]
        return decisions.bot_acts(self.table, self.table.position, action, now)

    # Advice.

    def _asked(self, command: advice.Question) -> Heard:
        state, moves, done = advice.asked(self.table, YOU, command)
        question = advice_question(self.table, state.view(state.mover), done)
        return Heard([], [], Asked(question, command.n, state, moves))

    def advised(self, asked: Asked, thought: Thought | None) -> bytes:
        """The answer to a question for advice."""
        if thought is None:
            return _encode(protocol.refused(asked.n, "table.no-hint", "The bots are busy; try again later."))
        done = asked.question.done
        return _encode(advice.hint(self.table.action_names, asked.n, asked.moves, asked.state, thought, done))

    # Games that are over.

    def replay(self, game: int | None, eye: Any, since: int) -> bytes:
        """A page of a replay; Refusal if the game is not over."""
        return _encode(replay.page(self.table, replay.played(self.table, game), eye, since))

    def record(self, game: int | None) -> bytes:
        """The record of a game that is over; ValueError while it is played."""
        return _encode(records.record(self.table, game).json())

    def branch(self, said: Json, now: int) -> "Made":
        """A table that goes on from a position of a game that is over."""
        wanted = msgspec.convert(said, protocol.NewBranch)
        kept, entries = branch.branched(self.table, replay.played(self.table, wanted.game), wanted, self._caller(), now)
        return Made(_kept(kept), [_encode(entry) for entry in entries])

    def summary(self) -> bytes:
        """What a list of tables tells of this one."""
        table, given = self.table, self.table.setup
        return _encode(
            protocol.Summary(
                id=given.id,
                game=given.game,
                options=msgspec.Raw(_encode(given.options)),
                status=table.status,
                visibility=given.visibility,
                clock=given.clock,
                chairs=views.chairs(table),
                updated=table.log[-1].at if table.log else given.created,
                yours=table.seats_of(YOU),
                your_turn=table.awaits(YOU),
                mode=given.mode,
            )
        )


class Made(Struct, gc=False):
    """A new table: its setup, and the first entries of its log, as they are kept."""

    setup: Json
    entries: list[bytes]


def opened(said: Json, name: str, now: int) -> Made:
    """A new table as the page asks for it; Refusal or ValueError if it cannot be."""
    kept = _kept(setup.made(_wanted(said), YOU, now))
    return Made(kept, dealt(kept, said, name, now))


def dealt(kept: Json, said: Json, name: str, now: int) -> list[bytes]:
    """The first entries of a table: who sits where, and what is dealt first."""
    entries = decisions.furnished(Table(_revived(kept)), _wanted(said), Caller(YOU, name), now)
    return [_encode(entry) for entry in entries]


def _wanted(said: Json) -> protocol.NewTable:
    return protocol.NewTable(
        game=said["game"],
        chairs=[msgspec.convert(chair, protocol.NewChair) for chair in said["chairs"]],
        options=said.get("options", {}),
        hints=said.get("hints", False),
        series=said.get("series", 1),
        seed=said.get("seed", ""),
    )


def imported(said: Json, now: int) -> Made:
    """A table at which the game of a record was played; ValueError says what is wrong with the record."""
    made, entries = records.imported(Record.read(said), now)
    return Made(_kept(made), [_encode(entry) for entry in entries])


def verified(said: Json) -> bytes:
    """What comes of checking a record's draws."""
    return _encode(judged(said))


def thought(question: Question) -> Any:
    """What a bot chooses, or what an adviser thinks; None if it cannot."""
    return think(question)


def _kept(given: Setup) -> Json:
    """A setup as the device keeps it."""
    return {
        "id": given.id if given.id.startswith(HERE) else HERE + given.id,
        "game": given.game,
        "options": given.options,
        "secret": given.secret.hex(),
        "created": given.created,
        "hints": given.hints,
        "series": given.series,
        "rules": given.rules,
        "branch": given.branch,
        "taken_over": given.taken_over,
        "mode": given.mode,
        "imported": given.imported,
    }


def _revived(kept: Json) -> Setup:
    return Setup(
        id=kept["id"],
        game=kept["game"],
        options=kept["options"],
        host=YOU,
        secret=bytes.fromhex(kept["secret"]),
        created=kept["created"],
        hints=kept["hints"],
        series=kept["series"],
        rules=kept["rules"],
        branch=kept["branch"],
        taken_over=kept.get("taken_over", []),
        mode=kept["mode"],
        imported=kept["imported"],
    )
