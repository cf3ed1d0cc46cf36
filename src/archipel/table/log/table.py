"""A table replayed from its log: seats, the running game, the clock. It does no I/O."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Literal

from msgspec import Struct

from archipel.core.rules import CHANCE, OVER
from archipel.core.slow_chance import SlowChance
from archipel.core.state import State

from ..protocol import NoClock, Winner
from . import bot_moves, events
from .clock import Timer
from .fairness import Lot
from .history import History, Step
from .setup import Setup
from .shares import ABSENT, SERVER, Start, Void
from .tasks import Task

REMEMBERED = 64
"""How many of a client's last commands are recognised when they are sent again."""
CLIENTS = 256
"""For how many clients commands are recognised at one table: this many players, and this many others."""


class Chair(Struct, gc=False):
    """The person or bot at a seat. A person may have left it, and a bot may keep it for them."""

    who: str = ""
    name: str = ""
    level: str = ""
    seed: str = ""
    left: bool = False
    out: bool = False
    """The person has resigned or run out of time, and cannot come back in this game."""

    @property
    def kind(self) -> Literal["open", "person", "bot"]:
        return "bot" if self.level else "person" if self.who else "open"


class Request(Struct, gc=False):
    """A seat's request to go back to this number of actions; `waiting` have not answered yet."""

    seat: int
    moves: int
    waiting: list[int]


class Candidate(Struct, gc=False):
    """A request for a seat that was left in a running game; `waiting` have not answered yet."""

    seat: int
    who: str
    name: str
    waiting: list[int]


class Ending(Struct, gc=False):
    """How the game ended."""

    how: Literal["rules", "time", "resigned"]
    winner: Winner
    seat: int | None = None


