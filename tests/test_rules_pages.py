"""The rules pages: both languages say the same rules, every refusal names one, every one is tested."""

import re
from pathlib import Path
from typing import Any

import pytest

import archipel

from .rules_table import PAGE, ROOT, anchors, marks, table
from .variants import EVERY, played


@pytest.mark.parametrize("game", archipel.GAMES)
def test_both_languages_have_the_same_rules_in_the_same_order(game: str) -> None:
    assert list(anchors(game, "en")) == list(anchors(game, "fr"))
    assert {"actions", "end"} <= anchors(game).keys()


@pytest.mark.parametrize("game", archipel.GAMES)
def test_every_rule_is_covered_by_a_test(game: str) -> None:
    covered = marks()
    assert [anchor for anchor in anchors(game) if f"{game}.{anchor}" not in covered] == []


def test_every_mark_names_a_rule() -> None:
    known = {f"{game}.{anchor}" for game in archipel.GAMES for anchor in anchors(game)}
    assert marks().keys() <= known


@pytest.mark.parametrize("game", archipel.GAMES)
def test_every_rule_that_a_refusal_names_is_on_the_page(game: str) -> None:
    source = (ROOT / "src" / "archipel" / "games" / game / "game.py").read_text("utf-8")
    named = set(re.findall(r'return "([a-z-]+)", ', source))
    assert named
    assert named <= anchors(game).keys()


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_every_refusal_in_a_game_names_a_rule_of_the_page(name: str, options: dict[str, Any]) -> None:
    """Whatever may not be done in a random game; of landings, which are too many, those with the first numbers."""
    known = anchors(name)
    for state, _ in list(played(archipel.game(name, **options), seed=2))[::3]:
        legal = [] if name == "krakatoa" and state.mover == archipel.CHANCE else state.actions()
        for action in range(-1, state.game.action_count + 1):
            if action not in legal and not state.is_legal(action):
                refusal = state.game.refusal(state, action)
                assert refusal.rule.removeprefix(f"{name}.") in known
                assert refusal.reason[0].isupper()
                assert refusal.reason.endswith(".")


@pytest.mark.parametrize("game", archipel.GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_rule_says_something(game: str, language: str) -> None:
    text = (ROOT / "src" / "archipel" / "games" / game / f"rules.{language}.md").read_text("utf-8")
    for heading, body in re.findall(r"^#+ (.+\{#.+\})$\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL):
        assert len(body.split()) > 5, f"{game} {language}: {heading}"


@pytest.mark.parametrize("game", archipel.GAMES)
def test_anchors_are_used_once(game: str) -> None:
    for language in ("en", "fr"):
        text = (ROOT / "src" / "archipel" / "games" / game / f"rules.{language}.md").read_text("utf-8")
        found = re.findall(r"\{#([^}]*)\}", text)
        assert found == list(anchors(game, language))


def test_the_table_is_current() -> None:
    assert PAGE.read_text("utf-8") == table(), "run `make golden`"


def test_no_page_copies_a_machine_path() -> None:
    for page in [*Path(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        assert "/home/" not in page.read_text("utf-8")
