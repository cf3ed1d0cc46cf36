"""The score sheet: the box that players fill in after a throw."""

from functools import lru_cache
from typing import Any

import numpy as np

from archipel.core.state import State

from .board import FALLS, QUAKE
from .rules import DECIDE, KEEP, LAND, MARKS, STATE, Position, eruption, rumble, show


def box(before: State, action: int, after: State, sides: int) -> dict[str, Any] | None:
    """The box that an action fills: its owner, the mark in it, and the points of the throw.

    `quake`, `rumble` and `eruption` are the marks earned for later throws. None if nothing is written.
    """
    s, options = before.plain, before.game.options
    if not _is_written(s, action):
        return None
    seat = s.order[s.turn]
    side = seat % sides
    total = after.plain.totals[side]
    points = total - s.totals[side]
    touched = s.aim < 0 or action & 1 == 1
    return {
        "side": side,
        "seat": seat,
        "round": s.round_no,
        "throw": s.throw_no,
        "mark": MARKS[s.marks[side][0]],
        "points": points,
        "total": total,
        "touched": touched,
        **_earned(_faces(s, action), total, points > 0, touched and options["game"] == "advanced"),
    }


def _is_written(s: Position, action: int) -> bool:
    """A first throw counts once it is kept or thrown again; every other throw as it lands."""
    return bool(action == KEEP if s.phase == DECIDE else s.phase == LAND and (s.throw_no > 1 or s.rerolled))


def _faces(s: Position, action: int) -> int:
    """The dice that count, as the number of a landing without an aim."""
    if s.phase == LAND:
        return action >> 1 if s.aim >= 0 else action
    return int((s.dice[0] * FALLS + s.dice[1]) * FALLS + s.dice[2])


def _earned(faces: int, total: int, changed: bool, counts: bool) -> dict[str, str]:
    quake = QUAKE[total % 100] if changed else 0
    earned = dict(zip(("quake", "rumble", "eruption"), (quake, *_shown_marks(faces)), strict=True))
    return {name: MARKS[marks] if counts else "" for name, marks in earned.items()}


@lru_cache(FALLS**3)
def _shown_marks(faces: int) -> tuple[int, int]:
    """The marks of a rumble and of an eruption. (Calling a compiled rule with a single record would be slow.)"""
    dice = np.zeros(1, STATE)[0]
    show(dice, faces)
    return int(rumble(dice)), int(eruption(dice))
