"""The rules beside the board: both languages, searched, with positions that the real boards draw."""

import pytest

from .conftest import Enter
from .person import DESK, PHONE, SCREENS

DRAWN = {"kahuna": ".chart svg", "stonehenge": ".ring svg", "kula_kula": ".sea svg", "krakatoa": "svg"}


@pytest.mark.parametrize(("game", "drawing"), DRAWN.items())
def test_rules_show_positions(enters: Enter, game: str, drawing: str) -> None:
    anna = enters(DESK if game in ("kahuna", "kula_kula") else PHONE, "fr" if game in ("kahuna", "krakatoa") else "en")
    anna.opens(game)
    page = anna.page
    page.locator("[data-tool=rules]").click()
    page.locator("aside figcaption").nth(3).wait_for()
    for figure in page.locator("aside figure").all():
        figure.scroll_into_view_if_needed()
        figure.locator(drawing).first.wait_for()
    assert page.locator("aside figure button:visible:not([inert] *)").count() == 0
    anna.shot(f"{game}-rules")
    page.locator("aside figure").nth(1).screenshot(path=SCREENS / f"{game}-picture.png")
    assert anna.violations() == []
    page.locator("aside input[type=search]").fill(page.locator("aside h3").nth(2).inner_text())
    assert 1 <= page.locator("aside section").count() < 12
