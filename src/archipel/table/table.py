"""A table as its log tells it: who sits where, the game that runs, the clock. It reads and writes nothing."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Literal

from msgspec import Struct

from archipel.core.rules import CHANCE, OVER
from archipel.core.state import State
from archipel.dice.tray import Tray

from . import log, throwing
from .clock import Timer
from .course import Course, Step
from .fairness import Lot
from .protocol import Winner
from .setup import Setup

REMEMBERED = 64
"""How many of a client's last commands are known again."""
CLIENTS = 256
"""How many clients' commands are known again at one table."""


class Chair(Struct, gc=False):
    """Who sits at a seat. A person may have left it, and a bot may keep it for him."""

    who: str = ""
    name: str = ""
    level: str = ""
    seed: str = ""
    left: bool = False
    out: bool = False
    """The person has given up or run out of time, and may not come back to this game."""

    @property
    def kind(self) -> Literal["open", "person", "bot"]:
        return "bot" if self.level else "person" if self.who else "open"


class Request(Struct, gc=False):
    """A seat asks to go back to so many actions; `waiting` have not answered yet."""

    seat: int
    moves: int
    waiting: list[int]


class Ending(Struct, gc=False):
    """How the game ended."""

    how: Literal["rules", "time", "resigned"]
    winner: Winner
    seat: int | None = None


