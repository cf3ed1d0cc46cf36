"""Krakatoa's dice: are they fair, what does a throw cost, and how well does the model predict physics?

``python -m archipel.bench.dice [COUNT]`` prints it all, for this number of dice of first throws. It takes about two
minutes of one core.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any

import numpy as np
from scipy.stats import chisquare

from archipel.games.krakatoa.board import COPIES, DICE, FACES, LETTERS
from archipel.games.krakatoa.dice.aim import numbers
from archipel.games.krakatoa.dice.fitting import judged
from archipel.games.krakatoa.dice.model import chances
from archipel.games.krakatoa.dice.physics import COCKED, Settled, engine, simulate
from archipel.games.krakatoa.dice.recipe import ROW, random_aim, row, turn
from archipel.games.krakatoa.dice.shape import COLOURS, tilts
from archipel.games.krakatoa.dice.thrower import Occasion
from archipel.games.krakatoa.dice.trajectory import Trajectory
from archipel.games.krakatoa.dice.tray import RADIUS, WALLS, Tray

DICE_THROWN = 10_000
UNSEEN = 1_000_000
"""Turns from this number on were not used to fit the model."""
TURNS = 250
RANKED = 1000
"""How many aims are ranked at once."""


@dataclass
class Tally:
    """Throws of one kind, and their statistics."""

    title: str
    milliseconds: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)
    moving: int = 0
    outside: int = 0
    cocked: int = 0
    still_cocked: int = 0
    by_hand: int = 0

    def add(self, thrown: tuple[str, ...], dice: tuple[str, ...], settled: Settled, begun: float) -> None:
        """Count a throw that was begun at this CPU time."""
        trajectory = Trajectory(dice, settled.frames)
        self.bytes.append(len(trajectory.encode()))
        self.milliseconds.append(1000 * (process_time() - begun))
        self.seconds.append(trajectory.seconds)
        self.faces += [settled.tray.lies[die].face for die in thrown]
        self.moving += not settled.at_rest
        self.outside += bool((settled.frames[..., :2] @ WALLS.T).max() > RADIUS)
        self.cocked += settled.cocked > 0
        self.still_cocked += bool((tilts(settled.frames[-2, :, 3:]) > COCKED).any())  # the last frame is laid flat
        self.by_hand += settled.by_hand

    def show(self) -> None:
        cost, size = np.array(self.milliseconds), np.array(self.bytes)
        print(f"\n{self.title}: {len(cost)} throws")
        print(f"  CPU milliseconds a throw   mean {cost.mean():.1f}, 95 % below {np.percentile(cost, 95):.1f}")
        print(f"  bytes a trajectory         mean {size.mean():.0f}, at most {size.max()}")
        print(f"  seconds until all lie flat mean {np.mean(self.seconds):.2f}, at most {max(self.seconds):.2f}")
        print(f"  not at rest {self.moving}, outside the tray {self.outside}")
        print(
            f"  cocked {self.cocked} ({self.cocked / len(cost):.1%}), after the tap {self.still_cocked}, "
            f"dice laid flat by hand {self.by_hand}"
        )


def first_throws(count: int) -> Tally:
    """Simulate this number of throws of all nine dice."""
    tally, before = Tally("First throws, all nine dice"), Occasion(DICE, Tray({}), None)
    for seed in progress("first throws", range(count)):
        begun = process_time()
        tally.add(DICE, DICE, simulate(before, np.random.default_rng((2, seed))), begun)
    return tally


def aimed_throws(turns: int) -> tuple[Tally, Any]:
    """Turns that the model has not seen: their aimed throws, and the same as rows of numbers."""
    tally, rows = Tally("Aimed throws, three dice at six, aims as in the recipe"), []
    for number in progress("turns", range(UNSEEN, UNSEEN + turns)):
        begun = process_time()
        for before, settled in turn(number):
            if before.aim:
                tally.add(before.hand, DICE, settled, begun)
                rows.append(row(before, settled))
            begun = process_time()
    return tally, np.array(rows, ROW)


def fairness(faces: list[int]) -> None:
    """Print how often each face and colour came, and the probability of such a deviation by chance."""
    counts = np.bincount(faces, minlength=FACES)
    colours = [int(counts[[letter == own for own in COLOURS]].sum()) for letter in LETTERS]
    print(f"\nFairness: {len(faces)} dice from first throws; p must be above 0.01")
    print(f"  faces    {' '.join(map(str, counts))}   p = {chisquare(counts).pvalue:.3f}")
    expected = np.array(COPIES) / FACES * len(faces)
    shown = ", ".join(f"{letter} {count}" for letter, count in zip(LETTERS, colours, strict=True))
    print(f"  colours  {shown}   p = {chisquare(colours, expected).pvalue:.3f}")


def model_against_physics(rows: Any) -> None:
    """Print how well the model predicts throws that it has not seen."""
    found = judged(chances(rows["aim"], rows["before"]), rows)
    print(f"\nThe model on {found['throws']} aimed throws that it has not seen")
    for part, title in (("turn", "which table dice turn"), ("touch", "whether the throw touches")):
        print(f"  {title}: AUC {found[part]['auc']:.3f}\n    said   happened  cases")
        for tenth in found[part]["calibration"]:
            print(f"    {tenth['said']:.3f}  {tenth['happened']:.3f}  {tenth['cases']:8}")


def ranking() -> None:
    """Print how many aims the model ranks per second."""
    rng, table = np.random.default_rng(1), Tray.laid("YRB RRB RBB").without(DICE[:3])
    aims = numbers([random_aim(table, rng) for _ in range(RANKED)])
    best = min(_timed(aims, table) for _ in range(10))
    print(f"\nAims that the model ranks in a second: {RANKED / best:,.0f}")


def _timed(aims: Any, table: Tray) -> float:
    begun = perf_counter()
    chances(aims, table.poses[:, :2]).turned()
    return perf_counter() - begun


def progress(title: str, numbers: range) -> Iterator[int]:
    """Iterate over the numbers with a progress display."""
    for done, number in enumerate(numbers):
        if sys.stderr.isatty():
            print(f"\r{title}: {done} of {len(numbers)}", end="", file=sys.stderr, flush=True)
        yield number
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)


def main(dice: int = DICE_THROWN, turns: int = TURNS) -> None:
    print(f"Dice by {engine()}")
    first = first_throws(-(-dice // len(DICE)))
    first.show()
    fairness(first.faces)
    aimed, rows = aimed_throws(turns)
    aimed.show()
    model_against_physics(rows)
    ranking()


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped: the rest was not measured.")
