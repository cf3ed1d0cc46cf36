"""A server's chance has one source: that of the operating system, or in a test one with a seed."""

import random
from pathlib import Path

import numpy as np
import pytest

import archipel
from archipel.bots import bot
from archipel.core.state import State
from archipel.table import entropy, tokens
from archipel.table.log.setup import Setup, made
from archipel.table.play.thinking import ADVICE, Question, think
from archipel.table.protocol import NewTable
from tests import chance


def table() -> Setup:
    return made(NewTable(game="kahuna", chairs=[]), host="Ada", now=0)


def test_a_seeded_source_makes_the_same_table_again() -> None:
    entropy.use(random.Random(7))
    first, token = table(), tokens.new()
    entropy.use(random.Random(7))
    assert (table(), tokens.new()) == (first, token)
    assert len(first.secret) == 32
    assert table().secret != first.secret


def test_nobody_else_makes_it_again() -> None:
    entropy.use(None)
    assert table().secret != table().secret
    assert isinstance(entropy._source, random.SystemRandom)


def test_a_server_of_the_tests_draws_the_same_in_every_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In every life of it something else, for its tables outlive it; and what a test says while it runs."""
    from tests.serving import Told

    def drawn(life: int, seeds: Path | None = None) -> bytes:
        for name, value in chance.archipel(life, seeds)[1].items():
            monkeypatch.setenv(name, value)
        return told.randbytes(8)

    told = Told()
    first, second = drawn(0), drawn(0)
    told = Told()
    assert (drawn(0), drawn(0)) == (first, second)
    told = Told()
    assert drawn(1) != first
    seeds = tmp_path / "seeds"
    seeds.write_text("one test", "utf-8")
    one = drawn(0, seeds)
    seeds.write_text("another", "utf-8")
    another = drawn(0, seeds)
    seeds.write_text("one test", "utf-8")
    assert drawn(0, seeds) == one != another


def test_what_is_thought_at_one_table_has_no_part_in_another() -> None:
    rng, state = np.random.default_rng(3), archipel.game("stonehenge").new()
    for _ in range(10):
        state = state.after(int(rng.choice(state.actions())))
    before = think(advice(state, table=1))
    answered = state.after(before.action)
    (reply,) = (action for action in answered.actions() if answered.notation(action) == before.line[1])
    after = answered.after(reply)
    alone = bot("mcts").think(after.view(state.mover), np.random.default_rng(7), ADVICE)  # type: ignore[attr-defined]
    assert think(advice(after, table=2)).ranking == alone.ranking
    think(advice(state, table=1))
    assert think(advice(after, table=1)).ranking != alone.ranking


def advice(state: State, table: int) -> Question:
    return Question("mcts", state.view(state.mover), 7, advice=True, table=table)
