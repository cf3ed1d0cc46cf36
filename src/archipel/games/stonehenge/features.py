"""A view of Stonehenge as a row of numbers."""

from archipel.core.features import Part, by_name, by_seat, each, flag, mover, number, one_of, pile, row, seat, some_of

from .board import CELLS, COPIES, LINES, MEGALITHS, VALUES
from .game import Stonehenge


def layout(game: Stonehenge) -> Part:
    """Cell by cell and line by line; a face-down druid has an owner and no value."""
    parts = {
        "seat": one_of(0, 1),
        "mover": mover(2),
        "scores": by_seat(2, number(MEGALITHS)),
        "winner": seat(2),
        "cells": by_name(CELLS, each(seat(2), one_of(*VALUES))),
        "hands": by_seat(2, pile(VALUES, most=max(COPIES), size=sum(COPIES))),
        "megaliths": by_name(LINES, seat(2)),
        "last": by_name(LINES, seat(2)),
    }
    if game.options["hidden"]:
        parts["revealed"] = some_of(CELLS)
    if game.options["claims"] == "manual":
        parts["placed"] = flag()
    return row(**parts)
