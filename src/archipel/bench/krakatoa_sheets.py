"""How much skill there is in Krakatoa: players who compute, who err and who play the worst move, side by side.

    python -m archipel.bench.krakatoa_sheets [--games 2000]

Each player makes a share of best moves for points, a share of random moves, and a share of worst moves. Whole games are
played in compiled code: thousands per minute.
"""

import argparse
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import archipel
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, OVER, Facts, Numbers, Raw, Record, apply, copy, draw, legal, pick, record
from archipel.games.krakatoa.board import LETTER, ROUNDS, THROWS
from archipel.games.krakatoa.bot.exact import throws
from archipel.games.krakatoa.bot.exact.faces import BAG, Chances, marked
from archipel.games.krakatoa.bot.exact.sheet import SPAN, Sheet, sheet
from archipel.games.krakatoa.rules import DECIDE, TARGETS, THROW, target_in, thrower

PLAYERS = {"best": (100, 0), "half best": (50, 0), "random": (0, 0), "half worst": (0, 50), "worst": (0, 100)}
"""By name: the percentage of best and of worst moves; the others are random."""


def worths(solved: Sheet) -> NDArray[np.float64]:
    """The values after every throw, in a round before the last and in the last one."""
    found = np.zeros((2, THROWS + 4, 6, 1000, 100))
    for last in range(2):
        boxes = solved.boxes if last else 0
        end = solved.points(0 if last else 1)
        for number in range(1, THROWS + 1):
            found[last, number] = solved.after_throw(number, end, boxes, 0, True)
        for used in range(1, boxes + 1):
            found[last, THROWS + used] = solved._last(end, boxes - used, 0, True, SPAN)
    return found


@compiled
def worth_of(
    s: Record, action: int, after: Chances, again: Chances, touches: float, thrown: Chances, jolted: Chances,
    worth: Numbers, earned: NDArray[np.int8],
) -> float:  # fmt: skip
    """The value of an action of the thrower in points."""
    seat = thrower(s)
    total = int(s.totals[seat]) % 100
    marks = marked(s.marks[seat, 0], s.marks[seat, 1])
    table = 100 * BAG[s.dice[0]] + 10 * BAG[s.dice[1]] + BAG[s.dice[2]]
    if s.phase == DECIDE:
        return (
            float(again[marks, total]) if action else throws.settled(worth, earned, after, marks, table, 0, total, True)
        )
    s.aim = action - THROW
    k = s.aim // TARGETS
    i, j = (1 if k == 0 else 0), (1 if k == 2 else 2)
    first, second = jolted[letter_at(s, i), BAG[s.dice[i]]], jolted[letter_at(s, j), BAG[s.dice[j]]]
    s.aim = -1
    return throws.after_aim(touches, thrown, first, second, worth, earned, after, marks, table, k, 0, total, True)


@compiled
def letter_at(s: Record, k: int) -> int:
    """The letter of the die that is aimed at in a set; 3 if it is in another."""
    die = target_in(s, k)
    return int(LETTER[s.dice[k], die]) if 0 <= die < 3 else 3


@compiled
def choose(
    facts: Record, s: Record, rng: Rng, best: int, worst: int, actions: Numbers, tables: NDArray[np.float64],
    again: NDArray[np.float64], touches: float, thrown: Chances, jolted: Chances, worth: Numbers,
    earned: NDArray[np.int8],
) -> int:  # fmt: skip
    luck = below(rng, 100)
    if luck >= best + worst:
        return int(pick(facts, s, rng))
    sign = 1.0 if luck < best else -1.0
    last = int(s.round_no == ROUNDS)
    found = -1
    most = -1e9
    for n in range(legal(facts, s, actions)):
        value = sign * worth_of(
            s, actions[n], tables[last, s.throw_no], again[last], touches, thrown, jolted, worth, earned
        )
        if value > most:
            most = value
            found = int(actions[n])
    return found


@compiled
def play(
    facts: Facts, start: Raw, games: int, rng: Rng, shares: Numbers, tables: NDArray[np.float64],
    again: NDArray[np.float64], touches: float, thrown: Chances, jolted: Chances, worth: Numbers,
    earned: NDArray[np.int8], totals: Numbers,
) -> None:  # fmt: skip
    """Play this number of games between two players, and write their totals."""
    raw = start.copy()
    s = record(facts[0], raw)
    actions = np.empty(64, np.int64)
    for game in range(games):
        copy(start, raw)
        while s.mover != OVER:
            if s.mover == CHANCE:
                apply(facts[0], s, draw(facts[0], s, rng))
            else:
                best, worst = shares[s.mover, 0], shares[s.mover, 1]
                action = choose(
                    facts[0], s, rng, best, worst, actions, tables, again, touches, thrown, jolted, worth, earned
                )
                apply(facts[0], s, action)
        totals[game, 0] = s.totals[0]
        totals[game, 1] = s.totals[1]


def match(kind: str, first: str, second: str, games: int) -> NDArray[np.int64]:
    """The totals of games between two players."""
    game, solved = archipel.game("krakatoa", game=kind), sheet(kind == "advanced")
    tables = worths(solved)
    again = np.array([solved.opening(tables[last, 1], 0, True)[1] for last in range(2)])
    totals = np.zeros((games, 2), np.int64)
    shares, rng = np.array([PLAYERS[first], PLAYERS[second]]), np.array([1], np.uint64)
    given = (tables, again, *solved.model, solved.worth, solved.earned)
    play(game.facts, game.new()._raw, games, rng, shares, *given, totals)
    return totals


def main() -> None:
    """Every player against the next."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    games = parser.parse_args().games
    names = list(PLAYERS)
    for kind in ("advanced", "basic"):
        print(f"{kind}: a game is worth {sheet(kind == 'advanced').points(6)[0, 0]:.2f} points with best play")
        for first, second in [*pairwise(names), ("best", "random")]:
            totals = match(kind, first, second, games)
            share = np.mean((np.sign(totals[:, 0] - totals[:, 1]) + 1) / 2)
            error = 1.96 * np.sqrt(share * (1 - share) / games)
            mean, spread = totals.mean(axis=0), totals.std(axis=0)
            text = f"{mean[0]:6.1f} ({spread[0]:4.1f}) against {mean[1]:6.1f} ({spread[1]:4.1f})"
            print(f"{first:>10} - {second:<10} {share:6.1%} +-{error:.1%}   {text}", flush=True)


if __name__ == "__main__":
    main()
