"""Who learns something from an action: an action that reveals something cannot be undone.

The seat that acted sees whether its action can be undone, so the answer must not depend on anything that this seat does
not know; otherwise it would reveal something about an opponent's hand. `taught` is therefore a function of that seat's
view before and after the action, and nothing else:

- What a spectator, or the acting seat itself, could have expected follows from that view: a spectator knows least.
- What another seat could have expected depends on cards that the acting seat cannot see. The question is answered in
  worlds sampled from the acting seat's view, never in the real state: if the other seat would learn something in any of
  them, the action cannot be undone.

In doubt the action stands. Worlds are sampled with fixed seeds: two states that look the same to a seat give the same
samples (`rules.redeal`), and so the same answer.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from . import rules
from .rules import Numbers
from .state import State

WORLDS = 32
"""How many sampled worlds must hold no surprise before a spectator or the acting seat counts as having learned
nothing."""
OTHERS = 4
"""In how many worlds sampled for the acting seat each other seat is checked."""
IMAGINED = 32
"""How many worlds are sampled for each other seat in each of those: surprises come more often from what that seat
cannot see than from what the acting seat cannot."""
SPECTATOR = -1


def taught(before: State, action: int, after: State) -> bool:
    """True if the action may have revealed something to anybody, judged by what the acting seat knows.

    Others see an action, not its reasons. So in every world that they consider possible, an action that looks the same
    to them must be legal, and lead to the same view.
    """
    if before.game.is_open(before, action) or not _hides(before):
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
    """True if the action revealed something to `seat` (or SPECTATOR): in one of `worlds` sampled states consistent with
    its view, no action that looks the same to it leads to what it sees now. True is proof, False is evidence."""
    facts, alike = before.game.facts, _alike(before, action, seat)
    return not rules.foreseen(facts, before._raw, after._raw, alike, seat, worlds)


def _hides(state: State) -> bool:
    """True if a spectator, who knows least, does not know everything."""
    s = state.plain
    return state.game.seen(s, None) != state.game.private(s)


def _dealt_anew(state: State, seed: int) -> State:
    """Sample a state that the mover cannot distinguish from this one."""
    raw = state._raw.copy()
    rules.deal_anew(state.game.facts, raw, state.mover, seed)
    return State(state.game, raw, state.mover)


def _alike(state: State, action: int, seat: int) -> Numbers:
    """The actions that look the same to a seat as this one."""
    unseen = state.game.unseen(state, action, None if seat == SPECTATOR else seat)
    vocabulary: Any = state.game.vocabulary(state)
    return _differing_in(vocabulary, action, unseen)


@lru_cache(maxsize=65_536)
def _differing_in(vocabulary: Any, action: int, keys: tuple[str, ...]) -> Numbers:
    """The actions whose JSON differs from this one's only in the values of these keys."""
    if not keys:
        return np.array([action], np.int64)
    wanted = _without(vocabulary.decode(action), keys)
    every = range(len(vocabulary))
    return np.array([other for other in every if _without(vocabulary.decode(other), keys) == wanted], np.int64)


def _without(action: dict[str, object], keys: tuple[str, ...]) -> dict[str, object]:
    return action | dict.fromkeys(keys)
