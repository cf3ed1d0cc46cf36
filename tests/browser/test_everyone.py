"""For everyone: large letters, forced colours, still pictures, sounds, a page that can be installed and stays small."""

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Enter
from .person import DESK, PHONE, Person

BOT = {"kind": "bot", "level": "random"}
ZOOMED = {"width": 640, "height": 400}
"""A desk's screen with everything twice as large."""
GAMES = ["kahuna", "stonehenge", "kula_kula", "krakatoa"]


def table(person: Person, game: str) -> None:
    person.makes(game, [{"kind": "me"}, *[BOT] * (2 if game == "kula_kula" else 1)])
    person.page.locator(".frame svg").first.wait_for()


def fits(person: Person) -> bool:
    wide: Any = person.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return bool(wide[0] <= wide[1])


def test_everything_twice_as_large(enters: Enter) -> None:
    anna = enters(ZOOMED, device_scale_factor=2)
    anna.go("/")
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    assert fits(anna)
    anna.shot("zoom-lobby")
    for game in GAMES:
        table(anna, game)
        assert fits(anna), game
        anna.shot(f"zoom-{game}")
    assert anna.violations() == []


def test_forced_colours(enters: Enter) -> None:
    anna = enters(DESK, forced_colors="active")
    for game in GAMES:
        table(anna, game)
        anna.acts_on_board()
        anna.shot(f"forced-{game}")


MOVING = "document.getAnimations().filter((one) => one.effect.getTiming().duration > 20).length"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_still_pictures(enters: Enter, motion: str) -> None:
    anna = enters(DESK, reduced_motion=motion)
    table(anna, "stonehenge")
    moved = 0
    for _ in range(6):
        anna.acts_on_board()
        now: Any = anna.page.evaluate(MOVING)
        moved += now
    assert (moved > 0) == (motion == "no-preference")
    anna.shot(f"motion-{motion}")


COUNTED = """
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) { window.notes += 1; start.apply(this, at); };
"""


def test_sounds_are_made_only_where_they_are_wanted(enters: Enter) -> None:
    anna = enters(PHONE)
    anna.page.add_init_script(COUNTED)
    table(anna, "stonehenge")
    assert anna.page.evaluate("window.notes") == 0
    for wanted in (True, False):
        if not wanted:
            anna.page.locator("[data-tool=more]").click()
            anna.page.locator(".menu button[aria-controls=settings]").click()
            anna.page.get_by_label("Sounds").uncheck()
            anna.page.locator("#settings .close").click()
            anna.page.evaluate("window.notes = 0")
        for _ in range(2):
            anna.page.locator(".hand button:not([disabled])").first.click()
            anna.page.locator(".cell.lit").first.click()
            expect(anna.page.locator(".cell.lit")).to_have_count(0)
        anna.page.locator(".hand button:not([disabled])").first.wait_for()
        notes: Any = anna.page.evaluate("window.notes")
        assert (notes > 0) == wanted


def test_the_page_can_be_installed(enters: Enter) -> None:
    anna = enters(PHONE)
    anna.go("/")
    anna.page.locator("article").first.wait_for()
    manifest: Any = anna.page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())"
    )
    assert {"name", "short_name", "start_url", "display", "icons", "theme_color"} <= manifest.keys()
    for icon in manifest["icons"]:
        answer = anna.page.request.get(f"{anna.url}/{icon['src']}")
        assert answer.headers["content-type"] == icon["type"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    session = anna.page.context.new_cdp_session(anna.page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []


def test_without_a_connection_the_page_says_so(enters: Enter) -> None:
    anna = enters(PHONE, "fr")
    anna.go("/")
    anna.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    anna.page.reload()
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    anna.page.context.set_offline(True)
    anna.page.reload()
    assert "Le serveur ne répond pas" in anna.page.locator("[role=alert]").inner_text()
    anna.shot("offline")
    anna.page.context.set_offline(False)
    anna.page.get_by_role("button", name="Réessayer").click()
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    anna.complaints.clear()


@pytest.mark.parametrize("where", ["lobby", *GAMES])
def test_what_a_first_visit_costs(enters: Enter, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed, not asserted, but for what must be nothing: other servers, and what axe-core finds."""
    anna = enters(PHONE, service_workers="block")
    asked: list[Any] = []
    anna.page.on("requestfinished", lambda request: asked.append(request))
    if where == "lobby":
        anna.go("/")
        anna.page.locator("article button.main:not([disabled])").first.wait_for()
    else:
        table(anna, where)
    ready: Any = anna.page.evaluate("performance.now()")
    sizes = [request.sizes() for request in asked]
    sent = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    with capsys.disabled():
        print(f"\n{where}: {len(asked)} requests, {sent / 1024:.0f} KB, to be used after {ready:.0f} ms")
    assert all(request.url.startswith(anna.url) for request in asked)
    assert anna.violations() == []
