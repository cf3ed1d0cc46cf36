"""Who learned something by an action: the boundary that undo does not cross, found from what each can know."""

import numpy as np

from archipel.core import rules
from archipel.core.state import State

from .words import Words

WORLDS = 8
"""How many worlds everybody is asked to imagine before he is said to have learned nothing."""


def taught(words: Words, before: State, action: int, after: State) -> bool:
    """Did anybody see something that could have been otherwise, for all that he knew before?

    Whoever watches is told of an action, not what lies behind it. So in every world that he thinks possible, an
    action of which he would be told the same must be legal, and leave him knowing the same.
    """
    if not _hides(before):
        return False
    # Whoever knows least is the likeliest to learn something, and who acted the least: so it is soon found out.
    seats = sorted(range(before.game.seats), key=lambda seat: seat == before.mover)
    return any(_surprised(words, before, action, after, eye) for eye in (None, *seats))


def _hides(state: State) -> bool:
    """Is there anything that an onlooker, who knows least, does not know?"""
    s = state.plain
    return state.game.seen(s, None) != state.game.private(s)


def _surprised(words: Words, before: State, action: int, after: State, eye: int | None) -> bool:
    unseen = before.game.unseen(before, action, eye)
    alike = np.array(words.alike(before, action, unseen) if unseen else (action,), np.int64)
    seat = -1 if eye is None else eye
    return not rules.foreseen(before.game.facts, before._raw, after._raw, alike, seat, WORLDS)
