"""The first steps of each game begin where a game does, and ask for one thing after the other."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "web" / "scripts" / "lessons.py"
BEGINNINGS: dict[str, dict[str, Any]] = {
    "kahuna": {"bridges": [[], []], "stones": [[], []], "round": 1, "scores": [0, 0]},
    "stonehenge": {"cells": {}, "megaliths": {}},
    "kula_kula": {"boats": [0, 8, 16], "kauris": [0, 0, 0], "turn": 0},
    "krakatoa": {"round": 1, "throw": 1, "totals": [0, 0]},
}


def lesson(name: str) -> list[dict[str, Any]]:
    spec = spec_from_file_location("lessons", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    steps: list[dict[str, Any]] = module.lesson(name)
    return steps


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_lesson_begins_with_an_empty_board(name: str) -> None:
    view = lesson(name)[0]["view"]
    assert {key: view[key] for key in BEGINNINGS[name]} == BEGINNINGS[name]


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_lesson_asks_for_what_may_be_done_and_says_each_thing_once(name: str) -> None:
    steps = lesson(name)
    said = [step["words"] for step in steps]
    assert len(set(said)) == len(said)
    for step in steps:
        assert step["wanted"] is None or step["wanted"] in [one["action"] for one in step["legal"]]
    assert steps[-1]["wanted"] is None


def test_krakatoas_lesson_has_a_volcano_a_scratch_and_an_aim_for_each_throw() -> None:
    steps = lesson("krakatoa")
    falls = [move["fall"] for step in steps for move in step["moves"] if "fall" in move]
    assert [fall["scratch"] for fall in falls] == [False, False, False, False, True, False]
    assert all(fall["trajectory"] for fall in falls)
    throws = [step for step in steps if step["wanted"] and step["wanted"]["do"] == "throw"]
    assert [step["aim"]["strength"] for step in throws] == [120, 40, 160]
