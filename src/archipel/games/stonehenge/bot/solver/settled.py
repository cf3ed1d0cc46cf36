"""The proof of the empty board: a small file with the first move and its replies, and one with the positions below
them.

Each solved reply of seat 1 to the first move has its winner and, if seat 0 wins, the move that does it and the work to
find it.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import archipel
from archipel.core.state import State

from .ledger import Ledger
from .solve import Solution, empty_cells, name_of

FILE = Path(__file__).with_name("settled.json")
PROVED = Path(__file__).with_name("proved.bin")
"""The proved positions, as a ledger's file: those with seat 1 to place, and those that seat 1 wins. The others, most of
them with twelve empty cells, are soon solved again."""


@dataclass
class Settled:
    """A first move of seat 0, and the replies whose winner is known."""

    first: str
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path = FILE) -> "Settled":
        data = json.loads(path.read_text("utf-8"))
        return cls(data["first"], data["answers"])

    def save(self, path: Path = FILE) -> None:
        """Write the file atomically, one reply per line."""
        lines = ",\n".join(f"  {json.dumps(a)}: {json.dumps(found)}" for a, found in sorted(self.answers.items()))
        new = path.with_suffix(".new")
        new.write_text(f'{{\n "first": {json.dumps(self.first)},\n "answers": {{\n{lines}\n }}\n}}\n', "utf-8")
        new.replace(path)

    def after_first(self) -> State:
        return moved(archipel.game("stonehenge").new(), self.first)

    def teach(self, ledger: Ledger) -> None:
        """Add every solved reply, and everything proved below the replies, to the ledger."""
        ledger.learn(PROVED)
        state = self.after_first()
        for answer, found in self.answers.items():
            ledger.believe(name_of(moved(state, answer)), found["winner"])


def known(state: State) -> Solution | None:
    """What the proof says about a position: the empty board, or a winning move after a reply; None if nothing."""
    settled = Settled.load()
    first = settled.after_first()
    if state.game != first.game or empty_cells(state) < empty_cells(first) - 1:
        return None
    if state == state.game.new():
        names = {name_of(moved(first, answer)) for answer, found in settled.answers.items() if found["winner"] == 0}
        whole = all(name_of(after) in names for _, after in answers(first))
        return Solution(0, state.parse(settled.first), 0) if whole else None
    for answer, found in settled.answers.items():
        if "reply" in found and state == moved(first, answer):
            return Solution(found["winner"], state.parse(found["reply"]), 0)
    return None


def moved(state: State, *moves: str) -> State:
    """The position after moves in notation."""
    for move in moves:
        state = state.after(state.parse(move))
    return state


def answers(state: State, first: str | None = None) -> list[tuple[int, State]]:
    """The actions that are not equivalent, with their positions: a preferred one first, then in the board's order."""
    actions = state.actions()
    if first is not None:
        actions.insert(0, state.parse(first))
    by_name: dict[int, tuple[int, State]] = {}
    for action in actions:
        after = state.after(action)
        by_name.setdefault(name_of(after), (action, after))
    return list(by_name.values())


def large(state: State) -> bool:
    """True if the position is better proved reply by reply."""
    return empty_cells(state) > 16
