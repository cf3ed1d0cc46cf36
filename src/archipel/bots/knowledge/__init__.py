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

A game's knowledge is the module of its name in this folder; it ends with

    KNOWLEDGE = register(Knowledge(sys.modules[__name__], lore))
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from archipel.core import rules
from archipel.core.chance import Rng
from archipel.core.compiled import compiled, in_place
from archipel.core.game import Game
from archipel.core.rules import Numbers, Record

Lore = NDArray[np.void]
Weights = NDArray[np.float64]


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


_by_dtype: dict[np.dtype[np.void], ModuleType] = {}
_by_type: dict[Any, ModuleType] = {}


def register(knowledge: Knowledge) -> Knowledge:
    """Make a game's knowledge known to the search."""
    dtype = knowledge.lore.dtype
    if _by_dtype.get(dtype, knowledge.module) is not knowledge.module:
        raise ValueError(f"{knowledge.module.__name__} has the same type of lore as another game.")
    _by_dtype[dtype] = knowledge.module
    _by_type[numba.from_dtype(dtype)] = knowledge.module
    return knowledge


def no_numbers(name: str) -> Lore:
    """The lore of a game whose knowledge rests on no numbers, of a type of its own."""
    return np.zeros(1, np.dtype((np.record, [(f"nothing_of_{name}", "i1")])))


def known_of(game: Game) -> Knowledge:
    """What is known of a game; NOTHING if there is no module of its name here."""
    name = f"{__name__}.{game.name}"
    if find_spec(name) is None:
        return NOTHING
    knowledge: Knowledge = import_module(name).KNOWLEDGE
    return knowledge


def _word(name: str, silent: Callable[..., Any]) -> Callable[..., Any]:
    """A word of the knowledge, above: whose, the type of the lore says; `silent` if that game has none."""

    def say(lore: Record, *rest: Any) -> Any:
        return getattr(_by_dtype[lore.dtype], name, silent)(lore, *rest)

    def meant(lore: Any) -> Any:
        return numba.types.Dispatcher(getattr(_by_type[lore], name, silent))

    def typed(context: Any) -> Any:
        def typer(lore: Any, facts: Any, s: Any, x: Any, y: Any = None, z: Any = None) -> Any:
            given = [arg for arg in (lore, facts, s, x, y, z) if arg is not None]
            return context.resolve_function_type(meant(lore), given, {})

        return typer

    def emitted(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_function(meant(signature.args[0]), signature)(builder, args)

    in_place(say, typed, emitted)
    return say


@compiled
def _no_prior(lore: Record, facts: Record, s: Record, actions: Numbers, n: int, out: Weights) -> bool:
    return False


@compiled
def _any_action(lore: Record, facts: Record, s: Record, rng: Rng) -> int:
    return rules.pick(facts, s, rng)


@compiled
def _no_estimate(lore: Record, facts: Record, s: Record, worth: Weights) -> bool:
    return False


prior = _word("prior", _no_prior)
playout = _word("playout", _any_action)
estimate = _word("estimate", _no_estimate)

NOTHING = register(Knowledge(ModuleType("nothing"), no_numbers("any_game"), wide=rules.LABELS))
