"""Write a proof as a certificate: the winner's strategy, which anyone can check.

A certificate has the winner's move in every position that can arise while the winner follows it, down to positions with
so few empty cells that exhaustive search is enough.
"""

from typing import Any

from archipel.core.rules import OVER
from archipel.core.state import State

from .proof import Proof
from .solve import empty_cells

VERSION = 1
FEW = 10
"""Positions with this many empty cells need no move in a certificate."""


class Strategy:
    """The moves of a position's winner, found with the proved positions."""

    def __init__(self, proof: Proof, few: int = FEW) -> None:
        self._proof = proof
        self._few = few
        self._moves: dict[str, str] = {}

    def certificate(self, state: State, winner: int) -> dict[str, Any]:
        """Everything needed to check that the seat wins the position."""
        self._moves.clear()
        self._follow(state, winner)
        return {
            "certificate": VERSION,
            "position": state.snapshot(),
            "winner": winner,
            "few": self._few,
            "moves": dict(sorted(self._moves.items())),
        }

    def _follow(self, state: State, winner: int) -> None:
        if state.mover == OVER or empty_cells(state) <= self._few:
            return
        if state.mover != winner:
            for action in state.actions():
                self._follow(state.after(action), winner)
            return
        name = written(state)
        if name not in self._moves:
            action = self._winning(state)
            self._moves[name] = state.notation(action)
            self._follow(state.after(action), winner)

    def _winning(self, state: State) -> int:
        action = self._proof.winning(state)
        if action is None:
            raise ValueError(f"Seat {state.mover} is not proved to win here: {written(state)}.")
        return action


def written(state: State) -> str:
    """The druids on the board, cell by cell: the cell, its owner, its value."""
    cells = state.snapshot()["cells"]
    return " ".join(f"{cell}{seat}{value}" for cell, (seat, value) in sorted(cells.items()))
