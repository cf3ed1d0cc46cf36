"""The first steps: somebody who does what each step asks for, and touches only what it lights."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as TooLong
from playwright.sync_api import expect

from .conftest import SOFTWARE_GL, Enter
from .person import Person

SMALL = {"width": 390, "height": 664}
LOW = {"width": 1280, "height": 720}
GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"]
LIGHTS = """() => document.querySelector(".lesson").dataset.step
    + [...document.querySelectorAll(".spotlight .light")].map((light) => light.outerHTML).join()"""
OVERFLOW = "document.documentElement.scrollHeight - innerHeight"


def learn(person: Person, game: str) -> None:
    person.go(f"/learn/{game}")
    expect(person.page.locator(".lesson")).to_have_attribute("data-step", "0")


def step(person: Person) -> int:
    return int(person.page.locator(".lesson").get_attribute("data-step") or 0)


def until_the_light_moves(person: Person, lights: str) -> None:
    """Wait as a reader does, who touches nothing before the light has moved on; a die that rolls may leave it there."""
    with suppress(TooLong):
        person.page.wait_for_function(f"before => ({LIGHTS})() !== before", arg=lights, timeout=1000)
    person.until_measured()


def touch(person: Person) -> None:
    """Press in the middle of the first of the lights."""
    box = person.page.locator(".spotlight .light").first.bounding_box()
    assert box is not None
    person.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def does(person: Person, at: int) -> None:
    """Do what the step asks for: read on, or touch what is lit until it is done; a die in the tray is thrown at."""
    page = person.page
    if page.locator(".lesson .ways button.main").count():
        page.locator(".lesson .ways button.main").click()
    for nth in range(6):
        if step(person) != at:
            return
        expect(page.locator(".spotlight .light").first).to_be_visible()
        lights = page.evaluate(LIGHTS)
        touch(person)
        if nth == 1 and page.locator(".aiming").count():
            page.locator(".aiming input").nth(1).fill(
                "40" if re.search("softly|doucement", page.locator(".words").inner_text()) else "160"
            )
            page.locator(".aiming .throw").click()
        until_the_light_moves(person, lights)


@pytest.mark.parametrize(
    ("size", "locale"), [(SMALL, "en"), (LOW, "en"), (SMALL, "fr")], ids=["phone", "desk", "phone in French"]
)
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_done_by_touching_what_is_lit(enters: Enter, game: str, size: dict[str, int], locale: str) -> None:
    anna = enters(size, locale)
    learn(anna, game)
    seen = [""]
    board = anna.page.locator(".lesson > .frame").bounding_box()
    while anna.page.locator(".lesson .ways.last").count() == 0:
        at = step(anna)
        said = anna.page.locator(".lesson .words").inner_text()
        assert said not in seen
        seen.append(said)
        assert anna.page.evaluate(OVERFLOW) <= 0
        assert anna.page.locator(".lesson > .frame").bounding_box() == board, f"the board moves: {said}"
        does(anna, at)
        assert step(anna) == at + 1, f"{game} stands still at step {at}: {said}"
    assert anna.page.locator(".lesson > .frame").bounding_box() == board
    assert anna.page.locator(".frame .say").all_inner_texts() in ([""], [])
    assert anna.page.locator(".frame .turn:visible", has_text=anna.words("to play", "à jouer")).count() == 0
    ended = anna.words("Now play a real game against Beachcomber", "Jouer une vraie partie contre Glaneur")
    anna.page.get_by_role("button", name=ended).click()
    expect(anna.page.locator("[data-story]")).to_be_visible()
    expect(anna.page.locator("div.frame")).to_contain_text(anna.words("Beachcomber", "Glaneur"))


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_can_be_heard(enters: Enter, game: str) -> None:
    anna = enters(SMALL, "fr")
    learn(anna, game)
    anna.shot(f"{game}-lesson")
    assert anna.violations() == []


def test_krakatoas_lesson_is_thrown_by_hand_in_the_tray(enters: Enter) -> None:
    """Press the die, drag back and release; what fell is told when it lies."""
    anna = enters(LOW, motion="no-preference", words=SOFTWARE_GL)
    learn(anna, "krakatoa")
    page = anna.page
    page.locator(".felt canvas:not(.off)").wait_for()
    for at in (0, 1):
        does(anna, at)
    page.locator("[data-set=lava]").click()
    expect(page.locator(".lesson .words")).to_contain_text("press ash 1")
    x, y = resting(anna, "[data-die=ash1]")
    pull(anna, x, y, x + 160, y)
    expect(page.locator(".missed")).to_contain_text("straight away from you")
    pull(anna, x, y, x, y + 130)
    expect(page.locator(".skip")).to_be_visible()
    assert step(anna) == 2
    expect(page.locator(".lesson .words")).to_contain_text("a volcano!")
    assert step(anna) == 3


def resting(person: Person, selector: str) -> tuple[float, float]:
    """The middle of something in the tray, once the camera has come closer and stands still."""
    before = None
    while (box := person.page.locator(selector).bounding_box()) is None or box != before:
        before = box
        person.page.wait_for_timeout(500)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(person: Person, x: float, y: float, to_x: float, to_y: float) -> None:
    mouse = person.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move((x + to_x) / 2, (y + to_y) / 2)
    mouse.move(to_x, to_y)
    mouse.up()
