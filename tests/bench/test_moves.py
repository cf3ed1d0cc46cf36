"""The cost of a move: that it is measured for every game. Never how much it is."""

import asyncio
import re

import pytest

from archipel.bench.moves import measure
from archipel.bench.table import GAMES
from archipel.table import entropy, serving


def test_a_move_of_every_game_is_measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "calm_down", lambda: None)
    try:
        asyncio.run(measure(GAMES, tables=2, turns=2, rounds=2, lines=3))
    finally:
        entropy.use(None)
    said = capsys.readouterr().out
    assert re.findall(r"^(\w+) +\d\.\d+ ms of CPU a move", said, re.M) == list(GAMES)
    assert said.count("with all that it calls") == len(GAMES)
