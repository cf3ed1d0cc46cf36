"""Whole games: by mouse, by touch on a phone without a single scroll, and by keyboard alone.

On the way nothing is announced by jumping: the browser's own measure of layout shifts stays at its best.
"""

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Enter
from .hands import Finger, Hand, Keys, Mouse
from .person import Person

BOT = {"kind": "bot", "level": "random"}
SMALL = {"width": 390, "height": 664}
"""A phone's visible area under the bars of its browser."""
LOW = {"width": 1280, "height": 720}
GAMES = ["kahuna", "stonehenge"]
WAYS: dict[str, tuple[Callable[[Person], Hand], dict[str, Any]]] = {
    "mouse": (Mouse, {"size": LOW, "locale": "en", "scheme": "light"}),
    "touch": (Finger, {"size": SMALL, "locale": "fr", "scheme": "dark", "has_touch": True}),
    "keyboard": (Keys, {"size": LOW, "locale": "fr", "scheme": "light"}),
}
ANSWERS = "dialog .answers button"
TARGETS = ".cell.lit, .handle:not(.idle)"
PICKS = ".hand button:not([disabled], [aria-pressed=true]), .set.may:not([aria-pressed=true])"
DRAWS = ".slot.may, .own .deeds button:not([aria-pressed]), .tray .deeds button"

WATCH = """() => {
  window.shifts = [];
  window.scrolls = [];
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
  const what = (node) => (node?.outerHTML ?? node?.textContent ?? "gone").slice(0, 90);
  new PerformanceObserver((list) => {
    if (document.querySelector('.over')) return; // the result takes its room once
    for (const { value, startTime, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect: a, currentRect: b }) => `${what(node)} ${box(a)} to ${box(b)}`);
      window.shifts.push({ value, time: startTime, moved });
    }
  }).observe({ type: 'layout-shift', buffered: false });
  addEventListener('scroll', ({ target }) => {
    if (!target.closest?.('.story')) window.scrolls.push(what(target.documentElement ?? target));
  }, true);
}"""
STILL = 0.01


def acts(person: Person, hand: Hand) -> bool:
    """Do something that the board offers, whatever the game."""
    first, second = (PICKS, DRAWS) if person.rng.random() < 0.7 else (DRAWS, PICKS)
    for selector in (ANSWERS, TARGETS, first, second):
        thing = person.one_of(selector)
        if thing:
            return hand.press(thing)
    return False


def jumps(shifts: list[dict[str, Any]]) -> list[str]:
    """Where a page jumped: layout shifts within a second of each other count together, as in the browser's own sum."""
    windows: list[list[dict[str, Any]]] = []
    for shift in shifts:
        if windows and shift["time"] < windows[-1][-1]["time"] + 1000:
            windows[-1].append(shift)
        else:
            windows.append([shift])
    too_far = [window for window in windows if sum(shift["value"] for shift in window) > STILL]
    return [f"{shift['value']:.4f} {' and '.join(shift['moved'])}" for window in too_far for shift in window]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(enters: Enter, game: str, way: str) -> None:
    hand_of, device = WAYS[way]
    anna = enters(**device)
    anna.makes(game, [{"kind": "me"}, BOT])
    anna.page.locator(".frame svg").first.wait_for()
    anna.page.wait_for_load_state("networkidle")  # parts of the board are loaded after it
    anna.until_measured()
    assert anna.violations() == []
    anna.page.evaluate(WATCH)
    hand = hand_of(anna)
    acted = anna.until_over(lambda: acts(anna, hand))
    assert acted > 5
    anna.shot(f"{game}-{way}-over")
    assert "\n".join(jumps(anna.page.evaluate("window.shifts"))) == ""
    assert anna.page.evaluate("window.scrolls") == []
    assert anna.page.locator(".refused").count() == 0
    assert anna.violations() == []
