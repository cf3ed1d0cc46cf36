"""A few seconds of the simulator: seeds that hold, seeds that replay byte for byte, and mistakes that are found."""

import os
import random
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from archipel.table.net.websocket_protocol import WebSocketProtocol

from .loop import Loop, Process
from .mistakes import MISTAKES
from .network import Network
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
    ("name", "first"),
    [
        ("acknowledge-before-commit", 0),
        ("keep-a-lost-lease", 0),
        ("resend-without-a-counter", 0),
        ("leak-in-an-error", 0),
        ("let-a-shoulder-link-outlive-its-maker", 8),
        ("forget-the-bot-after-an-error", 35),
    ],
)
def test_a_mistake_is_found(name: str, first: int) -> None:
    """From the first seed that found it when this was written: what a seed plays may change."""
    with MISTAKES[name]():
        assert any(simulate(seed).failure for seed in range(first, first + FIND_WITHIN))


def test_what_a_browser_sends_first_waits_until_it_is_accepted() -> None:
    """A simulated connection lost it when the worker took longer to accept than the bytes to arrive."""
    loop, heard = Loop(), []
    network = Network(loop, random.Random(0))
    network.latency = iter((0.2, 0.1)).__next__  # type: ignore[method-assign]
    with patch.object(WebSocketProtocol, "data_received", lambda _, data: heard.append((loop.time(), data))):
        network.connect(Process("worker"), None, None, "10.0.0.1").send(b"GET / HTTP/1.1\r\n")
        loop.call_later(1.0, loop.stop)
        loop.run_forever()
    loop.close()
    assert heard == [(0.2, b"GET / HTTP/1.1\r\n")]
