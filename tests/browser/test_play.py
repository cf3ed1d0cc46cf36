"""Whole games in real browsers: by mouse, by keyboard, by typing, between two people, and across a restart."""

from collections.abc import Callable
from typing import Any

import pytest

from .person import DESK, PHONE, Person
from .server import Server

Enter = Callable[..., Person]


WHERE = [
    ("kahuna", PHONE, "fr", "dark"),
    ("stonehenge", DESK, "en", "light"),
    ("kula_kula", DESK, "fr", "light"),
    ("krakatoa", PHONE, "en", "dark"),
]


@pytest.mark.parametrize(("game", "size", "locale", "scheme"), WHERE)
def test_a_whole_game_against_bots(enters: Enter, game: str, size: dict[str, int], locale: str, scheme: str) -> None:
    anna = enters(size, locale, scheme)
    anna.opens(game)
    anna.shot(f"{game}-begin")
    assert anna.violations() == []
    anna.until_over(anna.acts_on_board)
    anna.shot(f"{game}-over")
    assert anna.violations() == []
    assert anna.page.locator(".refused").count() == 0


@pytest.mark.parametrize("game", ["kahuna", "stonehenge", "krakatoa"])
def test_a_whole_game_by_typing(enters: Enter, game: str) -> None:
    anna = enters(PHONE, "fr")
    anna.opens(game)
    anna.page.locator(".bar button").first.click()
    anna.page.locator("#command").wait_for()
    anna.shot(f"{game}-text")
    assert anna.violations() == []
    anna.until_over(anna.types)


def test_a_whole_game_by_keyboard_alone(enters: Enter) -> None:
    anna = enters(DESK)
    anna.opens("stonehenge")
    keys = anna.page.keyboard

    def at(selector: str) -> bool:
        return bool(anna.page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector))

    def tab_to(selector: str, key: str = "Tab") -> bool:
        for _ in range(40):
            if at(selector):
                return True
            keys.press(key)
        return False

    def rove_to(selector: str) -> bool:
        for row in range(12):
            for _ in range(5):
                if at(selector):
                    return True
                keys.press("ArrowRight" if row % 2 else "ArrowLeft")
            keys.press("ArrowDown" if row < 6 else "ArrowUp")
        return at(selector)

    def act() -> bool:
        if anna.page.locator(".hand button:not([disabled])").count() == 0:
            return False
        assert tab_to(".hand button")
        keys.press("Enter")
        assert tab_to(".cell", "Shift+Tab")
        assert rove_to(".cell.lit")
        keys.press("Enter")
        anna.page.wait_for_timeout(50)
        return True

    anna.until_over(act)


def test_two_people_with_a_link_while_the_server_goes_and_comes(enters: Enter, server: Server) -> None:
    anna, zoe = enters(PHONE, "en"), enters(DESK, "fr", "dark")
    anna.opens("stonehenge", "open")
    link = anna.invites()
    anna.shot("waiting")
    assert anna.violations() == []
    zoe.page.goto(link)
    zoe.page.locator(".waiting .who input").fill("Zoé")
    zoe.shot("joining")
    assert zoe.violations() == []
    zoe.page.locator(".waiting button.main").click()
    for person in (anna, zoe):
        person.page.locator(".ring").wait_for()
    for _ in range(2):
        _turn(anna)
        _turn(zoe)
    server.stop()
    anna.page.locator(".banner").wait_for()
    anna.shot("connection-lost")
    _turn(anna)
    server.start()
    anna.page.locator(".banner").wait_for(state="detached")
    while not (anna.over and zoe.over):
        _turn(zoe)
        _turn(anna)
    assert anna.page.locator(".cell .druid").count() == zoe.page.locator(".cell .druid").count()
    for person in (anna, zoe):
        person.page.locator(".over button.main").click()
    anna.page.locator(".over").wait_for(state="detached")
    assert anna.page.locator(".cell .druid").count() == 0


def _turn(person: Person) -> None:
    """Place a druid, once it is this one's turn, unless the game is over."""
    while not person.over:
        placed = person.page.locator(".cell .druid").count()
        if person.click(".hand button:not([disabled], [aria-pressed=true])"):
            if person.click(".cell.lit"):
                return
        elif placed == 18:
            return
        person.page.wait_for_timeout(60)


def test_one_screen_hides_each_hand_behind_a_curtain(enters: Enter) -> None:
    anna = enters()
    anna.opens("kahuna", "here")
    for _ in range(3):
        anna.page.locator(".curtain").wait_for()
        assert anna.page.locator(".hand").count() == 0
        assert anna.violations() == []
        anna.page.locator(".curtain button").click()
        anna.page.locator(".slot.may").first.click()
    anna.shot("curtain")


def test_a_dead_link_and_a_missing_table_say_what_to_do(enters: Enter) -> None:
    anna = enters(PHONE, "fr")
    for path, words in (("/join/nothing", "Ce lien ne marche plus."), ("/table/nothing", "Cette table n'existe plus.")):
        anna.go(path)
        assert words in anna.page.locator("[role=alert]").inner_text()
    anna.shot("dead-link")


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize(("device", "size"), [("phone", PHONE), ("desk", DESK)])
def test_the_lobby(enters: Enter, device: str, size: dict[str, int], locale: str) -> None:
    anna = enters(size, locale)
    anna.go("/")
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    anna.shot(f"lobby-{device}-{locale}")
    assert anna.violations() == []
    width: Any = anna.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size["width"]


@pytest.mark.parametrize("game", ["kahuna", "stonehenge", "kula_kula", "krakatoa"])
def test_the_first_steps(enters: Enter, game: str) -> None:
    anna = enters(PHONE, "fr" if game in ("kahuna", "krakatoa") else "en")
    anna.go(f"/learn/{game}")
    anna.page.locator(".frame svg").first.wait_for()
    anna.shot(f"{game}-lesson")
    assert anna.violations() == []
    while anna.page.locator(".lesson a.main").count() == 0:
        anna.page.locator(".lesson .ways button").first.click()
    anna.shot(f"{game}-lesson-done")


def test_the_first_steps_want_one_action_and_say_which(enters: Enter) -> None:
    anna = enters()
    anna.go("/learn/kula_kula")
    anna.page.locator("[data-do=oracle]").click()
    assert "Sail one space on" in anna.page.locator(".missed").inner_text()
    anna.page.locator("[data-do=sail]").click()
    anna.page.get_by_text("Step 2 of 6").wait_for()
