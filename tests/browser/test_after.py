"""After the game: looking at it again through any eyes, thinking about it, playing on, showing it to others."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from .conftest import Enter
from .person import DESK, PHONE, Person


def over(person: Person, game: str, moves: int = 12) -> None:
    """A game that was played a while, then given up."""
    person.opens(game)
    person.texts()
    done = 0
    while done < moves and not person.over:
        done += person.types()
    person.resigns()
    person.page.locator(".over").wait_for()
    person.texts()


def said(page: Page) -> str:
    return page.locator(".replay .said").inner_text()


def test_a_game_again_step_by_step_through_any_eyes(enters: Enter) -> None:
    anna = enters(PHONE, "fr", "dark")
    over(anna, "kahuna")
    page, keys = anna.page, anna.page.keyboard
    page.get_by_role("button", name="Vérifier les tirages").click()
    expect(page.locator(".verdict")).to_contain_text("les tirages étaient scellés avant la partie")
    anna.shot("kahuna-resigned")
    page.get_by_role("button", name="Revoir").click()
    page.locator(".replay .chart").wait_for()
    assert "Coup 0 " in said(page)
    keys.press("End")
    last = said(page)
    for key, then in (
        ("Home", "Coup 0 "),
        ("ArrowRight", "Coup 1 "),
        ("PageDown", "Coup 11 "),
        ("ArrowLeft", "Coup 10 "),
    ):
        keys.press(key)
        expect(page.locator(".replay .said")).to_contain_text(then)
    assert page.locator(".theirs").count() == 0
    page.locator(".eyes select").select_option("referee")
    page.locator(".theirs").wait_for()
    page.wait_for_url(lambda url: "as=referee" in url)
    anna.shot("replay-phone")
    assert anna.violations() == []
    page.reload()
    page.locator(".theirs").wait_for()
    assert "Coup 10 " in said(page)
    keys.press("End")
    expect(page.locator(".replay .said")).to_have_text(last)


def test_what_a_strong_bot_would_have_done(enters: Enter) -> None:
    anna = enters(DESK)
    over(anna, "stonehenge", moves=3)
    page = anna.page
    page.get_by_role("button", name="Replay").click()
    page.get_by_role("button", name="Analysis").click()
    page.get_by_role("button", name="What would a strong bot play here?").click()
    page.locator(".analysis ol li").first.wait_for()
    assert page.locator(".analysis .played").count() == 1
    page.get_by_role("button", name="Analyse whole game").click()
    page.get_by_role("button", name="Analyse whole game").wait_for(state="detached")
    page.get_by_role("button", name="Stop").wait_for(state="detached")
    anna.shot("analysis-desk")
    assert anna.violations() == []


def test_playing_on_from_a_position(enters: Enter) -> None:
    anna = enters(DESK, "fr")
    over(anna, "stonehenge", moves=3)
    page = anna.page
    page.get_by_role("button", name="Revoir").click()
    page.locator(".replay .ring").wait_for()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".cell .druid")).to_have_count(4)
    page.get_by_role("button", name="Jouer à partir d’ici").click()
    anna.shot("branch")
    assert anna.violations() == []
    was = page.url
    page.get_by_role("button", name="Commencer la partie").click()
    page.wait_for_url(lambda url: url.split("?")[0] != was.split("?")[0])
    page.locator(".hand button:not([disabled])").first.wait_for()
    assert page.locator(".cell .druid").count() == 4


def test_a_position_is_shown_to_somebody_else(enters: Enter, tmp_path: Path) -> None:
    anna, zoe = enters(DESK), enters(PHONE, "fr")
    over(anna, "stonehenge", moves=2)
    page = anna.page
    page.get_by_role("button", name="Replay").click()
    page.locator(".replay .ring").wait_for()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Share this position").click()
    address = page.locator(".link input").input_value()
    anna.shot("share-position")
    zoe.page.goto(address)
    zoe.page.locator(".replay .ring").wait_for()
    assert "Coup 3 " in said(zoe.page)
    assert zoe.page.locator(".cell .druid").count() == 3
    for person in (anna, zoe):  # nothing was drawn: there is nothing to verify
        name = person.words("Verify shuffles", "Vérifier les tirages")
        assert person.page.get_by_role("button", name=name).count() == 0
        with person.page.expect_download() as waiting:
            person.page.get_by_role("button", name=person.words("Download", "Télécharger")).click()
        waiting.value.save_as(tmp_path / "record.json")
        record: Any = json.loads((tmp_path / "record.json").read_text())
        assert record["players"][0] == "Anna"


def test_links_are_listed_and_taken_back(enters: Enter) -> None:
    anna, zoe = enters(PHONE, "fr"), enters(DESK)
    anna.opens("kahuna", "bot")
    page = anna.page
    anna.chooses("links")
    page.get_by_role("button", name="Créer un lien pour voir le jeu de").click()
    address = page.locator(".link input").input_value()
    page.locator(".link svg").wait_for()
    anna.shot("links")
    assert anna.violations() == []
    zoe.page.goto(address)
    zoe.page.locator(".hand .slot").first.wait_for()
    assert zoe.page.locator(".hand button[aria-label]").count() == 3
    page.get_by_role("button", name="Retirer").click()
    zoe.page.locator("[role=alert]").wait_for()
    assert "no longer works" in zoe.page.locator("[role=alert]").inner_text()
    expect(page.locator(".links li")).to_have_text("Aucun lien actif.")
