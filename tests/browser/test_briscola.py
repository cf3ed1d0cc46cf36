"""A game of another package in a real browser: the example, on the board that any game has."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.examples.conftest import installed

from .conftest import Enter
from .person import DESK, Person
from .server import Server

SMALL_PHONE = {"width": 390, "height": 664}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"), installed(tmp_path_factory.mktemp("installed")))
    yield running
    running.stop()


def sits_down(person: Person) -> None:
    """Against a bot that plays at random."""
    person.makes("briscola", [{"kind": "me"}, {"kind": "bot", "level": "random"}])
    person.page.locator(".deeds button").first.wait_for()
    person.page.locator(".picture img").wait_for()


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize(("device", "size"), [("phone", SMALL_PHONE), ("desk", DESK)])
def test_a_whole_game_on_the_generic_board(enters: Enter, device: str, size: dict[str, int], locale: str) -> None:
    anna = enters(size, locale)
    anna.go("/")
    anna.page.get_by_role("heading", name="Briscola").wait_for()
    anna.shot(f"briscola-lobby-{device}-{locale}")
    sits_down(anna)
    anna.shot(f"briscola-begin-{device}-{locale}")
    assert anna.violations() == []
    played = anna.until_over(lambda: anna.click(".board .deeds button:not([disabled])"))
    assert played >= 20
    anna.shot(f"briscola-over-{device}-{locale}")
    assert anna.violations() == []
    assert anna.page.locator(".refused").count() == 0
    points = [int(score) for score in anna.page.locator(".over li b").all_inner_texts()]
    assert sum(points) == 120


def test_its_rules_are_read_in_the_players_language(enters: Enter) -> None:
    """The client has no page of a game from elsewhere: the server sends it."""
    for locale, heading in (("en", "The deal"), ("fr", "La donne")):
        anna = enters(DESK, locale)
        sits_down(anna)
        anna.page.locator("[data-tool=rules]").click()
        expect(anna.page.locator(".rules h3", has_text=heading)).to_be_visible()
        anna.shot(f"briscola-rules-{locale}")


def test_one_screen_hides_each_hand(enters: Enter) -> None:
    anna = enters(SMALL_PHONE)
    anna.opens("briscola", "here")
    for _ in range(3):
        anna.page.locator(".curtain").wait_for()
        assert anna.page.locator(".picture, .deeds button").count() == 0
        anna.page.locator(".curtain button").click()
        anna.page.locator(".deeds button").first.click()


def test_a_whole_game_by_typing(enters: Enter) -> None:
    anna = enters(SMALL_PHONE, "fr")
    sits_down(anna)
    anna.texts()
    anna.page.locator("#command").wait_for()
    anna.shot("briscola-text")
    assert anna.violations() == []
    anna.until_over(anna.types)
    assert anna.page.locator(".refused").count() == 0
