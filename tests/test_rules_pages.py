"""The rules pages: both languages say the same rules, every refusal names one, every one is tested."""

import re
from pathlib import Path

import pytest

import archipel

from .rules_table import PAGE, ROOT, anchors, marks, table


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
    named = set(re.findall(r'return "([a-z-]+)", f?"', source))
    assert named
    assert named <= anchors(game).keys()


def test_the_table_is_current() -> None:
    assert PAGE.read_text("utf-8") == table(), "run `make golden`"


def test_no_page_copies_a_machine_path() -> None:
    for page in [*Path(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        assert "/home/" not in page.read_text("utf-8")
