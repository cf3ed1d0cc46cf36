"""Kula Kula's strongest bot: exact odds for the oracle's cards, and a trained network for what follows.

Where two actions are close it simulates the next turns: everybody plays as it would, and the result is evaluated again.
"""

import numpy as np
from numpy.typing import NDArray

from archipel.bots import View
from archipel.bots.budget import Budget, Meter
from archipel.bots.knowledge import Lore
from archipel.bots.thought import Opinion, Thought
from archipel.bots.worlds import imagined
from archipel.core.game import Game
from archipel.core.state import State, seed
from archipel.games.kula_kula.bot.knowledge import KNOWLEDGE, chances_of, look_out, win_chance_of

DEFAULT = Budget(simulations=1_000)
WORLDS = 24
"""The number of worlds in which the other players' chances are estimated, as their Pukas are hidden."""
DEEP = 8
"""How many more cards it looks ahead."""
CLEAR = 0.05
"""A lead in win chance that needs no simulation."""

Chances = NDArray[np.float64]


class KulaKulaBot:
    """Chooses the action with the best win chance."""

    def __init__(self, budget: Budget = DEFAULT, lore: Lore = KNOWLEDGE.lore) -> None:
        self.budget = budget
        self.lore = lore

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The best action."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Both actions with their values."""
        meter = Meter(budget or self.budget)
        (world,) = imagined(view, rng)
        chances = _weighed(self.lore, world)
        if abs(chances[0] - chances[1]) < CLEAR:
            chances = _looked_out(self.lore, world, rng, meter, chances)
        ranking = _ranking(world, chances, meter.spent)
        values = _values(self.lore, view, rng, ranking[0].value)
        return Thought(view["seat"], ranking, meter.spent, meter.elapsed, [ranking[0].notation], values)


def expert(game: Game, budget: Budget, cores: int) -> KulaKulaBot:
    """The strongest bot for a game of Kula Kula; it uses one core."""
    return KulaKulaBot(budget)


def _weighed(lore: Lore, world: State) -> Chances:
    """The mover's win chances without simulation; a mover who must sail has only the second."""
    chances = np.empty(2)
    chances_of(lore, world.game.facts, world._raw, DEEP, chances)
    return chances


def _looked_out(lore: Lore, world: State, rng: np.random.Generator, meter: Meter, glance: Chances) -> Chances:
    """The mover's mean win chances in simulations of the next turns, half of them for each action, if there is budget
    for any."""
    sums = np.zeros(2)
    while (portion := meter.portion()) > 1:
        look_out(lore, world.game.facts, world._raw, portion // 2, seed(rng), sums)
        meter.spent += portion // 2 * 2
    return sums * 2 / meter.spent if meter.spent else glance


def _values(lore: Lore, view: View, rng: np.random.Generator, own: float) -> list[float]:
    """The value for each seat: the others share the rest in proportion to their own chances."""
    seat, worlds = view["seat"], imagined(view, rng, WORLDS)
    game = worlds[0].game
    chances = np.array(
        [sum(win_chance_of(lore, game.facts, world._raw, other) for world in worlds) for other in range(game.seats)]
    )
    chances[seat] = 0
    left = 1 - (own * (game.seats - 1) + 1) / game.seats
    worth = (chances / chances.sum() * left * game.seats - 1) / (game.seats - 1)
    worth[seat] = own
    return [float(value) for value in worth]


def _ranking(world: State, chances: Chances, simulations: int) -> list[Opinion]:
    """The actions from best to worst."""
    actions, seats = world.actions(), world.game.seats
    ranking = [
        Opinion(action, world.notation(action), simulations // 2, (float(chance) * seats - 1) / (seats - 1))
        for action, chance in zip(actions, chances[-len(actions) :], strict=True)
    ]
    return sorted(ranking, key=lambda opinion: (-opinion.value, opinion.action))
