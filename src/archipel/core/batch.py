"""Many games of one kind in a batch: every array has one row per game, and kernels advance all games by one step.

A game depends only on its own seed and on the actions played in it: not on the size of the batch, nor on the thread
that plays it.
"""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chance import Rng
from .compiled import Array, compiled, kernel
from .encoding import observe
from .rules import (
    CHANCE,
    LABELS,
    OVER,
    TOO_MANY,
    Facts,
    Numbers,
    Record,
    apply,
    begin,
    draw,
    is_legal,
    label,
    legal,
    pick,
    record,
    value,
    weights,
)

Raws = Annotated[NDArray[np.uint8], Array("u1", 2)]
Rows = Annotated[NDArray[np.float32], Array("f4", 2)]
Masks = Annotated[NDArray[np.bool_], Array("?", 2)]
Flags = Annotated[NDArray[np.bool_], Array("?")]
Tokens = Annotated[NDArray[np.int16], Array("i2", 3)]

ALL = -1
"""In place of a learner's seat: every seat waits for an action."""
FINE = -1
"""In place of a game's number: no game refuses its action."""
SAMPLE = -1
"""In place of an outcome: draw one at random."""
SKIP = -2
"""In place of an action: leave this game as it is."""


class Batch(NamedTuple):
    """The arrays of all games; the first index is the game."""

    states: Raws
    seeds: Rng
    learners: Numbers
    movers: Numbers
    rows: Rows
    masks: Masks
    rewards: Rows
    over: Flags
    finals: Rows
    lengths: Numbers
    chances: Rows
    heard: Tokens


class Manner(NamedTuple):
    """How the games are played: whether chance is resolved inside, and whether a finished game is replaced by a new
    one."""

    resolve: bool
    renew: bool
    room: int
    """The length of a buffer for a list of actions or chance outcomes."""


@kernel(wide=True)
def refused(facts: Facts, states: Raws, actions: Numbers) -> int:
    """Return the first game in which the action is illegal, or FINE. Plays nothing; a finished game refuses nothing."""
    for i in range(len(states)):
        s = record(facts[0], states[i])
        if s.mover == OVER or actions[i] == SKIP or (s.mover == CHANCE and actions[i] == SAMPLE):
            continue
        if not is_legal(facts[0], s, actions[i]):
            return i
    return FINE


@kernel(wide=True)
def deal(facts: Facts, batch: Batch, manner: Manner, fresh: Flags, first: int, last: int) -> None:
    """Start a new game in every game from `first` up to `last` that is marked in `fresh`."""
    room = np.empty(manner.room, np.int64)
    for i in range(first, last):
        if fresh[i]:
            clear(batch, i)
            start(facts, batch, manner, i)
            look(facts, batch, i, room)


@kernel(wide=True)
def play(facts: Facts, batch: Batch, manner: Manner, actions: Numbers, first: int, last: int) -> None:
    """Play one legal action in each game from `first` up to `last`, and write the observations that follow."""
    room = np.empty(manner.room, np.int64)
    for i in range(first, last):
        s = record(facts[0], batch.states[i])
        if s.mover == OVER or actions[i] == SKIP:
            clear(batch, i)
            continue
        actor = max(int(s.mover), 0)
        rng = batch.seeds[i : i + 1]
        go(facts, batch, s, i, draw(facts[0], s, rng) if s.mover == CHANCE and actions[i] < 0 else actions[i])
        batch.lengths[i] += 1
        run(facts, batch, manner, s, i, rng)
        settle(facts, batch, s, i, actor)
        if s.mover == OVER and manner.renew:
            start(facts, batch, manner, i)
        look(facts, batch, i, room)


@kernel(wide=True)
def survey(facts: Facts, batch: Batch, manner: Manner, first: int, last: int) -> None:
    """Write the observations of the games from `first` up to `last` as they are."""
    room = np.empty(manner.room, np.int64)
    for i in range(first, last):
        look(facts, batch, i, room)


@kernel(wide=True)
def look_as(facts: Facts, states: Raws, seats: Numbers, rows: Rows) -> None:
    """Write what one seat of each game sees into `rows`."""
    for i in range(len(states)):
        fill(facts, record(facts[0], states[i]), seats[i], rows[i])


