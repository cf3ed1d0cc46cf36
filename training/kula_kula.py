"""Train Kula Kula's network by self-play: python -m training.kula_kula

First it learns to predict how random games end; a player who uses that plays much like the greedy bot, and as fast as
any. Then careful players, who use the current network, play among such carefree ones, and it learns to predict how
those games end: TD(lambda). Now and then a player makes a random move, so that the games cover more than what good
players do, and the use of the oracle is not forgotten. Everything is stored after each generation; the same command
continues from there; the weights in the package are always the newest.
"""

import argparse
import hashlib
import json
from dataclasses import asdict, dataclass
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archipel.bots.knowledge import Lore
from archipel.core import registry
from archipel.core.chance import Rng, below
from archipel.core.compiled import compiled
from archipel.core.rules import CHANCE, OVER, Facts, Raw, Record, apply, copy, draw, pick, record
from archipel.games.kula_kula.board import MAX_SPACES
from archipel.games.kula_kula.bot.knowledge import (
    HIDDEN,
    INPUTS,
    LORE,
    RECIPE,
    WEIGHTS,
    harbours,
    look,
    playout,
    standing,
)
from archipel.games.kula_kula.bot.oracle import left, safe_cards
from archipel.games.kula_kula.rules import (
    BOAT,
    CHOOSING,
    DRAW,
    FISH,
    GO,
    IDOL,
    ORACLE,
    SAIL,
    TRADE,
    TRADING,
)

Floats = NDArray[np.float32]
TURNS = 150
"""Games end after this many turns of each seat."""
CAREFUL, CAREFREE, RANDOM = range(3)


@dataclass(frozen=True)
class Plan:
    """All parameters of a run."""

    seed: int = 1
    random: int = 20_000
    """Random games, from which carefree players learn."""
    generations: int = 40
    games: int = 3000
    """Games per generation."""
    carefree: float = 0.6
    """The share of carefree seats."""
    whims: float = 0.06
    """The share of random actions."""
    home: float = 0.15
    """The share of games with the option to return home."""
    trace: float = 0.8
    """Lambda: how far back a result is credited."""
    kept: float = 0.5
    """The share of turns that are learned from."""
    batch: int = 128
    passes: int = 2
    """The number of passes over a generation's positions."""
    rate: float = 2e-3
    """The learning rate of the first generation; from there it decreases evenly."""

    def rate_of(self, number: int) -> float:
        """The learning rate of a generation."""
        return self.rate * max(0.05, 1 - number / self.generations)


# Games


@compiled
def carefree_card(s: Record, spaces: int, landing: NDArray[np.float64], idol: float, deep: int) -> float:
    """The value of another card for a player who then draws or sails at random."""
    deep = min(deep, safe_cards(s))
    mean = np.empty(deep + 2)
    for fish in range(deep + 1):
        mean[fish] = landing[(s.way + deep + fish) % spaces]
    for drawn in range(deep - 1, -1, -1):
        for fish in range(drawn + 1):
            boats, fishes = left(s, BOAT, drawn - fish, fish), left(s, FISH, drawn - fish, fish)
            idols = left(s, IDOL, drawn - fish, fish)
            cards = max(1, boats + fishes + idols)
            card = (boats * mean[fish] + fishes * mean[fish + 1] + idols * idol) / cards
            go = landing[(s.way + drawn + fish) % spaces]
            mean[fish] = card if drawn == 0 else (go + card) / 2
    return mean[0] if deep else idol


@compiled
def carefree(lore: Record, facts: Record, s: Record) -> int:
    """The action of a player who assumes that everybody plays at random."""
    if s.phase == TRADING:
        return TRADE
    landing = np.empty(MAX_SPACES)
    idol = harbours(lore, facts, s, min(facts.spaces - 1, s.way + 8), landing)
    card = carefree_card(s, facts.spaces, landing, idol, 4)
    if s.phase == CHOOSING:
        return SAIL if landing[1] >= card else ORACLE
    return DRAW if card > landing[s.way % facts.spaces] else GO


@compiled
def chance(rng: Rng, share: float) -> bool:
    return below(rng, 1 << 20) < share * (1 << 20)


@compiled
def move(lore: Lore, simple: Lore, facts: Facts, s: Record, style: int, whims: float, rng: Rng) -> int:
    """The action of a seat of this style."""
    if style == RANDOM or chance(rng, whims):
        return int(pick(facts[0], s, rng))
    if style == CAREFREE:
        return carefree(simple[0], facts[0], s)
    return playout(lore[0], facts[0], s, rng)


