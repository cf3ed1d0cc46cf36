"""Random games and searches through the kernels, summed up in digests: the same wherever the same kernels run.

`python -m tests.kernels.played GAME GAMES` prints them. `web/tests/kernels/played.ts` plays the same in WebAssembly.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import archipel
from archipel.bots import tree
from archipel.bots.knowledge import NOTHING, Knowledge, known_of
from archipel.core import rules
from archipel.core.game import Game
from archipel.core.rules import CHANCE, OVER, Raw

WARM_UP = 12
"""Searches begin after so many steps of a random game."""
NODES = 1 << 14
SIMULATIONS = 300


class Luck:
    """Numbers of 32 bits, easily made in any language."""

    def __init__(self, seed: int) -> None:
        self._last = seed

    def next(self) -> int:
        self._last = (self._last * 1664525 + 1013904223) & 0xFFFFFFFF
        return self._last

    def below(self, n: int) -> int:
        return self.next() * n >> 32


def states(game: Game, luck: Luck) -> Iterator[Raw]:
    """The bytes of every state of a random game."""
    raw, out = np.zeros(game.rules.state.itemsize, np.uint8), np.empty(game.rules.outcomes, np.int64)
    mover = rules.new(game.facts, raw)
    yield raw
    while mover != OVER:
        if mover == CHANCE:
            action = rules.sample(game.facts, raw, luck.next())
        else:
            action = int(out[luck.below(rules.actions(game.facts, raw, out))])
        mover = rules.step(game.facts, raw, action)
        yield raw


def played(game: Game, games: int) -> str:
    """A digest of all states of random games."""
    found, luck = hashlib.sha256(), Luck(7)
    for _ in range(games):
        for raw in states(game, luck):
            found.update(raw.tobytes())
    return found.hexdigest()


def searched(game: Game, knowledge: Knowledge) -> str:
    """A digest of a tree that a search has grown in the middle of a game."""
    start = middle(game)
    nodes, used, rng = np.zeros(NODES, tree.NODE), np.ones(1, np.int64), np.array([99], np.uint64)
    room = tree.scratch(len(start), game.seats)
    tree.simulate(knowledge.lore, game.facts, start, nodes, used, rng, settings(game, knowledge), room)
    return hashlib.sha256(nodes.tobytes() + used.tobytes() + rng.tobytes()).hexdigest()


def middle(game: Game) -> Raw:
    """A state in the middle of a game."""
    for number, raw in enumerate(states(game, Luck(7))):
        if number >= WARM_UP and raw.view(game.rules.state)[0].mover >= 0:
            break
    return raw.copy()


def settings(game: Game, knowledge: Knowledge) -> tree.Settings:
    has_prior = hasattr(knowledge.module, "prior")
    how = knowledge.curiosity, knowledge.steps, knowledge.unfold, knowledge.wide
    return tree.Settings(0, game.seats, 0, SIMULATIONS, has_prior, *how)


def results(name: str, games: int) -> dict[str, Any]:
    """All digests of a game."""
    game = archipel.game(name)
    some = {"plain": NOTHING, "known": known_of(game)}
    return {"played": played(game, games)} | {key: searched(game, knowledge) for key, knowledge in some.items()}


if __name__ == "__main__":
    print(json.dumps(results(sys.argv[1], int(sys.argv[2]))))
