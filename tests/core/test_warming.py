"""Kernels made ready before they are needed."""

import os

import numpy as np
import pytest

import archipel
from archipel.bots import warming
from archipel.core import rules
from archipel.core.compiled import KERNELS, LORE, announced, compiled

needs_compiler = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")


@needs_compiler
def test_the_first_compilation_is_announced_once() -> None:
    @compiled
    def one_more(n: float) -> float:
        return n + 1

    one_more._cache.disable()  # type: ignore[attr-defined]
    said: list[str] = []
    with announced(lambda: said.append("compiling")):
        assert said == []
        assert one_more(1) == 2
        assert said == ["compiling"]
        assert one_more(1.5) == 2.5
    with announced(lambda: said.append("again")):
        assert one_more(1) == 2
    assert said == ["compiling"]


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


@pytest.mark.parametrize("name", archipel.GAMES)
def test_a_game_has_every_kernel_for_all_games_and_its_own(name: str) -> None:
    game = archipel.game(name)
    found = [instance.kernel.name for instance in warming.instances(game)]
    assert set(found) == {kernel.name for kernel in KERNELS.values() if kernel.game in (None, name)}
    assert found.count("simulate") == len({lore for _, roles, _ in warming.instances(game) if (lore := roles[LORE])})


@pytest.mark.parametrize("name", archipel.GAMES)
def test_judging_adds_up_returns(name: str) -> None:
    state = archipel.game(name).new()
    worth, steps = state.judge(20, np.random.default_rng(1))
    assert len(worth) == state.game.seats
    assert sum(worth) == pytest.approx(0, abs=1e-9)
    assert steps >= 20
    assert worth == state.judge(20, np.random.default_rng(1))[0]