@compiled
def self_play(
    lore: Lore,
    simple: Lore,
    facts: Facts,
    first: Raw,
    games: int,
    rng: Rng,
    random: bool,
    shares: NDArray[np.float64],
    seen: Floats,
    targets: Floats,
) -> int:
    """Play games and store what seats saw at the end of some of their turns, with their results.

    `shares`: of carefree seats, of random actions, lambda, of turns that are stored.
    """
    raw = first.copy()
    s = record(facts[0], raw)
    players = facts[0].players
    path = np.empty((TURNS * 5, INPUTS), np.float32)
    chances = np.empty(TURNS * 5)
    styles = np.empty(5, np.int64)
    target = np.empty(5)
    hidden = np.empty(HIDDEN, np.float32)
    n = 0
    for _ in range(games):
        copy(first, raw)
        for seat in range(players):
            styles[seat] = RANDOM if random else CAREFREE if chance(rng, shares[0]) else CAREFUL
        turn = 0
        while s.mover != OVER:
            if s.turn > turn:
                look(facts[0], s, turn % players, path[turn])
                chances[turn] = 1.0 / (1.0 + exp(-standing(lore[0], players - 3, path[turn], hidden)))
                turn = int(s.turn)
            if s.mover == CHANCE:
                apply(facts[0], s, draw(facts[0], s, rng))
            else:
                apply(facts[0], s, move(lore, simple, facts, s, styles[s.seat], shares[1], rng))
        winners = 0
        for seat in range(players):
            winners += s.winners >> seat & 1
        for seat in range(players):
            target[seat] = (s.winners >> seat & 1) / winners
        for k in range(turn - 1, -1, -1):
            seat = k % players
            if chance(rng, shares[3]) and n < len(targets):
                copy(path[k], seen[n])
                targets[n] = target[seat]
                n += 1
            target[seat] = shares[2] * target[seat] + (1 - shares[2]) * chances[k]
    return n


@compiled
def match(
    lore: Lore, simple: Lore, facts: Facts, first: Raw, games: int, seed: int, styles: NDArray[np.int64], told: Floats
) -> None:
    """For seat 0's style in every seat in turn: the share of wins, turns per game, how often it consults the oracle."""
    rng = np.array([np.uint64(seed)])
    raw = first.copy()
    s = record(facts[0], raw)
    players = facts[0].players
    told[:] = 0
    turns = 0
    for game in range(games):
        copy(first, raw)
        while s.mover != OVER:
            if s.mover == CHANCE:
                apply(facts[0], s, draw(facts[0], s, rng))
                continue
            own = (s.seat - game % players + players) % players
            action = move(lore, simple, facts, s, styles[own], 0.0, rng)
            if own == 0 and s.phase == CHOOSING:
                turns += 1
                told[2] += action == ORACLE
            elif s.phase == CHOOSING:
                told[3] += (action == ORACLE) / (players - 1)
            apply(facts[0], s, action)
        won = 0
        for seat in range(players):
            won += s.winners >> seat & 1
        told[0] += (s.winners >> (game % players) & 1) / won / games
        told[1] += s.turn / games
    told[2] /= turns
    told[3] /= turns


# Learning


class Learner:
    """The network's weights for one number of players, and Adam's state."""

    NAMES = ("kula_kula_inputs", "kula_kula_bias", "hidden", "direct")

    def __init__(self, rng: np.random.Generator, players: int) -> None:
        self.lore = np.zeros(1, LORE)
        self.table = players - 3
        self.net = {name: self.lore[name][0, self.table] for name in self.NAMES}
        self.net["kula_kula_inputs"][:] = rng.normal(0, 0.15, (INPUTS, HIDDEN))
        self.net["hidden"][:] = rng.normal(0, 0.05, HIDDEN)
        self.slow = {name: np.zeros_like(own) for name, own in self.net.items()}
        self.fast = {name: np.zeros_like(own) for name, own in self.net.items()}
        self.steps = 0

    def forward(self, x: Floats) -> tuple[Floats, Floats]:
        """The hidden layer and the win chances."""
        hidden = np.maximum(x @ self.net["kula_kula_inputs"] + self.net["kula_kula_bias"], 0)
        standing = hidden @ self.net["hidden"] + x @ self.net["direct"]
        return hidden, 1 / (1 + np.exp(-standing))

    def learn(self, x: Floats, target: Floats, rate: float) -> float:
        """One step towards the targets; return the mean cross-entropy before it."""
        hidden, chances = self.forward(x)
        top = (chances - target) / len(x)
        below = top[:, None] * self.net["hidden"] * (hidden > 0)
        slopes = {
            "kula_kula_inputs": x.T @ below,
            "kula_kula_bias": below.sum(0),
            "hidden": top @ hidden,
            "direct": top @ x,
        }
        self.steps += 1
        for name, slope in slopes.items():
            self._adam(name, slope, rate)
        right = target * np.log(np.maximum(chances, 1e-9)) + (1 - target) * np.log(np.maximum(1 - chances, 1e-9))
        return float(-right.mean())

    def _adam(self, name: str, slope: Any, rate: float) -> None:
        slow, fast = self.slow[name], self.fast[name]
        slow *= 0.9
        slow += 0.1 * slope
        fast *= 0.999
        fast += 0.001 * np.square(slope)
        step = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        self.net[name][...] -= step * slow / (np.sqrt(fast) + 1e-8)

    def save(self, path: Path, generations: int) -> None:
        """Write everything atomically."""
        memory = {f"slow_{name}": own for name, own in self.slow.items()}
        memory |= {f"fast_{name}": own for name, own in self.fast.items()}
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            np.savez(file, steps=self.steps, generations=generations, **self.net, **memory)
        fresh.replace(path)

    def load(self, path: Path) -> int:
        """Load everything; return the number of generations."""
        found = np.load(path)
        for name in self.NAMES:
            self.net[name][...] = found[name]
            self.slow[name], self.fast[name] = found[f"slow_{name}"], found[f"fast_{name}"]
        self.steps = int(found["steps"])
        return int(found["generations"])


