"""A few seconds of the simulator: seeds that hold, seeds that replay byte for byte, and mistakes that are found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .mistakes import MISTAKES
from .world import simulate

SEEDS = (0, 1, 2, 3, 4, 17)
"""With 0, a table went on from an old position after its former worker had written once more; with 17, a remark that
was sent twice was first refused and then said."""
FIND_WITHIN = 60
"""Within how many seeds a mistake must be found; most are within ten."""


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_holds(seed: int) -> None:
    outcome = simulate(seed)
    assert not outcome.failure, f"python -m tests.simulator --seed {seed}: {outcome.failure}"
    assert outcome.acknowledged


def test_a_seed_replays_byte_for_byte(tmp_path: Path) -> None:
    """In another process, where objects lie elsewhere and sets have another order."""
    trace = tmp_path / "trace"
    command = [sys.executable, "-m", "tests.simulator", "--seed", "4", "--trace", str(trace)]
    subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": "1"}, check=True, capture_output=True)
    assert trace.read_text(encoding="utf-8") == "\n".join(simulate(4).trace) + "\n"


@pytest.mark.parametrize(
    "name", ["acknowledge-before-commit", "keep-a-lost-lease", "resend-without-a-counter", "leak-in-an-error"]
)
def test_a_mistake_is_found(name: str) -> None:
    with MISTAKES[name]():
        assert any(simulate(seed).failure for seed in range(FIND_WITHIN))
