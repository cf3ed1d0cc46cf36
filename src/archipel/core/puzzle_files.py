"""Puzzles as small JSON files for pages, with every position that somebody who tries can reach: a page needs no rules.

`index.json` lists the games, `GAME/ratings.json` has the rating of every puzzle, and `GAME/N.json` has the puzzles from
`N * CHUNK + 1` on. A server answers with `content`; `static` gives the files of a static house.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from . import puzzles, registry
from .puzzles import NO_REPLY, Puzzle
from .rules import CHANCE
from .state import State

CHUNK = 10
"""The number of puzzles in one file."""
NOWHERE = -1
"""An action after which nothing is shown."""


def content(path: str) -> bytes | None:
    """The file of that path, such as `stonehenge/3.json`; None if there is no such file."""
    if path == "index.json":
        return _packed(index())
    game, _, file = path.partition("/")
    if game not in puzzles.games():
        return None
    if file == "ratings.json":
        return _packed([puzzle.rating for puzzle in puzzles.load(game)])
    number = file.removesuffix(".json")
    if file == f"{number}.json" and number.isascii() and number.isdigit() and len(number) < 6:
        return _packed(found) if (found := chunk(game, int(number))) else None
    return None


def static(first: date, days: int) -> Iterator[tuple[str, bytes]]:
    """The files of a static house by their paths: those with the puzzles of some days, for all of them take 130 MB."""
    wanted = {
        game: sorted({(puzzles.daily(game, first + timedelta(n)) - 1) // CHUNK for n in range(days)})
        for game in puzzles.games()
    }
    yield "index.json", _packed(index() | {"files": wanted})
    for game, numbers in wanted.items():
        for path in (f"{game}/ratings.json", *(f"{game}/{number}.json" for number in numbers)):
            yield path, content(path) or b""


def index() -> dict[str, Any]:
    """The games with the numbers of their puzzles, and what the ratings and dates of puzzles mean."""
    return {
        "first": puzzles.FIRST_DAY.isoformat(),
        "grades": puzzles.GRADES,
        "chunk": CHUNK,
        "games": {game: len(puzzles.load(game)) for game in puzzles.games()},
    }


def chunk(game: str, number: int) -> dict[str, Any] | None:
    """Some puzzles with the names of their actions; None if there is no such chunk."""
    some = puzzles.load(game)[number * CHUNK : (number + 1) * CHUNK]
    names: dict[int, Any] = {}
    return {"puzzles": [shown(game, puzzle, names) for puzzle in some], "actions": names} if some else None


def shown(game: str, puzzle: Puzzle, names: dict[int, Any]) -> dict[str, Any]:
    """A puzzle as a page gets it; the names of its actions are added to `names`."""
    state = puzzle.state(game)
    return {
        "rating": puzzle.rating,
        "depth": puzzle.depth,
        "view": state.game.unaided(state.view(state.mover)),
        "recent": _recent(game, puzzle, state.mover),
        "answers": puzzle.answers,
        "line": puzzle.line,
        "values": puzzle.values,
        "positions": _positions(game, puzzle, state, names),
    }


class _Positions:
    """The positions that a puzzle shows: how each view differs from the first, and where actions lead."""

    def __init__(self, state: State, names: dict[int, Any]) -> None:
        self._seat = state.mover
        self._names = names
        self._first = self._view(state)
        self._numbers: dict[str, int] = {}
        self.found: list[dict[str, Any]] = []
        self.number(state)

    def number(self, state: State) -> int:
        """The number of a position; a new one is added."""
        view = self._view(state)
        number = self._numbers.setdefault(json.dumps(view), len(self.found))
        if number == len(self.found):
            self.found.append({"view": difference(self._first, view), "to": {}})
        return number

    def play(self, state: State, action: int) -> State:
        """Note an action and the position that it leads to, which is returned."""
        self._names[action] = [state.decode(action), state.notation(action)]
        after = state.after(action)
        shown = NOWHERE if after.mover == CHANCE else self.number(after)
        self.found[self.number(state)]["to"][action] = shown
        return after

    def play_turn(self, state: State, offered: Callable[[State], list[int]]) -> None:
        """Note everything that can be done in a turn."""
        known = len(self.found)
        for action in offered(state):
            after = self.play(state, action)
            if len(self.found) > known and after.mover == self._seat:
                self.play_turn(after, offered)
            known = len(self.found)

    def _view(self, state: State) -> dict[str, Any]:
        return state.game.unaided(state.view(self._seat))


def _positions(game: str, puzzle: Puzzle, state: State, names: dict[int, Any]) -> list[dict[str, Any]]:
    """All positions of a puzzle: what can be done, what refutes it, and best play after the right answer."""
    maker, noted = puzzles.maker(game), _Positions(state, names)
    if maker.whole_turn:
        noted.play_turn(state, maker.offered)
        return noted.found
    replies = dict(zip(state.actions(), puzzle.replies, strict=False))
    for action in maker.offered(state):
        after = noted.play(state, action)
        if (reply := replies.get(action, NO_REPLY)) != NO_REPLY:
            noted.play(after, reply)
    if puzzle.line:
        after = state.after(puzzle.answers[0][0])
        for action in puzzle.line:
            after = noted.play(after, action)
    return noted.found


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What to change in `old` to make it `new`, key by key: objects are merged, `{"=": value}` replaces an object."""
    changed: dict[str, Any] = {}
    for key, value in new.items():
        before = old.get(key)
        if value == before and key in old:
            continue
        if not isinstance(value, dict):
            changed[key] = value
        elif isinstance(before, dict) and before.keys() <= value.keys():
            changed[key] = difference(before, value)
        else:
            changed[key] = {"=": value}
    return changed


def _recent(game: str, puzzle: Puzzle, seat: int) -> list[Any]:
    """What was done since the seat last acted, oldest first."""
    state, done = registry.game(game, **puzzle.options).new(), list[Any]()
    for move in puzzle.moves:
        done = [] if state.mover == seat else [*done, state.decode(move)]
        state = state.after(move)
    return done


def _packed(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