def generation(
    learner: Learner, simple: Lore, plan: Plan, players: int, number: int, random: bool = False
) -> tuple[int, float]:
    """Play and learn; return the number of positions, and the mean error of the second half."""
    count = plan.random if random else plan.games
    rng = np.array([(plan.seed * 10 + players) * 1000 + number], np.uint64)
    shares = np.array([plan.carefree, plan.whims, 1.0 if random or not number else plan.trace, plan.kept])
    n, errors = 0, []
    for home, games in ((False, count - int(plan.home * count)), (True, int(plan.home * count))):
        game = registry.game("kula_kula", players=players, return_home=home, turn_limit=TURNS)
        seen = np.empty((int(games * TURNS * players * plan.kept) + 1, INPUTS), np.float32)
        targets = np.empty(len(seen), np.float32)
        noted = self_play(learner.lore, simple, game.facts, game.new()._raw, games, rng, random, shares, seen, targets)
        dice = np.random.default_rng([plan.seed, players, number])
        for _ in range(1 if random else plan.passes):
            order = dice.permutation(noted)
            errors.append(study(learner, plan, seen[order], targets[order], plan.rate_of(number)))
        n += noted
    return n, errors[0]


def study(learner: Learner, plan: Plan, seen: Floats, targets: Floats, rate: float) -> float:
    """One pass over the positions; return the mean error of the second half."""
    errors = [
        learner.learn(seen[k : k + plan.batch], targets[k : k + plan.batch], rate)
        for k in range(0, len(seen) - plan.batch + 1, plan.batch)
    ]
    return float(np.mean(errors[len(errors) // 2 :])) if errors else float("nan")


def against_carefree(lore: Lore, simple: Lore, players: int, games: int) -> list[float]:
    """One careful player against carefree ones: share of wins, turns per game, how often either consults the oracle."""
    game = registry.game("kula_kula", players=players)
    told, styles = np.empty(4, np.float32), np.array([CAREFUL] + [CAREFREE] * 4)
    match(lore, simple, game.facts, game.new()._raw, games, 77, styles, told)
    return [round(float(number), 3) for number in told]


def carefree_one(plan: Plan, players: int) -> Learner:
    """A player trained on random games."""
    learner = Learner(np.random.default_rng([plan.seed, players]), players)
    generation(learner, learner.lore, plan, players, 0, random=True)
    return learner


def teach(plan: Plan, players: int, folder: Path) -> None:
    """Train a network for this number of players, generation by generation, continuing from the folder."""
    kept, diary = folder / f"{players}.npz", folder / f"{players}.jsonl"
    learner = carefree_one(plan, players)
    simple = learner.lore.copy()
    done = learner.load(kept) if kept.exists() else 0
    log = diary.read_text().splitlines()[:done] if done else []
    for number in range(done, plan.generations):
        n, error = generation(learner, simple, plan, players, number)
        entry: dict[str, Any] = {"players": players, "generation": number, "positions": n, "error": round(error, 4)}
        if number % 5 == 4:
            entry["against_carefree"] = against_carefree(learner.lore, simple, players, 200)
        log.append(json.dumps(entry))
        print(log[-1], flush=True)
        diary.write_text("\n".join(log) + "\n")
        learner.save(kept, number + 1)
        publish(plan, folder)


def publish(plan: Plan, folder: Path) -> None:
    """Write the trained weights into the package, with their recipe."""
    whole, log = np.zeros(1, LORE), []
    for players in (3, 4, 5):
        if (folder / f"{players}.npz").exists():
            found = np.load(folder / f"{players}.npz")
            for name in Learner.NAMES:
                whole[name][0, players - 3] = found[name]
            log += [json.loads(line) for line in (folder / f"{players}.jsonl").read_text().splitlines()]
    whole.tofile(WEIGHTS)
    recipe = {
        "made_by": "python -m training.kula_kula",
        "sha256": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        "network": [INPUTS, HIDDEN, 1],
        "plan": asdict(plan),
        "log": log,
    }
    RECIPE.write_text(json.dumps(recipe, indent=1) + "\n")


def run(plan: Plan, folder: Path, counts: list[int]) -> None:
    """Train for these numbers of players."""
    folder.mkdir(parents=True, exist_ok=True)
    for players in counts:
        teach(plan, players, folder)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.kula_kula", description="Teach a network Kula Kula.")
    for name, default in asdict(Plan()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--folder", type=Path, default=Path("training/runs/kula_kula"), help="where the run is kept")
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 5], choices=(3, 4, 5))
    given = vars(parser.parse_args())
    folder, counts = given.pop("folder"), given.pop("players")
    run(Plan(**given), folder, counts)


if __name__ == "__main__":
    main()
