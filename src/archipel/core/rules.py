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

Two fields of `s` every game has: `mover`, a seat, CHANCE or OVER; and
`winners`, bits of the seats that have won or share, none while the game runs. No field
may bear the name of a NumPy scalar's method (`round`, `take`, `size`, ...).
"""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from . import bits
from .chance import Rng
from .compiled import compiled, ready

CHANCE = -1
OVER = -2
REFUSED = -3
TOO_MANY = -1

Record = Any
Facts = NDArray[np.void]
Raw = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class Rules(NamedTuple):
    """A game's rules and the types of its records."""

    module: ModuleType
    facts: np.dtype[np.void]
    state: np.dtype[np.void]
    outcomes: int
    """Room that a list of actions or of chance outcomes needs."""


_by_dtype: dict[np.dtype[np.void], Rules] = {}
_by_type: dict[Any, Rules] = {}


def register(rules: Rules) -> Rules:
    """Make a game's rules known to the shared kernels."""
    _by_dtype[rules.facts] = rules
    _by_type[numba.from_dtype(rules.facts)] = rules
    return rules


def _record(facts: Record, raw: Raw) -> Record:
    return raw.view(_by_dtype[facts.dtype].state)[0]


def _buffer(facts: Record) -> Numbers:
    return np.empty(_by_dtype[facts.dtype].outcomes, np.int64)


@overload(_record, strict=False)
def _record_compiled(facts: Any, raw: Any) -> Any:
    dtype = _by_type[facts].state
    return lambda facts, raw: raw.view(dtype)[0]


@overload(_buffer, strict=False)
def _buffer_compiled(facts: Any) -> Any:
    outcomes = _by_type[facts].outcomes
    return lambda facts: np.empty(outcomes, np.int64)


def _word2(name: str) -> Callable[[Record, Record], Any]:
    def say(facts: Record, s: Record) -> Any:
        return getattr(_by_dtype[facts.dtype].module, name)(facts, s)

    @overload(say, strict=False)
    def _(facts: Any, s: Any) -> Any:
        said = getattr(_by_type[facts].module, name)
        return lambda facts, s: said(facts, s)

    return say


def _word3(name: str) -> Callable[[Record, Record, Any], Any]:
    def say(facts: Record, s: Record, x: Any) -> Any:
        return getattr(_by_dtype[facts.dtype].module, name)(facts, s, x)

    @overload(say, strict=False)
    def _(facts: Any, s: Any, x: Any) -> Any:
        said = getattr(_by_type[facts].module, name)
        return lambda facts, s, x: said(facts, s, x)

    return say


def _word4(name: str) -> Callable[[Record, Record, Any, Any], Any]:
    def say(facts: Record, s: Record, x: Any, y: Any) -> Any:
        return getattr(_by_dtype[facts.dtype].module, name)(facts, s, x, y)

    @overload(say, strict=False)
    def _(facts: Any, s: Any, x: Any, y: Any) -> Any:
        said = getattr(_by_type[facts].module, name)
        return lambda facts, s, x, y: said(facts, s, x, y)

    return say


begin = _word2("begin")
legal = _word3("legal")
is_legal = _word3("is_legal")
weights = _word3("weights")
apply = _word3("apply")
pick = _word3("pick")
draw = _word3("draw")
redeal = _word4("redeal")


@compiled
def new(facts: Facts, raw: Raw) -> int:
    """Set up the first state in zeroed bytes; its mover."""
    s = _record(facts[0], raw)
    begin(facts[0], s)
    return int(s.mover)


@compiled
def step(facts: Facts, raw: Raw, action: int) -> int:
    """Play the action in place if it is legal; the next mover, or REFUSED."""
    s = _record(facts[0], raw)
    if s.mover == OVER or not is_legal(facts[0], s, action):
        return REFUSED
    apply(facts[0], s, action)
    return int(s.mover)


@compiled
def actions(facts: Facts, raw: Raw, out: Numbers) -> int:
    """List what the mover may do, or what may happen; how many, or TOO_MANY."""
    s = _record(facts[0], raw)
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


@compiled
def chances(facts: Facts, raw: Raw, out: Numbers) -> int:
    """At chance, the weight of every outcome; how many, or TOO_MANY."""
    return weights(facts[0], _record(facts[0], raw), out)


@compiled
def sample(facts: Facts, raw: Raw, seed: int) -> int:
    """One outcome of chance."""
    rng = np.array([np.uint64(seed)])
    return int(draw(facts[0], _record(facts[0], raw), rng))


@compiled
def deal_anew(facts: Facts, raw: Raw, seat: int, seed: int) -> None:
    """Replace what the seat cannot know by something as possible."""
    rng = np.array([np.uint64(seed)])
    redeal(facts[0], _record(facts[0], raw), seat, rng)


@compiled
def value(winners: int, seats: int, seat: int) -> float:
    """What the game is worth to a seat: a shared win is the mean of single wins, all sum to 0."""
    sharing = bits.count(winners)
    if sharing == 0:
        return 0.0
    if winners & bits.bit(seat):
        return (seats - sharing) / (sharing * (seats - 1))
    return -1 / (seats - 1)


@compiled
def play_out(facts: Facts, raw: Raw, rng: Rng) -> int:
    """Play random moves in place to the end; how many actions that took."""
    s = _record(facts[0], raw)
    steps = 0
    while s.mover != OVER:
        if s.mover == CHANCE:
            apply(facts[0], s, draw(facts[0], s, rng))
        else:
            apply(facts[0], s, pick(facts[0], s, rng))
        steps += 1
    return steps


@compiled
def play_many(facts: Facts, first: Raw, games: int, seed: int) -> int:
    """Play so many random games from one state; how many actions that took."""
    rng = np.array([np.uint64(seed)])
    raw = first.copy()
    steps = 0
    for _ in range(games):
        raw[:] = first
        steps += play_out(facts, raw, rng)
    return steps


@compiled
def judge(facts: Facts, first: Raw, games: int, seed: int, worth: NDArray[np.float64]) -> int:
    """Play so many random games from one state, adding what each was worth to every seat; how many actions it took."""
    rng = np.array([np.uint64(seed)])
    raw = first.copy()
    s = _record(facts[0], raw)
    steps = 0
    for _ in range(games):
        raw[:] = first
        steps += play_out(facts, raw, rng)
        for seat in range(len(worth)):
            worth[seat] += value(s.winners, len(worth), seat)
    return steps


def warm(facts: Facts) -> Iterator[tuple[int, int]]:
    """Make every kernel ready for one game: compiled, or loaded from the cache. How many are, and of how many."""
    whole, numbers, rng, sums = numba.int64, numba.int64[::1], numba.uint64[::1], numba.float64[::1]
    game = numba.typeof(facts), numba.uint8[::1]  # type: ignore[no-untyped-call]
    kernels: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
        (new, game),
        (step, (*game, whole)),
        (actions, (*game, numbers)),
        (chances, (*game, numbers)),
        (sample, (*game, whole)),
        (deal_anew, (*game, whole, whole)),
        (value, (whole, whole, whole)),
        (play_out, (*game, rng)),
        (play_many, (*game, whole, whole)),
        (judge, (*game, whole, whole, sums)),
    )
    for count, (kernel, types) in enumerate(kernels, 1):
        ready(kernel, *types)
        yield count, len(kernels)
