"""Random games through the Python objects, an action at a time, beside the same loop over OpenSpiel's."""

import random
from functools import partial
from time import process_time

import numpy as np

import archipel
from archipel import CHANCE, OVER, Game

from . import openspiel
from .measuring import Effort, Played, Row, Runner, Step, Target, race

PART = "Actions a second through the Python objects, and through OpenSpiel's"
TARGET = Target(100_000)


def steps(names: list[str], effort: Effort) -> list[Step]:
    return [Step(f"{name}: through the Python objects", partial(rows, name, effort)) for name in names]


def rows(name: str, effort: Effort) -> list[Row]:
    game = archipel.game(name)
    relatives = list(openspiel.RELATIVES.get(name, ())) if openspiel.is_there() else []
    ours, *others = race([loop(game), *map(openspiel.python_loop, relatives)], effort)
    if not others:
        return [Row(PART, game.title, ours.actions_a_second, target=TARGET)]
    return [
        Row(PART, game.title, ours.actions_a_second, relative, theirs.actions_a_second, TARGET)
        for relative, theirs in zip(relatives, others, strict=True)
    ]


def loop(game: Game) -> Runner:
    """`actions`, `sample` and `after`: what a bot's author writes."""

    def run(games: int, seed: int) -> Played:
        rng, luck = np.random.default_rng(seed), random.Random(seed)
        actions = 0
        start = process_time()
        for _ in range(games):
            state = game.new()
            while state.mover != OVER:
                if state.mover == CHANCE:
                    action = state.sample(rng)
                else:
                    legal = state.actions()
                    action = legal[int(luck.random() * len(legal))]
                state = state.after(action)
                actions += 1
        return Played(games, actions, process_time() - start)

    return run
