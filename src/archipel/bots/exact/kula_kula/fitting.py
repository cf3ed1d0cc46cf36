"""Fitting the worth of a standing in Kula Kula: careful sailors play, and their games say what wins.

    python -m archipel.bots.exact.kula_kula.fitting

plays a few thousand games with the weights that there are, fits new ones to who won, and does so again; it
needs SciPy, takes minutes, prints how well the weights foretell the winner, and writes `weights.json`.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from archipel.bots.knowledge import Lore
from archipel.bots.knowledge.kula_kula import CHOOSING, STANDING, LORE, look, playout, first_guess
from archipel.core import registry
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, OVER, Facts, Raw, Record, apply, copy, draw, pick, record

GAMES = 2000
ROUNDS = 3
NOISE = 10
"""One decision in so many is made at random, so that the games see more than what careful sailors do."""
FADE = 1e-5
"""How strongly weights are drawn towards zero."""

Seen = NDArray[np.float32]


@compiled
def watch(lore: Lore, facts: Facts, first: Raw, games: int, rng: Rng, seen: Seen, won: Seen) -> int:
    """Play games, and note what is to be said of every seat before each turn, and who won; how many notes."""
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
            if s.phase == CHOOSING and notes < len(seen):
                for seat in range(facts[0].players):
                    look(facts[0], s, seat, s.seat, numbers)
                    for k in range(STANDING):
                        seen[notes, seat, k] = numbers[k]
                notes += 1
            careless = below(rng, NOISE) == 0
            apply(facts[0], s, pick(facts[0], s, rng) if careless else playout(lore[0], facts[0], s, rng))
        for note in range(begun, notes):
            for seat in range(facts[0].players):
                won[note, seat] = s.winners >> seat & 1
    return notes


def fit(seen: Seen, won: Seen, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The weights under which the winners were likeliest; and the mean logarithm of their chances."""
    share = won / won.sum(axis=1, keepdims=True)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        standing = seen @ weights.astype(np.float32)
        chances = np.exp(standing - standing.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = np.tensordot(chances - share, seen, 2) / len(seen)
        value = -np.mean(np.sum(share * np.log(np.maximum(chances, 1e-9)), axis=1))
        return float(value + FADE * weights @ weights), (slope + 2 * FADE * weights).astype(float)

    found = minimize(loss, weights, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return found.x, -float(found.fun)


def improve(lore: Lore, players: int, games: int, seed: int, return_home: bool = False) -> float:
    """Play with these weights and fit new ones in their place."""
    game = registry.game("kula_kula", players=players, return_home=return_home)
    seen = np.empty((games * 60, players, STANDING), np.float32)
    won = np.empty((games * 60, players), np.float32)
    notes = watch(lore, game.facts, game.new()._raw, games, np.array([seed], np.uint64), seen, won)
    weights = lore["kula_kula"][0, players - 3]
    weights[:], likelihood = fit(seen[:notes], won[:notes], weights)
    print(f"{players} players: {notes} positions, log likelihood {likelihood:.4f}", flush=True)
    return likelihood


def main() -> None:
    """Fit for every number of players, several times."""
    lore = first_guess()
    for turn in range(ROUNDS):
        for players in (3, 4, 5):
            improve(lore, players, GAMES, 1000 * turn + players)
        text = json.dumps(np.round(lore["kula_kula"][0], 3).tolist())
        (Path(__file__).parent / "weights.json").write_text(text.replace("], [", "],\n[") + "\n")


if __name__ == "__main__":
    main()
