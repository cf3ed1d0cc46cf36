"""Kernels made ready before they are needed."""

import os
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

import archipel
from archipel.core import rules
from archipel.core.compiled import announced, ready

needs_compiler = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")


def one_more(n: Any) -> Any:
    return n + 1


@needs_compiler
def test_the_first_compilation_is_announced_once() -> None:
    kernel: Callable[[Any], Any] = numba.njit(one_more)
    said: list[str] = []
    with announced(lambda: said.append("compiling")):
        assert said == []
        ready(kernel, numba.int64)
        assert said == ["compiling"]
        ready(kernel, numba.float64)
    with announced(lambda: said.append("again")):
        assert kernel(1) == 2
    assert said == ["compiling"]


@needs_compiler
@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_warm_game_compiles_nothing_more(name: str) -> None:
    game = archipel.game(name)
    counts = list(rules.warm(game.facts))
    assert [done for done, _ in counts] == list(range(1, len(counts) + 1))
    assert {total for _, total in counts} == {len(counts)}

    def compiled_late() -> None:
        raise AssertionError("a kernel was compiled that `warm` had not made ready")

    rng = np.random.default_rng(1)
    with announced(compiled_late):
        state = game.new()
        for _ in range(30):
            if state.mover == archipel.CHANCE:
                state = state.after(state.sample(rng))
                continue
            state = state.imagine(state.mover, rng).after(state.actions()[0])
            state.judge(2, rng)
            state.returns()
            if state.mover == archipel.OVER:
                break


def test_plain_functions_are_ready() -> None:
    ready(lambda n: n, numba.int64)


@pytest.mark.parametrize("name", archipel.GAMES)
def test_judging_adds_up_returns(name: str) -> None:
    state = archipel.game(name).new()
    worth, steps = state.judge(20, np.random.default_rng(1))
    assert len(worth) == state.game.seats
    assert sum(worth) == pytest.approx(0, abs=1e-9)
    assert steps >= 20
    assert worth == state.judge(20, np.random.default_rng(1))[0]