class Table:
    """The replay of a log. `apply` is the only way in which a table changes."""

    __slots__ = (
        "again",
        "began",
        "chairs",
        "course",
        "done",
        "ending",
        "game",
        "log",
        "lot",
        "points",
        "position",
        "request",
        "setup",
        "timer",
        "words",
    )

    def __init__(self, setup: Setup, entries: Sequence[log.Entry] = ()) -> None:
        self.setup = setup
        self.words = setup.words()
        self.log: list[log.Entry] = []
        self.chairs = [Chair() for _ in range(self.words.game.seats)]
        self.game = 0
        self.began = 0
        """The version at which the game that runs began."""
        self.position = 0
        """The version at which the position last changed."""
        self.course = Course(self.words)
        self.timer = Timer(setup.clock, self.seats)
        self.lot = Lot.of(setup.secret, 1)
        self.points = [0] * self.seats
        self.ending: Ending | None = None
        self.request: Request | None = None
        self.again: dict[int, str] = {}
        self.done: dict[str, dict[int, int]] = {}
        for entry in entries:
            self.apply(entry)

    # What others ask.

    @property
    def version(self) -> int:
        return len(self.log)

    @property
    def seats(self) -> int:
        return len(self.chairs)

    @property
    def status(self) -> Literal["waiting", "playing", "over"]:
        if self.ending:
            return "over"
        return "playing" if self.game else "waiting"

    @property
    def playing(self) -> bool:
        return self.game > 0 and self.ending is None

    @property
    def state(self) -> State:
        return self.course.state

    @property
    def mover(self) -> int:
        """The seat to act; OVER before, between and after games."""
        return self.state.mover if self.playing else OVER

    @property
    def falling(self) -> bool:
        """Have dice been thrown that are still in the air?"""
        return self.setup.dice == "physics" and self.playing and self.state.mover == CHANCE

    @property
    def at_home(self) -> bool:
        """Have dice been thrown at home, of which nobody has said yet how they landed?"""
        return self.setup.dice == "pad" and self.playing and self.state.mover == CHANCE

    @property
    def actors(self) -> list[int]:
        """The seats that may act: the mover; of dice at home whoever threw them, or anybody for a bot."""
        if not self.at_home:
            return [self.mover] if self.mover >= 0 else []
        return self._throwers(self.state)

    def _throwers(self, state: State) -> list[int]:
        """Who rolls dice at home: whoever throws, or anybody for a bot."""
        seat = throwing.thrower_of(state)
        return [seat] if self.chairs[seat].kind == "person" else self.persons()

    def may_undo(self, seat: int) -> bool:
        """May this seat take the last action back without asking?

        Of what is typed in about dice at home nobody learns anything that he could not see: it may be typed anew.
        """
        course = self.course
        if not self.playing or not course.last:
            return False
        before = course.last.before
        if self.setup.dice == "pad":
            return seat in (self._throwers(before) if before.mover == CHANCE else [before.mover])
        return before.mover == seat and course.may_undo()

    @property
    def tray(self) -> Tray | None:
        """How the dice lie, where they are simulated and have been thrown."""
        fall = self.course.last_fall
        return throwing.tray(fall[1].lies) if fall else None

    @property
    def next_lot(self) -> Lot:
        """What the draws of the next game will come from."""
        return Lot.of(self.setup.secret, self.game + 1)

    @property
    def commit(self) -> str:
        """The promise for the game that runs, or else for the next one."""
        return (self.lot if self.playing else self.next_lot).commit

    def seats_of(self, who: str) -> list[int]:
        """The seats that are this person's."""
        return [seat for seat, chair in enumerate(self.chairs) if who and chair.who == who]

    def holds(self, who: str, seat: int) -> bool:
        """Does this person play this seat now?"""
        return 0 <= seat < self.seats and self.chairs[seat].kind == "person" and self.chairs[seat].who == who != ""

    def awaits(self, who: str) -> bool:
        """May this person act now?"""
        return any(self.holds(who, seat) for seat in self.actors)

    def persons(self) -> list[int]:
        """The seats where a person plays who has not left."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == "person" and not chair.left]

    def bot_to_move(self) -> str | None:
        """The level of the bot that is to act, if one is."""
        return self.chairs[self.mover].level or None if self.mover >= 0 else None

    def answered(self, by: str, n: int) -> int | None:
        """The version that a client's command led to, if it is one of those known again."""
        return self.done.get(by, {}).get(n)

    def last_n(self, by: str) -> int:
        """The highest counter that a client has used."""
        return max(self.done.get(by, {}), default=0)

    def ahead(self) -> "Table":
        """The same table once more, to see how it would go on: what is applied to it leaves this one alone.

        Only for what may come before another game begins; the game that runs is shared.
        """
        other = copy(self)
        other.log, other.points = list(self.log), list(self.points)
        other.chairs = [copy(chair) for chair in self.chairs]
        other.again, other.done = dict(self.again), {}
        return other

    # How it changes.

    def apply(self, entry: log.Entry) -> Step | None:
        """Take an entry into the table; what was played, if it was an action."""
        step = _APPLY[type(entry)](self, entry)
        self.log.append(entry)
        if entry.by:
            self._remember(entry.by, entry.n)
        return step

    def _remember(self, by: str, n: int) -> None:
        if by not in self.done and len(self.done) >= CLIENTS:
            del self.done[next(iter(self.done))]
        known = self.done.setdefault(by, {})
        known[n] = self.version
        if len(known) > REMEMBERED:
            del known[next(iter(known))]

    def _sat(self, entry: log.Sat) -> None:
        self.chairs[entry.seat] = Chair(entry.who, entry.name, seed=entry.seed or self.chairs[entry.seat].seed)

    def _rose(self, entry: log.Rose) -> None:
        if self.game:
            self.chairs[entry.seat].left = True
            self.again.pop(entry.seat, None)
        else:
            self.chairs[entry.seat] = Chair()
        if self.request and entry.seat in (*self.request.waiting, self.request.seat):
            self.request = None

    def _bot_sat(self, entry: log.BotSat) -> None:
        self.chairs[entry.seat].level = entry.level
        self.chairs[entry.seat].out |= entry.out
        self.request = None

    def _started(self, entry: log.Started) -> None:
        if self.game:
            self._turn()
        self.game = entry.game
        self.course = Course(self.words)
        self.timer = Timer(self.setup.clock, self.seats)
        self.lot = Lot.of(self.setup.secret, entry.game, [chair.seed for chair in self.chairs])
        self.ending = self.request = None
        self.again = {}
        self.began = self.version
        self._moved(entry.at)

    def _turn(self) -> None:
        """Everybody moves one seat on, as in a series; what was each one's goes with him."""
        chairs = [self.chairs[(seat + 1) % self.seats] for seat in range(self.seats)]
        seeds = [self.again.get((seat + 1) % self.seats, "") for seat in range(self.seats)]
        if self.game % self.setup.series == 0:
            self.points = [0] * self.seats
        self.points = [self.points[(seat + 1) % self.seats] for seat in range(self.seats)]
        for chair, seed in zip(chairs, seeds, strict=True):
            chair.seed, chair.out = seed, False
        self.chairs = chairs

    def _acted(self, entry: log.Acted) -> Step:
        return self._played(entry, self.course.act(self.words.number(self.state, entry.action), aim=entry.aim))

    def _happened(self, entry: log.Happened) -> Step:
        fall = (self.version + 1, entry.fall) if entry.fall else None
        step = self.course.act(self.words.number(self.state, entry.action), entry.draw, fall=fall)
        return self._played(entry, step)

    def _played(self, entry: log.Acted | log.Happened, step: Step) -> Step:
        self.request = None
        self._moved(entry.at)
        return step

    def _moved(self, now: int, gain: bool = True) -> None:
        self.position = self.version + 1
        self.timer.turn(self._on_the_clock(), now, gain)

    def _on_the_clock(self) -> int:
        """Whose time runs: the mover's; that of a person who is to say how his dice landed; else nobody's."""
        if not self.at_home:
            return self.mover
        seat = throwing.thrower_of(self.state)
        return seat if self.chairs[seat].kind == "person" else CHANCE

    def _went_back(self, entry: log.WentBack) -> None:
        self.course.back(entry.moves)
        self.request = None
        self._moved(entry.at, gain=False)

    def _asked_back(self, entry: log.AskedBack) -> None:
        asker = self.chairs[entry.seat].who
        waiting = [seat for seat in self.persons() if self.chairs[seat].who != asker]
        self.request = Request(entry.seat, entry.moves, waiting)

    def _answered(self, entry: log.Answered) -> None:
        if not entry.agree:
            self.request = None
        elif self.request:
            self.request.waiting = [seat for seat in self.request.waiting if seat != entry.seat]

    def _ended(self, entry: log.Ended) -> None:
        winner = self.state.winner
        if entry.how != "rules":
            winner = next(seat for seat in range(self.seats) if seat != entry.seat)
        self.ending = Ending(entry.how, winner, entry.seat)
        self.request = None
        self.points = [points + score for points, score in zip(self.points, self.state.scores, strict=True)]
        if entry.seat is not None:
            self.chairs[entry.seat].out = True
        self._moved(entry.at)

    def _agreed(self, entry: log.Agreed) -> None:
        if entry.agree:
            self.again[entry.seat] = entry.seed
        else:
            self.again.pop(entry.seat, None)

    def _spoke(self, entry: log.Spoke) -> None:
        pass

    def _resumed(self, entry: log.Resumed) -> None:
        self.timer.resume(entry.at)


_APPLY: dict[type, Callable[..., Step | None]] = {
    log.Sat: Table._sat,
    log.Rose: Table._rose,
    log.BotSat: Table._bot_sat,
    log.Started: Table._started,
    log.Acted: Table._acted,
    log.Happened: Table._happened,
    log.WentBack: Table._went_back,
    log.AskedBack: Table._asked_back,
    log.Answered: Table._answered,
    log.Ended: Table._ended,
    log.Agreed: Table._agreed,
    log.Spoke: Table._spoke,
    log.Resumed: Table._resumed,
}
