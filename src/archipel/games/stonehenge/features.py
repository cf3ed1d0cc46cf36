"""A view of Stonehenge as a row of numbers."""

from archipel.core import encoding as told
from archipel.core.compiled import compiled
from archipel.core.encoding import RowOut
from archipel.core.features import Part, by_name, by_seat, each, flag, mover, number, one_of, pile, row, seat, some_of

from .board import CELLS, COPIES, HELD, LINES, MEGALITHS, VALUES
from .game import Stonehenge
from .rules import N_CELLS, N_LINES, Position, Setup

MOST = max(COPIES)
DRUIDS = sum(COPIES)


def layout(game: Stonehenge) -> Part:
    """Cell by cell and line by line; a face-down druid has an owner and no value."""
    parts = {
        "seat": one_of(0, 1),
        "mover": mover(2),
        "scores": by_seat(2, number(MEGALITHS)),
        "winner": seat(2),
        "cells": by_name(CELLS, each(seat(2), one_of(*VALUES))),
        "hands": by_seat(2, pile(VALUES, most=MOST, size=DRUIDS)),
        "megaliths": by_name(LINES, seat(2)),
        "last": by_name(LINES, seat(2)),
    }
    if game.options["hidden"]:
        parts["revealed"] = some_of(CELLS)
    if game.options["claims"] == "manual":
        parts["placed"] = flag()
    return row(**parts)


@compiled
def observe(facts: Setup, s: Position, seat: int, out: RowOut) -> None:
    """The same from the state itself."""
    viewer = max(seat, 0)
    at = told.one_of(out, 0, seat, 2)
    at = told.mover(out, at, s.mover, viewer, 2)
    for k in range(2):
        at = told.number(out, at, s.megaliths[(viewer + k) % 2], MEGALITHS)
    at = told.winners(out, at, s.winners, viewer, 2)
    for cell in range(N_CELLS):
        druid = int(s.druid[cell])
        owner = int(druid < 0) - int(druid == 0)
        at = told.seat(out, at, owner, viewer, 2)
        if facts.hidden and owner != seat and not int(s.revealed) >> cell & 1:
            druid = 0
        at = told.one_of(out, at, abs(druid) - 1, len(VALUES))
    for k in range(2):
        at = hand(facts, s, (viewer + k) % 2, seat, out, at)
    for line in range(N_LINES):
        at = told.seat(out, at, s.owner[line], viewer, 2)
    for line in range(N_LINES):
        at = told.seat(out, at, -1 if s.owner[line] >= 0 else s.last[line], viewer, 2)
    if facts.hidden:
        at = told.some_of(out, at, s.revealed, N_CELLS)
    if facts.manual:
        out[at] = s.placed


@compiled
def hand(facts: Setup, s: Position, owner: int, seat: int, out: RowOut, at: int) -> int:
    """The number of druids of each value, and of all; for a hidden hand only the latter."""
    size = 0
    for value in range(len(VALUES)):
        held = int(HELD[s.hand[owner], value])
        size += held
        if not facts.hidden or owner == seat:
            out[at + value] = held / MOST
    return told.number(out, at + len(VALUES), size, DRUIDS)
