"""A game's knowledge beyond its rules: hooks that the search calls, and that a game may define.

    prior(lore, facts, s, actions, n, out)  how promising the mover's n actions look: a weight above 0 for each
                                            in `out` (their sum does not matter); True
    playout(lore, facts, s, rng)            the mover's action when a simulation plays on below the tree
    estimate(lore, facts, s, worth)         the value of a position that is not over, chance's turn included, for
                                            every seat, from -1 to 1, in `worth`; True

A game without these hooks has no prior (False: the search tries every action), plays on with the rules' `pick`, and has
no estimate (False: the simulation continues, if need be to the end). A hook may also return False for some positions
only.

`lore` is one record of the numbers that the knowledge uses, such as trained weights. The compiled search finds the
game's hooks by its type, as it finds the rules by the type of `facts`; so every game's lore needs its own type, and a
game without such numbers uses `no_numbers`. The hooks are called inside sampled worlds: they may read everything in `s`
without peeking.

A game's knowledge is a module named in its manifest; it ends with

    KNOWLEDGE = register(Knowledge(sys.modules[__name__], lore))
"""

from types import ModuleType
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from archipel.core import registry, rules
from archipel.core.chance import Rng
from archipel.core.compiled import LORE, Array, compiled, hook
from archipel.core.game import Game
from archipel.core.rules import Numbers, Reals, Record

Lore = Annotated[NDArray[np.void], Array(LORE)]
Weights = Reals


class Knowledge(NamedTuple):
    """A module of hooks, the numbers that they use, and the search parameters that suit them."""

    module: ModuleType
    lore: Lore
    """An array of one record."""
    curiosity: float = 2.0
    """The exploration constant; with a prior about 1, without one about 2."""
    steps: int = 0
    """How many playout steps a simulation takes below the tree before it asks for an estimate."""
    unfold: int = 4
    """The number of visits after which a position's actions enter the tree."""
    wide: int = 32
    """The maximum number of actions that are tried at first, the most promising ones; more as visits grow."""


_modules: dict[np.dtype[np.void], ModuleType] = {}


def register(knowledge: Knowledge) -> Knowledge:
    """Register a game's knowledge with the search."""
    dtype = knowledge.lore.dtype
    if _modules.get(dtype, knowledge.module) is not knowledge.module:
        raise ValueError(f"{knowledge.module.__name__} has the same type of lore as another game.")
    _modules[dtype] = knowledge.module
    return knowledge


def no_numbers(name: str) -> Lore:
    """Lore for a game whose knowledge uses no numbers, with a type of its own."""
    return np.zeros(1, np.dtype((np.record, [(f"nothing_of_{name}", "i1")])))


def known_of(game: Game) -> Knowledge:
    """The knowledge of a game; NOTHING if its manifest names none."""
    knowledge: Knowledge = registry.manifest(game.name).part("knowledge") or NOTHING
    return knowledge


@compiled
def _no_prior(lore: Record, facts: Record, s: Record, actions: Numbers, n: int, out: Weights) -> bool:
    return False


@compiled
def _any_action(lore: Record, facts: Record, s: Record, rng: Rng) -> int:
    return rules.pick(facts, s, rng)


@compiled
def _no_estimate(lore: Record, facts: Record, s: Record, worth: Weights) -> bool:
    return False


prior = hook("prior", _modules, _no_prior)
playout = hook("playout", _modules, _any_action)
estimate = hook("estimate", _modules, _no_estimate)

NOTHING = register(Knowledge(ModuleType("nothing"), no_numbers("any_game"), wide=rules.LABELS))
