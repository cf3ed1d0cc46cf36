"""Who learns something by an action: the boundary that undo does not cross.

At a table the seat that acted is told whether its action may be undone, so the answer must not depend on anything that
this seat does not know: otherwise it would tell something about an opponent's hand. `taught` is therefore a function of
the seat's own view before and after the action, and nothing else:

- What a spectator, or the seat itself, might have expected follows from that view: a spectator knows least of all.
- What another seat might have expected depends on cards that the acting seat cannot see. It is asked in worlds that are
  dealt from the acting seat's view, never in the real one: if another seat would learn something in any of them, the
  action stands.

That errs on the side of letting an action stand. Worlds are dealt from fixed seeds: states that a seat cannot tell
apart are dealt alike (`rules.redeal`), so they get the same answer.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from . import rules
from .rules import Numbers
from .state import State

WORLDS = 32
"""How many worlds a spectator and the acting seat imagine before they are said to have learned nothing."""
OTHERS = 4
"""In how many worlds of the acting seat every other seat is asked."""
IMAGINED = 32
"""How many worlds every other seat imagines in each of them: what surprises it lies more often in what it cannot see
than in what the acting seat cannot."""
SPECTATOR = -1


def taught(before: State, action: int, after: State) -> bool:
    """True if the action may have taught anybody something, for all that the seat which acted knows.

    Others are told of an action, not what lies behind it. So in every world that they think possible, an action of
    which they would be told the same must be legal, and leave them knowing the same.
    """
    if not _hides(before):
        return False
    mover = before.mover
    if learned(before, action, after, SPECTATOR) or learned(before, action, after, mover):
        return True
    world = _dealt_anew(before, 1)
    return any(
        rules.surprises(before.game.facts, before._raw, action, _alike(world, action, seat), seat, OTHERS, IMAGINED)
        for seat in range(before.game.seats)
        if seat != mover
    )


def learned(before: State, action: int, after: State, seat: int, worlds: int = WORLDS) -> bool:
    """True if the action taught `seat` (or SPECTATOR) something: in one of `worlds` that it thinks possible, no action
    of which it would be told the same leads to what it sees now. True is proof, False is evidence."""
    facts, alike = before.game.facts, _alike(before, action, seat)
    return not rules.foreseen(facts, before._raw, after._raw, alike, seat, worlds)


def _hides(state: State) -> bool:
    """Is there anything that a spectator, who knows least, does not know?"""
    s = state.plain
    return state.game.seen(s, None) != state.game.private(s)


def _dealt_anew(state: State, seed: int) -> State:
    """A world that the mover cannot tell from the state."""
    raw = state._raw.copy()
    rules.deal_anew(state.game.facts, raw, state.mover, seed)
    return State(state.game, raw, state.mover)


def _alike(state: State, action: int, seat: int) -> Numbers:
    """The actions that a seat cannot tell from this one when it is told of it."""
    unseen = state.game.unseen(state, action, None if seat == SPECTATOR else seat)
    vocabulary: Any = state.game.vocabulary(state)
    return _differing_in(vocabulary, action, unseen)


@lru_cache(maxsize=65_536)
def _differing_in(vocabulary: Any, action: int, keys: tuple[str, ...]) -> Numbers:
    """The actions that differ from this one in nothing but the values of these keys of their JSON."""
    if not keys:
        return np.array([action], np.int64)
    wanted = _without(vocabulary.decode(action), keys)
    every = range(len(vocabulary))
    return np.array([other for other in every if _without(vocabulary.decode(other), keys) == wanted], np.int64)


def _without(action: dict[str, object], keys: tuple[str, ...]) -> dict[str, object]:
    return {key: None if key in keys else value for key, value in action.items()}
