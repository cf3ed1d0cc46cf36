"""What a game's compiled rules must say, and the kernels that every game shares.

A game's rules are functions over two flat records: `facts` (the options and
the board, fixed for a game) and `s` (the state). Each game registers its two
record types with its module of rules; a shared kernel then finds the right
game by the type of `facts`, when it is compiled, at no cost when it runs.

    begin(facts, s)             set up the first state in a record of zeros
    legal(facts, s, out)        list the mover's actions, ascending; how many
    is_legal(facts, s, action)  may the mover, or chance, do this now?
    weights(facts, s, out)      at chance: the weight of every outcome; how many, or TOO_MANY
    apply(facts, s, action)     play a legal action
    pick(facts, s, rng)         one of the mover's legal actions, each as likely
    draw(facts, s, rng)         one outcome of chance
    redeal(facts, s, seat, rng) deal anew what the seat (-1: an onlooker) cannot know
    label(facts, s, action, seat)
                                what the seat sees of an action or outcome: the same number,
                                below LABELS, for those that it cannot or need not tell apart

Two fields of `s` every game has: `mover`, a seat, CHANCE or OVER; and
`winners`, bits of the seats that have won or share, none while the game runs. No field
may bear the name of a NumPy scalar's method (`round`, `take`, `size`, ...).
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
    """Room that a list of actions or of chance outcomes needs."""


_states: dict[np.dtype[np.void], np.dtype[np.void]] = {}
_modules: dict[np.dtype[np.void], ModuleType] = {}


HOOKS = ("begin", "legal", "is_legal", "weights", "apply", "pick", "draw", "redeal", "label")
"""What a module of rules must have."""


def register(rules: Rules) -> Rules:
    """Make a game's rules known to the shared kernels; ValueError if they are not complete, or cannot be told apart.

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
"""record(facts, raw): the bytes of a state as its record; compiled, no more than another name for where they lie."""

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
    """Copy number by number: to ``target[:] = source`` Numba would add, at length, what it says of wrong shapes."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel(brief=True)
def new(facts: Facts, raw: Raw) -> int:
    """Set up the first state in zeroed bytes; its mover."""
    s = record(facts[0], raw)
    begin(facts[0], s)
    return int(s.mover)


@kernel(brief=True)
def step(facts: Facts, raw: Raw, action: int) -> int:
    """Play the action in place if it is legal; the next mover, or REFUSED."""
    s = record(facts[0], raw)
    if s.mover == OVER or not is_legal(facts[0], s, action):
        return REFUSED
    apply(facts[0], s, action)
    return int(s.mover)


@kernel(brief=True)
def actions(facts: Facts, raw: Raw, out: Numbers) -> int:
    """List what the mover may do, or what may happen; how many, or TOO_MANY."""
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
    """At chance, the weight of every outcome; how many, or TOO_MANY."""
    return weights(facts[0], record(facts[0], raw), out)


@kernel(brief=True)
def sample(facts: Facts, raw: Raw, seed: int) -> int:
    """One outcome of chance."""
    rng = np.array([np.uint64(seed)])
    return int(draw(facts[0], record(facts[0], raw), rng))


@kernel(brief=True)
def deal_anew(facts: Facts, raw: Raw, seat: int, seed: int) -> None:
    """Replace what the seat cannot know by something as possible."""
    rng = np.array([np.uint64(seed)])
    redeal(facts[0], record(facts[0], raw), seat, rng)


@kernel()
def foreseen(facts: Facts, before: Raw, after: Raw, some: Numbers, seat: int, worlds: int) -> bool:
    """True if the seat (-1: a spectator) learned nothing: in each of `worlds` states that it cannot tell from the state
    before, one of some actions leads to what it cannot tell from the state after."""
    seen, world, tried = after.copy(), before.copy(), before.copy()
    return expected(facts, before, seen, world, tried, some, seat, worlds)


@kernel()
def surprises(facts: Facts, before: Raw, action: int, some: Numbers, seat: int, worlds: int, imagined: int) -> bool:
    """True if the seat would learn something by the mover's action in one of `worlds` states that the mover cannot tell
    from the state before; in each of them the seat imagines so many states itself."""
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
    """`foreseen` in the buffers `world` and `tried`; `seen` is the state after, whose hidden part is dealt anew."""
    deal_anew(facts, seen, seat, 0)
    for number in range(1, worlds + 1):
        copy(before, world)
        deal_anew(facts, world, seat, number)
        if not leads(facts, world, tried, seen, some, seat):
            return False
    return True


@compiled
def leads(facts: Facts, world: Raw, tried: Raw, seen: Raw, some: Numbers, seat: int) -> bool:
    """Does one of some actions lead from a world to what a seat sees, with what it cannot know dealt from seed 0?"""
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
    """What the game is worth to a seat: a shared win is the mean of single wins, all sum to 0."""
    sharing = bits.count(winners)
    if sharing == 0:
        return 0.0
    if winners & bits.bit(seat):
        return (seats - sharing) / (sharing * (seats - 1))
    return -1 / (seats - 1)


@kernel()
def judge(facts: Facts, first: Raw, games: int, seed: int, worth: Reals) -> int:
    """Play so many random games from one state, adding what each was worth to every seat; how many actions it took."""
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
    """Make every kernel of the rules ready for one game: compiled, or loaded. How many are, and of how many."""
    kernels = [kernel for kernel in KERNELS.values() if kernel.function.__module__ == __name__]
    for count, each in enumerate(kernels, 1):
        ready(each, {FACTS: facts.dtype})
        yield count, len(kernels)