@kernel(wide=True)
def pick_each(facts: Facts, states: Raws, seeds: Rng, actions: Numbers) -> None:
    """Choose a random legal action for each game, or a random outcome at chance; SAMPLE where the game is over."""
    for i in range(len(states)):
        s = record(facts[0], states[i])
        rng = seeds[i : i + 1]
        if s.mover >= 0:
            actions[i] = pick(facts[0], s, rng)
        else:
            actions[i] = draw(facts[0], s, rng) if s.mover == CHANCE else SAMPLE


@compiled
def clear(batch: Batch, i: int) -> None:
    """Reset what the last step of a game wrote."""
    batch.over[i] = False
    for seat in range(batch.rewards.shape[1]):
        batch.rewards[i, seat] = 0.0


@compiled
def start(facts: Facts, batch: Batch, manner: Manner, i: int) -> None:
    """Replace a game by a new one."""
    raw = batch.states[i]
    for k in range(len(raw)):
        raw[k] = 0
    for seat in range(batch.heard.shape[1]):
        for k in range(batch.heard.shape[2]):
            batch.heard[i, seat, k] = 0
    batch.lengths[i] = 0
    s = record(facts[0], raw)
    begin(facts[0], s)
    run(facts, batch, manner, s, i, batch.seeds[i : i + 1])


@compiled
def run(facts: Facts, batch: Batch, manner: Manner, s: Record, i: int, rng: Rng) -> None:
    """Play on until a seat that the caller plays is to act: chance and the other seats act at random."""
    learner = batch.learners[i]
    everybody = learner == ALL
    while s.mover != OVER:
        if s.mover == CHANCE:
            if not manner.resolve:
                return
            go(facts, batch, s, i, draw(facts[0], s, rng))
        elif everybody or s.mover == learner:
            return
        else:
            go(facts, batch, s, i, pick(facts[0], s, rng))


@compiled
def go(facts: Facts, batch: Batch, s: Record, i: int, action: int) -> None:
    """Play an action and append what each seat sees of it to that seat's history."""
    length = batch.heard.shape[2]
    if length:
        seats = batch.heard.shape[1]
        for seat in range(seats):
            who = 0 if s.mover == CHANCE else 1 + (int(s.mover) - seat + seats) % seats
            for k in range(1, length):
                batch.heard[i, seat, k - 1] = batch.heard[i, seat, k]
            batch.heard[i, seat, length - 1] = 1 + who * LABELS + label(facts[0], s, action, seat)
    apply(facts[0], s, action)


@compiled
def settle(facts: Facts, batch: Batch, s: Record, i: int, actor: int) -> None:
    """Write the result of a step: nothing, or the end of the game and its value for every seat."""
    clear(batch, i)
    if s.mover == OVER:
        batch.over[i] = True
        seats = batch.rewards.shape[1]
        for seat in range(seats):
            batch.rewards[i, seat] = value(s.winners, seats, seat)
        fill(facts, s, actor, batch.finals[i])


@compiled
def look(facts: Facts, batch: Batch, i: int, room: Numbers) -> None:
    """Write who is to act now, what that seat sees, and which actions are legal."""
    s = record(facts[0], batch.states[i])
    mover = int(s.mover)
    batch.movers[i] = mover
    fill(facts, s, max(mover, -1) if batch.learners[i] == ALL else batch.learners[i], batch.rows[i])
    mask = batch.masks[i]
    for k in range(len(mask)):
        mask[k] = False
    if mover >= 0:
        for k in range(legal(facts[0], s, room)):
            mask[room[k]] = True
    if batch.chances.shape[1]:
        weigh(facts, s, batch.chances[i], room)


@compiled
def fill(facts: Facts, s: Record, seat: int, row: NDArray[np.float32]) -> None:
    for k in range(len(row)):
        row[k] = 0.0
    observe(facts[0], s, seat, row)


@compiled
def weigh(facts: Facts, s: Record, chances: NDArray[np.float32], room: Numbers) -> None:
    """Write the probability of every outcome; zeros where chance is not to act or has too many outcomes to list."""
    for k in range(len(chances)):
        chances[k] = 0.0
    if s.mover != CHANCE:
        return
    n = weights(facts[0], s, room)
    if n == TOO_MANY:
        return
    total = 0
    for k in range(n):
        total += room[k]
    for k in range(n):
        chances[k] = room[k] / total
