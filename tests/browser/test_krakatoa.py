"""Whole games of Krakatoa in real browsers: with dice that fall, in every way to play, and with real dice at home."""

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import NO_GL, SOFTWARE_GL
from .person import DESK, PHONE, Person

Enter = Callable[..., Person]

PLAYED: list[dict[str, Any]] = [
    {"players": 2, "game": "basic"},
    {"players": 3},
    {"players": 4, "teams": True},
]


@pytest.mark.parametrize("options", PLAYED, ids=["basic", "three", "teams"])
def test_a_whole_game_with_dice_that_fall(enters: Enter, options: dict[str, Any]) -> None:
    anna = enters(DESK if options["players"] == 4 else PHONE, "fr" if options["players"] == 3 else "en")
    anna.opens("krakatoa", **options)
    anna.until_over(anna.acts_on_board)
    anna.shot(f"krakatoa-{options['players']}-over")
    assert anna.violations() == []
    assert anna.page.locator(".refused").count() == 0
    boxes = 30 * (2 if options.get("teams") else options["players"])
    assert anna.page.locator("table td b").count() >= boxes
