"""Chance that takes its time: outcomes that a worker process computes, or a player enters, instead of being drawn.

A game with such outcomes names a `SlowChance` in its manifest. A table then lets its players choose between the
game's modes. In a mode that computes, an action may come with extra data that the game understands; both are logged
before anything about the outcome is drawn. `order` turns them, and the words of the draw, into a task; `compute`
carries the task out in another process. The same task must give the same outcome, so that anybody can check it later.

For the table, extra data (`extra`), what is kept of an outcome (`detail`) and a recording of how it came about are
bytes that only the game reads. `extra` and `detail` are JSON.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from .errors import InvalidAction
from .state import State

Json = dict[str, Any]
Kind = Literal["drawn", "computed", "entered"]
"""What a mode does: outcomes are drawn at once, computed by a worker process, or entered by a player."""


class InvalidExtra(InvalidAction):
    """Extra data that cannot come with this action; `rule` names the refusal."""

    rule = "table.extra"


class NotFair(ValueError):
    """A record whose draws are not those that its seed gives."""


class Computed(NamedTuple):
    """A computed outcome: the chance action as JSON, what the log keeps of it, and a recording kept beside the log."""

    action: Json
    detail: bytes
    recording: bytes


class Step(NamedTuple):
    """The extra data and the detail of one action of a game; either may be missing."""

    extra: bytes | None
    detail: bytes | None


class Draw(NamedTuple):
    """A chance action of a record: its number, the state before it, its JSON, and the random words of its draw."""

    number: int
    state: State
    action: Json
    words: Sequence[int]


Compute = Callable[[Any], Computed | None]
"""Carries an order out; None if that cannot be done here."""


class SlowChance(ABC):
    """One game's chance outcomes that are computed or entered."""

    modes: ClassVar[Mapping[str, Kind]]
    """By name, the default first."""
    former: ClassVar[str]
    """The mode of tables and records that name none."""
    entered_note: ClassVar[str]
    """The sentence shown when a record is verified whose outcomes were entered by players."""
    wire_types: ClassVar[Mapping[str, type]]
    """The types of what is told, for the protocol's schema: `extra`, `shown` and `detail`."""

    @abstractmethod
    def seat(self, state: State) -> int:
        """The seat for which chance acts in this state: it enters the outcome, and its clock runs."""

    # Actions with extra data.

    @abstractmethod
    def accept(self, state: State, action: Json | str, extra: Json, last: bytes | None) -> tuple[int, bytes]:
        """A player's action and the extra data to log with it, both checked.

        `last` is the detail of the last computed outcome. InvalidExtra if the data cannot come with the action,
        InvalidAction if that is none.
        """

    @abstractmethod
    def usual(self, state: State, action: int, last: bytes | None) -> bytes | None:
        """The extra data of a player who sent none; None if the action needs none."""

    # Outcomes.

    @abstractmethod
    def order(self, state: State, extra: bytes | None, last: bytes | None, words: Sequence[int]) -> Any:
        """The task that gives the outcome in this state; it is sent to another process."""

    @abstractmethod
    def first_order(self) -> Any:
        """Any small task, so that a new process has loaded what it needs before it matters."""

    @abstractmethod
    def compute(self, order: Any) -> Computed:
        """Carry a task out."""

    # What is told.

    @abstractmethod
    def shown(self, state: State, last: tuple[int, bytes] | None, waiting: bool, enters: bool) -> Any:
        """What a position shows beside its view, JSON-able.

        `last`: the version of the last computed outcome's log entry, and its detail. `waiting`: the outcome is still
        to come; `enters`: the person who is looking must enter it.
        """

    @abstractmethod
    def told(self, state: State, action: Json, detail: bytes, recording: bytes | None) -> Any:
        """What is told of a computed outcome beside its action, JSON-able; the recording only when it is new."""

    # Bots.

    @abstractmethod
    def seen(self, state: State, last: bytes | None) -> Any:
        """What a bot must know beside its view; None if it is nothing."""

    @abstractmethod
    def choose(self, level: str, view: Json, seen: Any, rng: np.random.Generator) -> tuple[int, Json | None]:
        """The action of a bot of that level or name, and its extra data."""

    # Records.

    @abstractmethod
    def recorded(self, mode: str, steps: Iterable[Step]) -> Json:
        """What a record's `fair` tells of the outcomes of a game, action by action."""

    @abstractmethod
    def mode_of(self, fair: Mapping[str, Any]) -> str:
        """The mode that a record was played in; NotFair if it names one that does not exist."""

    @abstractmethod
    def outcomes_of(self, fair: Mapping[str, Any]) -> list[Step]:
        """What a record tells of each computed outcome, and of the action before it; NotFair if it cannot be read."""

    @abstractmethod
    def verify(self, fair: Mapping[str, Any], draws: Sequence[Draw], compute: Compute) -> str:
        """Compute a record's outcomes again; a sentence about what could not be checked. NotFair: they differ."""
