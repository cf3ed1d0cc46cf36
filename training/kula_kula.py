"""Fit what a standing is worth in Kula Kula: python -m training.kula_kula

Careful sailors play with the weights that there are; new ones are fitted to
who won (a conditional logit), and so on for a few generations. It takes minutes
and prints how well the weights foretell the winner. They are written with their
recipe to `knowledge/kula_kula.json`.
"""

import argparse
import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from archipel.bots.knowledge import Lore
from archipel.bots.knowledge.kula_kula import STANDING, WEIGHTS, first_guess, look, playout
from archipel.core import registry
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, OVER, Facts, Raw, apply, copy, draw, pick, record
from archipel.games.kula_kula.rules import CHOOSING

Seen = NDArray[np.float32]


@dataclass(frozen=True)
class Plan:
    """Everything that a run depends on."""

    seed: int = 1
    generations: int = 3
    games: int = 1000
    whims: int = 10
    """One decision in so many is made at random, so that the games see more than what careful sailors do."""
    kept: int = 2
    """One turn in so many is learned from."""
    fade: float = 1e-5
    """How strongly weights are drawn towards zero."""


@compiled
def watch(
    lore: Lore, facts: Facts, first: Raw, games: int, rng: Rng, whims: int, kept: int, seen: Seen, won: Seen
) -> int:
    """Play games, and note what is to be said of every seat before some turns, and who won; how many notes."""
    raw = first.copy()
    s = record(facts[0], raw)
    numbers = np.empty(STANDING)
    notes = 0
    for _ in range(games):
        copy(first, raw)
        begun = notes
        while s.mover != OVER:
            if s.mover == CHANCE:
                apply(facts[0], s, draw(facts[0], s, rng))
                continue
            if s.phase == CHOOSING and notes < len(seen) and below(rng, kept) == 0:
                for seat in range(facts[0].players):
                    look(facts[0], s, seat, s.seat, numbers)
                    for k in range(STANDING):
                        seen[notes, seat, k] = numbers[k]
                notes += 1
            whim = below(rng, whims) == 0
            apply(facts[0], s, pick(facts[0], s, rng) if whim else playout(lore[0], facts[0], s, rng))
        for note in range(begun, notes):
            for seat in range(facts[0].players):
                won[note, seat] = s.winners >> seat & 1
    return notes


def fit(seen: Seen, won: Seen, weights: NDArray[np.float64], fade: float) -> tuple[NDArray[np.float64], float]:
    """The weights under which the winners were likeliest, and the mean logarithm of their chances."""
    share = won / won.sum(axis=1, keepdims=True)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        standing = seen @ weights.astype(np.float32)
        chances = np.exp(standing - standing.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = np.tensordot(chances - share, seen, 2) / len(seen)
        value = -np.mean(np.sum(share * np.log(np.maximum(chances, 1e-9)), axis=1))
        return float(value + fade * weights @ weights), (slope + 2 * fade * weights).astype(float)

    found: Any = minimize(loss, weights, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return found.x, -float(found.fun)


def improve(lore: Lore, players: int, plan: Plan, seed: int) -> tuple[int, float]:
    """Play with these weights and fit new ones in their place; from how many positions, and how well."""
    game = registry.game("kula_kula", players=players)
    seen = np.empty((plan.games * 100, players, STANDING), np.float32)
    won = np.empty((plan.games * 100, players), np.float32)
    rng = np.array([seed], np.uint64)
    notes = watch(lore, game.facts, game.new()._raw, plan.games, rng, plan.whims, plan.kept, seen, won)
    weights = lore["kula_kula"][0, players - 3]
    weights[:], likelihood = fit(seen[:notes], won[:notes], weights, plan.fade)
    return notes, likelihood


def train(plan: Plan) -> None:
    """Every generation for 3, 4 and 5 players; all that is known is on the disk after each."""
    lore, log = first_guess(), []
    for generation in range(plan.generations):
        for players in (3, 4, 5):
            notes, likelihood = improve(lore, players, plan, 1000 * plan.seed + 10 * generation + players)
            log.append({"generation": generation, "players": players, "positions": notes, "likelihood": likelihood})
            print(f"generation {generation}, {players} players: {notes} positions, {likelihood:.4f}", flush=True)
        weights = np.round(lore["kula_kula"][0], 3).tolist()
        told = {"made_by": "python -m training.kula_kula", "plan": asdict(plan), "log": log, "weights": weights}
        WEIGHTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in asdict(Plan()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    train(Plan(**vars(parser.parse_args())))
