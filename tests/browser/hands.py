"""Three ways to press what a page offers: with a mouse, with a finger, with the keyboard. None of them scrolls."""

from typing import Any, Protocol

from playwright.sync_api import Locator, Page

from .person import Person

Spot = tuple[float, float]

REACHED = """(thing) => {
  const box = thing.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const inside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const hit = inside ? document.elementFromPoint(x, y) : null;
  return { x, y, inside, met: hit !== null && (thing.contains(hit) || hit.contains(thing)) };
}"""
"""Where the middle of a thing is, whether that is on the screen, and whether nothing lies over it."""


class Hand(Protocol):
    """Somebody's way to press things."""

    def press(self, thing: Locator) -> bool:
        """Press this; False if something else lies over it just now."""


class _Pointer:
    """What a mouse and a finger have in common: they need to see where they press."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page: Page = person.page

    def _spot(self, thing: Locator) -> Spot | None:
        found: Any = thing.evaluate(REACHED)
        assert found["inside"], f"out of sight: {thing.evaluate('(one) => one.outerHTML.slice(0, 120)')}"
        return (found["x"], found["y"]) if found["met"] else None

    def _tap(self, spot: Spot) -> None:
        raise NotImplementedError

    def press(self, thing: Locator) -> bool:
        spot = self._spot(thing)
        if spot:
            self._tap(spot)
        return spot is not None


class Mouse(_Pointer):
    """Clicks."""

    def _tap(self, spot: Spot) -> None:
        self.page.mouse.click(*spot)


class Finger(_Pointer):
    """Taps on a touch screen; needs a context with `has_touch`."""

    def _tap(self, spot: Spot) -> None:
        self.page.touchscreen.tap(*spot)


TABS = 120
"""So many presses of the Tab key are more than a whole round through any page."""
STEPS = 400
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
WHERE = """(thing) => {
  const now = document.activeElement;
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const group = [...document.querySelectorAll('[role=group], svg')].filter((one) => one.contains(thing));
  const roving = thing.matches('[data-rove]') && now?.matches('[data-rove]') && group.some((one) => one.contains(now) &&
    [...one.querySelectorAll('[data-rove]')].filter(({ tabIndex }) => tabIndex === 0).length === 1);
  const [[x, y], [u, v]] = [middle(thing), middle(now ?? thing)];
  return { there: now === thing, roving, right: x - u, down: y - v };
}"""


class Keys:
    """The keyboard alone: Tab to a group, arrows within it, Enter."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page: Page = person.page

    def press(self, thing: Locator) -> bool:
        if not self._goes_to(thing):
            return False
        self.page.keyboard.press("Enter")
        return True

    def _goes_to(self, thing: Locator) -> bool:
        """Go there; False if it went away or was shut meanwhile."""
        tabs = 0
        for _ in range(STEPS):
            if thing.count() == 0 or not thing.is_enabled():
                return False
            at: Any = thing.evaluate(WHERE)
            if at["there"]:
                return True
            if at["roving"]:
                self.page.keyboard.press(self._arrow(at["right"], at["down"]))
            else:
                self.page.keyboard.press("Tab")
                tabs += 1
                assert tabs < TABS, f"The Tab key does not lead to {thing.evaluate('(one) => one.outerHTML')}."
        raise AssertionError(f"The arrows do not lead to {thing.evaluate('(one) => one.outerHTML')}.")

    def _arrow(self, right: float, down: float) -> str:
        """Mostly straight there; now and then aside, because the nearest thing on the way may lead past it."""
        if self.person.rng.random() < 0.25:
            return self.person.rng.choice(ARROWS)
        if abs(right) > abs(down):
            return "ArrowRight" if right > 0 else "ArrowLeft"
        return "ArrowDown" if down > 0 else "ArrowUp"
