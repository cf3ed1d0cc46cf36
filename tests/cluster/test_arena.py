"""The arena on a Ray cluster of two nodes, one of which is killed while it plays."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from archipel.arena import ArenaError
from archipel.arena.entrants import Entrants
from archipel.arena.log import Log
from archipel.arena.match import play
from archipel.arena.tournament import play as play_all
from tests.arena.conftest import small, written

from .conftest import RAY, another

pytest.importorskip("ray")

from archipel.arena.cluster import Cluster

SLOW = """
import os
import time
from pathlib import Path

import ray
from archipel.bots.worlds import imagined

NODES = Path({folder!r})

def choose(view, rng, budget):
    (NODES / ray.get_runtime_context().get_node_id()).write_text(f"{{os.getpid()}} {{time.time()}}")
    time.sleep(0.05)
    (world,) = imagined(view, rng)
    return world.actions()[0]
"""
QUICK = """
from archipel.bots.worlds import imagined

def choose(view, rng, budget):
    (world,) = imagined(view, rng)
    return world.actions()[0]
"""


@RAY
def test_a_node_that_is_killed_loses_no_game_and_none_counts_twice(nodes: Any, tmp_path: Path) -> None:
    (tmp_path / "nodes").mkdir()
    path = written(tmp_path / "slow.py", SLOW.format(folder=str(tmp_path / "nodes")))
    plan, entrants = small(("slow", "random"), games=16), Entrants.of([path])
    second = another(nodes)
    workers = Cluster(entrants, nodes.address)
    results, killed = [], False
    with Log(tmp_path / "played", plan) as log:
        for batch in play_all(plan, log, workers):
            results += batch
            file = tmp_path / "nodes" / second.node_id
            if not killed and file.exists():
                os.kill(busy(file), signal.SIGKILL)  # what plays there would finish its game without its node
                nodes.remove_node(second, allow_graceful=False)
                killed = True
    assert killed
    assert workers.retried > 0
    assert sorted(result.key for result in results) == sorted(match.key for match in plan.matches())
    with Log(tmp_path / "played", plan) as log:
        assert sorted(log.results, key=key) == sorted(results, key=key)
    quick = Entrants.of([written(tmp_path / "slow.py", QUICK)])
    here = {match.key: untimed(play(match, quick)) for match in plan.matches()}
    assert {result.key: untimed(result) for result in results} == here


def busy(file: Path) -> int:
    """The process that plays at a node, in the middle of a game."""
    before, deadline = file.read_text(), time.monotonic() + 60
    while file.read_text() in ("", before):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return int(file.read_text().split()[0])


def key(result: Any) -> Any:
    return result.key


def untimed(result: Any) -> dict[str, Any]:
    return {**result.json(), "seconds": None}


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_is_not_there(address: str) -> None:
    with pytest.raises(ArenaError, match=rf"^No Ray cluster can be reached at '{address}': [^\n]*\.$"):
        Cluster(Entrants(), address)
