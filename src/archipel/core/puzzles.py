"""Puzzles: positions with one best answer, which a game brings in its package.

A game's manifest names a `PuzzleMaker`. Its puzzles are in the file `puzzles.jsonl.gz` of the game's package, one JSON
object per line. A puzzle is a history of actions and chance outcomes from the start of a game, and every sequence of
actions that solves it, so nothing but the rules is needed to show a puzzle and to judge an answer.
"""

import gzip
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from . import registry
from .errors import quoted, sentence
from .state import State

FILE = "puzzles.jsonl.gz"
FIRST_DAY = date(2026, 1, 1)
"""The day of puzzle number 1 of every game."""
EASIEST, HARDEST = 600, 2600
GRADES = (1000, 1300, 1600, 1900)
"""The ratings at which the next grade begins: grade 1 is below the first."""
NO_REPLY = -1


class Puzzle(NamedTuple):
    """A position, and what solves it."""

    moves: tuple[int, ...]
    """The actions and chance outcomes that lead to the position."""
    answers: tuple[tuple[int, ...], ...]
    """Each sequence of actions that solves the puzzle; all other play is wrong."""
    depth: int
    """How many actions ahead the solution looks."""
    rivals: int
    """How many other actions look at least as good."""
    line: tuple[int, ...] = ()
    """Best play after the first answer."""
    values: tuple[tuple[int, float], ...] = ()
    """What each action of the position is worth, where that is a number."""
    options: Mapping[str, Any] = {}
    """The options of the game that differ from their defaults."""
    replies: tuple[int, ...] = ()
    """An opponent's reply to each legal action, in order, that shows why it is wrong; NO_REPLY where there is none."""
    rated: int = 0
    """The rating, where depth and rivals do not tell how hard the puzzle is."""

    @property
    def rating(self) -> int:
        """How hard the puzzle is, on the scale of a player's rating."""
        return max(EASIEST, min(HARDEST, self.rated or 600 + 90 * self.depth + 60 * self.rivals))

    @property
    def grade(self) -> int:
        """How hard the puzzle is, from 1 to 5."""
        return 1 + sum(self.rating >= rating for rating in GRADES)

    def state(self, game: str) -> State:
        """Replay the moves and return the position; ValueError if the rules do not allow them."""
        state = registry.game(game, **self.options).new()
        for move in self.moves:
            state = state.after(move)
        return state

    def to_json(self) -> dict[str, Any]:
        """The puzzle for one line of a file: fields that have their default are left out."""
        usual = self._field_defaults
        return {key: value for key, value in self._asdict().items() if key not in usual or value != usual[key]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Puzzle":
        return cls(
            tuple(data["moves"]),
            tuple(tuple(answer) for answer in data["answers"]),
            data["depth"],
            data["rivals"],
            tuple(data.get("line", ())),
            tuple((action, value) for action, value in data.get("values", ())),
            data.get("options", {}),
            tuple(data.get("replies", ())),
            data.get("rated", 0),
        )


class PuzzleMaker(ABC):
    """Makes a game's puzzles, and checks them."""

    question: ClassVar[str]
    """What a puzzle asks, as one English sentence."""
    whole_turn: ClassVar[bool] = False
    """True if a puzzle asks for all actions of a turn, not only for the first."""

    @abstractmethod
    def make(self, seed: int, number: int) -> Puzzle | None:
        """Play a game from this seed and attempt; return a puzzle from it, or None if there is none."""

    @abstractmethod
    def check(self, puzzle: Puzzle) -> None:
        """ValueError unless the puzzle's answers are right, and no others; shares no code with what found them."""

    def offered(self, state: State) -> list[int]:
        """The actions that a puzzle lets people try in a position."""
        return state.actions()

    def key(self, puzzle: Puzzle) -> Any:
        """Equal for puzzles that are the same to a player."""
        return puzzle.moves


def maker(game: str) -> PuzzleMaker:
    """The puzzle maker of a game; ValueError if the game has none."""
    found: PuzzleMaker | None = registry.manifest(game).part("puzzles")
    if found is None:
        raise ValueError(sentence("{game} has no puzzles.", game=registry.kind(game).title))
    return found


def games() -> list[str]:
    """The games that bring puzzles with them."""
    return [name for name in registry.names() if registry.manifest(name).puzzles and shipped(name).is_file()]


def shipped(game: str) -> Any:
    """The file of puzzles in the game's package."""
    return registry.manifest(game).file(FILE)


@cache
def load(game: str) -> tuple[Puzzle, ...]:
    """All puzzles of a game, in order; ValueError if it has none."""
    maker(game)
    file = shipped(game)
    if not file.is_file():
        raise ValueError(sentence("{game} has no puzzles.", game=registry.kind(game).title))
    return read(file.read_bytes())


def read(packed: bytes) -> tuple[Puzzle, ...]:
    """The puzzles of a file."""
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return tuple(Puzzle.from_json(json.loads(line)) for line in lines)


def write(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles atomically: equal puzzles make equal files."""
    lines = "".join(json.dumps(puzzle.to_json(), separators=(",", ":")) + "\n" for puzzle in puzzles)
    new = path.with_suffix(".new")
    new.write_bytes(gzip.compress(lines.encode("utf-8"), mtime=0))
    new.replace(path)


def puzzle(game: str, number: int) -> Puzzle:
    """A puzzle by its number, from 1; ValueError if there is no such puzzle."""
    found = load(game)
    if not 1 <= number <= len(found):
        title, last = registry.kind(game).title, len(found)
        raise ValueError(
            sentence("{game} has puzzles 1 to {last}, not {number}.", game=title, last=last, number=quoted(number))
        )
    return found[number - 1]


def daily(game: str, day: date) -> int:
    """The number of the puzzle of a day: the next one each day, from the start again after the last."""
    return (day - FIRST_DAY).days % len(load(game)) + 1
