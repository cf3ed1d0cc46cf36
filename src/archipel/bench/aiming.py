"""Does aiming pay? A bot that aims against one that throws at a random die, and a steady hand against a shaky one.

    python -m archipel.bench.aiming                          400 games, dice by the model
    python -m archipel.bench.aiming 100 physics              100 games, dice by physics
    python -m archipel.bench.aiming 400 model 10             both aim, the other with a hand that errs by 10 mm
    python -m archipel.bench.aiming 100 model sailor fisher  two levels, as they play at a table

Ctrl-C prints the results so far. All but levels make the same decisions to keep or re-roll, and aim by the model alone.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

import archipel
from archipel import CHANCE, OVER, State
from archipel.arena.intervals import share
from archipel.games.krakatoa.board import DICE
from archipel.games.krakatoa.bot import hands
from archipel.games.krakatoa.bot.aiming import AimingBot, Judgement, Shot, turn
from archipel.games.krakatoa.dice import Aim, InvalidAim, Model, Physics, Thrower, Tray
from archipel.games.krakatoa.dice.aiming import Hand, candidates
from archipel.games.krakatoa.dice.model import chances
from archipel.games.krakatoa.dice.tray import set_of
from archipel.workers import cores

AIMS = 120
"""How many aims are ranked for a throw: fewer than at the table, because there are many throws."""
THROWERS: dict[str, Callable[[], Thrower]] = {"model": Model, "physics": Physics}

Aimer = Callable[[State, Tray, np.random.Generator], Shot]


def aiming(hand: Hand) -> Aimer:
    """A player who looks for the best aim."""
    bot = AimingBot(None, hand, AIMS, "points")
    return lambda state, tray, rng: bot.aim(state.view(state.mover), tray, rng)


def of_level(name: str) -> Aimer:
    """A player who aims as a level does at a table."""
    return lambda state, tray, rng: hands.shot(name, state.view(state.mover), tray, rng)


def aimless(state: State, tray: Tray, rng: np.random.Generator) -> Shot:
    """Throws the best set for random aims, straight at a random die, from a random side."""
    if state.snapshot()["phase"] == "decide":
        return AimingBot(None, goal="points").aim(state.view(state.mover), tray, rng)
    judgement = Judgement(turn(state, "points"))
    sets = dict.fromkeys(state.decode(action)["set"] for action in state.actions())
    thrown = max(sets, key=lambda name: _anywhere(judgement, tray, name, rng)) if len(sets) > 1 else next(iter(sets))
    table = _table(tray, thrown)
    while True:
        try:
            aim = Aim.at(table, str(rng.choice(list(table.lies))), rng.uniform(0, 360))
        except InvalidAim:
            continue
        return Shot(aim.action(state, tray, thrown), aim)


def _anywhere(judgement: Judgement, tray: Tray, thrown: str, rng: np.random.Generator) -> float:
    """The mean value of throws of this set."""
    places = _table(tray, thrown).poses[:, :2]
    return float(judgement.worth(tray, thrown).of(chances(candidates(places, AIMS, rng), places)).mean())


def _table(tray: Tray, thrown: str) -> Tray:
    return tray.without(die for die in DICE if set_of(die) == thrown)


def play(aimers: tuple[Aimer, Aimer], thrower: Thrower, seed: int) -> State:
    """Play a whole game between two players, by seat."""
    rng = np.random.default_rng((5, seed))
    state, tray, aim = archipel.game("krakatoa").new(), None, None
    while state.mover != OVER:
        if state.mover == CHANCE:
            throw = thrower.throw(state, aim, rng, tray)
            state, tray, aim = state.after(throw.landing), throw.tray, None
        else:
            assert tray
            action, aim = aimers[state.mover](state, tray, rng)
            state = state.after(action)
    return state


class Score(NamedTuple):
    """The first player's share of a game, and the points of both."""

    won: float
    points: list[int]


def game(who: tuple[str, ...], thrower: str, number: int) -> Score:
    """One game of a match; the players swap seats from game to game."""
    (first, second), turned = pair(who), number % 2
    state = play((second, first) if turned else (first, second), THROWERS[thrower](), number)
    return Score((state.returns()[turned] + 1) / 2, state.scores[::-1] if turned else state.scores)


def match(who: tuple[str, ...], thrower: str, games: int) -> None:
    """Play this number of games on all cores, and print how many the first player has won."""
    scores: list[Score] = []
    with ProcessPoolExecutor(cores(), get_context("spawn")) as pool:
        try:
            for going in as_completed(pool.submit(game, who, thrower, number) for number in range(games)):
                scores.append(going.result())
                if len(scores) % 20 == 0 or len(scores) == games:
                    show(scores)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            if scores:
                show(scores)


def show(scores: list[Score]) -> None:
    won, (own, other) = share(sum(s.won for s in scores), len(scores)), np.mean([s.points for s in scores], axis=0)
    print(
        f"{len(scores)} games: won {won.value:.1%} (95 %: {won.low:.1%} to {won.high:.1%}), "
        f"{own:.1f} points a game against {other:.1f}",
        flush=True,
    )


def main(games: int = 400, thrower: str = "model", *who: str) -> None:
    print(f"{title(who)}; dice by {thrower}", flush=True)
    match(who, thrower, games)


@cache
def pair(who: tuple[str, ...]) -> tuple[Aimer, Aimer]:
    """Two levels; or a steady hand against one that errs by some millimetres, or against one that does not aim."""
    if len(who) == 2:
        return of_level(who[0]), of_level(who[1])
    return aiming(Hand()), aiming(Hand(float(who[0]) / 10)) if who else aimless


def title(who: tuple[str, ...]) -> str:
    if len(who) == 2:
        return f"A {who[0]} against a {who[1]}"
    other = f"a hand that errs by {who[0]} mm" if who else "one that throws at any die"
    return f"A bot that aims with a steady hand against {other}"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, *sys.argv[2:])
