"""Train Kahuna's network by self-play: python -m training.kahuna

A generation plays games against itself and learns to predict their results: TD(lambda). The first plays at random. The
next ones take the action after which the network rates the position highest (now and then another). The last ones
search, as the bot does, seeing only what their seat sees, and learn from the result of the search too. Everything is
stored after each generation, including the weights in the package; the same command continues from there.
"""

import argparse
import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress

import archipel
from archipel.bots.tree import NODE, Scratch, Settings, Tree, scratch, simulate
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, LABELS, OVER, Facts, apply, begin, draw, legal, record, value
from archipel.games.kahuna.bot.knowledge import (
    DEEP,
    HIDDEN,
    INPUTS,
    KNOWLEDGE,
    LORE,
    RECIPE,
    WEIGHTS,
    look,
    look_ahead,
    soften,
    worth_to,
)
from archipel.games.kahuna.rules import STATE

Floats = NDArray[np.float32]
SIZE = STATE.itemsize
LONGEST = 2000
"""Longer games are discarded."""
NODES_A_SIMULATION = 64
CURIOSITY, UNFOLD = KNOWLEDGE.curiosity, KNOWLEDGE.unfold


@dataclass(frozen=True)
class Plan:
    """All parameters of a run."""

    seed: int = 1
    generations: int = 16
    games: int = 10_000
    """Games per generation that looks one action ahead."""
    searching: int = 6
    """How many more generations search."""
    searched: int = 2_400
    """Games per generation that searches."""
    simulations: int = 100
    """Simulations per decision in those."""
    kept: float = 0.6
    """The share of positions that are learned from."""
    certainty: float = 25.0
    """How strongly a player prefers the action that looks best."""
    whims: float = 0.02
    """The share of random actions."""
    trace: float = 0.95
    """Lambda: how far back a result is credited."""
    batch: int = 1024
    rate: float = 1e-3
    late_rate: float = 2e-4
    """The learning rate of the first generation, and of the first that searches; from there it decreases evenly."""

    def rate_of(self, number: int) -> float:
        """The learning rate of a generation."""
        if number < self.generations:
            return self.rate * max(0.03, 1 - number / self.generations)
        return self.late_rate * (1 - (number - self.generations) / self.searching)


# Games


@compiled
def chosen(out: NDArray[np.float64], n: int, rng: Rng) -> int:
    """A weighted random choice among n."""
    total = 0.0
    for k in range(n):
        total += out[k]
    left = total * below(rng, 1 << 30) / (1 << 30)
    for k in range(n):
        left -= out[k]
        if left < 0:
            return k
    return n - 1


@compiled
def move(lore: Any, facts: Facts, s: Any, actions: Any, weights: Any, certainty: float, whims: float, rng: Rng) -> None:
    """Play one action of the mover, or of chance."""
    if s.mover == CHANCE:
        apply(facts[0], s, draw(facts[0], s, rng))
        return
    n = legal(facts[0], s, actions)
    at = below(rng, n)
    if below(rng, 1 << 20) >= whims * (1 << 20):
        look_ahead(lore, facts[0], s, actions, n, weights)
        soften(weights, n, certainty)
        at = chosen(weights, n, rng)
    apply(facts[0], s, actions[at])


@compiled
def search(
    lore: Any, facts: Facts, raw: Any, seat: int, tree: Tree, used: Any, rng: Rng, simulations: int, weights: Any,
    room: Scratch,
) -> float:  # fmt: skip
    """Search as the bot does: a weight for each child of the root, and the value of the position for the seat."""
    used[0] = 1
    tree[0].visits = 0
    tree[0].first = 0
    tree[0].children = 0
    tree[0].room = 0
    settings = Settings(seat, 2, 0, simulations, True, CURIOSITY, 0, UNFOLD, LABELS)
    simulate(lore, facts, raw, tree, used, rng, settings, room)
    worth = 0.0
    for k in range(tree[0].children):
        child = tree[tree[0].first + k]
        weights[k] = float(child.visits) ** 2
        worth += child.worth
    return worth / simulations


