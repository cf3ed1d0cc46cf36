"""Whole games of Krakatoa in real browsers: with dice that fall, in every way to play, and with real dice at home."""

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from .conftest import NO_GL, SOFTWARE_GL, Enter
from .person import DESK, PHONE, Person

PLAYED: dict[str, tuple[dict[str, int], str, dict[str, Any]]] = {
    "basic": (PHONE, "en", {"players": 4, "game": "basic"}),
    "three": (PHONE, "fr", {"players": 3}),
    "teams": (DESK, "en", {"players": 4, "teams": True}),
}


@pytest.mark.parametrize("name", PLAYED)
def test_a_whole_game_with_dice_that_fall(enters: Enter, name: str) -> None:
    size, locale, options = PLAYED[name]
    anna = enters(size, locale)
    anna.opens("krakatoa", **options)
    anna.until_over(anna.acts_on_board)
    anna.shot(f"krakatoa-{name}-over")
    assert anna.violations() == []
    assert anna.page.locator(".refused").count() == 0
    sides = 2 if options.get("teams") else options["players"]
    assert anna.page.locator("table td b").count() >= 30 * sides


def test_the_tray_in_three_dimensions(enters: Enter) -> None:
    anna = enters(DESK, words=SOFTWARE_GL, motion="no-preference")
    page = anna.page
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    _likes(anna, throws="fast")
    anna.opens("krakatoa")
    page.locator(".felt canvas:not(.off)").wait_for()
    assert any("/stage-" in url for url in loaded)
    anna.plays_until("form.aiming")
    page.wait_for_timeout(1000)
    anna.shot("krakatoa-aim")
    assert anna.violations() == []
    _pulls(anna, 0.25, -0.3)
    anna.shot("krakatoa-pull")
    page.mouse.up()
    page.locator(".felt .skip").wait_for()
    assert "total" not in page.locator("[data-story] .line").inner_text()  # what came of it is told when dice lie
    anna.shot("krakatoa-film")
    page.locator(".felt .skip").wait_for(state="detached")
    expect(page.locator("[data-story] .line")).to_contain_text("total")
    page.locator("td.new").first.wait_for()
    anna.shot("krakatoa-landed")
    _likes(anna, throws="off")
    page.reload()
    page.locator(".felt canvas:not(.off)").wait_for()
    expect(page.locator(".sheet.seat0 td b")).to_have_count(2)
    page.locator("button.again").click()
    page.locator(".felt .skip").wait_for()
    anna.go("/")
    page.locator("article").first.wait_for()


def test_without_a_third_dimension_a_turn_by_keyboard_alone(enters: Enter) -> None:
    anna = enters(DESK, "fr", "dark", words=NO_GL, motion="no-preference")
    page, keys = anna.page, anna.page.keyboard
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    _likes(anna, throws="fast")
    anna.opens("krakatoa")
    page.locator(".felt svg").wait_for()
    assert page.locator(".felt canvas.off").count() == 1
    for throw in range(2, 6):
        anna.plays_until("form.aiming")
        _tabs_to(anna, ".felt button.die")
        keys.press("ArrowRight")
        keys.press("Enter")
        page.locator("button.die[aria-pressed=true]").wait_for()
        _tabs_to(anna, ".aiming input")
        keys.press("ArrowRight")
        if throw == 3:
            anna.shot("krakatoa-still")
            assert anna.violations() == []
        _tabs_to(anna, ".aiming .throw")
        keys.press("Enter")
        page.locator(".sheet.seat0 tbody tr").first.locator("b").nth(throw - 1).wait_for()
    assert not any("/stage-" in url for url in loaded)


def test_a_throw_that_touches_nothing_is_a_scratch(enters: Enter) -> None:
    anna = enters(PHONE, "en", "dark")
    anna.opens("krakatoa")
    for _ in range(20):
        anna.plays_until("form.aiming")
        written = anna.page.locator(".sheet.seat0 td b").count()
        _throws_aside(anna)
        anna.page.locator(".sheet.seat0 td b").nth(written).wait_for(state="attached")
        if anna.page.locator(".sheet.seat0 td.scratch.new").count():
            break
    expect(anna.page.locator("[data-story]")).to_contain_text("touched no die")
    anna.shot("krakatoa-scratch")
    assert anna.violations() == []