class Table:
    """A table replayed from its log. It changes only by `apply`."""

    __slots__ = (
        "action_names",
        "again",
        "began",
        "candidate",
        "chairs",
        "chance",
        "closed",
        "comers",
        "done",
        "ending",
        "game",
        "held",
        "history",
        "log",
        "lot",
        "muted",
        "names",
        "points",
        "position",
        "removed",
        "request",
        "setup",
        "slow_chance",
        "spoken",
        "start",
        "timed",
        "timer",
        "turned_away",
        "unseated",
        "voids",
    )

    def __init__(self, setup: Setup, entries: Sequence[events.Entry] = ()) -> None:
        self.setup = setup
        self.action_names = setup.action_names()
        self.slow_chance: SlowChance | None = setup.slow_chance()
        """The game's `SlowChance`; None where outcomes are drawn at once."""
        self.chance = setup.chance
        self.log: list[events.Entry] = []
        self.chairs = [Chair() for _ in range(self.action_names.game.seats)]
        self.game = 0
        self.began = 0
        """The version at which the running game started."""
        self.position = 0
        """The version at which the position last changed."""
        self.history = History(self.action_names)
        self.timed = not isinstance(setup.clock, NoClock)
        self.timer = Timer(setup.clock, self.seats)
        self.lot = Lot.of(setup.secret, 1)
        self.names: list[str] = []
        """The names of players, and levels of bots, when the running game started."""
        self.points = [0] * self.seats
        self.ending: Ending | None = None
        self.request: Request | None = None
        self.candidate: Candidate | None = None
        self.held: frozenset[str] = frozenset()
        """Everyone who has had a seat in the running game, and so has seen a hand."""
        self.turned_away: frozenset[str] = frozenset()
        """Persons whose request for a seat of the running game the players have declined."""
        self.unseated: Mapping[str, int] = {}
        """Persons whom the host removed from a seat, and when: a link made later lets them sit down again."""
        self.removed: Mapping[str, int] = {}
        """Persons whom the host removed from the table, and when; "" stands for everyone without a name."""
        self.muted: frozenset[str] = frozenset()
        self.closed = False
        self.again: dict[int, str] = {}
        self.start = Start()
        """What is known about the draws of the next game."""
        self.voids: tuple[Void, ...] = ()
        """The starts of the game that runs which came to nothing."""
        self.done: dict[str, dict[int, int]] = {}
        self.comers: dict[str, dict[int, int]] = {}
        """Recent commands of people who take and leave seats, which spectators may do without limit; `done` has those
        of players."""
        self.spoken = 0
        """How many chat messages are in the log itself, as in old logs."""
        for entry in entries:
            self.apply(entry)

    # Queries.

    @property
    def version(self) -> int:
        return len(self.log)

    @property
    def seats(self) -> int:
        return len(self.chairs)

    @property
    def status(self) -> Literal["waiting", "playing", "over", "closed"]:
        if self.closed:
            return "closed"
        if self.ending:
            return "over"
        return "playing" if self.game else "waiting"

    @property
    def playing(self) -> bool:
        return self.game > 0 and self.ending is None and not self.closed

    @property
    def state(self) -> State:
        return self.history.state

    @property
    def mover(self) -> int:
        """The seat to act; OVER before, between and after games."""
        return self.state.mover if self.playing else OVER

    @property
    def deadline(self) -> int | None:
        """When a person's time is up; None while a bot or chance is to act, and without a clock."""
        seat = self.timer.running
        return self.timer.deadline if seat is not None and self.chairs[seat].kind == "person" else None

    @property
    def computing(self) -> bool:
        """True if the next chance outcome is being computed by a worker process."""
        return self.chance == "computed" and self.playing and self.state.mover == CHANCE

    @property
    def entering(self) -> bool:
        """True if a player must enter the next chance outcome."""
        return self.chance == "entered" and self.playing and self.state.mover == CHANCE

    @property
    def actors(self) -> list[int]:
        """The seats that may act: the mover, or those who may enter a chance outcome."""
        if not self.entering:
            return [self.mover] if self.mover >= 0 else []
        return self._entering(self.state)

    def _entering(self, state: State) -> list[int]:
        """The seats that may enter an outcome: the one for which chance acts, or any person in place of a bot."""
        seat = self._served(state)
        return [seat] if self.chairs[seat].kind == "person" else self.persons()

    def _served(self, state: State) -> int:
        """The seat for which chance acts."""
        return self.slow_chance.seat(state) if self.slow_chance else CHANCE

    def may_undo(self, seat: int) -> bool:
        """True if this seat may undo the last action without asking.

        Where outcomes are entered, nothing is revealed at this table: the person who entered one may correct it.
        """
        history = self.history
        if not self.playing or not history.last:
            return False
        before = history.last.before
        if self.chance == "entered":
            return seat in (self._entering(before) if before.mover == CHANCE else [before.mover])
        return before.mover == seat and history.may_undo()

    @property
    def last_detail(self) -> bytes | None:
        """The detail of the last computed chance outcome."""
        last = self.history.last_detail
        return last[1] if last else None

    def order(self) -> Task:
        """The task that computes the due outcome, with the random numbers of its draw; what led to it is in the log."""
        assert self.slow_chance
        extra, numbers = self.history.extras.get(self.history.moves - 1), self.lot.first_numbers(self.history.drawn + 1)
        return Task(self.setup.game, self.slow_chance.order(self.state, extra, self.last_detail, numbers))

    @property
    def next_lot(self) -> Lot:
        """The source of the draws of the next game."""
        return Lot.of(self.setup.secret, self.game + 1)

    @property
    def commit(self) -> str:
        """The fairness code of the running game, or else of the next one."""
        return (self.lot if self.playing else self.next_lot).commit

    def frozen_seals(self) -> list[str]:
        """For each seat of the next game the hash of its share, or who stands in for it; "": nobody sits there yet."""
        if self.start.frozen:
            return list(self.start.frozen)
        chairs = [(seat, self.chairs[seat]) for seat in map(self.chair_of, range(self.seats))]
        stand_ins = {"bot": SERVER, "person": ABSENT, "open": ""}
        return [self.start.seals.get(seat) or stand_ins[chair.kind] for seat, chair in chairs]

    def chair_of(self, seat: int) -> int:
        """The current seat of the player who will have this seat in the next game: everybody moves on by one seat."""
        return (seat + (self.game > 0)) % self.seats

    @property
    def opening(self) -> bool:
        """Are shares being opened, so that a game can begin?"""
        return bool(self.start.frozen) and not self.closed

    def seats_of(self, who: str) -> list[int]:
        """The seats that belong to this person."""
        return [seat for seat, chair in enumerate(self.chairs) if who and chair.who == who]

    def holds(self, who: str, seat: int) -> bool:
        """True if this person plays this seat now."""
        return 0 <= seat < self.seats and self.chairs[seat].kind == "person" and self.chairs[seat].who == who != ""

    def awaits(self, who: str) -> bool:
        """True if this person may act now."""
        return any(self.holds(who, seat) for seat in self.actors)

    def persons(self) -> list[int]:
        """The seats of persons who have not left."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == "person" and not chair.left]

    def sits(self, who: str, seat: int) -> bool:
        """True if this person plays this seat now and has not left it."""
        return self.holds(who, seat) and not self.chairs[seat].left

    def owns(self, who: str, seat: int) -> bool:
        """True if this person may come back to this seat, even if a bot keeps it now."""
        return self.chairs[seat].who == who != "" and not self.chairs[seat].out

    def owners(self) -> list[int]:
        """The seats of persons who play or could come back: their consent is needed for every agreement."""
        return [seat for seat, chair in enumerate(self.chairs) if self.owns(chair.who, seat)]

    def bot_to_move(self) -> str | None:
        """The level of the bot that is to act; None if a person is."""
        return self.chairs[self.mover].level or None if self.mover >= 0 else None

    def answered(self, by: str, n: int) -> int | None:
        """The version that a client's command led to, if it is remembered."""
        version = self.done.get(by, _NONE).get(n)
        return self.comers.get(by, _NONE).get(n) if version is None else version

    def last_n(self, by: str) -> int:
        """The highest counter that a client has used."""
        return max((*self.done.get(by, _NONE), *self.comers.get(by, _NONE)), default=0)

    def ahead(self) -> "Table":
        """A copy of the table, to compute how it would continue without changing this one.

        Only valid until another game starts; the running game is shared.
        """
        other = copy(self)
        other.log, other.points = list(self.log), list(self.points)
        other.chairs = [copy(chair) for chair in self.chairs]
        other.again, other.done, other.comers = dict(self.again), {}, {}
        other.start = self.start.copy()
        return other

    def played_ahead(self, entries: Sequence[events.Entry]) -> "Table":
        """A copy of the table after these entries; this one stays as it is."""
        other = self.ahead()
        other.history, other.timer = self.history.fork(), self.timer.fork()
        for entry in entries:
            other.apply(entry)
        return other

    # Changes.

    def apply(self, entry: events.Entry) -> Step | None:
        """Apply an entry; return the step if it was an action."""
        step = _APPLY[type(entry)](self, entry)
        self.log.append(entry)
        if entry.by:
            self._remember(self.comers if type(entry) in _COMING else self.done, entry.by, entry.n)
        return step

    def _remember(self, clients: dict[str, dict[int, int]], by: str, n: int) -> None:
        """The client that was heard of longest ago is forgotten first."""
        known = clients[by] = clients.pop(by, {})
        if len(clients) > CLIENTS:
            del clients[next(iter(clients))]
        known[n] = self.version
        if len(known) > REMEMBERED:
            del known[next(iter(known))]

    def _sat(self, entry: events.Sat) -> None:
        self.chairs[entry.seat] = Chair(entry.who, entry.name, seed=entry.seed or self.chairs[entry.seat].seed)
        self._seal(entry.seat, entry.seal)
        self.held |= {entry.who}
        if self.candidate and self.candidate.seat == entry.seat:
            self.candidate = None

    def _rose(self, entry: events.Rose) -> None:
        self.start.forget(entry.seat)
        if self.game:
            self.chairs[entry.seat].left = True
            self.again.pop(entry.seat, None)
        else:
            self.chairs[entry.seat] = Chair()
        if self.request and entry.seat in (*self.request.waiting, self.request.seat):
            self.request = None
        self._stop_asking(entry.seat)

    def _stop_asking(self, seat: int) -> None:
        """A request for a seat must be made again if one of those who were to answer no longer plays."""
        if self.candidate and seat in self.candidate.waiting:
            self.candidate = None

    def _bot_sat(self, entry: events.BotSat) -> None:
        self.start.forget(entry.seat)
        self.chairs[entry.seat].level = entry.level
        self.chairs[entry.seat].out |= entry.out
        self.request = None
        self._stop_asking(entry.seat)

    def _started(self, entry: events.Started) -> None:
        if self.game:
            self._turn()
        self.game = entry.game
        self.names = [chair.name if chair.kind == "person" else chair.level for chair in self.chairs]
        self.history = History(self.action_names)
        self.timer = Timer(self.setup.clock, self.seats)
        start, self.start = self.start, Start()
        seeds = start.shares or [chair.seed for chair in self.chairs]
        self.lot, self.voids = Lot.of(self.setup.secret, entry.game, seeds, start.frozen), start.voids
        self.ending = self.request = self.candidate = None
        self.held = frozenset(chair.who for chair in self.chairs)
        self.turned_away = frozenset()
        self.again = {}
        self.began = self.version
        self._moved(entry.at)

    def _turn(self) -> None:
        """Everybody moves on by one seat, as in a series, with everything that belongs to them."""
        chairs = [self.chairs[(seat + 1) % self.seats] for seat in range(self.seats)]
        seeds = [self.again.get((seat + 1) % self.seats, "") for seat in range(self.seats)]
        if self.game % self.setup.series == 0:
            self.points = [0] * self.seats
        self.points = [self.points[(seat + 1) % self.seats] for seat in range(self.seats)]
        for chair, seed in zip(chairs, seeds, strict=True):
            chair.seed, chair.out = seed, False
        self.chairs = chairs

    def _acted(self, entry: events.Acted) -> Step:
        if entry.extra:
            self.history.extras[self.history.moves] = bytes(entry.extra)
        if entry.bot:
            self.history.bot_moves[self.history.moves] = bot_moves.of(entry)
        return self._played(entry, self.history.act(self.action_names.number(self.state, entry.action)))

    def _happened(self, entry: events.Happened) -> Step:
        if entry.detail:
            self.history.details[self.history.moves] = self.version + 1, bytes(entry.detail)
        return self._played(entry, self.history.act(self.action_names.number(self.state, entry.action), entry.draw))

    def _played(self, entry: events.Acted | events.Happened, step: Step) -> Step:
        self.request = None
        self._moved(entry.at)
        return step

    def _moved(self, now: int, gain: bool = True) -> None:
        self.position = self.version + 1
        if self.timed:
            self.timer.turn(self._on_the_clock(), now, gain)

    def _on_the_clock(self) -> int:
        """Whose clock runs: the mover's, or that of a person who is to enter an outcome; otherwise nobody's."""
        if not self.entering:
            return self.mover
        seat = self._served(self.state)
        return seat if self.chairs[seat].kind == "person" else CHANCE

    def _went_back(self, entry: events.WentBack) -> None:
        self.history.back(entry.moves)
        self.request = None
        self._moved(entry.at, gain=False)

    def _asked_back(self, entry: events.AskedBack) -> None:
        asker = self.chairs[entry.seat].who
        waiting = [seat for seat in self.owners() if self.chairs[seat].who != asker]
        self.request = Request(entry.seat, entry.moves, waiting)

    def _answered(self, entry: events.Answered) -> None:
        if not entry.agree:
            self.request = None
        elif self.request:
            self.request.waiting = [seat for seat in self.request.waiting if seat != entry.seat]

    def winner(self, entry: events.Ended, last: State) -> Winner:
        """Who has won a game that ends in this state: the other side, if one has resigned or run out of time."""
        if entry.how == "rules":
            return last.winner
        return next(seat for seat in range(self.seats) if seat != entry.seat)

    def _ended(self, entry: events.Ended) -> None:
        self.ending = Ending(entry.how, self.winner(entry, self.state), entry.seat)
        self.request = self.candidate = None
        self.points = [points + score for points, score in zip(self.points, self.state.scores, strict=True)]
        if entry.seat is not None:
            self.chairs[entry.seat].out = True
        self._moved(entry.at)

    def _agreed(self, entry: events.Agreed) -> None:
        if entry.agree:
            self.again[entry.seat] = entry.seed
            self._seal(entry.seat, entry.seal)
        else:
            self.again.pop(entry.seat, None)
            self.start.forget(entry.seat)

    def _sealed(self, entry: events.Sealed) -> None:
        self._seal(entry.seat, entry.seal)

    def _seal(self, seat: int, seal: str) -> None:
        if seal and not self.playing:
            self.start.seals[seat] = seal

    def _frozen(self, entry: events.Frozen) -> None:
        self.start.frozen = tuple(entry.seals)

    def _opened(self, entry: events.Opened) -> None:
        self.start.opened[entry.seat] = entry.share

    def _voided(self, entry: events.Voided) -> None:
        self.start = self.start.void(Void(tuple(entry.seats), entry.how))

    def _spoke(self, entry: events.Spoke) -> None:
        self.spoken += 1

    def _resumed(self, entry: events.Resumed) -> None:
        self.timer.resume(entry.at)

    def _asked_seat(self, entry: events.AskedSeat) -> None:
        self.candidate = Candidate(entry.seat, entry.who, entry.name, self.persons())

    def _answered_seat(self, entry: events.AnsweredSeat) -> None:
        if self.candidate and entry.agree:
            self.candidate.waiting = [seat for seat in self.candidate.waiting if seat != entry.seat]
        elif self.candidate:
            self.turned_away |= {self.candidate.who}
            self.candidate = None

    def _removed(self, entry: events.Removed) -> None:
        if entry.seat is None:
            self.removed = {**self.removed, entry.who: entry.at}
        else:
            self.chairs[entry.seat] = Chair()
            self.start.forget(entry.seat)
            self.unseated = {**self.unseated, entry.who: entry.at}

    def _muted(self, entry: events.Muted) -> None:
        self.muted = self.muted | {entry.who} if entry.muted else self.muted - {entry.who}

    def _closed(self, entry: events.Closed) -> None:
        self.closed = True
        self.request = self.candidate = None
        self._moved(entry.at)


_NONE: dict[int, int] = {}
_COMING = {events.Sat, events.Rose, events.AskedSeat, events.Spoke}
_APPLY: dict[type, Callable[..., Step | None]] = {
    events.Sat: Table._sat,
    events.Rose: Table._rose,
    events.BotSat: Table._bot_sat,
    events.Started: Table._started,
    events.Acted: Table._acted,
    events.Happened: Table._happened,
    events.WentBack: Table._went_back,
    events.AskedBack: Table._asked_back,
    events.Answered: Table._answered,
    events.Ended: Table._ended,
    events.Agreed: Table._agreed,
    events.Spoke: Table._spoke,
    events.Resumed: Table._resumed,
    events.AskedSeat: Table._asked_seat,
    events.AnsweredSeat: Table._answered_seat,
    events.Removed: Table._removed,
    events.Muted: Table._muted,
    events.Closed: Table._closed,
    events.Sealed: Table._sealed,
    events.Frozen: Table._frozen,
    events.Opened: Table._opened,
    events.Voided: Table._voided,
}