@compiled
def self_play(
    lore: Any,
    facts: Facts,
    games: int,
    seed: int,
    certainty: float,
    whims: float,
    simulations: int,
    trace: float,
    kept: float,
    states: NDArray[np.uint8],
    targets: Floats,
    tree: Tree,
    room: Scratch,
) -> int:
    """Play games and store some of the positions, each with its result for the seat whose turn it was."""
    rng = np.array([np.uint64(seed)])
    raw = np.empty(SIZE, np.uint8)
    s = record(facts[0], raw)
    used = np.ones(1, np.int64)
    actions = np.empty(LABELS, np.int64)
    weights = np.empty(LABELS, np.float64)
    path = np.empty((LONGEST, SIZE), np.uint8)
    turns = np.empty(LONGEST, np.int64)
    worth = np.empty(LONGEST + 1, np.float64)
    n = 0
    for _ in range(games):
        raw[:] = 0
        begin(facts[0], s)
        steps = 0
        while s.mover != OVER and steps < LONGEST:
            path[steps] = raw
            turns[steps] = s.turn
            if simulations and s.mover >= 0:
                mine = search(lore, facts, raw, s.mover, tree, used, rng, simulations, weights, room)
                worth[steps] = mine if s.mover == 0 else -mine
                at = chosen(weights, tree[0].children, rng)
                if below(rng, 1 << 20) < whims * (1 << 20):
                    at = below(rng, tree[0].children)
                apply(facts[0], s, tree[tree[0].first + at].label)
            else:
                worth[steps] = worth_to(lore[0], s, 0)
                move(lore[0], facts, s, actions, weights, certainty, whims, rng)
            steps += 1
        if s.mover != OVER:
            continue
        target = value(s.winners, 2, 0)
        for k in range(steps - 1, -1, -1):
            if below(rng, 1 << 20) < kept * (1 << 20) and n < len(targets):
                states[n] = path[k]
                targets[n] = target if turns[k] == 0 else -target
                n += 1
            target = trace * target + (1 - trace) * worth[k]
    return n


@compiled
def match(ours: Any, theirs: Any, facts: Facts, games: int, seed: int) -> float:
    """The first network's share of wins against the second, each taking what looks best; seats alternate."""
    rng = np.array([np.uint64(seed)])
    raw = np.empty(SIZE, np.uint8)
    s = record(facts[0], raw)
    actions = np.empty(LABELS, np.int64)
    weights = np.empty(LABELS, np.float64)
    worth = 0.0
    for game in range(games):
        raw[:] = 0
        begin(facts[0], s)
        while s.mover != OVER:
            lore = ours if s.turn == game % 2 else theirs
            move(lore[0], facts, s, actions, weights, 1000.0, 0.0, rng)
        worth += value(s.winners, 2, game % 2)
    return (worth / games + 1) / 2


@compiled
def rows(facts: Facts, states: NDArray[np.uint8], out: Floats) -> None:
    """The network's inputs for positions, as zeros and ones."""
    inputs = np.empty(INPUTS, np.int64)
    raw = np.empty(SIZE, np.uint8)
    s = record(facts[0], raw)
    out[:] = 0
    for k in range(len(states)):
        raw[:] = states[k]
        for i in range(look(s, inputs)):
            out[k, inputs[i]] = 1


# Learning


