"""Masked PPO with self-play: one network plays all seats of many games at once, and learns from both sides.

    pip install 'archipel[arena]' torch
    python train.py --minutes 10 --out stonehenge.pt

It is written for two-player zero-sum games. So the value of the next position changes its sign when the other seat is
to move, and nothing else is special about self-play.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import archipel
from archipel.arena.intervals import Estimate, share
from archipel.bots import bot
from archipel.vector import Vector

GAMES, STEPS = 1024, 16
EPOCHS, PARTS = 3, 8
RATE, CLIP, LAMBDA = (2e-3, 2e-4), 0.2, 0.9
ENTROPY = (0.02, 0.002)
"""RATE and ENTROPY (the reward for variety) fall from the first number to the second in the course of a run."""


class Flat(nn.Module):
    """From what a seat sees to the logits of its actions and the value of the game for it, for any game."""

    def __init__(self, games: Vector, width: int = 256) -> None:
        super().__init__()
        numbers, actions = len(games.names), games.game.action_count
        self.body = nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        inside = self.body(seen)
        return self.policy(inside), torch.tanh(self.value(inside)).squeeze(-1)


class Board(nn.Module):
    """The same for Stonehenge, as a graph network: cells and lines exchange messages, with the same weights everywhere.

    The rules know a cell by the lines through it and by nothing else. So does this network: what it learns about one
    cell holds for all of them, and it plays the same on a rotated or mirrored board.
    """

    def __init__(self, games: Vector, width: int = 48) -> None:
        super().__init__()
        cells, lines, last = (_columns(games.names, part) for part in ("cells", "megaliths", "last"))
        self.cells = torch.tensor(list(cells.values()))
        self.lines = torch.tensor([lines[line] + last[line] for line in lines])
        local = {*self.cells.flatten().tolist(), *self.lines.flatten().tolist()}
        self.rest = torch.tensor([k for k in range(len(games.names)) if k not in local])
        self.on = torch.tensor([[float(cell in line) for cell in cells] for line in lines])
        self.claims = games.game.action_count - len(cells) * DRUIDS
        of_cell = OWNERS + 2 * DRUIDS
        self.first = nn.ModuleList([nn.Linear(self.lines.shape[1], width), nn.Linear(of_cell, width)])
        self.second = nn.ModuleList([nn.Linear(of_cell, width), nn.Linear(width, width)])
        self.third = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, width)])
        self.fourth = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, width)])
        self.common = nn.Linear(len(self.rest), 4 * width)
        self.policy = nn.Linear(width, DRUIDS)
        self.value = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        cells, lines = seen[:, self.cells], seen[:, self.lines]
        cells = torch.cat([cells, cells[..., :1] * cells[..., OWNERS:]], -1)  # whose druid of which value
        common = self.common(seen[:, self.rest]).unsqueeze(1).chunk(4, -1)
        lines = _layer(self.first, lines, self.on @ cells, common[0])
        cells = _layer(self.second, cells, self.on.T @ lines, common[1])
        lines = _layer(self.third, lines, self.on @ cells, common[2])
        cells = _layer(self.fourth, cells, self.on.T @ lines, common[3])
        places = self.policy(cells).transpose(1, 2).flatten(1)
        value = self.value(torch.cat([cells.mean(1), lines.mean(1)], -1))
        return nn.functional.pad(places, (0, self.claims)), torch.tanh(value).squeeze(-1)


OWNERS, DRUIDS = 2, 6
"""A cell's numbers: whose druid lies there, one of two, and its value, one of six."""


def _columns(names: tuple[str, ...], part: str) -> dict[str, list[int]]:
    """Where the numbers of each cell or line stand in an observation."""
    found: dict[str, list[int]] = {}
    for column, name in enumerate(names):
        first, *rest = name.split(".")
        if first == part:
            found.setdefault(rest[0], []).append(column)
    return found


def _layer(weights: nn.ModuleList, own: Tensor, heard: Tensor, common: Tensor) -> Tensor:
    return torch.relu(weights[0](own) + weights[1](heard) + common)


def choices(network: nn.Module, seen: np.ndarray, masks: np.ndarray) -> tuple[Categorical, Tensor]:
    """The policy over legal actions, and the values."""
    return masked(network, torch.from_numpy(seen), torch.from_numpy(masks))


def masked(network: nn.Module, seen: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
    logits, values = network(seen)
    return Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False), values


@torch.no_grad()
def best(network: nn.Module, games: Vector) -> np.ndarray:
    """The most likely legal action in each game."""
    choice, _ = choices(network, games.observations, games.masks)
    return choice.logits.argmax(-1).numpy()


