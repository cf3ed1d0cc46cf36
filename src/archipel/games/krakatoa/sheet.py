"""What the players write down of a throw: one box of the score sheet."""

from typing import Any

from archipel.core.plain import Plain
from archipel.core.rules import Record
from archipel.core.state import State

from .board import QUAKE
from .rules import DECIDE, KEEP, LAND, eruption, rumble, show, side_of

MARKS = ("", "x", "xx")
"""A mark doubles a throw, two make it count four times."""


def box(before: State, action: int, after: State) -> dict[str, Any] | None:
    """The box that an action fills: whose it is, the mark that stood in it, and what the throw was worth.

    `quake`, `rumble` and `eruption` are the marks that it earned for the throws to come. None: nothing is written.
    """
    s, facts = before.plain, before.game.facts[0]
    if not _is_written(s, action):
        return None
    seat = s.order[s.turn]
    side = int(side_of(facts, seat))
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
        **_earned(_shown(before, action), total, points > 0, bool(facts.advanced and touched)),
    }


def _is_written(s: Plain, action: int) -> bool:
    """A first throw stands once it is kept, or was thrown again; every other throw as it lands."""
    return bool(action == KEEP if s.phase == DECIDE else s.phase == LAND and (s.throw_no > 1 or s.rerolled))


def _shown(before: State, action: int) -> Record:
    """The dice as they count."""
    dice = before.record
    if before.plain.phase == LAND:
        show(dice, action >> 1 if before.plain.aim >= 0 else action)
    return dice


def _earned(dice: Record, total: int, changed: bool, counts: bool) -> dict[str, str]:
    quake = QUAKE[total % 100] if changed else 0
    earned = {"quake": quake, "rumble": rumble(dice), "eruption": eruption(dice)}
    return {name: MARKS[marks] if counts else "" for name, marks in earned.items()}
