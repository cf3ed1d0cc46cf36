"""What a player meets in the first hour: turns that tell a story, screens that stand still, offers that make sense."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Enter
from .person import DESK, Person

BOT = {"kind": "bot", "level": "random"}
SMALL = {"width": 390, "height": 664}
"""A phone's visible area under the bars of its browser."""
LOW = {"width": 1280, "height": 720}
SIDEWAYS = {"width": 844, "height": 390}
TABLET = {"width": 820, "height": 1180}
GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"]
OVERFLOW = "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: false });
}"""


def table(person: Person, game: str, **more: Any) -> None:
    person.makes(game, [{"kind": "me"}, *[BOT] * (2 if game == "kula_kula" else 1)], **more)
    person.page.locator("[data-story]").wait_for()


@pytest.mark.parametrize("size", [SMALL, LOW], ids=["phone", "desk"])
@pytest.mark.parametrize("game", GAMES)
def test_a_turn_needs_no_scrolling_and_moves_nothing(enters: Enter, game: str, size: dict[str, int]) -> None:
    anna = enters(size, has_touch=size is SMALL)
    table(anna, game)
    anna.page.locator(".frame svg").first.wait_for()
    anna.page.wait_for_load_state("networkidle")  # parts of the board are loaded after it
    anna.until_measured()
    anna.page.evaluate(SHIFTS)
    acted = 0
    while acted < 4 and not anna.over:
        acted += anna.acts_on_board()
        assert anna.page.evaluate(OVERFLOW) == [0, 0]
    assert anna.page.evaluate("window.shifted") <= 0.01


INSIDE = """() => [...document.querySelectorAll('.frame :is(button, .seat, .say)')]
  .filter((one) => one.checkVisibility() && !one.closest('.sheets'))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.top, box.left) < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
  .map(([one]) => one.outerHTML.slice(0, 90))"""
"""What can be pressed or is said at the board, and lies beyond the edge of the screen."""


@pytest.mark.parametrize("dice", ["physics", "odds"])
@pytest.mark.parametrize("size", [SIDEWAYS, TABLET], ids=["sideways", "tablet"])
def test_everything_is_on_a_screen_that_was_turned(enters: Enter, size: dict[str, int], dice: str) -> None:
    anna = enters(size, "fr", has_touch=True)
    for game in GAMES if dice == "physics" else ["krakatoa"]:
        table(anna, game, **({"dice": dice} if game == "krakatoa" else {}))
        anna.page.locator(".frame svg").first.wait_for()
        anna.page.locator(".frame button:visible").first.wait_for()
        anna.until_measured()
        assert anna.page.evaluate(INSIDE) == [], game
        assert anna.page.evaluate(OVERFLOW) == [0, 0], game


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_forms_and_lessons_are_no_wider_than_a_phone(enters: Enter, locale: str) -> None:
    anna = enters(SMALL, locale, has_touch=True)
    for path in [f"/{page}/{game}" for page in ("new", "learn") for game in GAMES]:
        anna.go(path)
        anna.page.locator("form select, .lesson").first.wait_for()
        anna.until_measured()
        assert anna.page.evaluate(OVERFLOW)[0] == 0, path


def test_the_name_goes_along_from_the_lobby(enters: Enter) -> None:
    anna = enters(DESK)
    anna.go("/")
    anna.page.locator(".who input").fill("Annabel")
    anna.page.get_by_role("link", name="Send a link – Kahuna").click()
    expect(anna.page.locator("form input").first).to_have_value("Annabel")
    assert anna.page.locator("input[value=open]").is_checked()


def test_a_hint_is_offered_only_where_it_may_be_asked(enters: Enter) -> None:
    anna, zoe = enters(DESK), enters(DESK)
    anna.makes("stonehenge", [{"kind": "me"}, {"kind": "open"}])
    zoe.page.goto(anna.invites())
    zoe.page.locator(".waiting .who input").fill("Zoé")
    zoe.page.locator(".waiting button.main").click()
    for person in (anna, zoe):
        person.page.locator(".ring").wait_for()
        assert person.page.locator("[data-tool=hint]").count() == 0
    # What one says oneself is not unread, and what was read is no longer.
    zoe.page.locator("[data-tool=chat]").click()
    zoe.page.locator("aside form input").fill("Hello")
    zoe.page.keyboard.press("Enter")
    expect(anna.page.locator("[data-tool=chat] .count")).to_have_text("1")
    zoe.page.locator("aside .head button").click()
    assert zoe.page.locator("[data-tool=chat] .count").count() == 0
    anna.page.locator("[data-tool=chat]").click()
    expect(anna.page.locator("[data-tool=chat] .count")).to_have_count(0)
    anna.page.locator("aside .head button").click()
    # The first druid of the other is ringed, and told.
    anna.click(".hand button:not([disabled])")
    anna.click(".cell.lit")
    expect(zoe.page.locator(".halo")).to_have_count(1)
    expect(zoe.page.locator(".story .line")).to_have_text(re.compile(r"^Anna placed \d on [A-R]\."))
    zoe.page.get_by_role("button", name="What changed since my last turn").click()
    expect(zoe.page.locator(".story li")).to_have_text(re.compile(r"^Anna placed \d on [A-R]\."))
    ticks = "() => new Promise((done) => setTimeout(done, 1200))"  # the page's clock ticks twice a second
    zoe.page.evaluate(ticks)
    expect(zoe.page.locator(".story li")).to_have_count(1)
    # Nobody is to play in a game that was given up.
    zoe.resigns()
    expect(anna.page.locator(".over")).to_contain_text("Zoé resigned.")
    assert anna.page.locator(".frame .turn:visible", has_text="to play").count() == 0
    # A rematch is offered, and accepted.
    zoe.page.locator(".over button.main").click()
    anna.page.locator(".rematch button.main").click()
    expect(anna.page.locator(".over")).to_have_count(0)


def test_a_tap_on_a_standing_stone_tells_of_its_line(enters: Enter) -> None:
    anna = enters(SMALL, has_touch=True)
    table(anna, "stonehenge")
    anna.page.locator("[data-line=AB]").tap()
    expect(anna.page.locator(".own .line")).to_contain_text("AB:")


def test_an_idol_is_seen_for_a_while(enters: Enter) -> None:
    """What is told of it, `story.test.ts` asks: in a browser the bots' next moves may take the line's place."""
    anna = enters(DESK, motion="no-preference")
    table(anna, "kula_kula")
    idol = anna.page.locator("[data-moment=idol]")
    anna.acts_until(lambda: idol.count() > 0, anna.acts_on_board)
    idol.wait_for(state="detached")
    assert anna.violations() == []


def test_while_a_hint_is_sought_the_prompt_stays(enters: Enter) -> None:
    anna = enters(DESK)
    table(anna, "stonehenge")
    asked = anna.page.locator(".say").inner_text()
    anna.page.locator("[data-tool=hint]").click()
    assert anna.page.locator(".say").inner_text() == asked
    expect(anna.page.locator(".story .hint")).to_contain_text("Suggestion")
