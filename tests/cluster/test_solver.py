"""A proof on a Ray cluster of two nodes, one of which is killed while it searches."""

from contextlib import closing
from typing import Any

import pytest

import archipel
from archipel.games.stonehenge.bot.solver import solve
from archipel.games.stonehenge.bot.solver.ledger import Ledger
from archipel.games.stonehenge.bot.solver.proof import Proof
from archipel.games.stonehenge.bot.solver.settled import moved
from archipel.ray import connect

from .conftest import RAY, another

pytest.importorskip("ray")

from archipel.games.stonehenge.bot.solver.hands import Nodes

OPENING = ["2@L", "6@A", "3@D", "5@G", "1@C", "4@H", "6@J"]


@RAY
def test_a_node_that_is_killed_costs_no_more_than_its_slice(nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.proof.SHARED", 9)
    monkeypatch.setattr("archipel.games.stonehenge.bot.solver.proof.SLICE", 200)
    second = another(nodes)
    state = moved(archipel.game("stonehenge").new(), *OPENING)
    ledger = Ledger()
    with closing(Nodes(ledger, connect(nodes.address), megabytes=4)) as hands:
        proof = Proof(ledger, hands)
        for number, _ in enumerate(proof.prove(state)):
            if number == 2:
                assert hands.count() == 2
                nodes.remove_node(second, allow_graceful=False)
        assert number > 2
    solution = solve(state)
    assert solution is not None
    assert proof.known(state) == solution.winner
