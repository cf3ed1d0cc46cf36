"""The functions that a game's compiled rules must define, and the kernels that all games share.

A game's rules are functions over two flat records: `facts` (the options and the board, fixed for a game) and `s` (the
state). Each game registers its two record types with its module of rules. A shared kernel calls the right game's
functions by the type of `facts`, resolved at compile time.

    begin(facts, s)             set up the first state in a record of zeros
    legal(facts, s, out)        write the mover's legal actions, ascending; return their number
    is_legal(facts, s, action)  may the mover, or chance, do this now?
    weights(facts, s, out)      at chance: write the weight of every outcome; return their number, or TOO_MANY
    apply(facts, s, action)     play a legal action
    pick(facts, s, rng)         choose one of the mover's legal actions uniformly at random
    draw(facts, s, rng)         draw one outcome of chance
    redeal(facts, s, seat, rng) resample what the seat (-1: a spectator) cannot know
    label(facts, s, action, seat)
                                a number below LABELS for what the seat sees of an action or outcome:
                                equal for those that look the same to it

Every state record has two fields: `mover`, a seat, CHANCE or OVER; and `winners`, the winners' seats as bits, 0 while
the game runs. No field may have the name of a NumPy scalar's method (`round`, `take`, `size`, ...).
"""

from collections.abc import Iterator
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import bits
from .compiled import FACTS, KERNELS, Array, compiled, hook, kernel, ready, view_as_record

CHANCE = -1
OVER = -2
REFUSED = -3
TOO_MANY = -1
LABELS = 1024

Record = Any
"""A record of a state or of facts, with the fields of the game's dtype as attributes.

`Any`, because code that all games share knows none of their fields. A game's own code names the class of its record
(`archipel.core.fields`), which type checkers follow.
"""
Facts = Annotated[NDArray[np.void], Array(FACTS)]
Raw = Annotated[NDArray[np.uint8], Array("u1")]
Numbers = Annotated[NDArray[np.int64], Array("i8")]
Reals = Annotated[NDArray[np.float64], Array("f8")]


class Rules(NamedTuple):
    """A game's rules and the types of its records."""

    module: ModuleType
    facts: np.dtype[np.void]
    state: np.dtype[np.void]
    outcomes: int
    """The length of a buffer for a list of actions or chance outcomes."""
    inlined: tuple[str, ...] = ()
    """Shared kernels into which the native library inlines all of these rules: larger, and faster where it is asked
    for, as `archipel.bench.homes` measures."""
    inlined_wasm: tuple[str, ...] = ()
    """The same for WebAssembly."""


_states: dict[np.dtype[np.void], np.dtype[np.void]] = {}
_modules: dict[np.dtype[np.void], ModuleType] = {}


HOOKS = ("begin", "legal", "is_legal", "weights", "apply", "pick", "draw", "redeal", "label")
"""The functions that a module of rules must define."""


def register(rules: Rules) -> Rules:
    """Register a game's rules with the shared kernels; ValueError if they are incomplete or their record type is taken.

    The kernels find a game by the type of its facts, so no two games may have the same one.
    """
    name = rules.module.__name__
    missing = [hook for hook in HOOKS if not hasattr(rules.module, hook)]
    missing += [
        f"the state's field {field}" for field in ("mover", "winners") if field not in (rules.state.names or ())
    ]
    if missing:
        raise ValueError(f"{name} lacks {', '.join(missing)}.")
    other = _modules.get(rules.facts, rules.module)
    if other is not rules.module:
        raise ValueError(f"{name} has the same type of facts as {other.__name__}: name a field of it differently.")
    _states[rules.facts] = rules.state
    _modules[rules.facts] = rules.module
    return rules


record = view_as_record(_states)
"""record(facts, raw): view the bytes of a state as its record; in compiled code a pointer cast."""

begin = hook("begin", _modules)
legal = hook("legal", _modules)
is_legal = hook("is_legal", _modules)
weights = hook("weights", _modules)
apply = hook("apply", _modules)
pick = hook("pick", _modules)
draw = hook("draw", _modules)
redeal = hook("redeal", _modules)
label = hook("label", _modules)


@compiled
def copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy element by element: for ``target[:] = source`` Numba would compile checks of the shapes, with long
    messages."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel(brief=True)
def new(facts: Facts, raw: Raw) -> int:
    """Set up the first state in zeroed bytes; return its mover."""
    s = record(facts[0], raw)
    begin(facts[0], s)
    return int(s.mover)


@kernel(brief=True)
def step(facts: Facts, raw: Raw, action: int) -> int:
    """Play the action in place if it is legal; return the next mover, or REFUSED."""
    s = record(facts[0], raw)
    if s.mover == OVER or not is_legal(facts[0], s, action):
        return REFUSED
    apply(facts[0], s, action)
    return int(s.mover)


