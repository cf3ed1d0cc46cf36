"""The page of one's own games: those that go on, those that are finished, and the phrase that carries them."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Enter
from .person import DESK, PHONE, Person

ONE_SCREEN = [{"kind": "here", "name": "Mia"}, {"kind": "here", "name": "Leo"}]


def button(person: Person, english: str, french: str) -> Any:
    return person.page.get_by_role("button", name=re.compile(f"^{person.words(english, french)}"))


def resigns_at_once(person: Person, chairs: list[dict[str, str]]) -> str:
    table = person.makes("stonehenge", chairs)
    person.page.locator(".frame, .curtain").first.wait_for()
    person.resigns()
    person.page.locator(".over").wait_for()
    return table


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "fr", "light"), (DESK, "en", "dark")])
def test_your_games(enters: Enter, size: dict[str, int], locale: str, scheme: str) -> None:
    anna = enters(size, locale, scheme)
    finished = resigns_at_once(anna, [{"kind": "me"}, {"kind": "bot", "level": "fisher"}])
    running = [anna.makes("kahuna", [{"kind": "me"}, {"kind": "bot", "level": "fisher"}]) for _ in range(2)]
    anna.page.locator(".frame").first.wait_for()
    anna.go("/")
    anna.page.get_by_role("link", name=anna.words("Your games and history", "Vos parties et votre historique")).click()
    row = anna.page.locator("[aria-labelledby=finished] tbody tr").first
    expect(row).to_contain_text(anna.words("lost (by resignation)", "défaite (par abandon)"))
    expect(anna.page.locator("section li")).to_have_count(2)
    anna.shot(f"your-games-{locale}-{scheme}")
    assert anna.violations() == []

    result = anna.page.get_by_label(anna.words("Result", "Résultat"))
    result.select_option("won")
    expect(anna.page.get_by_text(re.compile("^0 "))).to_be_visible()
    result.select_option("")
    expect(row).to_be_visible()

    anna.page.keyboard.press("Alt+PageDown")
    anna.page.wait_for_url(re.compile("/table/"))
    first = anna.page.url.rpartition("/")[2]
    anna.page.keyboard.press("Alt+PageDown")
    other = next(table for table in running if table != first)
    anna.page.wait_for_url(re.compile(f"/table/{other}"))

    anna.go("/games")
    anna.page.get_by_role("link", name=re.compile(anna.words("Replay", "Revoir"))).click()
    anna.page.wait_for_url(re.compile(f"/table/{finished}"))
    anna.go("/games")
    button(anna, "Delete my history", "Effacer mon historique").click()
    anna.page.locator("dialog button.main").click()
    expect(row).to_have_count(0)
    assert anna.complaints == []


@pytest.mark.parametrize(("size", "locale", "scheme"), [(DESK, "fr", "dark")])
def test_a_phrase_brings_you_to_another_device(enters: Enter, size: dict[str, int], locale: str, scheme: str) -> None:
    anna, phone = enters(size, locale, scheme), enters(PHONE)
    resigns_at_once(anna, ONE_SCREEN)
    anna.go("/games")
    button(anna, "Show a new", "Afficher une nouvelle").click()
    phrase = anna.page.locator("output").inner_text()
    phone.go("/games")
    field = phone.page.get_by_label("Recovery phrase from another device")
    field.fill(("ba" if phrase[:2] != "ba" else "be") + phrase[2:])
    button(phone, "Continue with", "Continuer").click()
    expect(phone.page.get_by_role("alert")).to_contain_text("typing mistake")
    phone.shot("recovery-en-light")
    assert phone.violations() == []
    assert [said for said in phone.complaints if "409" not in said] == []
    phone.complaints.clear()  # a browser notes what was refused
    field.fill(phrase.upper())
    button(phone, "Continue with", "Continuer").click()
    phone.page.wait_for_url(phone.url + "/")
    phone.go("/games")
    expect(phone.page.locator("[aria-labelledby=finished] tbody tr").first).to_contain_text("Mia – Leo")
