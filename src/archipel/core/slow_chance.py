"""Slow chance: outcomes that a worker process computes, or a player enters, instead of being drawn at once.

A game with such outcomes names a `SlowChance` in its manifest. The players of a table then choose one of the game's
modes. In a mode that computes, an action may come with extra data that the game understands; both are logged before
anything about the outcome is drawn. `order` turns them, and the random numbers of the draw, into a task; `compute`
carries out the task in another process. The same task must give the same outcome, so that anyone can verify it later.

To the table, extra data (`extra`), the logged part of an outcome (`detail`) and the recording of an outcome are bytes
that only the game reads. `extra` and `detail` are JSON.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from .errors import InvalidAction
from .state import State

Json = dict[str, Any]
Kind = Literal["drawn", "computed", "entered"]
"""How a mode gets its outcomes: drawn at once, computed by a worker process, or entered by a player."""


class InvalidExtra(InvalidAction):
    """Extra data that is not valid for this action; `rule` names the refusal."""

    rule = "table.extra"


class NotFair(ValueError):
    """A record whose draws are not those that its seed gives."""


class Computed(NamedTuple):
    """A computed outcome: the chance action as JSON, the detail for the log, and a recording that is stored beside the
    log."""

    action: Json
    detail: bytes
    recording: bytes


class Step(NamedTuple):
    """The extra data and the detail of one action of a game; either may be missing."""

    extra: bytes | None
    detail: bytes | None


class Draw(NamedTuple):
    """A chance action of a record: its number, the state before it, its JSON, and the random numbers of its draw."""

    number: int
    state: State
    action: Json
    numbers: Sequence[int]


Compute = Callable[[Any], Computed | None]
"""A function that carries out an order; None if that is not possible here."""


class SlowChance(ABC):
    """The chance outcomes of one game that are computed or entered."""

    modes: ClassVar[Mapping[str, Kind]]
    """The modes by name, the default first."""
    former: ClassVar[str]
    """The mode of tables and records that name none."""
    entered_note: ClassVar[str]
    """The sentence shown when someone verifies a record whose outcomes were entered by players."""
    wire_types: ClassVar[Mapping[str, type]]
    """The types of the messages' fields `extra`, `shown` and `detail`, for the protocol's schema."""

    @abstractmethod
    def seat(self, state: State) -> int:
        """The seat for which chance acts in this state: this seat enters the outcome, and its clock runs."""

    # Actions with extra data.

    @abstractmethod
    def accept(self, state: State, action: Json | str, extra: Json, last: bytes | None) -> tuple[int, bytes]:
        """Return a player's action and the extra data to log with it, both checked.

        `last` is the detail of the last computed outcome. InvalidExtra if the data is not valid for the action,
        InvalidAction if there is no such action.
        """

    @abstractmethod
    def usual(self, state: State, action: int, last: bytes | None) -> bytes | None:
        """The extra data of a player who sent none; None if the action needs none."""

    # Outcomes.

    @abstractmethod
    def order(self, state: State, extra: bytes | None, last: bytes | None, numbers: Sequence[int]) -> Any:
        """Return the task that gives the outcome in this state; a worker process carries it out."""

    @abstractmethod
    def first_order(self) -> Any:
        """Return a small task that makes a new process load what it needs."""

    @abstractmethod
    def compute(self, order: Any) -> Computed:
        """Carry out a task."""

    # Messages.

    @abstractmethod
    def shown(self, state: State, last: tuple[int, bytes] | None, waiting: bool, enters: bool) -> Any:
        """What a position shows in addition to its view, JSON-able.

        `last`: the version of the last computed outcome's log entry, and its detail. `waiting`: the outcome is still to
        come; `enters`: this person must enter it.
        """

    @abstractmethod
    def message(self, state: State, action: Json, detail: bytes, recording: bytes | None) -> Any:
        """What a message says of a computed outcome in addition to its action, JSON-able; the recording only when it is
        new."""

    # Bots.

    @abstractmethod
    def seen(self, state: State, last: bytes | None) -> Any:
        """What a bot must know in addition to its view; None if that is nothing."""

    @abstractmethod
    def choose(self, level: str, view: Json, seen: Any, rng: np.random.Generator) -> tuple[int, Json | None]:
        """Return the action of a bot of that level or name, and its extra data."""

    # Records.

    @abstractmethod
    def recorded(self, mode: str, steps: Iterable[Step]) -> Json:
        """What a record's `fair` contains about the outcomes of a game, action by action."""

    @abstractmethod
    def mode_of(self, fair: Mapping[str, Any]) -> str:
        """The mode in which a record was played; NotFair if it names one that does not exist."""

    @abstractmethod
    def outcomes_of(self, fair: Mapping[str, Any]) -> list[Step]:
        """What a record contains about each computed outcome, and about the action before it; NotFair if it cannot be
        read."""

    @abstractmethod
    def verify(self, fair: Mapping[str, Any], draws: Sequence[Draw], compute: Compute) -> str:
        """Compute a record's outcomes again; return a sentence about what could not be checked. NotFair if they
        differ."""
