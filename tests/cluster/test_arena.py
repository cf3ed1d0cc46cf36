"""The arena on a Ray cluster of two nodes, one of which is killed while it plays."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from archipel.arena import ArenaError
from archipel.arena.entrants import Entrants
from archipel.arena.log import Log
from archipel.arena.match import play
from archipel.arena.tournament import play as play_all
from tests.arena.conftest import small, written
from tests.patience import PATIENCE

from .conftest import RAY, another

pytest.importorskip("ray")

from archipel.arena.cluster import Cluster

WAITING = """
import os
import time
from pathlib import Path

import ray
from archipel.bots.worlds import imagined

DOOMED, BUSY = {doomed!r}, Path({busy!r})

def choose(view, rng, budget):
    deadline = time.monotonic() + 600
    if ray.get_runtime_context().get_node_id() == DOOMED:
        BUSY.write_text(str(os.getpid()))
        time.sleep(120)
    while not BUSY.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    (world,) = imagined(view, rng)
    return world.actions()[0]
"""
"""At the node that is to die it waits for that in the middle of its game; elsewhere until it has come so far there."""
QUICK = """
from archipel.bots.worlds import imagined

def choose(view, rng, budget):
    (world,) = imagined(view, rng)
    return world.actions()[0]
"""


@RAY
def test_a_node_that_is_killed_loses_no_game_and_none_counts_twice(nodes: Any, tmp_path: Path) -> None:
    busy, second = tmp_path / "busy", another(nodes)
    path = written(tmp_path / "slow.py", WAITING.format(doomed=second.node_id, busy=str(busy)))
    plan, entrants = small(("slow", "random"), games=16), Entrants.of([path])
    workers = Cluster(entrants, nodes.address)
    with Log(tmp_path / "played", plan) as log, ThreadPoolExecutor(1) as pool:
        killing = pool.submit(kill, nodes, second, busy)
        results = [result for batch in play_all(plan, log, workers) for result in batch]
    killing.result()
    assert workers.retried > 0
    assert sorted(result.key for result in results) == sorted(match.key for match in plan.matches())
    with Log(tmp_path / "played", plan) as log:
        assert sorted(log.results, key=key) == sorted(results, key=key)
    quick = Entrants.of([written(tmp_path / "slow.py", QUICK)])
    here = {match.key: untimed(play(match, quick)) for match in plan.matches()}
    assert {result.key: untimed(result) for result in results} == here


def kill(nodes: Any, node: Any, busy: Path) -> None:
    """Kill a node in the middle of a game, and what plays there: that would finish its game without its node."""
    deadline = time.monotonic() + PATIENCE
    while not busy.exists() or not busy.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    nodes.remove_node(node, allow_graceful=False)
    with suppress(ProcessLookupError):
        os.kill(int(busy.read_text()), signal.SIGKILL)


def key(result: Any) -> Any:
    return result.key


def untimed(result: Any) -> dict[str, Any]:
    return {**result.json(), "seconds": None}


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_is_not_there(address: str) -> None:
    with pytest.raises(ArenaError, match=rf"^No Ray cluster can be reached at '{address}': [^\n]*\.$"):
        Cluster(Entrants(), address)
