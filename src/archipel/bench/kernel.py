"""Whole random games inside the kernels, one core, beside plain C loops of the same rules."""

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np

import archipel
from archipel import Game

from . import native
from .measuring import Effort, Played, Row, Runner, Step, Target, race

TARGET = Target(0.7, ratio=True)
RATE = "Whole random games a second in the kernel"
PARTS: dict[str, Callable[[Played], float]] = {
    RATE: lambda played: played.games_a_second,
    "Their actions a second": lambda played: played.actions_a_second,
    "Their length in actions": lambda played: played.actions_a_game,
    "The part of them that seat 0 wins": lambda played: played.wins_a_game,
}


def steps(names: list[str], effort: Effort) -> list[Step]:
    return [Step(f"{name}: random games in the kernel", partial(rows, name, effort)) for name in names]


def rows(name: str, effort: Effort) -> list[Row]:
    game = archipel.game(name)
    if not native.has_loop(name) or not native.compiler():
        (ours,) = race([kernel(game)], effort)
        return _rows(game, ours, None)
    with native.built(name) as plain:
        return _rows(game, *race([kernel(game), plain], effort))


def kernel(game: Game) -> Runner:
    """Play whole random games without calling Python."""
    first = game.new()

    def run(games: int, seed: int) -> Played:
        rng = np.random.default_rng(seed)
        start = process_time()
        worth, actions = first.judge(games, rng)
        return Played(games, actions, process_time() - start, _wins(game.seats, games, worth[0]))

    return run


def _wins(seats: int, games: int, worth: float) -> float:
    """The number of games that a seat won, from the sum of its returns; a shared win is a fraction of one."""
    return (worth * (seats - 1) + games) / seats


def _rows(game: Game, ours: Played, plain: Played | None) -> list[Row]:
    if plain is None:
        return [Row(part, game.title, of(ours)) for part, of in PARTS.items()]
    return [
        Row(part, game.title, of(ours), "plain C", of(plain), TARGET if part == RATE else None)
        for part, of in PARTS.items()
    ]
