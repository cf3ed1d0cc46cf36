"""Stonehenge proved in a page: positions solved slice by slice, and a certificate checked part by part."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import archipel
from archipel.core.state import State

from . import table as tables
from .bot import proved
from .certificate import Checker, Wins
from .hands import Found, winner_of
from .ledger import Ledger
from .proof import Progress, Proof
from .settled import Settled, moved
from .solve import Solver, check, name_of
from .trial import Trial

LEAF = 12
"""Positions with this many empty cells are searched by alpha-beta, a slice at a time."""
MEGABYTES = 64
NAME = 16
"""So many hexadecimal digits of a digest name a position in a page's list."""


@dataclass(eq=False)
class Done:
    """A search that is over: what `concurrent.futures` calls a future."""

    found: Found

    def result(self) -> Found:
        return self.found


class Here:
    """Searches at once, where it is asked, with alpha-beta alone."""

    def __init__(self) -> None:
        self._solver = Solver(tables.new(MEGABYTES))

    def count(self) -> int:
        return 1

    def search(self, state: State, nodes: int) -> Any:
        self._solver.begin(nodes)
        answer = self._solver.wins(state)
        return Done(Found(winner_of(state, answer), self._solver.nodes, []))

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


@cache
def _first() -> str:
    return Settled.load().first


def _known() -> Ledger:
    """Everything that is proved in Archipel, the first move's success included."""
    ledger = proved()
    ledger.believe(name_of(moved(archipel.game("stonehenge").new(), _first())), 0)
    return ledger


class Task:
    """Finds out who wins a position."""

    def __init__(self, moves: str) -> None:
        """Take the moves that lead to the position, in notation; ValueError if they cannot be."""
        state = archipel.game("stonehenge").new()
        for move in moves.split():
            state = state.after(state.parse(move))
        check(state)
        self.state = state
        self._proof = Proof(_known(), Here(), LEAF)

    def steps(self) -> Generator[Progress, None, None]:
        """Search until it is known, with a report after every slice."""
        if self.winner() is None:
            yield from self._proof.prove(self.state)

    def winner(self) -> int | None:
        """The winner, if it is known; for a mover who wins, also by which move: see `move`."""
        if (known := self._proof.known(self.state)) is not None:
            return known
        afters = (self._proof.known(self.state.after(action)) for action in self.state.actions())
        return self.state.mover if self.state.mover in afters else None

    def move(self) -> str | None:
        """A winning move of the mover, in notation, once the winner is known; None if they lose."""
        action = self._proof.winning(self.state) if self.winner() == self.state.mover else None
        return None if action is None else self.state.notation(action)


class Check:
    """Checks a certificate part by part: `quick` with the solver's alpha-beta, else by code that it does not share."""

    def __init__(self, certificate: Any, quick: bool) -> None:
        self._checker = Checker(certificate)
        self._ends: dict[str, State] = {}
        self._wins = _quickly() if quick else Trial().wins

    def parts(self) -> int:
        """The number of parts: one for each answer to the first move."""
        return self._checker.parts()

    def part(self, number: int) -> list[str]:
        """Follow the moves after one of the answers; the names of the positions that must be tried."""
        ends = self._checker.part(number)
        self._ends = {sha256(form.encode()).hexdigest()[:NAME]: state for form, state in ends.items()}
        return list(self._ends)

    def try_out(self, name: str) -> None:
        """Try everything in one of the positions of the part; ValueError if the winner does not win there."""
        self._checker.try_out(self._ends[name], self._wins)


def _quickly() -> Wins:
    solver = Solver(tables.new(MEGABYTES))
    solver.begin()
    return lambda state: bool(solver.wins(state))


PAGE = {
    "Task": Task,
    "Check": Check,
    "certificate": Path(archipel.__file__).parents[2] / "docs" / "stonehenge.certificate.json",
}
"""What a page asks for, and the file that it reads; a wheel carries a copy of the file where the page finds it."""
