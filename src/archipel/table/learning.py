"""Who learned something by an action: the boundary that undo does not cross.

Whoever acted is told whether the action may be taken back, so the answer must not depend on anything that this seat
does not know: otherwise it would tell something about an opponent's hand. It is therefore a function of the seat's own
view before and after the action, and nothing else:

- What an onlooker, or the seat itself, might have expected follows from that view: an onlooker knows less than anyone.
- What another seat might have expected depends on cards that the acting seat cannot see. It is asked in worlds that are
  dealt from the acting seat's view, never in the one that is: if another seat would learn something in any of them, the
  action stands.

That errs on the side of letting an action stand. Worlds are dealt from fixed seeds: states that a seat cannot tell
apart are dealt alike (`rules.redeal`), so they get the same answer.
"""

import numpy as np

from archipel.core import rules
from archipel.core.state import State

from .words import Words

WORLDS = 32
"""How many worlds an onlooker and the acting seat imagine before they are said to have learned nothing."""
OTHERS = 16
"""In how many worlds of the acting seat every other seat is asked, and how many worlds it imagines in each."""
ONLOOKER = -1


def taught(words: Words, before: State, action: int, after: State) -> bool:
    """True if the action may have taught anybody something, for all that the seat which acted knows.

    Whoever watches is told of an action, not what lies behind it. So in every world that they think possible, an
    action of which they would be told the same must be legal, and leave them knowing the same.
    """
    if not _hides(before):
        return False
    mover = before.mover
    if any(_surprised(words, before, action, after, eye, WORLDS) for eye in (ONLOOKER, mover)):
        return True
    others = [seat for seat in range(before.game.seats) if seat != mover]
    return any(_surprises_others(words, before, action, others, number) for number in range(1, OTHERS + 1))


def _hides(state: State) -> bool:
    """Is there anything that an onlooker, who knows least, does not know?"""
    s = state.plain
    return state.game.seen(s, None) != state.game.private(s)


def _surprises_others(words: Words, before: State, action: int, others: list[int], number: int) -> bool:
    """Would another seat learn something in that world of the acting seat's?"""
    raw = before._raw.copy()
    rules.deal_anew(before.game.facts, raw, before.mover, number)
    world = State(before.game, raw, before.mover)
    after = world.after(action)
    return any(_surprised(words, world, action, after, seat, OTHERS) for seat in others)


def _surprised(words: Words, before: State, action: int, after: State, seat: int, worlds: int) -> bool:
    unseen = before.game.unseen(before, action, None if seat == ONLOOKER else seat)
    alike = np.array(words.alike(before, action, unseen) if unseen else (action,), np.int64)
    return not rules.foreseen(before.game.facts, before._raw, after._raw, alike, seat, worlds)
