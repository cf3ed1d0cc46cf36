"""Many games at once, in compiled code: the environment for training and for statistics.

    from archipel.vector import Vector

    games = Vector("kahuna", 1024, seed=1)
    while True:
        actions = policy(games.observations, games.masks)
        games.step(actions)

All results are arrays that are allocated once and overwritten by every step: copy what you keep.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import pairwise
from os import PathLike
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from archipel.core import batch, encoding, features, registry
from archipel.core.batch import ALL, FINE, SAMPLE, SKIP, Batch, Manner
from archipel.core.errors import IllegalAction, quoted
from archipel.core.game import Game
from archipel.core.rules import CHANCE, LABELS, OVER
from archipel.core.state import State

__all__ = ["CHANCE", "OVER", "SAMPLE", "SKIP", "Vector", "seeds"]

RESOLVED, EXPLICIT = "resolved", "explicit"
FORMAT = 1
_LARGEST_SEED = (1 << 64) - 1
_MOST_TOKENS = 4096
_KEPT = ("states", "seeds", "learners", "rewards", "over", "finals", "lengths", "heard")
"""The arrays of a checkpoint; the others follow from these."""

Seed = int | Sequence[int] | NDArray[Any] | None


def seeds(seed: Seed, n: int) -> NDArray[np.uint64]:
    """Return the seeds of n games: derived from one number, one number per game, or fresh from the system."""
    if seed is None or _is_whole(seed):
        if seed is not None and not 0 <= int(seed) <= _LARGEST_SEED:  # type: ignore[arg-type]
            raise ValueError(_no_seed(seed))
        spread: NDArray[np.uint64] = np.random.SeedSequence(seed).generate_state(n, np.uint64)  # type: ignore[assignment]
        return spread
    if isinstance(seed, str | bytes) or not isinstance(seed, Sequence | np.ndarray):
        raise ValueError(_no_seed(seed))
    numbers = list(seed)
    if len(numbers) != n:
        raise ValueError(f"{n} games need {n} seeds, not {len(numbers)}.")
    for i, number in enumerate(numbers):
        if not _is_whole(number) or not 0 <= int(number) <= _LARGEST_SEED:
            raise ValueError(f"Game {i}: {_no_seed(number)}")
    return np.array([int(number) for number in numbers], np.uint64)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _no_seed(value: Any) -> str:
    return f"A seed is a whole number from 0 to 2**64 - 1, not {quoted(value)}."


class Vector:
    """`n` games side by side. `step` plays one action in each of them.

    Parameters: a game or its name, and the number of games; then
    - `seed`: one number, or one per game. A game depends only on its own seed and on the actions played in it.
    - `threads`: the number of threads (Python's lock is released while they run).
    - `chance`: "resolved" (drawn inside) or "explicit" (chance is a mover; play an outcome of `chances`, or SAMPLE).
    - `auto_reset`: a finished game starts again in the same step; otherwise it stays finished and accepts any action.
    - `history`: how many of the last events each seat remembers, as tokens in `heard`.
    - `learner`: the seat that waits for actions, or one per game; the other seats then play at random.
    - the game's own options.
    """

    game: Game
    n: int
    names: tuple[str, ...]
    """What each number of an observation means."""
    observations: NDArray[np.float32]
    """(n, numbers): what the mover of each game sees, from 0 to 1; a spectator's view where no seat is to act."""
    masks: NDArray[np.bool_]
    """(n, actions): the mover's legal actions; all False where no seat is to act."""
    movers: NDArray[np.int64]
    """(n,): the seat to act, CHANCE or OVER."""
    rewards: NDArray[np.float32]
    """(n, seats): the reward of the last step for every seat; zeros until a game ends, then a zero-sum result."""
    over: NDArray[np.bool_]
    """(n,): True if the last step ended this game."""
    finals: NDArray[np.float32]
    """(n, numbers): the last observation of each finished game, seen by the seat that acted last; kept until the game's
    next end."""
    lengths: NDArray[np.int64]
    """(n,): the number of actions played in this game."""
    chances: NDArray[np.float32]
    """(n, outcomes): with explicit chance, the probability of each outcome; zeros if there are too many to list."""
    heard: NDArray[np.int16]
    """(n, seats, history): what each seat saw happen, the latest last; 0 is nothing, see `event`."""

    def __init__(
        self,
        game: str | Game,
        n: int,
        /,
        *,
        seed: Seed = None,
        threads: int = 1,
        chance: str = RESOLVED,
        auto_reset: bool = True,
        history: int = 0,
        learner: int | Sequence[int] | NDArray[Any] | None = None,
        **options: Any,
    ) -> None:
        self.game = registry.game(game, **options) if isinstance(game, str) else _without(game, options)
        self.n = _count(n, 1, 1 << 31, "The number of games")
        self.threads = min(_count(threads, 1, 1024, "The number of threads"), self.n)
        if chance not in (RESOLVED, EXPLICIT):
            raise ValueError(f"Chance must be {RESOLVED!r} or {EXPLICIT!r}, not {quoted(chance)}.")
        self.chance, self.auto_reset = chance, bool(auto_reset)
        self._layout = features.layout(self.game)
        self.names = self._layout.names
        self._compiled = encoding.prepare(self.game)
        self._allocate(_count(history, 0, _MOST_TOKENS, "The length of the history"))
        self._batch.learners[:] = self._learners(learner)
        self._pool = ThreadPoolExecutor(self.threads, "archipel") if self.threads > 1 else None
        self.reset(seed)

    def _allocate(self, history: int) -> None:
        game, n, width = self.game, self.n, len(self.names)
        explicit = self.chance == EXPLICIT
        self._manner = Manner(not explicit, self.auto_reset, max(game.rules.outcomes, game.action_count))
        self._batch = Batch(
            states=np.zeros((n, game.rules.state.itemsize), np.uint8),
            seeds=np.zeros(n, np.uint64),
            learners=np.full(n, ALL, np.int64),
            movers=np.zeros(n, np.int64),
            rows=np.zeros((n, width), np.float32),
            masks=np.zeros((n, game.action_count), np.bool_),
            rewards=np.zeros((n, game.seats), np.float32),
            over=np.zeros(n, np.bool_),
            finals=np.zeros((n, width), np.float32),
            lengths=np.zeros(n, np.int64),
            chances=np.zeros((n, game.rules.outcomes if explicit else 0), np.float32),
            heard=np.zeros((n, game.seats, history), np.int16),
        )
        self.observations, self.masks, self.movers = self._batch.rows, self._batch.masks, self._batch.movers
        self.rewards, self.over, self.finals = self._batch.rewards, self._batch.over, self._batch.finals
        self.lengths, self.chances, self.heard = self._batch.lengths, self._batch.chances, self._batch.heard
        self._picks = np.zeros(n, np.uint64)

    def _learners(self, learner: Any) -> NDArray[np.int64]:
        if learner is None:
            return np.full(self.n, ALL, np.int64)
        numbers = _numbers(learner, "Seats")
        found = self._one_each(np.full(self.n, numbers) if numbers.ndim == 0 else numbers, "seats")
        if ((found < ALL) | (found >= self.game.seats)).any():
            wrong = int(np.flatnonzero((found < ALL) | (found >= self.game.seats))[0])
            raise ValueError(f"{self.game.name} has seats 0 to {self.game.seats - 1}, not {found[wrong]}.")
        return found

    # Playing

    def reset(self, seed: Seed = None, which: ArrayLike | None = None) -> None:
        """Start again: all games, or those marked in `which`. Without a seed, each continues with its own random
        generator."""
        fresh = self._marked(which)
        if seed is not None or not self._batch.seeds.any():
            sown = seeds(seed, self.n)
            self._batch.seeds[fresh] = sown[fresh]
            self._picks[fresh] = ~sown[fresh]
        self._each(lambda first, last: batch.deal(self.game.facts, self._batch, self._manner, fresh, first, last))

    def step(self, actions: ArrayLike) -> None:
        """Play one action in each game; SKIP leaves a game as it is.

        If an action is illegal, IllegalAction says in which game and why, and nothing is played.
        """
        chosen = self._one_each(actions, "actions")
        refused = batch.refused(self.game.facts, self._batch.states, chosen)
        if refused != FINE:
            raise self._refusal(refused, int(chosen[refused]))
        self._each(lambda first, last: batch.play(self.game.facts, self._batch, self._manner, chosen, first, last))

    def sample(self) -> NDArray[np.int64]:
        """Choose a random legal action for each game, or a random outcome where chance is to act."""
        actions = np.empty(self.n, np.int64)
        batch.pick_each(self.game.facts, self._batch.states, self._picks, actions)
        return actions

    def observe(self, seats: int | Sequence[int] | NDArray[Any]) -> NDArray[np.float32]:
        """Return what a seat (-1: a spectator) of each game sees, in a new array."""
        wanted = self._learners(seats)
        rows = np.empty((self.n, len(self.names)), np.float32)
        if self._compiled:
            batch.look_as(self.game.facts, self._batch.states, wanted, rows)
        else:
            for i, seat in enumerate(wanted.tolist()):
                rows[i] = self._row(i, seat)
        return rows

    def state(self, i: int) -> State:
        """The position of one game."""
        raw = self._batch.states[self._index(i)].copy()
        return State(self.game, raw, int(raw.view(self.game.fields)[0].mover))

    def put(self, i: int, state: State) -> None:
        """Replace the position of one game. Its history is cleared."""
        if not isinstance(state, State):
            raise ValueError(f"A position is a State, not {quoted(state)}.")
        if state.game != self.game:
            raise ValueError(f"The position is of {state.game!r}, not of {self.game!r}.")
        i = self._index(i)
        self._batch.states[i] = state._raw
        self._batch.heard[i] = 0
        self._look(i, i + 1)

    @property
    def learners(self) -> NDArray[np.int64]:
        """(n,): the seat that waits for actions in each game, or -1 for every seat."""
        return self._batch.learners.copy()

    def event(self, token: int) -> tuple[int, int] | None:
        """Decode a token of `heard`: who acted, counted from the viewer's own seat, or CHANCE; and what was seen.

        The latter is the number of the action or outcome if the viewer saw all of it, otherwise a number shared by all
        that look the same.
        """
        if not _is_whole(token) or not 0 <= token <= (self.game.seats + 1) * LABELS:
            raise ValueError(f"An event is a number of `heard`, not {quoted(token)}.")
        if token == 0:
            return None
        who, seen = divmod(int(token) - 1, LABELS)
        return (who - 1 if who else CHANCE), seen

    def close(self) -> None:
        """Stop the threads."""
        if self._pool:
            self._pool.shutdown()

    # Checkpoints

    def save(self, file: str | PathLike[str] | IO[bytes]) -> None:
        """Write a checkpoint with everything that the games depend on; `Vector.load` continues from it."""
        about = {
            "format": FORMAT,
            "game": self.game.name,
            "options": self.game.options,
            "record": str(self.game.rules.state.descr),
            "chance": self.chance,
            "auto_reset": self.auto_reset,
        }
        arrays = {name: getattr(self._batch, name) for name in _KEPT}
        np.savez_compressed(file, about=np.array(json.dumps(about)), picks=self._picks, **arrays)

    @classmethod
    def load(cls, file: str | PathLike[str] | IO[bytes], *, threads: int = 1) -> "Vector":
        """Load the games of a checkpoint; ValueError says what is wrong with it."""
        try:
            with np.load(file, allow_pickle=False) as kept:
                about = json.loads(str(kept["about"]))
                arrays = {name: kept[name] for name in (*_KEPT, "picks")}
        except (BadZipFile, EOFError, KeyError, ValueError) as trouble:
            raise ValueError(f"The checkpoint cannot be read: {trouble}.") from None
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise ValueError("The checkpoint was made for another version of Archipel.")
        game = registry.game(about["game"], **about["options"])
        if about["record"] != str(game.rules.state.descr):
            raise ValueError(f"The checkpoint was made with other rules of {game.name}.")
        heard = arrays["heard"]
        made = cls(
            game,
            len(arrays["states"]),
            seed=0,
            threads=threads,
            chance=about["chance"],
            auto_reset=about["auto_reset"],
            history=heard.shape[2] if heard.ndim == 3 else 0,
        )
        made._take(arrays)
        return made

    def _take(self, arrays: dict[str, NDArray[Any]]) -> None:
        own = {name: getattr(self._batch, name) for name in _KEPT} | {"picks": self._picks}
        for name, array in own.items():
            given = arrays[name]
            if given.shape != array.shape or given.dtype != array.dtype:
                raise ValueError(
                    f"The checkpoint's {name!r} must be {array.dtype} of shape {array.shape}, "
                    f"not {given.dtype} of shape {given.shape}."
                )
        for i, raw in enumerate(arrays["states"]):
            self._check(i, raw)
        for name, array in own.items():
            array[...] = arrays[name]
        self._learners(self._batch.learners)
        self._look(0, self.n)

    def _check(self, i: int, raw: NDArray[np.uint8]) -> None:
        """Kernels trust a state, so one that comes from a file is checked against the rules."""
        try:
            state = State(self.game, raw, int(raw.view(self.game.fields)[0].mover))
            sound = self.game.restore(state.snapshot()) == state
        except (ValueError, IndexError, KeyError, TypeError, OverflowError):
            sound = False
        if not sound:
            raise ValueError(f"Game {i} of the checkpoint is damaged: its position cannot be.")

    # Inside

    def _each(self, work: Callable[[int, int], None]) -> None:
        """Give every thread its share of the games; then run the part that is not compiled."""
        if self._pool is None:
            work(0, self.n)
        else:
            ends = [self.n * k // self.threads for k in range(self.threads + 1)]
            for done in [self._pool.submit(work, a, b) for a, b in pairwise(ends)]:
                done.result()
        self._tell(0, self.n)

    def _look(self, first: int, last: int) -> None:
        batch.survey(self.game.facts, self._batch, self._manner, first, last)
        self._tell(first, last)

    def _tell(self, first: int, last: int) -> None:
        """Write the observations of games whose features are not compiled."""
        if not self._compiled:
            for i in range(first, last):
                learner = int(self._batch.learners[i])
                self.observations[i] = self._row(i, int(self.movers[i]) if learner == ALL else learner)

    def _row(self, i: int, seat: int) -> NDArray[np.float32]:
        return self._layout.row(self.state(i).view(seat if seat >= 0 else None))

    def _refusal(self, i: int, action: int) -> IllegalAction:
        state = self.state(i)
        error = self.game.refusal(state, action)
        known = 0 <= action < len(self.game.vocabulary(state))
        text = f"{action} ({state.notation(action)})" if known else str(action)
        return IllegalAction(f"Game {i}, action {text}: {error}", error.rule)

    def _one_each(self, given: Any, what: str) -> NDArray[np.int64]:
        numbers = _numbers(given, what.capitalize())
        if numbers.shape != (self.n,):
            raise ValueError(f"{self.n} games need {what} of shape ({self.n},), not {numbers.shape}.")
        return numbers

    def _marked(self, which: ArrayLike | None) -> NDArray[np.bool_]:
        if which is None:
            return np.ones(self.n, np.bool_)
        marked = np.require(which, requirements=["C", "W"])
        if marked.shape != (self.n,) or marked.dtype != np.bool_:
            raise ValueError(f"`which` marks each of {self.n} games as true or false.")
        return marked

    def _index(self, i: int) -> int:
        if not _is_whole(i) or not -self.n <= i < self.n:
            raise IndexError(f"There are games 0 to {self.n - 1}, not {quoted(i)}.")
        return int(i) % self.n

    def __reduce__(self) -> tuple[Any, ...]:
        kept = BytesIO()
        self.save(kept)
        return _revive, (kept.getvalue(), self.threads)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Vector of {self.n} x {self.game!r}>"


def _numbers(given: Any, what: str) -> NDArray[np.int64]:
    array = np.asarray(given)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} are whole numbers, not {array.dtype}.")
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{what} must be below 2**63.")
    return np.require(array, np.int64, ["C", "W"])


def _revive(kept: bytes, threads: int) -> Vector:
    return Vector.load(BytesIO(kept), threads=threads)


def _without(game: Game, options: dict[str, Any]) -> Game:
    if options:
        raise ValueError(f"A game has its options already: {', '.join(options)} cannot be given.")
    return game


def _count(value: Any, low: int, high: int, what: str) -> int:
    if not _is_whole(value) or not low <= value <= high:
        raise ValueError(f"{what} must be a whole number from {low} to {high}, not {quoted(value)}.")
    return int(value)
