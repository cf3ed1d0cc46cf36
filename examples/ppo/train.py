"""Masked PPO with self-play: one network plays all seats of many games at once, and learns from both sides.

    pip install archipel torch
    python train.py --game stonehenge --minutes 10 --out stonehenge.pt

It is written for two-player zero-sum games. So the value of the next position changes its sign when the other seat is
to move, and nothing else is special about self-play.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

import archipel
from archipel.bots import bot
from archipel.vector import Vector

GAMES, STEPS = 512, 32
EPOCHS, PARTS = 4, 16
RATE, CLIP, LAMBDA, ENTROPY = 1e-3, 0.2, 0.8, 0.003


class Network(nn.Module):
    """From what a seat sees to its next action, and to the value of the game for it."""

    def __init__(self, numbers: int, actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)

    def forward(self, seen: Tensor, masks: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        inside = self.body(seen)
        logits = self.policy(inside).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits), torch.tanh(self.value(inside)).squeeze(-1)

    @torch.no_grad()
    def best(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The most likely legal action in each game."""
        choice, _ = self(torch.from_numpy(seen), torch.from_numpy(masks))
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
    def play(self, games: Vector, network: Network) -> Tensor:
        """Play on; return the value of the last positions for their movers."""
        everybody = np.arange(games.n)
        for t in range(STEPS):
            seen, masks = torch.from_numpy(games.observations), torch.from_numpy(games.masks)
            choice, value = network(seen, masks)
            action = choice.sample()
            movers = games.movers.copy()
            self.seen[t], self.masks[t], self.values[t] = seen, masks, value
            self.actions[t], self.logs[t] = action, choice.log_prob(action)
            games.step(action.numpy())
            self.rewards[t] = torch.from_numpy(games.rewards[everybody, movers])
            self.going[t] = torch.from_numpy(~games.over).float()
            self.signs[t] = torch.from_numpy(np.where(games.movers == movers, 1.0, -1.0)).float()
        _, last = network(torch.from_numpy(games.observations), torch.from_numpy(games.masks))
        return last

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
        flat = [
            array.flatten(0, 1)
            for array in (self.seen, self.masks, self.actions, self.logs, advantages, advantages + self.values)
        ]
        for part in torch.randperm(len(flat[0])).chunk(PARTS):
            yield tuple(array[part] for array in flat)


def learn(network: Network, optimiser: torch.optim.Optimizer, rollout: Rollout, advantages: Tensor) -> None:
    """PPO's update: a step towards what went better than expected, limited to stay near the policy that played."""
    for _ in range(EPOCHS):
        for seen, masks, actions, logs, gains, returns in rollout.parts(advantages):
            choice, values = network(seen, masks)
            ratio = (choice.log_prob(actions) - logs).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            policy = -torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
            loss = policy + 0.5 * (values - returns).pow(2).mean() - ENTROPY * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()


def against_random(network: Network, name: str, games: int = 512) -> float:
    """The share of points against random play, from all seats equally."""
    table = Vector(name, games, seed=1, auto_reset=False, learner=np.arange(games) % 2)
    points = np.zeros(games)
    while (table.movers >= 0).any():
        table.step(network.best(table.observations, table.masks))
        points += table.rewards[np.arange(games), table.learners]
    return float((points.mean() + 1) / 2)


def against(network: Network, name: str, opponent: str, games: int, seed: int = 2) -> float:
    """The share of points against one of Archipel's bots, which sees only its own seat's view."""
    other, rng = bot(opponent), np.random.default_rng(seed)
    points = 0.0
    for number in range(games):
        table = Vector(name, 1, seed=[seed + number], auto_reset=False)
        own = number % 2
        # A few random moves first: two deterministic players would repeat the same game.
        for _ in range(2):
            table.step(table.sample())
        while table.movers[0] != archipel.OVER:
            if table.movers[0] == own:
                table.step(network.best(table.observations, table.masks))
            else:
                table.step([other.choose(table.state(0).view(int(table.movers[0])), rng)])
        points += (table.rewards[0, own] + 1) / 2
    return points / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="stonehenge")
    parser.add_argument("--minutes", type=float, default=10, help="CPU minutes to train")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponent", default="greedy", help="the bot to beat at the end")
    parser.add_argument("--trials", type=int, default=100, help="games against it")
    parser.add_argument("--out", type=Path, help="where the weights go")
    parser.add_argument("--curve", type=Path, help="where the learning curve goes, as JSON")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)

    games = Vector(args.game, GAMES, seed=args.seed)
    network = Network(len(games.names), games.game.action_count)
    optimiser = torch.optim.Adam(network.parameters(), RATE, eps=1e-5)
    rollout, curve, steps, played = Rollout(games), [], 0, 0.0
    start = time.process_time()
    while (used := time.process_time() - start) < 60 * args.minutes:
        optimiser.param_groups[0]["lr"] = RATE * (1 - 0.9 * used / (60 * args.minutes))
        before = time.process_time()
        last = rollout.play(games, network)
        played += time.process_time() - before
        learn(network, optimiser, rollout, rollout.advantages(last))
        steps += STEPS * GAMES
        if steps // (STEPS * GAMES) % 10 == 0:
            share = against_random(network, args.game)
            curve.append({"steps": steps, "seconds": round(used, 1), "random": round(share, 3)})
            rate = steps / max(used, 1e-9)
            print(
                f"{steps:>9,} steps  {used:6.0f} s CPU  {rate:7,.0f} steps/s  {100 * share:5.1f} % v. random",
                flush=True,
            )
            if args.curve:
                args.curve.write_text(json.dumps(curve, indent=1) + "\n")
    if args.out:
        torch.save(network.state_dict(), args.out)
    share = against(network, args.game, args.opponent, args.trials)
    print(f"{100 * share:.1f} % of {args.trials} games against {args.opponent}")


if __name__ == "__main__":
    main()
