"""Small arenas, quickly played."""

from pathlib import Path

import pytest

import archipel
from archipel.arena.plan import Plan, round_robin

CAREFUL = """
from archipel.bots.worlds import imagined

class Careful:
    def choose(self, view, rng, budget):
        (world,) = imagined(view, rng)
        return world.actions()[0]
"""

WILD = """
def choose(view, rng, budget):
    return 10**6 if rng.random() < 0.5 else 1 / 0
"""


@pytest.fixture
def careful(tmp_path: Path) -> str:
    """A bot of one's own that always takes the first action."""
    return written(tmp_path / "careful.py", CAREFUL)


@pytest.fixture
def wild(tmp_path: Path) -> str:
    """A bot of one's own that crashes, or answers what cannot be."""
    return written(tmp_path / "wild.py", WILD)


def written(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def small(bots: tuple[str, ...] = ("random", "careful"), games: int = 6, seed: int = 1) -> Plan:
    """A short round robin at Stonehenge."""
    return round_robin(archipel.game("stonehenge"), bots, games, seed, {})
