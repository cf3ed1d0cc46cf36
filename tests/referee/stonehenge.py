"""Stonehenge by the tests' own second reading of the rules: plain Python, written from the rulebook's sentences."""

from fractions import Fraction

from . import OVER, Json, returns

CELLS = "ABCDEFGHIJKLMNOPQR"
ROWS = ["AB", "CDE", "FGHI", "JKLMN", "OPQR"]
FALLING = ["ACFJ", "BDGKO", "EHLP", "IMQ", "NR"]
RISING = ["BEIN", "ADHMR", "CGLQ", "FKP", "JO"]
LINES = ROWS + FALLING + RISING
DRUIDS = [1, 1, 2, 2, 3, 3, 4, 5, 6]
MEGALITHS = 8


class Referee:
    """One game of Stonehenge."""

    def __init__(self, hidden: bool = False, claims: str = "auto") -> None:
        assert not (hidden and claims == "manual")
        self.hidden = hidden
        self.manual = claims == "manual"
        self.turn = 0
        self.has_placed = False
        self.placements: list[tuple[int, int, str]] = []  # seat, value, cell, in the order of play
        self.hands = [list(DRUIDS), list(DRUIDS)]
        self.megaliths: dict[str, int] = {}
        self.winner: int | None = None

    @property
    def mover(self) -> int:
        return self.turn if self.winner is None else OVER

    # What lies on the board

    def taken(self) -> dict[str, tuple[int, int]]:
        return {cell: (seat, value) for seat, value, cell in self.placements}

    def free_cells(self, line: str = CELLS) -> list[str]:
        taken = self.taken()
        return [cell for cell in line if cell not in taken]

    def total(self, line: str, seat: int) -> int:
        return sum(value for owner, value, cell in self.placements if owner == seat and cell in line)

    def last_on(self, line: str) -> int:
        return [seat for seat, _, cell in self.placements if cell in line][-1]

    def dominates(self, seat: int, line: str) -> bool:
        opponent = 1 - seat
        mine, his = self.total(line, seat), self.total(line, opponent)
        free = len(self.free_cells(line))
        if free == 0:
            return mine > his or (mine == his and self.last_on(line) == opponent)
        if self.hidden:
            return False
        best = sorted(self.hands[opponent], reverse=True)[:free]
        return mine >= his + sum(best)

    def claimable(self, seat: int) -> list[str]:
        return [line for line in LINES if line not in self.megaliths and self.dominates(seat, line)]

    # Actions

    def legal(self) -> list[Json]:
        if self.winner is not None:
            return []
        actions: list[Json] = []
        if not self.has_placed:
            for druid in sorted(set(self.hands[self.turn])):
                actions += [{"do": "place", "druid": druid, "cell": cell} for cell in self.free_cells()]
        if self.manual:
            claimable = self.claimable(self.turn)
            actions += [{"do": "claim", "line": line} for line in claimable]
            full = not self.free_cells()
            if (self.has_placed or full) and not (full and claimable):
                actions.append({"do": "done"})
        return actions

    def chances(self) -> list[tuple[Json, Fraction]]:
        return []

    def play(self, action: Json) -> None:
        if action["do"] == "place":
            self.place(action["druid"], action["cell"])
        elif action["do"] == "claim":
            self.claim(self.turn, action["line"])
        else:
            self.turn = 1 - self.turn
            self.has_placed = False

    def place(self, druid: int, cell: str) -> None:
        self.hands[self.turn].remove(druid)
        self.placements.append((self.turn, druid, cell))
        if self.manual:
            self.has_placed = True
            return
        for seat in (self.turn, 1 - self.turn):
            for line in self.claimable(seat):
                if self.winner is None:
                    self.claim(seat, line)
        self.turn = 1 - self.turn

    def claim(self, seat: int, line: str) -> None:
        self.megaliths[line] = seat
        if self.scores()[seat] == MEGALITHS:
            self.winner = seat

    # What can be seen

    def scores(self) -> list[int]:
        owners = list(self.megaliths.values())
        return [owners.count(0), owners.count(1)]

    def revealed(self) -> list[str]:
        return sorted({cell for line in LINES if not self.free_cells(line) for cell in line})

    def snapshot(self) -> Json:
        snapshot: Json = {
            "mover": self.mover,
            "cells": {cell: [seat, value] for cell, (seat, value) in self.taken().items()},
            "hands": [sorted(hand) for hand in self.hands],
            "megaliths": dict(self.megaliths),
            "scores": self.scores(),
            "winner": self.winner,
        }
        if self.hidden:
            snapshot["revealed"] = self.revealed()
        return snapshot

    def returns(self) -> list[Fraction]:
        return returns(self.winner, 2)

    def seen(self, seat: int) -> Json:
        """What a seat may know: the opponent's face-down druids and hand only as a heap and as numbers of pieces."""
        if not self.hidden:
            return {"cells": self.snapshot()["cells"], "hands": self.snapshot()["hands"]}
        opponent = 1 - seat
        revealed = self.revealed()
        known = {cell: [s, v] for cell, (s, v) in self.taken().items() if s == seat or cell in revealed}
        face_down = sorted(cell for cell in self.taken() if cell not in known)
        unknown = list(self.hands[opponent]) + [self.taken()[cell][1] for cell in face_down]
        return {
            "known": known,
            "face_down": face_down,
            "hand": sorted(self.hands[seat]),
            "opponent_hand": len(self.hands[opponent]),
            "opponent_unknown": sorted(unknown),
        }
