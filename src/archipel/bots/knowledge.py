"""What is known of a game beyond its rules: words that the search says, and that a game may answer.

    prior(lore, facts, s, actions, n, out)  how promising the mover's n actions look: a weight above 0 for each
                                            in `out` (their sum does not matter); True
    playout(lore, facts, s, rng)            what the mover does when a simulation plays on below the tree
    estimate(lore, facts, s, worth)         what a running position, chance's turn included, is worth to every
                                            seat, from -1 to 1, in `worth`; True

A game that is silent has no prior (False, and the search tries every action),
plays on by the rules' `pick`, and has no estimate (False, and the simulation
goes on, to the end if need be). So may a game answer that has nothing to say
of some positions.

`lore` is one record of whatever numbers the knowledge rests on, trained
weights for instance. Its type tells the compiled search whose words are meant,
as the type of `facts` does for the rules; so every game's lore needs a type of
its own, and a game without such numbers takes `no_numbers`. The words are said
inside imagined worlds: they may look at everything in `s`, and stay honest.

A game's knowledge is a module that its manifest names; it ends with

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
    """A module of words, the numbers they rest on, and how the search had best use them."""

    module: ModuleType
    lore: Lore
    """An array of one record."""
    curiosity: float = 2.0
    """How much the search tries what it has tried little; with a prior about 1, without one about 2."""
    steps: int = 0
    """How many playout steps a simulation takes below the tree before it asks for an estimate."""
    unfold: int = 4
    """A position's actions enter the tree when it has been visited so often."""
    wide: int = 32
    """Of more actions than this, only as many are tried at first, the most promising; more as visits grow."""


_modules: dict[np.dtype[np.void], ModuleType] = {}


def register(knowledge: Knowledge) -> Knowledge:
    """Make a game's knowledge known to the search."""
    dtype = knowledge.lore.dtype
    if _modules.get(dtype, knowledge.module) is not knowledge.module:
        raise ValueError(f"{knowledge.module.__name__} has the same type of lore as another game.")
    _modules[dtype] = knowledge.module
    return knowledge


def no_numbers(name: str) -> Lore:
    """The lore of a game whose knowledge rests on no numbers, of a type of its own."""
    return np.zeros(1, np.dtype((np.record, [(f"nothing_of_{name}", "i1")])))


def known_of(game: Game) -> Knowledge:
    """What is known of a game; NOTHING if its manifest names no knowledge."""
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
