"""Fingers are broad: whatever can be pressed on a phone is at least 44 pixels wide and high."""

from typing import Any

import pytest

from .conftest import Enter
from .person import PHONE, Person

TOUCH = 44
SMALL = """() => {
  const pressed = 'a[href], button, select, summary, input, textarea, [role=button], [role=tab]';
  const found = [];
  for (const thing of document.querySelectorAll(pressed)) {
    if (thing.disabled || thing.getAttribute('aria-disabled') === 'true' || !thing.checkVisibility()) continue;
    if (thing.closest('.skip, p a, .within')) continue;
    const box = (thing.matches('[type=radio], [type=checkbox]') ? thing.closest('label') ?? thing : thing)
      .getBoundingClientRect();
    if (box.width < 43.5 || box.height < 43.5)
      found.push(`${Math.round(box.width)}x${Math.round(box.height)} ${thing.outerHTML.slice(0, 110)}`);
  }
  return found;
}"""


def small(person: Person) -> list[str]:
    """What is too small to be pressed; links within a sentence are as high as its line."""
    person.until_measured()
    found: Any = person.page.evaluate(SMALL)
    return list(found)


GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"]


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_that_is_turned(enters: Enter, game: str) -> None:
    """The board is drawn smaller where the screen is low; what is pressed is not."""
    anna = enters({"width": PHONE["height"], "height": PHONE["width"]}, has_touch=True)
    anna.opens(game)
    assert small(anna) == []


@pytest.mark.parametrize("game", GAMES)
def test_before_the_board_is_measured(enters: Enter, game: str) -> None:
    """The page is shown before the browser has told it how large the board is: that may take a while."""
    anna = enters(PHONE, has_touch=True)
    anna.page.add_init_script("ResizeObserver.prototype.observe = () => {}")
    anna.opens(game)
    assert small(anna) == []


@pytest.mark.parametrize("game", GAMES)
def test_at_the_table(enters: Enter, game: str) -> None:
    anna = enters(PHONE, has_touch=True)
    anna.opens(game)
    for _ in range(6):
        assert small(anna) == []
        anna.acts_on_board()
    for panel in ("log", "chat", "rules", "links"):
        anna.chooses(panel) if panel == "links" else anna.page.locator(f"[data-tool={panel}]").click()
        anna.page.locator("aside").wait_for()
        assert small(anna) == []
        anna.page.locator("aside .head button").click()
    anna.texts()
    anna.page.locator("#command").wait_for()
    assert small(anna) == []


def test_around_the_table(enters: Enter) -> None:
    anna = enters(PHONE, "fr", has_touch=True)
    for path in ("/", "/new/kahuna", "/new/kula_kula", "/learn/stonehenge"):
        anna.go(path)
        anna.page.locator("main button").first.wait_for()
        assert small(anna) == []
    anna.go("/")
    anna.page.locator("header button").click()
    anna.page.locator("#settings").wait_for()
    assert small(anna) == []


def test_where_lines_crowd_a_finger_is_asked_which_it_meant(enters: Enter) -> None:
    anna = enters(PHONE, has_touch=True)
    anna.makes("kahuna", [{"kind": "me"}, {"kind": "bot", "level": "random"}], options={"handicap": [3, 0]})
    anna.page.locator(".handle:not(.idle)").first.wait_for()
    between: Any = anna.page.evaluate(CROWDED)
    anna.page.touchscreen.tap(*between)
    anna.page.locator("dialog .answers button").nth(1).wait_for()
    assert small(anna) == []
    anna.shot("kahuna-which-line")
    anna.page.locator("dialog .answers button").first.click()
    anna.page.locator("dialog").wait_for(state="detached")


CROWDED = """() => {
  const middles = [...document.querySelectorAll('.handle:not(.idle)')].map((handle) => {
    const { left, top, width, height } = handle.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  const pairs = middles.flatMap((a, k) => middles.slice(k + 1).map((b) => [a, b]));
  const far = ([[x, y], [u, v]]) => Math.hypot(x - u, y - v);
  const [[x, y], [u, v]] = pairs.sort((a, b) => far(a) - far(b))[0];
  return [(x + u) / 2, (y + v) / 2];
}"""
"""Between the two lines whose handles are nearest to each other."""
