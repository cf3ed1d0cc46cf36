"""When something is amiss, a sentence in the player's language says what to do next."""

import json

from playwright.sync_api import WebSocketRoute, expect

from .conftest import Enter
from .person import DESK, PHONE, Person

BOT = {"kind": "bot", "level": "random"}


def alert(person: Person) -> str:
    person.page.locator("[role=alert]").first.wait_for()
    return person.page.locator("[role=alert]").first.inner_text()


def test_a_dead_link_and_a_missing_table(enters: Enter) -> None:
    anna = enters(PHONE, "fr")
    for path, words in (("/join/nothing", "Ce lien ne marche plus."), ("/table/nothing", "Cette table n’existe plus.")):
        anna.go(path)
        assert words in alert(anna)
        assert anna.page.locator("[role=alert] a").get_attribute("href") == "/"
    anna.shot("dead-link")
    assert anna.violations() == []


def test_a_private_table_without_a_link(enters: Enter) -> None:
    anna, zoe = enters(), enters(PHONE, "fr")
    table = anna.makes("stonehenge", [{"kind": "me"}, BOT])
    zoe.go(f"/table/{table}")
    assert "demandez un lien" in alert(zoe)
    zoe.shot("private-table")


def test_a_full_table(enters: Enter) -> None:
    anna, zoe, late = enters(), enters(), enters(DESK, "fr")
    anna.opens("stonehenge", "open")
    link = anna.invites()
    zoe.page.goto(link)
    zoe.page.locator(".waiting .who input").fill("Zoé")
    zoe.page.locator(".waiting button.main").click()
    zoe.page.locator(".ring").wait_for()
    assert zoe.page.locator("[role=alert]").count() == 0
    late.page.goto(link)
    assert "Quelqu’un d’autre a pris cette place" in alert(late)
    late.shot("full-table")
    assert late.violations() == []


def test_a_seat_that_a_bot_keeps_is_taken_back(enters: Enter) -> None:
    anna, zoe = enters(), enters(PHONE, "fr", "dark")
    anna.opens("stonehenge", "open")
    zoe.page.goto(anna.invites())
    zoe.page.locator(".waiting .who input").fill("Zoé")
    zoe.page.locator(".waiting button.main").click()
    zoe.page.locator(".ring").wait_for()
    here = zoe.page.url
    zoe.page.goto("about:blank")
    anna.page.locator("[data-tool=more]").click()
    anna.page.get_by_role("button", name="Replace Zoé with a bot").click()
    zoe.page.goto(here)
    zoe.page.locator(".hand button").first.wait_for()
    zoe.shot("seat-kept-by-bot")
    expect(zoe.page.locator("[role=alert]")).to_have_count(0)


def test_a_house_that_is_full(enters: Enter) -> None:
    anna = enters(PHONE, "fr")

    def full(socket: WebSocketRoute) -> None:
        said = {"type": "trouble", "rule": "table.full-house", "reason": "Too many tables are being played here."}
        socket.on_message(lambda _: socket.send(json.dumps(said)))

    anna.page.route_web_socket("**/ws/*", full)
    anna.go("/table/something")
    assert "Le serveur est complet" in alert(anna)


def test_a_server_that_does_not_answer(enters: Enter) -> None:
    anna = enters(PHONE, "fr")
    anna.page.route("**/api/**", lambda route: route.abort())
    anna.go("/")
    assert "Le serveur ne répond pas" in alert(anna)
    anna.shot("server-away")
    anna.page.unroute("**/api/**")
    anna.page.get_by_role("button", name="Réessayer").click()
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    anna.complaints.clear()


def test_refusals_are_said_in_french(enters: Enter) -> None:
    anna = enters(PHONE, "fr")
    anna.opens("kahuna")
    anna.texts()
    for typed, words in (
        ("nonsense", "ne désigne rien ici"),
        ("x ALOA-BARI (ALOA ALOA)", "n’a pas de pont sur ALOA-BARI"),
    ):
        anna.page.locator("#command").fill(typed)
        anna.page.keyboard.press("Enter")
        expect(anna.page.locator(".refused")).to_contain_text(words)
    anna.shot("refused")


def test_krakatoa_without_webgl(enters: Enter) -> None:
    anna = enters(PHONE, "fr")
    anna.page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        "  return kind.startsWith('webgl') ? null : get.call(this, kind, ...more); };"
    )
    anna.opens("krakatoa")
    acted = 0

    def act() -> bool:
        nonlocal acted
        did = anna.acts_on_board()
        acted += did
        return did

    anna.acts_until(lambda: acted == 4, act)
    anna.shot("krakatoa-without-webgl")
