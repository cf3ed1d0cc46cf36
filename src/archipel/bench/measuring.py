"""Measurements: rows for a table, and races in which all take turns on one core."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ROUNDS = 3
"""How often everything is measured; the best counts, because other processes use the machine too."""


@dataclass(frozen=True)
class Target:
    """A target for a number: a minimum or a maximum, absolute or relative to another library's."""

    limit: float
    most: bool = False
    ratio: bool = False

    def met(self, row: "Row") -> bool | None:
        """True if the target is met; None if there is nothing to compare with."""
        value = row.ratio if self.ratio else row.ours
        if value is None:
            return None
        return value <= self.limit if self.most else value >= self.limit


@dataclass(frozen=True)
class Row:
    """One number, and the number of another library; `part` says what is measured and in which unit, `what` whose."""

    part: str
    what: str
    ours: float
    beside: str = ""
    theirs: float | None = None
    target: Target | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.target.met(self)


class Step(NamedTuple):
    """One measurement: its description, and the function that runs it."""

    title: str
    rows: Callable[[], list[Row]]


@dataclass(frozen=True)
class Effort:
    """How much to measure: CPU seconds per runner of a race, rounds, states to keep, compilations."""

    seconds: float = 0.5
    rounds: int = ROUNDS
    states: int = 200_000
    compiles: int = ROUNDS
    patient: bool = True
    """Whether to include measurements of others that take minutes."""


QUICK = Effort(seconds=0.05, states=20_000, compiles=0, patient=False)


@dataclass(frozen=True)
class Played:
    """Games that were played: their actions and CPU seconds, and what seat 0 won."""

    games: int
    actions: int
    seconds: float
    wins: float = 0.0

    @property
    def games_a_second(self) -> float:
        return self.games / self.seconds

    @property
    def actions_a_second(self) -> float:
        return self.actions / self.seconds

    @property
    def actions_a_game(self) -> float:
        return self.actions / self.games

    @property
    def wins_a_game(self) -> float:
        return self.wins / self.games


Runner = Callable[[int, int], Played]
"""Plays this number of games with a seed."""


def race(runners: Sequence[Runner], effort: Effort) -> list[Played]:
    """The best round of each runner; they take turns, so that a busy moment of the machine affects them all."""
    games = [enough(runner, effort.seconds) for runner in runners]
    rounds = [
        [runner(count, seed) for runner, count in zip(runners, games, strict=True)]
        for seed in range(1, effort.rounds + 1)
    ]
    return [max(own, key=lambda played: played.actions_a_second) for own in zip(*rounds, strict=True)]


def enough(runner: Runner, seconds: float) -> int:
    """How many games a runner plays in this time. The first is not counted: something may be compiled."""
    runner(1, 0)
    for games in _powers():
        played = runner(games, 0)
        if played.seconds > seconds / 8:
            return max(1, math.ceil(games * seconds / played.seconds))
    raise AssertionError


def _powers() -> Iterator[int]:
    games = 1
    while True:
        yield games
        games *= 4
