"""Fit the evaluation of Stonehenge: python -m training.stonehenge

Positions of sensibly played games, with some random moves, are solved. The winner is fitted, by a logistic regression,
to the open lines with their leads and empty cells, the megaliths, the hands and whose turn it is. It takes about ten
minutes, and prints the parameters for `games/stonehenge/bot/solver/judgement.py` and how often they are right.
"""

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import archipel
from archipel.core.rules import OVER
from archipel.core.state import State
from archipel.games.stonehenge.board import HANDS, VALUES
from archipel.games.stonehenge.bot.solver import table
from archipel.games.stonehenge.bot.solver.alphabeta import WIN
from archipel.games.stonehenge.bot.solver.position import FREE, HAND, LEVEL, NEED, OPEN, PARTS, ROOM, SHIFT, WORD, pack
from archipel.games.stonehenge.bot.solver.solve import Solver
from archipel.games.stonehenge.rules import N_LINES

ROOMS, LEADS = 5, 21
DRUIDS = ROOMS * LEADS
MEGALITHS = DRUIDS + len(VALUES)
MOVER = MEGALITHS + 1
NUMBERS = MOVER + 2

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """All parameters of a run."""

    seed: int = 1
    positions: tuple[tuple[int, int], ...] = ((8, 8000), (9, 8000), (10, 12000), (11, 4000), (12, 900))
    """Numbers of empty cells, each with a number of positions."""
    whims: float = 0.25
    """The share of random moves."""
    spread: float = 5.0
    """How far down the list of sensible moves the others are taken from, on average."""
    fade: float = 0.3
    """The strength of the regularisation towards zero,"""
    smooth: float = 6.0
    """and of neighbouring leads towards each other."""
    kept_back: float = 0.15
    """The share of positions that are held out for evaluation."""


def some_position(solver: Solver, plan: Plan, empty: int, rng: np.random.Generator) -> State:
    """A position of a running game with this many empty cells."""
    state = archipel.game("stonehenge").new()
    while int(state.record.free).bit_count() > empty:
        moves = solver.moves(state)
        whim = rng.random() < plan.whims
        place = int(rng.integers(len(moves))) if whim else int(rng.exponential(plan.spread))
        state = state.after(moves[min(place, len(moves) - 1)])
        if state.mover == OVER:
            return some_position(solver, plan, empty, rng)
    return state


def numbers(position: list[int]) -> Matrix:
    """The regressors of a position, from the view of seat 0."""
    out = np.zeros(NUMBERS)
    for line in range(N_LINES):
        packed = position[WORD[line]] >> int(SHIFT[line]) & 511
        lead, room = (packed >> ROOM) - LEVEL, packed & 7
        if position[OPEN] >> line & 1 and lead:
            out[(room - 1) * LEADS + abs(lead) - 1] += np.sign(lead)
    out[DRUIDS:MEGALITHS] = np.subtract(HANDS[position[HAND]], HANDS[position[HAND + 1]])
    out[MEGALITHS] = position[NEED + 1] - position[NEED]
    seat = position[FREE].bit_count() % 2
    out[MOVER + seat] = 1.0
    return out


def solved(plan: Plan) -> tuple[Matrix, Matrix]:
    """The regressors of many positions, and whether seat 0 wins them."""
    rng, solver = np.random.default_rng(plan.seed), Solver(table.new(256))
    seen, won = [], []
    stack = np.zeros((1, PARTS), np.int64)
    for empty, count in plan.positions:
        for _ in range(count):
            solver.begin()
            state = some_position(solver, plan, empty, rng)
            pack(state.record, stack)
            seen.append(numbers(stack[0].tolist()))
            won.append(float((solver.wins(state) == WIN) == (state.mover == 0)))
        print(f"{count} positions of {empty} empty cells are solved.", flush=True)
    return np.array(seen), np.array(won)


def fit(seen: Matrix, won: Matrix, plan: Plan) -> Matrix:
    """The maximum-likelihood parameters."""
    apart = np.zeros((DRUIDS - 1, NUMBERS))
    for k in range(DRUIDS - 1):
        if (k + 1) % LEADS:
            apart[k, k], apart[k, k + 1] = 1.0, -1.0

    def cost(figures: Matrix) -> tuple[Any, Matrix]:
        odds = seen @ figures
        wrong = 1 / (1 + np.exp(-odds)) - won
        rough = apart @ figures
        total = np.logaddexp(0, odds * (1 - 2 * won)).sum() + plan.fade * figures @ figures / 2
        slope = seen.T @ wrong + plan.fade * figures + plan.smooth * apart.T @ rough
        return total + plan.smooth * rough @ rough / 2, slope

    found: Matrix = minimize(cost, np.zeros(NUMBERS), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return found


def tell(figures: Matrix) -> None:
    """Print the parameters in the format of the evaluation."""
    for room in range(ROOMS):
        print(f"{room + 1} empty:", *(f"{x:.2f}" for x in figures[room * LEADS : (room + 1) * LEADS]))
    print("druids:", *(f"{x:.2f}" for x in figures[DRUIDS:MEGALITHS]))
    print(f"a megalith: {figures[MEGALITHS]:.2f}; to move: {figures[MOVER]:.2f}, {figures[MOVER + 1]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    plan = Plan(seed=parser.parse_args().seed)
    seen, won = solved(plan)
    back = np.random.default_rng(plan.seed).random(len(won)) < plan.kept_back
    figures = fit(seen[~back], won[~back], plan)
    tell(figures)
    right = np.mean((seen[back] @ figures > 0) == (won[back] > 0))
    print(f"It is right in {right:.1%} of {back.sum()} positions that were kept back.")


if __name__ == "__main__":
    main()
