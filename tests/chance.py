"""The tests' chance: what would be left to the operating system comes from one seed and the name of the test.

So a test draws the same in every run, alone or among the others. ARCHIPEL_TEST_SEED=17 plays the whole suite with other
draws; whatever fails prints the line that plays it again.
"""

import os
import random
import sys
from pathlib import Path

import numpy as np
from numpy.random import bit_generator

from archipel.table import entropy

SEED = os.environ.get("ARCHIPEL_TEST_SEED", "0")
SERVING = Path(__file__).with_name("serving.py")


def source(name: str) -> random.Random:
    """A source of random numbers of this name: that of a test, or of a part of one."""
    return random.Random(f"{SEED} {name}")


def draw_from(name: str) -> None:
    """Let all chance in this process come from a source of this name."""
    drawn = source(name)
    random.seed(drawn.getrandbits(64))
    np.random.seed(drawn.getrandbits(32))  # noqa: NPY002 (libraries that we test with draw from there)
    bit_generator.randbits = drawn.getrandbits  # type: ignore[attr-defined]  # what NumPy takes where no seed is given
    entropy.use(source(f"{name} (server)"))


def archipel(life: int = 0, seeds: Path | None = None) -> tuple[list[str], dict[str, str]]:
    """How to start `archipel` with the tests' chance: the words of the command, and its environment.

    A process that is started again, with the same tables, draws other tokens in each `life`. The file `seeds` may be
    written anew while it runs: the next draw comes from what it says then.
    """
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    told = {"ARCHIPEL_TEST_CHANCE": f"{SEED} {test}", "ARCHIPEL_TEST_LIFE": str(life)}
    if seeds:
        told["ARCHIPEL_TEST_SEEDS"] = str(seeds)
    return [sys.executable, "-P", str(SERVING)], os.environ | told


def replay(test: str) -> str:
    """The line that plays a test again."""
    return f"ARCHIPEL_TEST_SEED={SEED} .venv/bin/python -m pytest '{test}'"
