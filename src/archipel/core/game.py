"""The base class of all games: a game with its options."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from . import fields, plain, reading, rules
from .errors import IllegalAction, quoted, sentence
from .options import Option, complete
from .plain import Plain
from .rules import OVER, Record, Rules
from .state import State, seed
from .vocabulary import Vocabulary


class Longest(NamedTuple):
    """How many decisions of players, and how many outcomes of chance, no game exceeds; None: the rules set no limit."""

    decisions: int | None = None
    chances: int | None = None


class Game(ABC):
    """The rules of one game under one choice of options."""

    name: ClassVar[str]
    title: ClassVar[str]
    OPTIONS: ClassVar[tuple[Option, ...]]
    marks: ClassVar[str] = ""
    """The letters that stand for the seats in the text of a board, so that a terminal can colour them."""
    rules: ClassVar[Rules]
    action_count: ClassVar[int]
    seats: int

    def __init__(self, /, **options: Any) -> None:
        self.options = complete(self.name, self.OPTIONS, options)
        self.read = plain.reader(self.rules.state)
        self.fields = fields.quick(self.rules.state)
        self.facts = np.zeros(1, self.rules.facts)
        self.seats = self.set_up(self.facts.view(self.rules.facts)[0])

    # Defined by each game.

    @abstractmethod
    def set_up(self, facts: Record) -> int:
        """Write the options into the facts and return the number of seats. ValueError if options contradict each
        other."""

    @abstractmethod
    def vocabulary(self, state: State) -> Vocabulary:
        """JSON and notation of the actions and chance outcomes in this state."""

    @abstractmethod
    def why_not(self, s: Record, action: int) -> tuple[str, str]:
        """Return the rule that forbids an action which exists but is not legal, and a sentence for the player."""

    @abstractmethod
    def scores(self, s: Plain) -> list[int]:
        """The scores as players see them, by seat."""

    @abstractmethod
    def public(self, s: Plain) -> dict[str, Any]:
        """The part of a snapshot that everybody knows, with the rulebook's keys."""

    @abstractmethod
    def private(self, s: Plain) -> dict[str, Any]:
        """The part of a snapshot that not everybody knows."""

    @abstractmethod
    def seen(self, s: Plain, seat: int | None) -> dict[str, Any]:
        """What replaces the private part in the view of a seat."""

    @abstractmethod
    def fill(self, s: Record, snapshot: Mapping[str, Any]) -> None:
        """Write a snapshot into the record of a new game, including `mover`; ValueError if the snapshot is
        impossible."""

    @abstractmethod
    def possible(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return the private part of one snapshot that is consistent with the view; always the same one for the same
        view."""

    @abstractmethod
    def text(self, shown: Mapping[str, Any]) -> str:
        """Draw the board as text for a terminal, from a snapshot or a view."""

    @abstractmethod
    def svg(self, shown: Mapping[str, Any]) -> str:
        """Draw the board as SVG, from a snapshot or a view."""

    def unseen(self, state: State, action: int, seat: int | None) -> tuple[str, ...]:
        """The keys of an action's JSON whose values a seat (None: a spectator) does not see; none in most games."""
        return ()

    def is_open(self, state: State, action: int) -> bool:
        """True if it is certain that a seat's action reveals nothing: everybody knew that it was possible and what they
        would see of it. False means that `core.learning` must find out."""
        return False

    def unaided(self, view: dict[str, Any]) -> dict[str, Any]:
        """The view as a person is shown it: without what only a perfect memory would know, depending on the options."""
        return view

    def written(self, before: State, action: int, after: State) -> dict[str, Any] | None:
        """The score sheet entry for an action in games that have a score sheet, JSON-able; None in most games."""
        return None

    @property
    def deterministic(self) -> bool:
        """True if chance never acts."""
        return False

    @property
    def perfect_information(self) -> bool:
        """True if every seat always knows the whole state."""
        return False

    @property
    def longest(self) -> Longest:
        """Upper bounds for the length of a game."""
        return Longest()

    # Common to all games.

    def new(self) -> State:
        """Return the first state, before any deal."""
        raw = np.zeros(self.rules.state.itemsize, np.uint8)
        return State(self, raw, rules.new(self.facts, raw))

    def refusal(self, state: State, action: int) -> IllegalAction:
        """Return the error to raise for an action that the rules do not allow."""
        if state.mover == OVER:
            rule, reason = "end", "The game is over."
        elif not 0 <= action < len(self.vocabulary(state)):
            rule, reason = "actions", sentence("There is no action number {number} here.", number=quoted(action))
        else:
            rule, reason = self.why_not(state.record, action)
        return IllegalAction(reason, f"{self.name}.{rule}")

    def snapshot(self, state: State) -> dict[str, Any]:
        """Return everything about a state, JSON-able."""
        s = state.plain
        heading = {"game": self.name, "options": _own(self.options)}
        return heading | self._standing(s) | self.public(s) | self.private(s)

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return what a seat may know about a state, JSON-able. State leaves the engine only this way."""
        return self.views(state)(seat) | {"options": _own(self.options)}

    def views(self, state: State) -> Callable[[int | None], dict[str, Any]]:
        """Return a function from a seat to its `view` of this state. The views share data, so do not modify them."""
        s = state.plain
        heading = {"game": self.name, "options": self.options, "seat": None}
        common = heading | self._standing(s) | self.public(s)
        return lambda seat: common | {"seat": seat} | self.seen(s, seat)

    def winner(self, s: Plain) -> int | list[int] | None:
        """Return None while the game runs, then the winner's seat, or a list of the seats that share the win."""
        seats = [seat for seat in range(self.seats) if s.winners >> seat & 1] if s.winners else []
        return seats[0] if len(seats) == 1 else seats or None

    def _standing(self, s: Plain) -> dict[str, Any]:
        return {"mover": s.mover, "scores": self.scores(s), "winner": self.winner(s)}

    def restore(self, snapshot: Mapping[str, Any]) -> State:
        """Return the state of a snapshot; ValueError says why a snapshot is impossible."""
        snapshot = reading.mapping(snapshot, "whole")
        if reading.field(snapshot, "game") != self.name:
            raise ValueError(f"The snapshot is of {quoted(snapshot['game'])}, not of {self.name!r}.")
        if "options" in snapshot and self._with_defaults(snapshot["options"]) != self.options:
            made = quoted(snapshot["options"])
            raise ValueError(f"The snapshot was made with options {made}, not {quoted(self.options)}.")
        raw = np.zeros(self.rules.state.itemsize, np.uint8)
        rules.new(self.facts, raw)
        s = raw.view(self.fields)[0]
        self.fill(s, snapshot)
        state = State(self, raw, int(s.mover))
        again = self.snapshot(state)
        for key, value in snapshot.items():
            if key not in again:
                raise ValueError(f"A snapshot of {self.name} has no {quoted(key)}.")
            if key != "options":
                _agree("snapshot", key, value, again[key])
        return state

    def _with_defaults(self, options: Any) -> Any:
        """Options that an older version wrote, with the defaults of those that it did not know."""
        if not isinstance(options, dict) or not options:
            return options
        return {one.name: one.default for one in self.OPTIONS} | options

    def imagine(self, view: Mapping[str, Any], rng: np.random.Generator) -> State:
        """Sample a state from all that are consistent with the view, using nothing but the view."""
        view = reading.mapping(view, "view")
        seat = reading.field(view, "seat")
        if seat is not None:
            reading.whole(seat, 0, self.seats - 1, "seat")
        public = {key: value for key, value in view.items() if key != "seat"}
        state = self.restore(public | self.possible(view))
        for key, value in self.seen(state.plain, seat).items():
            _agree("view", key, reading.field(view, key), value)
        raw = state._raw.copy()
        rules.deal_anew(self.facts, raw, -1 if seat is None else seat, seed(rng))
        return State(self, raw, state.mover)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, repr(self.options)))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"archipel.game({self.name!r}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.options)


def _own(value: Any) -> Any:
    """Return a copy of JSON data that the caller may change."""
    if isinstance(value, dict):
        return {key: _own(item) for key, item in value.items()}
    return [_own(item) for item in value] if isinstance(value, list) else value


def _agree(what: str, key: str, given: Any, made: Any) -> None:
    if given != made:
        raise ValueError(f"The {what} cannot be: {key!r} is {quoted(given)}, but the rest makes it {quoted(made)}.")


def _again(kind: type[Game], options: dict[str, Any]) -> Game:
    return kind(**options)