def test_real_dice_at_home(enters: Enter) -> None:
    """Two at one table write down what they roll; the last throws earn marks, and all bonus boxes are used."""
    anna = enters(PHONE)
    page = anna.page
    anna.opens("krakatoa", "here", dice="pad")
    _presses(anna, "YRB")
    _types(anna, "RRB")
    page.locator("form.pad .slot").nth(8).wait_for()
    anna.shot("krakatoa-pad")
    assert anna.violations() == []
    _types(anna, "YYB YRR")
    expect(page.locator(".refused")).to_contain_text("Faces are written like")
    _types(anna, "YYB YRR RRB")
    page.locator(".deeds .main").click()
    page.locator(".set.may").first.click()
    page.locator(".own .deeds .main").click()
    page.locator("form.pad fieldset").wait_for()
    _types(anna, "YYB BBB RRB scratch")
    expect(page.locator(".refused")).to_contain_text("touched nothing")
    anna.shot("krakatoa-pad-refused")
    _types(anna, "BBB YRR RRB scratch")
    expect(page.locator("td.scratch")).to_have_count(1)

    def act() -> bool:
        if page.locator("form.pad").count():
            _types(anna, "YYB YYB YBB touched" if page.locator("form.pad fieldset").count() else "YYB YYB YBB")
            return True
        return anna.click(".own .deeds .main") or anna.click(".set.may:not([aria-pressed=true])")

    anna.until_over(act)
    anna.shot("krakatoa-pad-over")
    assert page.locator("tr.bonus td b").count() == 3
    assert anna.violations() == []


def _likes(person: Person, throws: str) -> None:
    """From the next page on, dice are seen to fall like this."""
    kept = f"localStorage.setItem('archipel-settings', JSON.stringify({{throws: '{throws}'}}))"
    person.page.add_init_script(kept)


def _throws_aside(person: Person) -> None:
    """As far out as a hand has room: how much is seen beside the tray depends on how the dice lie."""
    for out in (0.04, 0.12, 0.2):
        for x, y in ((out, out), (1 - out, out), (out, -out), (1 - out, -out)):
            _pulls(person, x, y)
            person.page.mouse.up()
            with suppress(TooLate):
                person.page.locator("form.aiming").wait_for(state="detached", timeout=1500)
                return
    raise AssertionError("There is room nowhere.")


def _pulls(person: Person, x: float, y: float) -> None:
    """Press the felt and pull back: by shares of its size from the corner below left, or above if negative."""
    felt = person.page.locator("div.felt").bounding_box()
    assert felt
    start = felt["x"] + felt["width"] * x, felt["y"] + felt["height"] * (1 - y if y > 0 else -y)
    middle = felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] / 2
    mouse = person.page.mouse
    mouse.move(*start)
    mouse.down()
    for share in (0.1, 0.2, 0.3):
        mouse.move(start[0] + share * (middle[0] - start[0]), start[1] + share * (middle[1] - start[1]))


def _tabs_to(person: Person, selector: str) -> None:
    for _ in range(60):
        if person.page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"The Tab key does not lead to {selector}.")


def _presses(person: Person, letters: str) -> None:
    """Enter dice by the buttons of the pad."""
    person.page.locator("form.pad").wait_for()
    for letter in letters:
        person.page.locator(f".colour[data-letter={letter}]").click()
    person.page.locator("form.pad .land").click()
    person.page.wait_for_timeout(150)


def _types(person: Person, text: str) -> None:
    """Enter dice by typing."""
    person.page.locator("form.pad .typed input").fill(text)
    person.page.keyboard.press("Enter")
    person.page.wait_for_timeout(200)