class Rollout:
    """Some steps of all games, in arrays that are allocated once."""

    def __init__(self, games: Vector) -> None:
        def room(*shape: int, kind: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(STEPS, games.n, *shape, dtype=kind)

        self.seen, self.masks = room(len(games.names)), room(games.game.action_count, kind=torch.bool)
        self.actions = room(kind=torch.int64)
        self.logs, self.values, self.rewards, self.signs = room(), room(), room(), room()
        self.going = room()

    @torch.no_grad()
    def play(self, games: Vector, network: nn.Module) -> Tensor:
        """Play on; return the value of the last positions for their movers."""
        everybody = np.arange(games.n)
        for t in range(STEPS):
            self.seen[t], self.masks[t] = torch.from_numpy(games.observations), torch.from_numpy(games.masks)
            choice, self.values[t] = masked(network, self.seen[t], self.masks[t])
            self.actions[t] = action = choice.sample()
            self.logs[t] = choice.log_prob(action)
            movers = games.movers.copy()
            games.step(action.numpy())
            self.rewards[t] = torch.from_numpy(games.rewards[everybody, movers])
            self.going[t] = torch.from_numpy(~games.over).float()
            self.signs[t] = torch.from_numpy(np.where(games.movers == movers, 1.0, -1.0)).float()
        return choices(network, games.observations, games.masks)[1]

    def advantages(self, last: Tensor) -> Tensor:
        """Generalised advantage estimates; what follows the other seat's move counts with the opposite sign."""
        found, later, following = torch.zeros_like(self.values), torch.zeros_like(last), last
        for t in reversed(range(STEPS)):
            kept = self.going[t] * self.signs[t]
            surprise = self.rewards[t] + kept * following - self.values[t]
            found[t] = later = surprise + LAMBDA * kept * later
            following = self.values[t]
        return found

    def parts(self, advantages: Tensor) -> Iterator[tuple[Tensor, ...]]:
        """All observations and actions, shuffled, in a few parts."""
        normal = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        flat = [
            array.flatten(0, 1)
            for array in (self.seen, self.masks, self.actions, self.logs, normal, advantages + self.values)
        ]
        for part in torch.randperm(len(flat[0])).chunk(PARTS):
            yield tuple(array[part] for array in flat)


def learn(network: nn.Module, optimiser: torch.optim.Optimizer, rollout: Rollout, last: Tensor, entropy: float) -> None:
    """PPO's update: a step towards what went better than expected, limited to stay near the policy that played."""
    advantages = rollout.advantages(last)
    for _ in range(EPOCHS):
        for seen, masks, actions, logs, gains, returns in rollout.parts(advantages):
            choice, values = masked(network, seen, masks)
            ratio = (choice.log_prob(actions) - logs).exp()
            policy = -torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            loss = policy + 0.5 * (values - returns).pow(2).mean() - entropy * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def train(args: argparse.Namespace) -> nn.Module:
    """Play and learn for this many CPU minutes; a line of the learning curve every few updates."""
    games = Vector(args.game, GAMES, seed=args.seed)
    network = Board(games) if games.game == archipel.game("stonehenge") else Flat(games)
    optimiser = torch.optim.Adam(network.parameters(), RATE[0], eps=1e-5)
    rollout, curve, start = Rollout(games), [], time.process_time()
    updates, done = 0, 0.0
    while done < 1:
        optimiser.param_groups[0]["lr"] = _falling(RATE, done)
        learn(network, optimiser, rollout, rollout.play(games, network), _falling(ENTROPY, done))
        updates += 1
        used = time.process_time() - start
        done = used / (60 * args.minutes)
        if updates % 20 == 0 or done >= 1:
            curve.append(_report(network, args.game, updates * STEPS * GAMES, used))
            if args.curve:
                args.curve.write_text(json.dumps(curve, indent=1) + "\n")
    return network


def _falling(ends: tuple[float, float], done: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * min(1.0, done)


def _report(network: nn.Module, game: str, steps: int, seconds: float) -> dict[str, Any]:
    won = against_random(network, game)
    rate = steps / seconds
    print(
        f"{steps:>9,} steps  {seconds:6.0f} s CPU  {rate:7,.0f} steps/s  {100 * won:5.1f}% against random", flush=True
    )
    return {"steps": steps, "seconds": round(seconds, 1), "random": round(won, 4)}


def against_random(network: nn.Module, name: str, games: int = 1024) -> float:
    """The share of points against random play, from both seats equally."""
    table = Vector(name, games, seed=1, auto_reset=False, learner=np.arange(games) % 2)
    points = np.zeros(games)
    while (table.movers >= 0).any():
        table.step(best(network, table))
        points += table.rewards[np.arange(games), table.learners]
    return float((points.mean() + 1) / 2)


def against(network: nn.Module, name: str, opponent: str, games: int, seed: int = 2) -> Estimate:
    """The share of points against one of Archipel's bots, which sees only its own seat's view; seats alternate."""
    other, rng = bot(opponent), np.random.default_rng(seed)
    points = 0.0
    for number in range(games):
        table, own = Vector(name, 1, seed=[seed + number], auto_reset=False), number % 2
        while table.movers[0] != archipel.OVER:
            if table.movers[0] == own:
                table.step(best(network, table))
            else:
                table.step([other.choose(table.state(0).view(int(table.movers[0])), rng)])
        points += (table.rewards[0, own] + 1) / 2
    return share(points, games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="stonehenge")
    parser.add_argument("--minutes", type=float, default=10, help="CPU minutes to train")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponent", default="greedy", help="the bot to beat at the end")
    parser.add_argument("--trials", type=int, default=200, help="games against it")
    parser.add_argument("--out", type=Path, help="where the weights go")
    parser.add_argument("--curve", type=Path, help="where the learning curve goes, as JSON")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    network = train(args)
    if args.out:
        torch.save(network.state_dict(), args.out)
    won = against(network, args.game, args.opponent, args.trials)
    low, high = 100 * won.low, 100 * won.high
    print(f"{100 * won.value:.1f}% ({low:.0f} to {high:.0f}) of {args.trials} games against {args.opponent}")


if __name__ == "__main__":
    main()
