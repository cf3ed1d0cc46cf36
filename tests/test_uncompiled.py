"""The rules mean the same with and without the compiler, byte for byte."""

import hashlib
import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import archipel

from .rules_table import ROOT

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("kahuna", {}),
    ("kahuna", {"edition": "tilsit", "guarded": True, "open_cards": True, "handicap": [0, 2]}),
    ("krakatoa", {}),
    ("krakatoa", {"players": 4, "teams": True}),
    ("kula_kula", {"turn_limit": 12}),
    ("kula_kula", {"players": 5, "return_home": True, "turn_limit": 8}),
    ("stonehenge", {}),
    ("stonehenge", {"hidden": True}),
    ("stonehenge", {"claims": "manual"}),
]


def trace(name: str, options: dict[str, Any]) -> str:
    """A digest of all that happens in a random game: actions, odds, states, imagined worlds, a game played out."""
    rng = np.random.default_rng(12)
    state, digest = archipel.game(name, **options).new(), hashlib.sha256()
    while state.mover != archipel.OVER:
        if state.mover == archipel.CHANCE:
            action = state.sample(rng)
            told = [] if name == "krakatoa" else state.chances()
        else:
            actions = state.actions()
            action, told = actions[rng.integers(len(actions))], [(a, 0.0) for a in actions]
        world = state.imagine(int(rng.integers(state.game.seats)), rng)
        digest.update(json.dumps([told, action, state.snapshot(), world.snapshot()], sort_keys=True).encode())
        state = state.after(action)
    digest.update(json.dumps([state.snapshot(), state.returns(), state.game.new().judge(1, rng)]).encode())
    return digest.hexdigest()


@pytest.fixture(scope="module")
def uncompiled() -> list[str]:
    """The digests of all variants from a process without the compiler."""
    script = "import json; from tests.test_uncompiled import *; print(json.dumps([trace(*v) for v in VARIANTS]))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    digests: list[str] = json.loads(ran.stdout)
    return digests


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_the_same_game_with_and_without_the_compiler(number: int, uncompiled: list[str]) -> None:
    assert trace(*VARIANTS[number]) == uncompiled[number]