class Learner:
    """The network's weights, and Adam's state."""

    NAMES = ("kahuna_inputs", "hidden_bias", "hidden", "deep_bias", "deep", "bias")

    def __init__(self, rng: np.random.Generator) -> None:
        self.lore = np.zeros(1, LORE)
        self.lore[0].kahuna_inputs = rng.normal(0, 0.1, (INPUTS, HIDDEN))
        self.lore[0].hidden = rng.normal(0, (2 / HIDDEN) ** 0.5, (HIDDEN, DEEP))
        self.slow, self.fast = np.zeros(1, LORE), np.zeros(1, LORE)
        self.steps = 0

    def forward(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Both hidden layers and the output."""
        net = self.lore[0]
        hidden = np.maximum(x @ net.kahuna_inputs + net.hidden_bias, 0)
        deep = np.maximum(hidden @ net.hidden + net.deep_bias, 0)
        return hidden, deep, np.tanh(deep @ net.deep + net.bias)

    def learn(self, x: Floats, target: Floats, rate: float) -> float:
        """One step towards the targets; return the mean squared error before it."""
        net = self.lore[0]
        hidden, deep, said = self.forward(x)
        error = said - target
        # The gradient of the squared error vanishes where tanh is flat; that of the cross-entropy does not.
        top = error / len(x)
        to_deep = np.outer(top, net.deep) * (deep > 0)
        to_hidden = (to_deep @ net.hidden.T) * (hidden > 0)
        slopes = (x.T @ to_hidden, to_hidden.sum(0), hidden.T @ to_deep, to_deep.sum(0), deep.T @ top, top.sum())
        self.steps += 1
        for name, slope in zip(self.NAMES, slopes, strict=True):
            self._adam(name, slope, rate)
        return float((error**2).mean())

    def _adam(self, name: str, slope: Any, rate: float) -> None:
        slow, fast = self.slow[name], self.fast[name]
        slow *= 0.9
        slow += 0.1 * slope
        fast *= 0.999
        fast += 0.001 * np.square(slope)
        step = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        self.lore[name] -= step * slow / (np.sqrt(fast) + 1e-8)

    def save(self, path: Path, generation: int) -> None:
        """Write everything atomically."""
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            np.savez(file, lore=self.lore, slow=self.slow, fast=self.fast, steps=self.steps, generation=generation)
        fresh.replace(path)

    def load(self, path: Path) -> int:
        """Load everything; return the generation."""
        with np.load(path) as kept:
            self.lore, self.slow, self.fast = (kept[name].view(LORE) for name in ("lore", "slow", "fast"))
            self.steps = int(kept["steps"])
            return int(kept["generation"])


def generation(learner: Learner, plan: Plan, number: int, facts: Facts, bar: Progress) -> dict[str, Any]:
    """Play, learn, and compare with the generation before; return the figures."""
    begun = time.perf_counter()
    searches = number >= plan.generations
    games = plan.searched if searches else plan.games
    states = np.empty((int(games * 250 * plan.kept), SIZE), np.uint8)
    targets = np.empty(len(states), np.float32)
    tree = np.zeros(NODES_A_SIMULATION * plan.simulations, NODE)
    room = scratch(SIZE, 2)
    n = 0
    parts = 40
    task = bar.add_task(f"generation {number}: playing", total=parts)
    for part in range(parts):
        seed = (plan.seed * 1000 + number) * 1000 + part
        trace = plan.trace if number else 1.0
        n += self_play(
            learner.lore,
            facts,
            games // parts,
            seed,
            plan.certainty if number else 0.0,
            plan.whims,
            plan.simulations if searches else 0,
            trace,
            plan.kept,
            states[n:],
            targets[n:],
            tree,
            room,
        )
        bar.advance(task)
    bar.remove_task(task)
    played = time.perf_counter()
    before = learner.lore.copy()
    error = study(learner, plan, number, facts, states[:n], targets[:n], bar)
    better = match(learner.lore, before, facts, 2000, plan.seed + number)
    return {
        "generation": number, "searches": searches, "positions": n, "error": round(error, 4),
        "share_of_wins_against_last": round(better, 4),
        "seconds_playing": round(played - begun, 1), "seconds_learning": round(time.perf_counter() - played, 1),
    }  # fmt: skip


def study(
    learner: Learner, plan: Plan, number: int, facts: Facts, states: Any, targets: Floats, bar: Progress
) -> float:
    """One pass over the positions in random order; return the mean error of the second half."""
    order = np.random.default_rng([plan.seed, number]).permutation(len(states))
    rate = plan.rate_of(number)
    x = np.empty((plan.batch, INPUTS), np.float32)
    errors = []
    batches = len(states) // plan.batch
    task = bar.add_task(f"generation {number}: learning", total=batches)
    for k in range(batches):
        some = order[k * plan.batch : (k + 1) * plan.batch]
        rows(facts, states[some], x)
        errors.append(learner.learn(x, targets[some], rate))
        bar.advance(task)
    bar.remove_task(task)
    return float(np.mean(errors[batches // 2 :]))


def publish(learner: Learner, plan: Plan, log: list[dict[str, Any]]) -> None:
    """Write the weights into the package, with their recipe."""
    learner.lore.tofile(WEIGHTS)
    recipe = {
        "made_by": "python -m training.kahuna",
        "sha256": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "network": [INPUTS, HIDDEN, DEEP, 1],
        "plan": asdict(plan),
        "log": log,
    }
    RECIPE.write_text(json.dumps(recipe, indent=1) + "\n")


def run(plan: Plan, folder: Path) -> None:
    """Run all generations, continuing from the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    kept, diary = folder / "network.npz", folder / "log.jsonl"
    learner = Learner(np.random.default_rng(plan.seed))
    number = learner.load(kept) + 1 if kept.exists() else 0
    log = [json.loads(line) for line in diary.read_text().splitlines()][:number] if number else []
    facts = archipel.game("kahuna").facts
    with Progress() as bar:
        whole = bar.add_task("Kahuna", total=plan.generations + plan.searching, completed=number)
        while number < plan.generations + plan.searching:
            log.append(generation(learner, plan, number, facts, bar))
            diary.write_text("".join(json.dumps(entry) + "\n" for entry in log))
            learner.save(kept, number)
            publish(learner, plan, log)
            bar.console.print(json.dumps(log[-1]))
            bar.advance(whole)
            number += 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.kahuna", description="Teach a network Kahuna.")
    for name, default in asdict(Plan()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--folder", type=Path, default=Path("training/runs/kahuna"), help="where the run is kept")
    given = vars(parser.parse_args())
    folder = given.pop("folder")
    run(Plan(**given), folder)


if __name__ == "__main__":
    main()
