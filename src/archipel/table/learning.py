"""Who learned something by an action: the boundary that undo does not cross, found from what each can know."""

from collections.abc import Iterator, Sequence

from archipel.core import rules
from archipel.core.rules import REFUSED, Raw
from archipel.core.state import State

from .words import Words

WORLDS = 8
"""How many worlds everybody is asked to imagine before he is said to have learned nothing."""
_CANON = 4711
"""The seed with which what somebody cannot know is dealt anew to see whether two states look the same to him."""


def taught(words: Words, before: State, action: int, after: State) -> bool:
    """Did anybody see something that could have been otherwise, for all that he knew before?

    Whoever watches is told of an action, not what lies behind it. So in every world that he thinks possible, an
    action of which he would be told the same must be legal, and leave him knowing the same.
    """
    if not _hides(before):
        return False
    return any(_surprised(words, before, action, after, eye) for eye in (*range(before.game.seats), None))


def _hides(state: State) -> bool:
    """Is there anything that an onlooker, who knows least, does not know?"""
    s = state.record
    return state.game.seen(s, None) != state.game.private(s)


def _surprised(words: Words, before: State, action: int, after: State, eye: int | None) -> bool:
    unseen = before.game.unseen(before, action, eye)
    alike = words.alike(before, action, unseen) if unseen else (action,)
    seen = _known(after, after._raw, eye)
    return not all(_expected(before, world, alike, seen, eye) for world in _worlds(before, eye))


def _expected(before: State, world: Raw, alike: Sequence[int], seen: bytes, eye: int | None) -> bool:
    """Might it have gone on like this in that world?"""
    for action in alike:
        raw = world.copy()
        if rules.step(before.game.facts, raw, action) != REFUSED and _known(before, raw, eye) == seen:
            return True
    return False


def _known(state: State, raw: Raw, eye: int | None) -> bytes:
    """A state with all that the eye cannot know dealt anew: the same for states that look the same to it."""
    raw = raw.copy()
    rules.deal_anew(state.game.facts, raw, -1 if eye is None else eye, _CANON)
    return raw.tobytes()


def _worlds(state: State, eye: int | None) -> Iterator[Raw]:
    """Worlds that the eye cannot tell from this one, always the same ones."""
    for number in range(1, WORLDS + 1):
        raw = state._raw.copy()
        rules.deal_anew(state.game.facts, raw, -1 if eye is None else eye, number)
        yield raw
