"""Stonehenge's implementation of the contract: options, action names, snapshots, views."""

from collections.abc import Mapping
from typing import Any

from archipel.core import options, reading
from archipel.core.errors import quoted, sentence
from archipel.core.game import Game, Longest
from archipel.core.rules import OVER
from archipel.core.state import State
from archipel.core.vocabulary import Table

from . import picture, story
from .board import CELLS, COPIES, HANDS, LINES, LINES_AT, MEGALITHS, UNIT, VALUES
from .rules import ACTIONS, CLAIM, DONE, N_CELLS, RULES, Position, Setup, dominates

ACTION_NAMES = Table(
    [
        ({"do": "place", "druid": value, "cell": cell}, f"{value}@{cell}")
        for value in VALUES for cell in CELLS
    ]
    + [({"do": "claim", "line": line}, f"claim {line}") for line in LINES]
    + [({"do": "done"}, "done")]
)  # fmt: skip

_HANDS = [[value for value, n in zip(VALUES, hand, strict=True) for _ in range(n)] for hand in HANDS]
"""The druids of each hand, by its number."""


class Stonehenge(Game):
    """Two druids' schools contend for fifteen lines; eight megaliths win."""

    name = "stonehenge"
    title = "Stonehenge"
    OPTIONS = (
        options.flag("hidden", "druids lie face down until a line through them is full"),
        options.choice("claims", ("auto", "manual"), "megaliths are placed at once, or when their owner claims them"),
    )
    marks = picture.MARKS
    rules = RULES
    action_count = ACTIONS

    def set_up(self, facts: Setup) -> int:
        if self.options["hidden"] and self.options["claims"] == "manual":
            raise ValueError("stonehenge: option 'claims' cannot be 'manual' with 'hidden'.")
        facts.hidden = self.options["hidden"]
        facts.manual = self.options["claims"] == "manual"
        return 2

    @property
    def deterministic(self) -> bool:
        return True

    @property
    def perfect_information(self) -> bool:
        return not self.options["hidden"]

    @property
    def longest(self) -> Longest:
        """A druid on every cell; with manual claims also the end of every turn, and a claim for every line."""
        claimed = N_CELLS + len(LINES) if self.options["claims"] == "manual" else 0
        return Longest(N_CELLS + claimed, 0)

    def vocabulary(self, state: State) -> Table:
        return ACTION_NAMES

    def why_not(self, s: Position, action: int) -> tuple[str, str]:
        if action == DONE:
            return self._why_not_done(s)
        if action >= CLAIM:
            return self._why_not_claim(s, action - CLAIM)
        value, cell = VALUES[action // N_CELLS], CELLS[action % N_CELLS]
        if s.placed:
            return "turn", "You have placed your druid for this turn: claim a line or say done."
        if not s.free:
            return "full-board", "The board is full: nobody places any more."
        if s.druid[action % N_CELLS]:
            return "place", sentence("Cell {cell} is taken: choose an empty one.", cell=cell)
        return "druids", sentence("You have no druid of value {value} left.", value=value)

    def _why_not_done(self, s: Position) -> tuple[str, str]:
        if self.options["claims"] == "auto":
            return "claims", "Megaliths are placed for you here: a turn is one druid."
        if not s.free:
            return "full-board", "The board is full: claim every line that is yours first."
        return "turn", "Place a druid before you end your turn."

    def _why_not_claim(self, s: Position, line: int) -> tuple[str, str]:
        if self.options["claims"] == "auto":
            return "claims", "Megaliths are placed for you here: a turn is one druid."
        if s.owner[line] >= 0:
            return "claims", sentence("Line {line} already has a megalith.", line=LINES[line])
        template = "You do not dominate line {line}: your opponent could still beat your sum there."
        return "domination", sentence(template, line=LINES[line])

    def scores(self, s: Position) -> list[int]:
        return list(s.megaliths)

    def public(self, s: Position) -> dict[str, Any]:
        known: dict[str, Any] = {
            "megaliths": _by_line(s.owner),
            "last": {line: seat for line, seat, owner in zip(LINES, s.last, s.owner, strict=True) if seat >= 0 > owner},
        }
        if self.options["hidden"]:
            known["revealed"] = _cells(s.revealed)
        if self.options["claims"] == "manual":
            known["placed"] = bool(s.placed)
        return known

    def private(self, s: Position) -> dict[str, Any]:
        return {"cells": _druids(s, None), "hands": [_hand(s, 0), _hand(s, 1)]}

    def seen(self, s: Position, seat: int | None) -> dict[str, Any]:
        if not self.options["hidden"]:
            return self.private(s)
        hands = [_hand(s, owner) if owner == seat else len(_hand(s, owner)) for owner in (0, 1)]
        up = [cell for cell in range(N_CELLS) if s.revealed >> cell & 1 or _owner(s, cell) == seat]
        return {"cells": _druids(s, up), "hands": hands}

    def fill(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        for name, druid in reading.mapping(reading.field(snapshot, "cells"), "cells").items():
            self._fill_cell(s, name, druid)
        self._fill_hands(s, reading.field(snapshot, "hands"))
        self._fill_turn(s, snapshot)
        self._fill_lines(s, snapshot)
        self._fill_winner(s)
        if self.options["claims"] == "auto" and s.mover != OVER:
            self._check_claimed(s)

    def _fill_cell(self, s: Position, name: str, druid: Any) -> None:
        cell = reading.one_of(name, CELLS, "cells")
        owner, value = reading.items(druid, 2, f"cell {name}")
        owner = reading.whole(owner, 0, 1, f"cell {name}")
        points = reading.whole(value, 1, 6, f"cell {name}") * (1 - 2 * owner)
        s.druid[cell] = points
        s.free &= ~(1 << cell)
        for line in LINES_AT[cell]:
            s.lead[line] += points
            s.room[line] -= 1
            if s.room[line] == 0 and self.options["hidden"]:
                for other in LINES[line]:
                    s.revealed |= 1 << CELLS.index(other)

    def _fill_hands(self, s: Position, hands: Any) -> None:
        for owner, hand in enumerate(reading.items(hands, 2, "hands")):
            druids = reading.items(hand, None, "hands") + [abs(v) for v in s.druid.tolist() if v and (v < 0) == owner]
            for value, copies in zip(VALUES, COPIES, strict=True):
                if druids.count(value) != copies:
                    raise ValueError(
                        f"Seat {owner} must have {copies} druids of value {value} in hand and on the board."
                    )
            s.hand[owner] = sum(int(UNIT[reading.one_of(v, VALUES, "hands")]) for v in hand)

    def _fill_turn(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        druids = s.druid.tolist()
        ahead = sum(druid > 0 for druid in druids) - sum(druid < 0 for druid in druids)
        if ahead not in (0, 1):
            raise ValueError("The seats place in turn: seat 0 has as many druids on the board as seat 1, or one more.")
        s.placed = self.options["claims"] == "manual" and reading.flag(snapshot.get("placed", False), "placed")
        s.mover = 1 - ahead if s.placed else ahead

    def _fill_lines(self, s: Position, snapshot: Mapping[str, Any]) -> None:
        owners = reading.mapping(reading.field(snapshot, "megaliths"), "megaliths")
        last = reading.mapping(snapshot.get("last", {}), "last")
        for line, name in enumerate(LINES):
            if s.room[line] == 0 and s.lead[line] == 0:
                # If tied, the line goes to the player who did not place last; while unclaimed, that must be given.
                loser = 1 - owners[name] if owners.get(name) in (0, 1) else last.get(name, 1 - int(s.mover))
                s.last[line] = reading.whole(loser, 0, 1, "last")
        for name, seat in owners.items():
            line = reading.one_of(name, LINES, "megaliths")
            seat = reading.whole(seat, 0, 1, "megaliths")
            if not dominates(self.facts[0], s, seat, line):
                raise ValueError(f"Seat {seat} has a megalith on {name} but does not dominate it.")
            s.owner[line] = seat
            s.megaliths[seat] += 1

    def _fill_winner(self, s: Position) -> None:
        for seat, megaliths in enumerate(s.megaliths):
            if megaliths > MEGALITHS:
                raise ValueError(f"Seat {seat} has only {MEGALITHS} megaliths.")
            if megaliths == MEGALITHS:
                s.winners = 1 << seat
                s.mover = OVER

    def _check_claimed(self, s: Position) -> None:
        """With automatic claims, no dominated line is without a megalith while the game runs."""
        for line, owner in enumerate(s.owner):
            for seat in (0, 1):
                if owner < 0 and dominates(self.facts[0], s, seat, line):
                    raise ValueError(f"Seat {seat} dominates {LINES[line]} and must have a megalith there.")

    def possible(self, view: Mapping[str, Any]) -> dict[str, Any]:
        if not self.options["hidden"]:
            return {}
        cells = dict(reading.mapping(reading.field(view, "cells"), "cells"))
        hands = list(reading.items(reading.field(view, "hands"), 2, "hands"))
        for owner in (0, 1):
            if owner != view["seat"]:
                hands[owner] = self._guess(owner, cells)
        return {"cells": cells, "hands": hands}

    def _guess(self, owner: int, cells: dict[str, Any]) -> list[int]:
        """Put the opponent's lowest unseen druids on the face-down cells; the rest are in the opponent's hand."""
        pool = [value for value, copies in zip(VALUES, COPIES, strict=True) for _ in range(copies)]
        down = []
        for name, druid in cells.items():
            seat, value = reading.items(druid, 2, f"cell {name}")
            if seat == owner and value is None:
                down.append(name)
            elif seat == owner:
                if value not in pool:
                    raise ValueError(f"Seat {owner} cannot have another druid of value {quoted(value)}.")
                pool.remove(value)
        if len(down) > len(pool):
            raise ValueError(f"Seat {owner} has only {sum(COPIES)} druids.")
        for name in sorted(down):
            cells[name] = [owner, pool.pop(0)]
        return pool

    def unseen(self, state: State, action: int, seat: int | None) -> tuple[str, ...]:
        if not self.options["hidden"] or seat == state.mover or action >= CLAIM:
            return ()
        return () if state.after(action).plain.revealed >> action % N_CELLS & 1 else ("druid",)

    def written(self, before: State, action: int, after: State) -> dict[str, Any] | None:
        return story.brought(before, action, after)

    def text(self, shown: Mapping[str, Any]) -> str:
        return picture.text(shown)

    def svg(self, shown: Mapping[str, Any]) -> str:
        return picture.svg(shown)


def _by_line(seats: Any) -> dict[str, int]:
    return {line: seat for line, seat in zip(LINES, seats, strict=True) if seat >= 0}


def _cells(mask: int) -> list[str]:
    return [cell for i, cell in enumerate(CELLS) if mask >> i & 1]


def _owner(s: Position, cell: int) -> int | None:
    druid = s.druid[cell]
    return None if druid == 0 else int(druid < 0)


def _druids(s: Position, up: list[int] | None) -> dict[str, list[int | None]]:
    """The druids by cell; those that are face down have no value."""
    return {
        CELLS[cell]: [int(druid < 0), abs(druid) if up is None or cell in up else None]
        for cell, druid in enumerate(s.druid)
        if druid
    }


def _hand(s: Position, seat: int) -> list[int]:
    return list(_HANDS[s.hand[seat]])
