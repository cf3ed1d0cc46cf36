"""Who learned something by an action: the boundary that undo does not cross, found from views alone."""

from collections.abc import Iterator

from archipel.core import rules
from archipel.core.errors import IllegalAction
from archipel.core.state import State

WORLDS = 12
"""How many worlds everybody is asked to imagine before he is said to have learned nothing."""


def taught(before: State, action: int, after: State) -> bool:
    """Did anybody see something that could have been otherwise, for all that he knew before?

    Whoever watches is told of an action, not what lies behind it. So in every world that he thinks possible, an
    action of which he would be told the same must be legal, and leave him with the same view.
    """
    if not _hides(before):
        return False
    return any(_surprised(before, action, after, eye) for eye in (*range(before.game.seats), None))


def _hides(state: State) -> bool:
    """Is there anything that an onlooker, who knows least, does not know?"""
    s = state.record
    return state.game.seen(s, None) != state.game.private(s)


def _surprised(before: State, action: int, after: State, eye: int | None) -> bool:
    seen = after.view(eye)
    covered = before.told(action, eye) if before.game.unseen(before, action, eye) else None
    return not all(
        any(_seen_in(world, other, eye) == seen for other in _alike(world, action, covered, eye))
        for world in _worlds(before, eye)
    )


def _alike(world: State, action: int, covered: str | None, eye: int | None) -> list[int]:
    """The actions that may have been taken: the one that was seen, or any that is told alike."""
    if covered is None:
        return [action]
    return [other for other in world.actions() if world.told(other, eye) == covered]


def _seen_in(world: State, action: int, eye: int | None) -> dict[str, object] | None:
    try:
        return world.after(action).view(eye)
    except IllegalAction:
        return None


def _worlds(state: State, eye: int | None) -> Iterator[State]:
    """Worlds that the eye cannot tell from this one, always the same ones."""
    for number in range(1, WORLDS + 1):
        raw = state._raw.copy()
        rules.deal_anew(state.game.facts, raw, -1 if eye is None else eye, number)
        yield State(state.game, raw, state.mover)
