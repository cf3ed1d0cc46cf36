"""People at the table, as the page shows it: whose session, whose seat, who watches, who runs the server."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Enter
from .person import DESK, PHONE, Person
from .server import Server

OPEN = [{"kind": "open"}, {"kind": "open"}]
ME_AND_OPEN = [{"kind": "me"}, {"kind": "open"}]
RISE = """(id) => new Promise((done) => {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/${id}`);
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", client: "another-tab" }));
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(data);
    if (type === "welcome") socket.send(JSON.stringify({ type: "rise", n: 1, seat: 1 }));
    if (type === "ack") (socket.close(), done());
  };
})"""
"""Leave seat 1, as another client may."""


def button(person: Person, english: str, french: str) -> Any:
    return person.page.get_by_role("button", name=re.compile(f"^{person.words(english, french)}"))


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "en", "light"), (DESK, "fr", "dark")])
def test_a_link_to_another_device_asks_first(enters: Enter, size: dict[str, int], locale: str, scheme: str) -> None:
    mallory, victim = enters(DESK), enters(size, locale, scheme)
    mallory.go("/")
    mallory.asks("/api/session", {"name": "Mallory"})
    token = mallory.asks("/api/session/links", {})["token"]
    victim.makes("kahuna", ME_AND_OPEN)
    victim.go(f"/arrive/{token}")
    go = button(victim, "Continue as Mallory", "Continuer en tant que Mallory")
    expect(go).to_be_disabled()
    victim.shot(f"arrive-{locale}-{scheme}")
    assert victim.violations() == []
    assert victim.page.request.get(victim.url + "/api/session").json() == {"name": "Anna"}, "nothing has happened yet"
    victim.page.get_by_role("checkbox").check()
    go.click()
    victim.page.wait_for_url(victim.url + "/")
    assert victim.page.request.get(victim.url + "/api/session").json() == {"name": "Mallory"}


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "fr", "light"), (DESK, "en", "dark")])
def test_devices_are_listed_in_the_settings(enters: Enter, size: dict[str, int], locale: str, scheme: str) -> None:
    desk, phone = enters(size, locale, scheme), enters(PHONE)
    desk.makes("kahuna", ME_AND_OPEN)
    phone.go(f"/arrive/{desk.asks('/api/session/links', {})['token']}")
    phone.page.get_by_role("button", name="Continue as Anna").click()
    phone.page.wait_for_url(phone.url + "/")
    desk.go("/")
    button(desk, "Settings", "Réglages").click()
    expect(desk.page.locator("#settings li")).to_have_count(2)
    desk.shot(f"devices-{locale}-{scheme}")
    assert desk.violations() == []
    button(desk, "End all other sessions", "Terminer toutes les autres sessions").click()
    expect(desk.page.locator("#settings li")).to_have_count(1)
    assert phone.page.request.get(phone.url + "/api/session").json() == {"name": ""}


def test_whoever_sits_there_revokes_a_link_that_looks_at_the_seat(enters: Enter) -> None:
    anna, bo, friend = enters(DESK, "en", "dark"), enters(PHONE), enters(PHONE)
    table = anna.makes("kahuna", OPEN, visibility="public")
    bo.go(f"/table/{table}")
    bo.page.locator("li:nth-child(2) input").fill("Bo")
    bo.page.locator("li:nth-child(2) button.main").click()
    expect(bo.page.locator("li:nth-child(2)")).to_contain_text("Bo")
    shoulder = bo.asks(f"/api/tables/{table}/links", {"kind": "shoulder", "seat": 1})["token"]
    friend.go(f"/join/{shoulder}")
    friend.page.locator(".waiting").wait_for()
    bo.page.locator("summary").first.click()
    revoke = bo.page.get_by_role("button", name="Revoke")
    expect(revoke).to_have_count(1)
    bo.shot("shoulder-revoke")
    revoke.click()
    expect(bo.page.get_by_text("no longer works")).to_be_visible()
    expect(friend.page.get_by_role("alert")).to_contain_text("no longer works")


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "en", "dark"), (DESK, "fr", "light")])
def test_the_host_removes_a_squatter_and_a_spectator(
    enters: Enter, size: dict[str, int], locale: str, scheme: str
) -> None:
    anna, eve = enters(size, locale, scheme), enters(PHONE)
    table = anna.makes("kahuna", ME_AND_OPEN if size is PHONE else OPEN, visibility="public")
    eve.go(f"/table/{table}")
    if size is DESK:
        eve.page.locator("li:nth-child(2) input").fill("Eve")
        eve.page.locator("li:nth-child(2) button.main").click()
        button(anna, "Remove from seat", "Retirer de la place").click()
        expect(eve.page.locator("li:nth-child(2)")).to_contain_text("Open place")
        anna.page.locator("summary").last.click()
    else:
        eve.asks("/api/session", {"name": "Eve"})
        eve.page.reload()
        anna.page.locator("summary").last.click()
    expect(anna.page.locator(".waiting details").last).to_contain_text("Eve")
    anna.shot(f"moderate-{locale}-{scheme}")
    assert anna.violations() == []
    button(anna, "Remove Eve", "Retirer Eve").click()
    expect(eve.page.get_by_role("alert")).to_contain_text("The host has removed you")


def test_the_players_let_somebody_take_over(enters: Enter) -> None:
    anna, bo, zoe = enters(DESK, "en", "light"), enters(PHONE), enters(PHONE, "fr", "dark")
    table = anna.makes("kahuna", ME_AND_OPEN, visibility="public")
    bo.go(f"/table/{table}")
    bo.page.locator("li:nth-child(2) input").fill("Bo")
    bo.page.locator("li:nth-child(2) button.main").click()
    bo.page.locator(".frame").wait_for()
    bo.page.evaluate(RISE, table)
    zoe.go("/")
    zoe.asks("/api/session", {"name": "Zoe"})
    zoe.go(f"/table/{table}")
    zoe.page.locator("[data-tool=more]").click()
    zoe.page.get_by_role("button", name="Demander à remplacer Bo").click()
    expect(zoe.page.get_by_role("alert")).to_contain_text("Les joueurs décident si Zoe")
    zoe.shot("take-over-asked")
    expect(anna.page.get_by_role("alert")).to_contain_text("Zoe wants to take over Bo’s place")
    anna.shot("take-over")
    assert anna.violations() == []
    anna.page.get_by_role("button", name="Agree").click()
    expect(zoe.page.locator("[data-tool=takeback]")).to_be_visible()


# A private server, and who runs it.


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("private"), PASSWORD="sesame", OPERATOR="letmein")
    yield running
    running.stop()


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "fr", "light"), (DESK, "en", "dark")])
def test_a_private_server_asks_for_its_password(
    launched: Callable[..., Browser], private: Server, size: dict[str, int], locale: str, scheme: str
) -> None:
    anna = Person(launched(), private.url, size, locale, scheme)
    anna.go("/")
    field = anna.page.locator("input[type=password]")
    field.fill("wrong")
    field.press("Enter")
    expect(anna.page.get_by_role("alert")).to_have_text(
        anna.words("That is not the password.", "Ce n’est pas le mot de passe.")
    )
    anna.shot(f"password-{locale}-{scheme}")
    assert anna.violations() == []
    field.fill("sesame")
    field.press("Enter")
    anna.page.locator(".lobby").wait_for()
    assert field.count() == 0
    anna.page.context.close()


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "en", "dark"), (DESK, "fr", "light")])
def test_the_operator_sees_the_house(
    launched: Callable[..., Browser], private: Server, size: dict[str, int], locale: str, scheme: str
) -> None:
    anna, operator = Person(launched(), private.url), Person(launched(), private.url, size, locale, scheme)
    anna.asks("/api/password", {"password": "sesame"})
    table = anna.makes("kahuna", ME_AND_OPEN)
    anna.page.locator(".waiting").wait_for()
    operator.page.on("dialog", lambda dialog: dialog.accept())
    operator.go("/operator#letmein")
    row = operator.page.locator("li", has_text=table).last
    expect(row).to_contain_text("Kahuna")
    assert operator.page.url.endswith("/operator"), "the token is not left in the address"
    operator.shot(f"operator-{locale}-{scheme}")
    assert operator.violations() == []
    row.get_by_role("button").click()
    expect(row).to_contain_text(operator.words("closed", "fermée"))
    expect(anna.page.get_by_role("alert")).to_contain_text("This table was closed")
    operator.page.get_by_role("button", name=operator.words("End session Anna", "Terminer la session Anna")).click()
    expect(anna.page.get_by_role("alert")).to_contain_text("Your session on this device was ended")
    for person in (anna, operator):
        person.page.context.close()
