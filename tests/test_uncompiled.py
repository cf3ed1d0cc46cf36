"""The rules as plain Python give the same states, byte for byte, as the rules compiled."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, Game, State
from tests.variants import VARIANTS, played

STATES = 250
SEED = 11


def digest(state: State) -> str:
    return sha256(state._raw.tobytes()).hexdigest()[:16]


def transcript(game: Game) -> list[list[Any]]:
    """What can be told of a random game: each state, what may be done, drawn and imagined there."""
    told = []
    for number, (state, action) in enumerate(islice(played(game, SEED), STATES)):
        told.append([state.mover, action, digest(state), *_choices(state)])
        if number % 9 == 0:
            told.append(
                [digest(state.imagine(seat, np.random.default_rng(number))) for seat in (*range(game.seats), None)]
            )
    return [*told, _played_out(game)]


def _choices(state: State) -> list[Any]:
    drawn = state.sample(np.random.default_rng(SEED)) if state.mover == CHANCE else None
    try:
        return [drawn, state.actions(), state.chances() if state.mover == CHANCE else None]
    except NotImplementedError:
        return [drawn]


def _played_out(game: Game) -> list[Any]:
    """A whole game inside the kernels, by their own random numbers: how long it was and what it was worth."""
    worth, steps = game.new().judge(1, np.random.default_rng(SEED))
    return [int(steps), worth]


def transcripts() -> dict[str, list[list[Any]]]:
    return {str(i): transcript(archipel.game(name, **options)) for i, (name, options) in enumerate(VARIANTS)}


def uncompiled() -> dict[str, list[list[Any]]]:
    """The transcripts of another process, in which nothing is compiled."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.test_uncompiled"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, list[list[Any]]] = json.loads(done.stdout)
    return told


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled here")
def test_plain_and_compiled_agree() -> None:
    plain = uncompiled()
    for number, (name, options) in enumerate(VARIANTS):
        mine = json.loads(json.dumps(transcript(archipel.game(name, **options))))
        for i, (said, wanted) in enumerate(zip(plain[str(number)], mine, strict=True)):
            assert said == wanted, f"{name} {options}: entry {i}"


if __name__ == "__main__":
    print(json.dumps(transcripts()))
