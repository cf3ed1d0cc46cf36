"""The form of a new table: handicaps, boards of one's own, who starts; and links that lead others here."""

from playwright.sync_api import expect

from .conftest import Enter
from .person import DESK


def test_a_board_of_ones_own_is_seen_while_it_is_made_and_played_on(enters: Enter) -> None:
    anna = enters(DESK)
    anna.go("/new/kula_kula")
    page = anna.page
    page.locator("[data-own-board]").check()
    picture = page.locator(".picture")
    expect(picture).to_contain_text("Kiriwina")
    page.get_by_label("Name of the island").first.fill("Hometown")
    page.keyboard.press("Tab")
    expect(picture).to_contain_text("Hometown")
    expect(picture).not_to_contain_text("Kiriwina")
    page.get_by_role("button", name="Remove space 24").click()
    page.get_by_role("button", name="Remove space 23").click()
    expect(picture).not_to_contain_text("Vakuta")
    page.get_by_role("button", name="Add island").click()
    expect(picture).to_contain_text("Island 12")
    page.get_by_label("Kauri to win").fill("2")
    anna.shot("own-board")
    page.locator("form button.main").click()
    expect(page.locator(".story .goal")).to_contain_text("First to 2 Kauri")
    expect(page.locator("div.frame")).to_contain_text("Hometown")
    expect(page.locator("div.frame")).to_contain_text("Island 12")


def test_either_player_may_have_a_handicap(enters: Enter) -> None:
    anna = enters(DESK)
    anna.opens("kahuna", handicap=[2, 0])
    expect(anna.page.locator(".say")).to_have_text("Build a free bridge on any line.")


def test_nobody_is_asked_who_starts_where_the_opening_roll_decides(enters: Enter) -> None:
    anna = enters(DESK)
    for game, asked in (("kahuna", 1), ("krakatoa", 0)):
        anna.go(f"/new/{game}")
        anna.page.locator("form button.main").wait_for()
        assert anna.page.locator("[data-begins]").count() == asked


def test_a_link_that_leads_everybody_to_their_own_machine_is_warned_of(enters: Enter) -> None:
    anna = enters(DESK)
    anna.opens("stonehenge", "open")
    assert anna.invites().startswith("http://127.0.0.1:")
    expect(anna.page.locator(".link .lonely")).to_contain_text("works on this computer only")


def test_bots_answer_as_fast_as_one_likes(enters: Enter) -> None:
    """The page says so when it comes, and comes anew when it is changed."""
    anna = enters(DESK)
    said: list[str] = []
    anna.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: said.append(str(frame))))
    anna.opens("stonehenge")
    anna.page.locator("[data-story]").wait_for()
    assert '"pace":"human"' in said[0]
    said.clear()
    anna.page.locator("[data-tool=more]").click()
    anna.page.locator(".menu").get_by_text("Settings").click()
    anna.page.locator("#settings input[value=instant]").check()
    anna.page.locator("#settings .close").click()
    expect(anna.page.locator("#settings")).to_have_count(0)
    anna.click(".hand button:not([disabled])")
    anna.click(".cell.lit")
    expect(anna.page.locator(".story .line")).to_contain_text("placed")
    assert '"pace":"instant"' in said[0]