@kernel(brief=True)
def actions(facts: Facts, raw: Raw, out: Numbers) -> int:
    """Write the mover's legal actions, or chance's possible outcomes; return their number, or TOO_MANY."""
    s = record(facts[0], raw)
    if s.mover >= 0:
        return legal(facts[0], s, out)
    if s.mover == OVER:
        return 0
    n = weights(facts[0], s, out)
    if n == TOO_MANY:
        return TOO_MANY
    possible = 0
    for outcome in range(n):
        if out[outcome]:
            out[possible] = outcome
            possible += 1
    return possible


@kernel(brief=True)
def chances(facts: Facts, raw: Raw, out: Numbers) -> int:
    """Write the weight of every chance outcome; return their number, or TOO_MANY."""
    return weights(facts[0], record(facts[0], raw), out)


@kernel(brief=True)
def sample(facts: Facts, raw: Raw, seed: int) -> int:
    """Draw one outcome of chance."""
    rng = np.array([np.uint64(seed)])
    return int(draw(facts[0], record(facts[0], raw), rng))


@kernel(brief=True)
def deal_anew(facts: Facts, raw: Raw, seat: int, seed: int) -> None:
    """Resample what the seat cannot know."""
    rng = np.array([np.uint64(seed)])
    redeal(facts[0], record(facts[0], raw), seat, rng)


@kernel()
def foreseen(facts: Facts, before: Raw, after: Raw, some: Numbers, seat: int, worlds: int) -> bool:
    """True if the action taught `seat` (-1: a spectator) nothing: in each of `worlds` sampled states consistent with
    its view before, one of the actions `some` is legal and leads to the same view after."""
    seen, world, tried = after.copy(), before.copy(), before.copy()
    return expected(facts, before, seen, world, tried, some, seat, worlds)


@kernel()
def surprises(facts: Facts, before: Raw, action: int, some: Numbers, seat: int, worlds: int, imagined: int) -> bool:
    """True if `seat` would learn something from the mover's action in one of `worlds` sampled states that are
    consistent with the mover's view; in each of them, `imagined` states are sampled for `seat`."""
    mover = int(record(facts[0], before).mover)
    dealt, seen, world, tried = before.copy(), before.copy(), before.copy(), before.copy()
    for number in range(1, worlds + 1):
        copy(before, dealt)
        deal_anew(facts, dealt, mover, number)
        copy(dealt, seen)
        if step(facts, seen, action) == REFUSED:
            return True
        if not expected(facts, dealt, seen, world, tried, some, seat, imagined):
            return True
    return False


@compiled
def expected(
    facts: Facts, before: Raw, seen: Raw, world: Raw, tried: Raw, some: Numbers, seat: int, worlds: int
) -> bool:
    """`foreseen` with the buffers `world` and `tried`; `seen` is the state after, whose hidden part is resampled."""
    deal_anew(facts, seen, seat, 0)
    for number in range(1, worlds + 1):
        copy(before, world)
        deal_anew(facts, world, seat, number)
        if not leads(facts, world, tried, seen, some, seat):
            return False
    return True


@compiled
def leads(facts: Facts, world: Raw, tried: Raw, seen: Raw, some: Numbers, seat: int) -> bool:
    """True if one of the actions `some` leads from `world` to what the seat sees, with the hidden part resampled from
    seed 0."""
    for action in some:
        copy(world, tried)
        if step(facts, tried, action) != REFUSED:
            deal_anew(facts, tried, seat, 0)
            if same(tried, seen):
                return True
    return False


@compiled
def same(a: Raw, b: Raw) -> bool:
    for i in range(len(a)):
        if a[i] != b[i]:
            return False
    return True


@kernel(brief=True)
def value(winners: int, seats: int, seat: int) -> float:
    """The game's value for a seat: a shared win is the mean of single wins, and the values of all seats sum to 0."""
    sharing = bits.count(winners)
    if sharing == 0:
        return 0.0
    if winners & bits.bit(seat):
        return (seats - sharing) / (sharing * (seats - 1))
    return -1 / (seats - 1)


@kernel()
def judge(facts: Facts, first: Raw, games: int, seed: int, worth: Reals) -> int:
    """Play `games` random games from one state and add each result to `worth`, by seat; return the number of actions
    played."""
    rng = np.array([np.uint64(seed)])
    raw = first.copy()
    s = record(facts[0], raw)
    steps = 0
    for _ in range(games):
        copy(first, raw)
        while s.mover != OVER:
            apply(facts[0], s, draw(facts[0], s, rng) if s.mover == CHANCE else pick(facts[0], s, rng))
            steps += 1
        for seat in range(len(worth)):
            worth[seat] += value(s.winners, len(worth), seat)
    return steps


def warm(facts: Facts) -> Iterator[tuple[int, int]]:
    """Compile or load every shared kernel for one game; yields how many are ready, and of how many."""
    kernels = [kernel for kernel in KERNELS.values() if kernel.function.__module__ == __name__]
    for count, each in enumerate(kernels, 1):
        ready(each, {FACTS: facts.dtype})
        yield count, len(kernels)
