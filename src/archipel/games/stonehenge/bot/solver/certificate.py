"""Check a certificate that a seat wins a Stonehenge position, with the public engine.

This shares no code with the solver. It follows the certificate's moves for the winner and every reply of the opponent;
where few cells are empty, it tries every move of both. Positions that differ only by a symmetry of the board, or in the
owner of a closed line's megalith, are tried once.

    python -m archipel.games.stonehenge.bot.solver.certificate FILE
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel import State
from archipel.games.stonehenge.board import CELLS, LINES

from .trial import Trial, alike

Wins = Callable[[State], bool]
"""A function that tells whether the mover of a state wins."""


class Checker:
    """Checks everything that a certificate claims."""

    def __init__(self, certificate: Any) -> None:
        for field in ("position", "winner", "few", "moves"):
            if not isinstance(certificate, dict) or field not in certificate:
                raise ValueError(f"This is no certificate: it has no {field!r}.")
        position = certificate["position"]
        game = archipel.game("stonehenge", **position["options"])
        self.root = game.restore(position)
        self.winner: int = certificate["winner"]
        self.few: int = certificate["few"]
        self._moves: dict[str, str] = certificate["moves"]
        self._fine: set[str] = set()
        self._ends: dict[str, State] = {}

    @property
    def followed(self) -> int:
        """In how many positions the moves have been followed."""
        return len(self._fine)

    def check(self) -> None:
        """ValueError at the first position where the certificate does not hold."""
        trial = Trial()
        for state in self.ends():
            self.try_out(state, trial.wins)

    def ends(self) -> list[State]:
        """The positions to which the moves lead, and from which everything must be tried; ValueError if a move is
        missing."""
        self._follow(self.root)
        return list(self._ends.values())

    def parts(self) -> int:
        """The number of parts in which the certificate can be checked: one for each answer to its first move."""
        return len(self._answers())

    def part(self, number: int) -> dict[str, State]:
        """The positions to which the moves lead after one of the answers, by a form that is equal where they are tried
        once; ValueError if a move is missing."""
        self._ends.clear()
        self._follow(self._answers()[number])
        return dict(self._ends)

    def _answers(self) -> list[State]:
        first = self.root.after(self._move(self.root)) if self.root.mover == self.winner else self.root
        return [first.after(action) for action in first.actions()]

    def try_out(self, state: State, wins: Wins) -> None:
        """ValueError if the winner does not win here."""
        if wins(state) != (state.mover == self.winner):
            raise self._lost(state)

    def mark(self, state: State) -> int:
        """A number for such a position in this certificate, to remember what has been tried."""
        digest = sha256(_same(state) + bytes([self.winner])).digest()
        return int.from_bytes(digest[:8], "little") >> 2 << 1

    def _follow(self, state: State) -> None:
        exact = state._raw.tobytes().hex()
        if exact in self._fine:
            return
        if state.mover == archipel.OVER:
            if state.winner != self.winner:
                raise self._lost(state)
        elif _empty(state) <= self.few:
            self._ends.setdefault(_same(state).hex(), state)
        elif state.mover == self.winner:
            self._follow(state.after(self._move(state)))
        else:
            for action in state.actions():
                self._follow(state.after(action))
        self._fine.add(exact)

    def _move(self, state: State) -> int:
        written = _written(state)
        if written not in self._moves:
            raise ValueError(f"The certificate has no move for seat {self.winner} at {written}.")
        return state.parse(self._moves[written])

    def _lost(self, state: State) -> ValueError:
        return ValueError(f"Seat {self.winner} does not win after {_written(state)}.")


def _empty(state: State) -> int:
    return int(state.plain.free).bit_count()


def _written(state: State) -> str:
    cells = state.snapshot()["cells"]
    return " ".join(f"{cell}{seat}{value}" for cell, (seat, value) in sorted(cells.items()))


def _same(state: State) -> bytes:
    """A canonical form, equal for all positions that are tried once."""
    out = np.zeros(len(LINES) + len(CELLS) + 6, np.uint8)
    alike(state.game.facts, state._raw, *_symmetries(), out)
    return out.tobytes()


@cache
def _symmetries() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The symmetries of the board: where each cell comes from, and where each line."""
    lines = [frozenset(line) for line in LINES]
    cells, moved = [], []
    for images in _laid(""):
        laid = [frozenset(images[CELLS.index(cell)] for cell in line) for line in LINES]
        if set(laid) == set(lines):
            cells.append([CELLS.index(cell) for cell in images])
            moved.append([lines.index(line) for line in laid])
    return np.array(cells), np.array(moved)


def _laid(images: str) -> Iterator[str]:
    """Orders of the cells in which exactly the cells on a common line stay on one."""
    if len(images) == len(CELLS):
        yield images
        return
    for cell in CELLS:
        fits = all(_together(CELLS[len(images)], CELLS[i]) == _together(cell, images[i]) for i in range(len(images)))
        if cell not in images and fits:
            yield from _laid(images + cell)


@cache
def _together(cell: str, other: str) -> bool:
    return any(cell in line and other in line for line in LINES)


def main(path: str) -> None:
    """Check one file and print the result."""
    checker = Checker(json.loads(Path(path).read_text("utf-8")))
    checker.check()
    print(f"The certificate holds: seat {checker.winner} wins.")


if __name__ == "__main__":
    main(sys.argv[1])
