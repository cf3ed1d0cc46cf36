"""The data for fitting the model: whole turns simulated with physics, with random aims.

Each turn has its own seed, so it does not matter which process simulates it. Turns are stored in blocks: existing ones
are not simulated again.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from archipel.games.krakatoa.board import DICE, SETS

from .aim import NARROWEST, STRONGEST, WEAKEST, WIDEST, Aim, InvalidAim
from .physics import Settled, simulate
from .thrower import Occasion
from .tray import Tray, dice_of

SEED = 1883
TURNS = 3000
BLOCK = 50
HELD_OUT = 5
"""Every fifth block is held out from the fit and used to evaluate it."""
NEAR, FAR = 0.8, 5.0
"""The error of aims from the middle of a die in centimetres; one in six has the larger one, to learn what a miss
does."""

ROW = np.dtype(
    [
        ("aim", "f8", 5),  # x, y, direction, strength, spread
        ("before", "f8", (6, 2)),  # where each table die was
        ("after", "f8", (9, 2)),  # where the table dice and then the thrown dice ended up
        ("faces", "i1", (6, 2)),  # the face of each table die, before and after
        ("turned", "?", 6),
        ("moved", "f8", 6),  # how far, before the tap
        ("touched", "?"),
    ]
)


def turn(number: int) -> Iterator[tuple[Occasion, Settled]]:
    """The throws of one turn: all nine, any set, steam, ash, lava."""
    rng = np.random.default_rng((SEED, number))
    before = Occasion(DICE, Tray({}), None)
    settled = simulate(before, rng)
    yield before, settled
    for thrown in (SETS[rng.integers(len(SETS))], *SETS):
        hand = dice_of(thrown)
        table = settled.tray.without(hand)
        before = Occasion(hand, table, random_aim(table, rng))
        settled = simulate(before, rng)
        yield before, settled


def random_aim(table: Tray, rng: np.random.Generator) -> Aim:
    """A random aim near a die, from any side, of any strength and spread."""
    while True:
        lie = table.lies[list(table.lies)[rng.integers(len(table.lies))]]
        x, y = np.array([lie.x, lie.y]) + rng.standard_normal(2) * (FAR if rng.random() < 1 / 6 else NEAR)
        spread = NARROWEST if rng.random() < 0.5 else rng.uniform(NARROWEST, WIDEST)
        try:
            return Aim(float(x), float(y), rng.uniform(0, 360), rng.uniform(WEAKEST, STRONGEST), spread)
        except InvalidAim:
            continue


def row(before: Occasion, settled: Settled) -> np.void:
    """An aimed throw as numbers."""
    assert before.aim
    made = np.zeros(1, ROW)[0]
    lies, after = before.table.lies, settled.tray.lies
    made["aim"] = [before.aim.x, before.aim.y, before.aim.direction, before.aim.strength, before.aim.spread]
    made["before"] = [lie[:2] for lie in lies.values()]
    made["after"] = [after[die][:2] for die in (*lies, *before.hand)]
    made["faces"] = [(lie.face, after[die].face) for die, lie in lies.items()]
    made["turned"], made["moved"], made["touched"] = settled.turned, settled.moved, settled.touched
    return made


def blocks(folder: Path, turns: int = TURNS) -> Iterator[np.ndarray[tuple[int], np.dtype[np.void]]]:
    """The aimed throws, block by block; missing ones are simulated and stored in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, turns, BLOCK):
        file = folder / f"turns-{first:05}.npy"
        if not file.exists():
            beside = file.with_suffix(".part")
            with beside.open("wb") as out:
                np.save(out, _thrown(range(first, first + BLOCK)))
            beside.replace(file)
        yield np.load(file)


def _thrown(numbers: range) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    rows = [row(before, settled) for number in numbers for before, settled in turn(number) if before.aim]
    return np.array(rows, ROW)
