"""Checking a certificate that a seat wins a Stonehenge position: plain Python over the public engine.

This shares nothing with the solver. It follows the certificate's moves for the
winner, tries every answer of the foe, and where few cells are empty, every move of both.

    python -m archipel.bots.solver.certificate FILE
"""

import json
import sys
from pathlib import Path
from typing import Any

import archipel
from archipel import State


class Checker:
    """Goes through all that a certificate claims; `checked` counts the positions."""

    def __init__(self, certificate: Any) -> None:
        for field in ("position", "winner", "few", "moves"):
            if not isinstance(certificate, dict) or field not in certificate:
                raise ValueError(f"This is no certificate: it has no {field!r}.")
        position = certificate["position"]
        game = archipel.game("stonehenge", **position["options"])
        self.root = game.restore(position)
        self.winner: int = certificate["winner"]
        self._few: int = certificate["few"]
        self._moves: dict[str, str] = certificate["moves"]
        self._fine: set[State] = set()
        self._wins: dict[State, bool] = {}

    @property
    def checked(self) -> int:
        """How many different positions have been looked at."""
        return len(self._fine) + len(self._wins)

    def check(self) -> None:
        """ValueError at the first position where the certificate does not hold."""
        self._follow(self.root)

    def _follow(self, state: State) -> None:
        if state in self._fine:
            return
        if state.mover == archipel.OVER or self._empty(state) <= self._few:
            if not self._tried(state):
                raise ValueError(f"Seat {self.winner} does not win after {self._written(state)}.")
        elif state.mover == self.winner:
            self._follow(state.after(self._move(state)))
        else:
            for action in state.actions():
                self._follow(state.after(action))
        self._fine.add(state)

    def _move(self, state: State) -> int:
        written = self._written(state)
        if written not in self._moves:
            raise ValueError(f"The certificate has no move for seat {self.winner} at {written}.")
        return state.parse(self._moves[written])

    def _tried(self, state: State) -> bool:
        """Does the seat win? By trying everything."""
        if state.mover == archipel.OVER:
            return state.winner == self.winner
        if state not in self._wins:
            outcomes = (self._tried(state.after(action)) for action in state.actions())
            self._wins[state] = any(outcomes) if state.mover == self.winner else all(outcomes)
        return self._wins[state]

    def _empty(self, state: State) -> int:
        return 18 - len(state.snapshot()["cells"])

    def _written(self, state: State) -> str:
        cells = state.snapshot()["cells"]
        return " ".join(f"{cell}{seat}{value}" for cell, (seat, value) in sorted(cells.items()))


def main(path: str) -> None:
    """Check one file and say so."""
    checker = Checker(json.loads(Path(path).read_text("utf-8")))
    checker.check()
    print(f"The certificate holds: seat {checker.winner} wins. {checker.checked} positions were checked.")


if __name__ == "__main__":
    main(sys.argv[1])
