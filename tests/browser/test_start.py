"""Starts with real browsers: shares are sealed and opened unseen; a void start is explained and begun again."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from .conftest import Enter
from .person import DESK, PHONE, Person
from .server import Server


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which shares must be opened within a second."""
    server = Server(tmp_path_factory.mktemp("strict"), OPENING="1000")
    yield server
    server.stop()


def meet(anna: Person, ben: Person, game: str) -> None:
    """Anna opens a table and Ben comes by her link, up to where he sits down."""
    anna.opens(game, "open")
    ben.go(anna.invites().removeprefix(anna.url))
    ben.page.locator(".who input").fill("Ben")
    ben.page.get_by_role("button", name=ben.words("Join here", "Rejoindre")).click()


def test_a_game_and_its_rematch_are_sealed_opened_and_checked(enters: Enter) -> None:
    anna, ben = enters(DESK), enters(PHONE, "fr")
    meet(anna, ben, "kahuna")
    for person in (anna, ben):
        person.page.locator(".frame").wait_for()
    for game in (1, 2):
        anna.resigns()
        for person in (anna, ben):
            over = person.page.locator(".over")
            expect(over).to_contain_text(person.words("Checked by your browser", "Vérifié par votre navigateur"))
        anna.page.get_by_role("button", name="Verify").click()
        expect(anna.page.locator(".verdict")).to_contain_text(
            "Your browser drew everything again. 2 players added shares that nobody could know beforehand."
        )
        if game == 1:
            anna.shot("kahuna-checked")
            anna.page.get_by_role("button", name="Rematch").click()
            ben.page.get_by_role("button", name="Revanche").click()
            for person in (anna, ben):
                person.page.locator(".over").wait_for(state="detached")


def test_a_start_without_a_share_is_void_and_can_be_begun_again(enters: Enter, strict: Server) -> None:
    """Anna's browser has lost its share: the start is void, says by whom, and both begin again."""
    anna, ben = enters(DESK), enters(PHONE, "fr")
    for person in (anna, ben):
        person.url = strict.url
    anna.opens("kahuna", "open")
    anna.page.evaluate("localStorage.removeItem('archipel-shares')")
    ben.go(anna.invites().removeprefix(anna.url))
    ben.page.locator(".who input").fill("Ben")
    ben.page.get_by_role("button", name="Rejoindre").click()
    expect(ben.page.locator(".waiting")).to_contain_text("Le départ a été annulé")
    expect(ben.page.locator(".waiting")).to_contain_text("Anna n’a pas ouvert sa part")
    ben.shot("start-void-phone")
    assert ben.violations() == []
    anna.page.get_by_role("button", name="Start again").click()
    ben.page.get_by_role("button", name="Recommencer").click()
    for person in (anna, ben):
        person.page.locator(".frame").wait_for()


def test_another_device_brings_another_share(enters: Enter) -> None:
    """Anna sits down with one device, goes on with another, and only that one is there when Ben comes."""
    anna, ben = enters(DESK), enters(PHONE)
    anna.opens("kahuna", "open")
    link = anna.invites().removeprefix(anna.url)
    table = anna.page.url.removeprefix(anna.url)
    token = anna.asks("/api/session/links", {})["token"]
    phone = enters(PHONE)
    phone.go("/")
    phone.asks("/api/session/arrive", {"token": token, "replace": True})
    phone.go(table)
    phone.page.locator(".waiting").wait_for()
    anna.page.goto("about:blank")
    ben.go(link)
    ben.page.locator(".who input").fill("Ben")
    ben.page.get_by_role("button", name="Join here").click()
    for person in (phone, ben):
        person.page.locator(".frame").wait_for()


def test_two_at_one_screen_and_a_branch_have_shares_of_their_own(enters: Enter) -> None:
    anna = enters(DESK)
    anna.opens("kahuna", "here")
    anna.page.locator(".curtain button.main").click()
    anna.resigns()
    expect(anna.page.locator(".over")).to_contain_text("Checked by your browser")
    anna.page.get_by_role("button", name="Replay").click()
    anna.page.get_by_role("button", name="Play from here").click()
    anna.page.locator("form button.main").click()
    anna.page.locator(".frame").wait_for()
    anna.resigns()
    expect(anna.page.locator(".over")).to_contain_text("Checked by your browser")


def test_a_game_that_is_not_what_was_sealed_is_called_so(enters: Enter) -> None:
    """As if the server had kept another promise than the one that this browser saw; it comes back in between."""
    anna = enters(DESK)
    anna.opens("kahuna", "here")
    anna.page.locator(".curtain button.main").click()
    anna.page.reload()
    anna.page.locator(".curtain button.main").click()
    anna.page.evaluate(
        """() => {
            const kept = JSON.parse(localStorage.getItem("archipel-promises"));
            for (const promise of Object.values(kept)) promise.commit = "0".repeat(64);
            localStorage.setItem("archipel-promises", JSON.stringify(kept));
        }"""
    )
    anna.resigns()
    said = "this game does not match what your browser saw sealed before it began."
    expect(anna.page.locator(".over [role=alert]")).to_contain_text(said)
    anna.page.get_by_role("button", name="Verify shuffles").click()
    expect(anna.page.locator(".verdict")).to_contain_text(said)


def test_a_browser_computes_a_bot_s_moves_again(enters: Enter) -> None:
    """The page asks the bot itself, after a whole game; if the bot was shown something else, it says so."""
    anna = enters(DESK)
    anna.opens("stonehenge", "bot", level=1)
    anna.until_over(anna.acts_on_board)
    verify, verdict = anna.page.get_by_role("button", name="Verify the bots’ moves"), anna.page.locator(".verdict")
    verify.click()
    expect(verdict).to_contain_text("are what it plays on what it could see.")
    expect(verdict).to_contain_text("Computed again by your browser: all ")
    anna.shot("bots-checked")

    def forged(route: Route) -> None:
        record = route.fetch().json()
        record["fair"]["bots"][1]["view"] = "0" * 64
        route.fulfill(json=record)

    anna.page.route("**/record*", forged)
    verify.click()
    expect(verdict).to_contain_text("was shown something else than its seat could see.")
    assert anna.violations() == []
