"""Whatever is refused, a French page says why in French."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel.core.errors import IllegalAction, InvalidAction, Sentence
from archipel.core.state import State
from tests.variants import EVERY, Options

from .refusals import said

PACKAGE = Path(__file__).parents[2] / "src" / "archipel"
GAP = re.compile(r"\{(\w+)\}")
ELSEWHERE = {"Only a game that is over can be imported."}
"""What is said to whoever runs the server, in the terminal."""


def french(*folders: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for folder in folders or (PACKAGE / "core", PACKAGE / "table", *(PACKAGE / "games").iterdir()):
        path = folder / "refusals.fr.json"
        if path.is_file():
            found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def test_every_sentence_is_said_in_french() -> None:
    missing = {words: place for words, place in said().items() if words not in french() and words not in ELSEWHERE}
    assert missing == {}


def test_nothing_is_said_in_french_that_is_never_said_in_english() -> None:
    sentences = {words for words in french() if " " in words}
    assert sentences - set(said()) == set()


@pytest.mark.parametrize(("english", "words"), french().items())
def test_french_fills_no_gap_that_english_does_not_have(english: str, words: str) -> None:
    assert set(GAP.findall(words)) <= set(GAP.findall(english))


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_what_a_game_refuses_is_said_in_french(name: str, options: Options) -> None:
    known = french(PACKAGE / "core", PACKAGE / "games" / name)
    rng = np.random.default_rng(4)
    state = archipel.game(name, **options).new()
    heard = set()
    while state.mover != archipel.OVER:
        for action in rng.integers(0, state.game.action_count, 4).tolist():
            heard.add(_words(state, action))
        heard.add(_words(state, "what is this"))
        state = state.after(_some(state, rng))
    heard.add(_words(state, 0))
    assert heard - {""} - set(known) == set()


def _some(state: State, rng: np.random.Generator) -> int:
    if state.mover == archipel.CHANCE:
        return state.sample(rng)
    actions = state.actions()
    return actions[int(rng.integers(len(actions)))]


def _words(state: State, action: Any) -> str:
    """What is said to an action that may not be; nothing to one that may."""
    try:
        state.after(state.parse(action) if isinstance(action, str) else action)
    except (IllegalAction, InvalidAction) as error:
        reason: str = error.args[0]
        return reason.template if isinstance(reason, Sentence) else reason
    return ""
