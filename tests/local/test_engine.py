"""A page says exactly what the engine says: views, actions, words and refusals, position by position.

ARCHIPEL_PAGE_POSITIONS says how many positions of each game; 100,000 take some minutes.
"""

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import OVER, State
from archipel.bench import pages as node
from archipel.core import compiled, registry
from archipel.core.errors import Sentence
from tests.variants import OPTIONS, chosen

POSITIONS = int(os.environ.get("ARCHIPEL_PAGE_POSITIONS", "1000"))
ROOT = Path(__file__).parents[2]
WASM = compiled.built() / "wasm32"
TEXTS = [
    "ALOA-BARI",
    "x hunA - elai",
    "6 @ k",
    "oracle",
    "yyb yrr rrr touched",
    "ash1",
    "draw",
    "",
    "nonsense 'quoted'",
    "é" * 70,
]
needs_wasm = pytest.mark.skipif(not (WASM / "kahuna.wasm").exists(), reason="no WebAssembly was built: make kernels")


def tried(state: State, rng: np.random.Generator) -> list[int]:
    """A few actions, legal or not, and numbers that are none."""
    count = len(state.game.vocabulary(state))
    return [*(int(rng.integers(count)) for _ in range(4)), -1, count]


def outcome(attempt: Any) -> Any:
    try:
        return attempt()
    except (ValueError, NotImplementedError) as error:
        reason = error.args[0]
        told = reason if isinstance(reason, Sentence) else None
        rule = getattr(error, "rule", None)
        return {"error": str(error), "rule": rule, "words": told and told.template, "gaps": told and told.gaps}


def said(state: State, numbers: list[int]) -> dict[str, Any]:
    seats = [None, *range(state.game.seats)]
    actions = outcome(state.actions)
    legal = actions if isinstance(actions, list) else []
    return {
        "snapshot": state.snapshot(),
        "views": [state.view(seat) for seat in seats],
        "shown": [state.game.unaided(state.view(seat)) for seat in seats],
        "actions": actions,
        "chances": outcome(state.chances),
        "words": [[state.decode(a), state.notation(a), [state.notation_for(a, seat) for seat in seats]] for a in legal],
        "unseen": [[state.game.unseen(state, a, seat) for seat in seats] for a in legal],
        "written": [state.game.written(state, a, state.after(a)) for a in legal],
        "back": [[state.encode(state.decode(a)), outcome(lambda a=a: state.parse(state.notation(a)))] for a in legal],
        "tried": [outcome(lambda a=a: [state.after(a).snapshot(), state.notation(a)]) for a in numbers],
        "texts": [outcome(lambda text=text: state.parse(text)) for text in TEXTS],
        "scores": [state.scores, state.winner, state.returns()],
    }


def canonical(value: Any) -> str:
    """JSON in which objects are lists of pairs, in order, and whole numbers have no point."""
    return json.dumps(_pairs(value), ensure_ascii=False, separators=(",", ":"))


def _pairs(value: Any) -> Any:
    if isinstance(value, dict):
        return [[key, _pairs(value[key])] for key in sorted(value)]
    if isinstance(value, list | tuple):
        return [_pairs(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def plays(name: str, positions: int) -> Iterator[tuple[dict[str, Any], list[State]]]:
    """Random games of all variants in turn, cut short where there are enough positions."""
    seed, left = 0, positions
    while left > 0:
        for options in OPTIONS[name]:
            rng = np.random.default_rng([seed, 18])
            state = archipel.game(name, **options).new()
            states, actions = [state], []
            most = min(left, max(20, positions // (2 * len(OPTIONS[name]))))
            while state.mover != OVER and len(states) < most:
                actions.append(chosen(state, rng))
                state = state.after(actions[-1])
                states.append(state)
            left -= len(states)
            numbers = [tried(each, rng) for each in states]
            yield {"options": options, "actions": actions, "tried": numbers}, states
            if left <= 0:
                return
        seed += 1


def difference(found: str, expected: str, where: Any) -> str:
    at = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), -1)
    return (
        f"{where}: the page says {found[max(0, at - 80) : at + 160]}, the engine {expected[max(0, at - 80) : at + 160]}"
    )


@needs_wasm
@pytest.mark.parametrize("name", registry.own())
def test_a_page_says_what_the_engine_says(name: str, modules: Path, tmp_path: Path) -> None:
    played = list(plays(name, POSITIONS))
    task = {"game": name, "plays": [play for play, _ in played], "texts": TEXTS, "whole": POSITIONS <= 1000}
    (tmp_path / "task.json").write_text(json.dumps(task))
    script = ROOT / "web" / "tests" / "local" / "said.ts"
    command = [node.node(), script, tmp_path / "task.json", WASM, modules / f"{name}.js"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (play, states), line in zip(played, done.stdout.splitlines(), strict=True):
        for at, (state, found) in enumerate(zip(states, json.loads(line), strict=True)):
            expected = canonical(said(state, play["tried"][at]))
            if not task["whole"]:
                expected = hashlib.sha256(expected.encode()).hexdigest()[:16]
            assert found == expected, difference(found, expected, (play["options"], play["actions"][:at]))
