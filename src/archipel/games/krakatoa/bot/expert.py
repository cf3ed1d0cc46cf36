"""Krakatoa's strongest bot: it computes the win chance of every set, aim and re-roll instead of searching."""

from time import perf_counter
from typing import Any

import numpy as np

from archipel.bots import View
from archipel.bots.budget import Budget
from archipel.bots.thought import Opinion, Thought, evenly
from archipel.bots.worlds import imagined
from archipel.core.game import Game
from archipel.core.state import State
from archipel.games.krakatoa.bot.exact.player import chances, points, so_far, whole_game
from archipel.games.krakatoa.bot.exact.spans import soften
from archipel.games.krakatoa.rules import DECIDE

MIDDLING = 0.8
"""The points of a player who alternates between best and worst decisions, as a share of perfect play."""


class ExactBot:
    """Plays the action with the highest win chance. It simulates nothing, so a larger budget changes nothing."""

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The best action."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """The value of every action. Nothing is hidden in this game, so the sampled world is the true one."""
        begun = perf_counter()
        (world,) = imagined(view, rng)
        ranking = [Opinion(a, world.notation(a), 0, _worth(world, chance)) for a, chance in chances(world).items()]
        ranking.sort(key=lambda opinion: (-opinion.value, opinion.action))
        line = [ranking[0].notation]
        return Thought(view["seat"], ranking, 0, perf_counter() - begun, line, _values(world, ranking[0].value))


def expert(game: Game, budget: Budget, cores: int) -> ExactBot:
    """The strongest bot; budget and cores make no difference, because nothing is searched."""
    return ExactBot()


def strive(view: View, rng: np.random.Generator, ambition: float) -> int:
    """An action for a player that aims for a share (`ambition`) of a perfect player's score.

    It plays the best action while it is behind this goal and the worst while it is ahead. So luck has less influence on
    its totals, and its strength is steadier than that of a player who makes occasional mistakes.
    """
    (world,) = imagined(view, rng)
    worths = points(world)
    best, worst = max(worths, key=worths.__getitem__), min(worths, key=worths.__getitem__)
    ahead = so_far(world) + MIDDLING * worths[best] > ambition * whole_game(world)
    return worst if ahead else best


def lean(view: View, rng: np.random.Generator, habits: dict[str, Any]) -> int:
    """An action for a player who counts points as far as a `horizon` and takes one of the throws that look good.

    A throw's probability falls by a factor of e for each `softness` points that it looks worse than the best. Whether
    to keep the nine dice of a turn's first throw is plain to everybody: what looks better is done.
    """
    (world,) = imagined(view, rng)
    actions, worths = zip(*points(world, habits["horizon"]).items(), strict=True)
    if world.record.phase == DECIDE:
        return int(actions[worths.index(max(worths))])
    up_to = np.empty(len(actions))
    soften(np.array(worths), habits["softness"], up_to)
    luck = rng.random()
    return int(next(action for action, limit in zip(actions, up_to, strict=True) if luck < limit))


def _worth(world: State, chance: float) -> float:
    """The expected return for a win chance, from -1 to 1; partners share the win."""
    seats, sides = world.game.seats, int(world.game.facts[0].sides)
    share = sides / seats
    return chance * (share * seats - 1) / (seats - 1) - (1 - chance) / (seats - 1)


def _values(world: State, own: float) -> list[float]:
    """The value for each seat; partners share it."""
    sides = int(world.game.facts[0].sides)
    of_sides = evenly(world.mover % sides, own, sides)
    return [of_sides[seat % sides] for seat in range(world.game.seats)]
