"""The consequences of an action in Stonehenge, for the story of a game: lines claimed, druids revealed."""

from typing import Any

from archipel.core.state import State

from .board import CELLS, LINES


def brought(before: State, action: int, after: State) -> dict[str, Any] | None:
    """The public consequences, or None if there are none.

    `claimed` lists line and seat of each new megalith; `revealed` cell, seat and value of the face-down druids that
    were turned up.
    """
    s, then = before.plain, after.plain
    claimed = [[line, int(now)] for line, was, now in zip(LINES, s.owner, then.owner, strict=True) if was < 0 <= now]
    happened = {"claimed": claimed, "revealed": _revealed(before, after)}
    return {key: value for key, value in happened.items() if value} or None


def _revealed(before: State, after: State) -> list[list[Any]]:
    """Druids that were face down before, and no longer are."""
    if not before.game.options["hidden"]:
        return []
    new = after.plain.revealed & ~before.plain.revealed
    druids = after.snapshot()["cells"]
    return [[cell, *druids[cell]] for place, cell in enumerate(CELLS) if new >> place & 1]
