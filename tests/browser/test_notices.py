"""Notices in Chromium: the settings page, and a push that arrives while no page of ours is open."""

import asyncio
import json
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.patience import PATIENCE
from tests.table.house import Guest
from tests.table.pushing import Browser, PushService, push_service

from .conftest import Enter
from .person import DESK, PHONE
from .server import Server

NOTIFICATIONS = (
    "async () => (await self.registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    running = Server(tmp_path_factory.mktemp("server"), NOTICES_NEAR="1")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def service() -> Any:
    with push_service() as running:
        yield running


def apart(work: Coroutine[Any, Any, Any]) -> Any:
    """Run something in an event loop of its own: Playwright's is in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result(PATIENCE)


@pytest.mark.parametrize(("size", "locale", "scheme"), [(PHONE, "fr", "light"), (DESK, "en", "dark")])
def test_notices_are_asked_for_and_stopped(
    enters: Enter, service: PushService, size: dict[str, int], locale: str, scheme: str
) -> None:
    anna = enters(size, locale, scheme)
    path = f"/hook-{locale}"
    anna.asks("/api/session", {"name": "Anna"})
    anna.go("/notices")
    page = anna.page
    page.get_by_label(anna.words("Way", "Moyen")).select_option("webhook")
    page.get_by_label(anna.words("Address", "Adresse")).fill("gopher://old")
    page.get_by_role("button", name=anna.words("Add", "Ajouter"), exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("https://")
    assert [said for said in anna.complaints if "409" not in said] == []
    anna.complaints.clear()  # a browser notes what was refused
    page.get_by_label(anna.words("Address", "Adresse")).fill(service.url(path))
    page.get_by_role("button", name=anna.words("Add", "Ajouter"), exact=True).click()
    row = page.locator("li", has_text="127.0.0.1")
    row.get_by_role("button", name=anna.words("Send a test", "Envoyer un essai")).click()
    (post,) = service.wait(path, 1, PATIENCE)
    said = json.loads(post.body)
    assert said["text"] == anna.words(
        "Notices from Archipel arrive here.", "Les notifications d’Archipel arrivent bien ici."
    )
    page.get_by_label(anna.words("Quiet hours", "Heures calmes")).check()
    page.get_by_label(anna.words("from", "de"), exact=True).fill("21:30")
    expect(page.get_by_role("status")).to_have_text(anna.words("Saved.", "Enregistré."))
    page.get_by_label(
        anna.words("Remind me before my time runs out", "Me rappeler avant la fin de mon temps")
    ).uncheck()
    anna.shot(f"notices-{locale}-{scheme}")
    assert anna.violations() == []
    anna.go("/notices")
    expect(page.get_by_label(anna.words("from", "de"), exact=True)).to_have_value("21:30")
    anna.go("/notices/stop#" + said["stop"].partition("#")[2])
    expect(page.locator("p.sheet")).to_contain_text(
        anna.words("These notices are stopped.", "Ces notifications sont arrêtées.")
    )
    anna.go("/notices")
    expect(row).to_have_count(0)


def test_a_push_arrives_while_no_page_is_open(enters: Enter, server: Server, service: PushService) -> None:
    """The server encrypts for a subscription and posts to its service; Chromium's service worker shows what came.

    Chromium subscribes at its vendor's service only, so the test holds the keys of the subscription in its place, and
    hands what it has decrypted to the service worker as the browser would.
    """
    anna = enters(DESK)
    context = anna.page.context
    context.grant_permissions(["notifications"], origin=anna.url)
    anna.asks("/api/session", {"name": "Anna"})
    browser = Browser(service, "/anna")
    anna.asks("/api/notices/channels", browser.subscription)
    anna.go("/")
    anna.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies())
    empty = context.new_page()
    anna.page.close()

    async def play() -> tuple[str, float]:
        bert, her = Guest(server.port), Guest(server.port, cookie)
        await bert.post("/api/session", {"name": "Bert"})
        table = await bert.table("stonehenge", [{"kind": "me"}, {"kind": "open"}], visibility="public")
        async with her.at(table) as player:
            assert (await player.command("sit", seat=1))["type"] == "ack"
        async with bert.at(table) as player:
            while player.position["legal"]:
                assert (await player.act(player.position["legal"][0]["action"]))["type"] == "ack"
                await player.until(lambda message: message["type"] == "update" and "position" in message)
        return table, time.monotonic()

    table, began = apart(play())
    (said,) = browser.received(1, PATIENCE)
    print(f"\nposted {time.monotonic() - began:.1f} s after the turn")
    assert said["text"] == "It is your turn in Stonehenge against Bert."
    session = context.new_cdp_session(empty)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        empty.wait_for_timeout(20)
    for _ in range(2):  # the same notice again takes the place of the first
        push = {"origin": anna.url, "registrationId": found[0], "data": json.dumps(said)}
        session.send("ServiceWorker.deliverPushMessage", push)
    shown: list[Any] = []
    while not shown:
        shown = [one for worker in context.service_workers for one in worker.evaluate(NOTIFICATIONS)]
        empty.wait_for_timeout(20)
    print(f"shown {time.monotonic() - began:.1f} s after the turn")
    assert shown == [{"title": "Archipel", "body": said["text"], "tag": said["topic"]}]
    assert said["url"].endswith(f"/table/{table}")
