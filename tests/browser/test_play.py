"""Whole games in real browsers: by mouse, by keyboard, by typing, between two people, and across a restart."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Enter
from .person import DESK, PHONE, Person
from .server import Server

BOT = {"kind": "bot", "level": "random"}
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


SHORT = {"kula_kula": {"turn_limit": 6}, "krakatoa": {"game": "basic"}}
"""Options with which random players come to an end soon."""


@pytest.mark.parametrize("game", ["kahuna", "stonehenge", "kula_kula", "krakatoa"])
def test_a_whole_game_by_typing(enters: Enter, game: str) -> None:
    anna = enters(PHONE, "fr")
    seats = 3 if game == "kula_kula" else 2
    anna.makes(game, [{"kind": "me"}, *[BOT] * (seats - 1)], options=SHORT.get(game, {}))
    anna.page.locator("div.frame").wait_for()
    anna.texts()
    anna.page.locator("#command").wait_for()
    anna.shot(f"{game}-text")
    assert anna.violations() == []
    anna.until_over(anna.types)


@pytest.mark.parametrize("game", ["kahuna", "stonehenge", "kula_kula", "krakatoa"])
def test_a_hint_says_what_a_strong_bot_would_do(enters: Enter, game: str) -> None:
    anna = enters(DESK)
    dice = {"dice": "odds"} if game == "krakatoa" else {}
    anna.makes(game, [{"kind": "me"}, *[BOT] * (2 if game == "kula_kula" else 1)], **dice)
    anna.page.get_by_role("button", name="Hint").click()
    hint = anna.page.locator(".story .hint")
    said = re.compile(r"Suggestion: (.+) \((\d+)% win chance\)")
    expect(hint).to_have_text(said)
    anna.shot(f"{game}-hint")
    found = said.fullmatch(hint.inner_text())
    assert found
    assert 0 < int(found[2]) <= 100
    assert anna.page.locator(".hinted, .pointed").count() > 0


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
        for _ in range(300):  # by chance: a fixed way may miss the last free cell for ever
            if at(selector):
                return True
            keys.press(anna.rng.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
        return False

    def act() -> bool:
        if anna.page.locator(".hand button:not([disabled])").count() == 0:
            return False
        assert tab_to(".hand button")
        keys.press("Enter")
        assert tab_to(".cell", "Shift+Tab")
        if rove_to(".cell.lit"):  # none is, if the same druid was taken up again and so put back
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
    expect(anna.page.locator(".cell .druid")).to_have_count(0)


@pytest.mark.parametrize("game", ["kula_kula", "krakatoa"])
def test_two_people_play_a_whole_game(enters: Enter, game: str) -> None:
    anna, zoe = enters(DESK, "en"), enters(PHONE, "fr", "dark")
    bots = [BOT] if game == "kula_kula" else []
    anna.makes(game, [{"kind": "me"}, {"kind": "open"}, *bots], options=SHORT[game])
    zoe.page.goto(anna.invites())
    zoe.page.locator(".waiting .who input").fill("Zoé")
    zoe.page.locator(".waiting button.main").click()
    acted = [0, 0]
    for person in (anna, zoe):
        person.page.locator("div.frame").wait_for()
    while not (anna.over and zoe.over):
        moved = [person.acts_on_board() for person in (anna, zoe) if not person.over]
        acted = [so_far + now for so_far, now in zip(acted, [*moved, 0, 0], strict=False)]
        if not any(moved):
            anna.page.wait_for_timeout(30)
    assert min(acted) > 5
    results = [person.page.locator(".over li b").all_inner_texts() for person in (anna, zoe)]
    assert results[0] == results[1]
    zoe.shot(f"{game}-two-people")


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
