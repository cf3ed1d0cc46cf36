"""Take a picture of every screen, at four sizes, in both languages and both lights: `python -m tests.browser.screens`.

The pictures lie in `web/build/screens`, to be looked at; what a program can see by itself is printed: boards that are
not whole, words that are cut off, pages wider than the screen, and tables that must be scrolled. Arguments are parts of
the names of screens, as in `python -m tests.browser.screens kahuna lobby`; without any, every screen is taken. With
`en` or `fr` only that language is, with `quick` each size in one of the two lights.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import archipel

from .conftest import CHROMIUM, SOFTWARE_GL
from .person import SCREENS, Person
from .pictures import brought, record, turn
from .server import Server
from .static import House
from .whole import WHOLE

SIZES = {
    "phone": {"width": 390, "height": 664},
    "lying": {"width": 844, "height": 390},
    "tablet": {"width": 820, "height": 1180},
    "desk": {"width": 1280, "height": 720},
}
BEGUN = {"kahuna": (0, 60, 150), "stonehenge": (0, 10, 14), "kula_kula": (0, 70, 150), "krakatoa": (0, 20, 60)}
"""After about how many actions a game is looked at."""
GOES_ON = ".frame svg, .frame .tray"
AMISS = """() => {
  const wrong = [];
  const name = ({ tagName, className, innerText }) => `<${tagName} class="${className}"> ${innerText?.slice(0, 40)}`;
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the screen');
  if (document.querySelector('.page:not(.long) > .table') && document.documentElement.scrollHeight > innerHeight)
    wrong.push(`the table is ${document.documentElement.scrollHeight - innerHeight} px too high`);
  for (const one of document.querySelectorAll('main *:not(svg *, textarea)')) {
    const style = getComputedStyle(one);
    const shut = [style.overflowX, style.overflowY].some((way) => ['hidden', 'clip'].includes(way));
    if (!shut || one.clientWidth < 3 || style.visibility === 'hidden') continue;
    if ([...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
        (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2))
      wrong.push(`cut off: ${name(one)}`);
  }
  for (const one of document.querySelectorAll('main button, main a')) {
    const box = one.getBoundingClientRect();
    if (box.width && one.scrollWidth > one.clientWidth + 2) wrong.push(`its words do not fit: ${name(one)}`);
  }
  return wrong;
}"""

PLACES = """() => [innerHeight, ...[...document.querySelectorAll('main *')].slice(0, 200).map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].join();
})].join(';')"""
"""Where things are."""

Screens = Iterator[str]
"""The names of what is on the screen, one after another."""


def goes_on(anna: Person, tables: dict[str, str], game: str, moves: int) -> None:
    """At seat 0 of a recorded game, so many actions after its beginning."""
    made = anna.asks(f"/api/tables/{tables[game]}/branch", {"moves": turn(game, moves), "seat": 0, "level": "sailor"})
    anna.go(f"/table/{made['id']}")
    anna.page.locator(GOES_ON).first.wait_for()


def lobby(anna: Person, tables: dict[str, str]) -> Screens:
    anna.go("/")
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    yield "lobby-first"
    anna.page.locator("header button").first.click()
    yield "settings"
    anna.go("/games")
    anna.page.locator("section").first.wait_for()
    yield "history-stranger"


def new_tables(anna: Person, tables: dict[str, str]) -> Screens:
    for game in archipel.GAMES:
        for company in ("bot", "here", "open"):
            anna.go(f"/new/{game}?with={company}")
            anna.page.locator("form select").first.wait_for()
            yield f"new-{game}-{company}"
            if company == "bot":
                anna.page.locator("form details summary").first.click()
                yield f"new-{game}-options"


def lessons(anna: Person, tables: dict[str, str]) -> Screens:
    for game in archipel.GAMES:
        anna.go(f"/learn/{game}")
        anna.page.locator(".lesson").wait_for()
        yield f"learn-{game}"


def games(anna: Person, tables: dict[str, str]) -> Screens:
    for game, moments in BEGUN.items():
        anna.go("/")
        anna.asks("/api/session", {"name": "Anna"})
        for name, moves in zip(("start", "middle", "end"), moments, strict=True):
            goes_on(anna, tables, game, moves)
            anna.page.wait_for_timeout(1500)
            yield f"{game}-{name}"
            if name == "middle":
                yield from at_the_table(anna, game)


def at_the_table(anna: Person, game: str) -> Screens:
    """Everything that can be opened beside a board."""
    page = anna.page
    if anna.click(".hand button:not([disabled])"):
        yield f"{game}-chosen"
        page.keyboard.press("Escape")
    page.locator("[data-tool=hint]").click()
    page.wait_for_timeout(2500)
    yield f"{game}-hint"
    for tool in ("log", "rules", "chat") if game == "kahuna" else ("log", "rules"):
        page.locator(f"[data-tool={tool}]").click()
        page.wait_for_timeout(400)
        yield f"{game}-{tool}"
        page.locator(f"[data-tool={tool}]").click()
    if game == "kahuna":
        page.locator("[data-tool=more]").click()
        yield "menu"
        page.keyboard.press("Escape")
        anna.chooses("links")
        yield "links"
    anna.texts()
    yield f"{game}-text"
    anna.texts()
    anna.chooses("resign")
    if game == "kahuna":
        yield "resign"
    page.locator("dialog button.main").click()
    page.locator(".over").wait_for()
    page.wait_for_timeout(500)
    yield f"{game}-resigned"


def after(anna: Person, tables: dict[str, str]) -> Screens:
    page = anna.page
    for game, table in tables.items():
        anna.go(f"/table/{table}")
        page.locator(".over").wait_for()
        page.wait_for_timeout(500)
        yield f"{game}-over"
        anna.go(f"/table/{table}?game=1&as=referee&step={len(record(game).actions) // 2}")
        page.locator(".replay").wait_for()
        page.wait_for_timeout(800)
        yield f"{game}-replay"
    anna.go(f"/table/{tables['stonehenge']}?game=1&as=referee&step=6")
    page.get_by_role("button", name=anna.words("Analysis", "Analyse")).click()
    page.get_by_role("button", name=anna.words("Analyse whole game", "Analyser toute la partie")).click()
    page.get_by_role("button", name=anna.words("Stop", "Arrêter")).wait_for(state="detached")
    yield "analysis"
    page.get_by_role("button", name=anna.words("Play from here", "Jouer à partir d’ici")).click()
    page.wait_for_timeout(300)
    yield "branch"


def people(anna: Person, tables: dict[str, str]) -> Screens:
    page = anna.page
    anna.go("/")
    for game in archipel.GAMES:
        anna.opens(game, "here")
        page.wait_for_timeout(300)
        yield f"{game}-one-screen"
    anna.opens("stonehenge", "open")
    yield "waiting"
    page.locator(".waiting button.main").first.click()
    page.wait_for_timeout(500)
    yield "invited"
    anna.go("/")
    page.locator("article button.main:not([disabled])").first.wait_for()
    page.wait_for_timeout(500)
    yield "lobby-again"
    anna.go("/games")
    page.locator("section").first.wait_for()
    page.wait_for_timeout(500)
    yield "history"


def spectator(anna: Person, tables: dict[str, str]) -> Screens:
    other = anna.page.context.browser
    assert other
    host = Person(other, anna.url)
    host.go("/")
    table = host.makes("kahuna", [{"kind": "me"}, {"kind": "open"}], visibility="public")
    anna.go("/")
    anna.page.wait_for_timeout(800)
    yield "lobby-open-tables"
    anna.go(f"/table/{table}")
    anna.page.locator(".waiting").wait_for()
    yield "joining"
    played = host.makes("kula_kula", [{"kind": "me"}, *[{"kind": "bot", "level": "fisher"}] * 2], visibility="public")
    host.page.locator(GOES_ON).first.wait_for()
    anna.go(f"/table/{played}")
    anna.page.locator(GOES_ON).first.wait_for()
    yield "watching"
    host.page.context.close()


def puzzles(anna: Person, tables: dict[str, str]) -> Screens:
    anna.go("/puzzles")
    anna.page.locator("article").first.wait_for()
    yield "puzzles"
    for game in archipel.GAMES:
        anna.go(f"/puzzles/{game}/7")
        anna.page.locator(".puzzle").wait_for()
        anna.page.wait_for_timeout(500)
        yield f"puzzle-{game}"


def troubles(anna: Person, tables: dict[str, str]) -> Screens:
    for name, path in (("nothing", "/nowhere"), ("dead-link", "/join/nothing"), ("no-table", "/table/nothing")):
        anna.go(path)
        anna.page.wait_for_timeout(600)
        yield name


def operator(anna: Person, tables: dict[str, str]) -> Screens:
    anna.go("/operator")
    anna.page.wait_for_timeout(400)
    yield "operator-token"
    anna.go("/operator#letmein")
    anna.page.locator("li").first.wait_for()
    yield "operator"


def static(anna: Person) -> Screens:
    anna.go("/")
    anna.page.locator("article button.main:not([disabled])").first.wait_for()
    yield "static-lobby"
    anna.go("/new/kahuna")
    anna.page.locator("form button.main").wait_for()
    yield "static-new"
    anna.opens("kahuna", "bot")
    anna.page.wait_for_timeout(1500)
    yield "static-kahuna"
    anna.go("/games")
    anna.page.wait_for_timeout(800)
    yield "static-device"


PARTS: tuple[Any, ...] = (lobby, new_tables, lessons, games, after, people, spectator, puzzles, troubles, operator)


def until_still(anna: Person) -> None:
    """Wait until everything has found its place in a window of another size."""
    before = None
    while (now := anna.page.evaluate(PLACES)) != before:
        before = now
        anna.page.wait_for_timeout(150)


def shoot(anna: Person, name: str, quick: bool) -> None:
    """This screen at all sizes in both lights, and what is amiss with it; `quick`: each size in one of the lights."""
    for k, (size, box) in enumerate(SIZES.items()):
        anna.page.set_viewport_size(box)  # type: ignore[arg-type]
        lights = ("light", "dark") if not quick else ("light",) if (anna.locale == "fr") == bool(k % 2) else ("dark",)
        for light in lights:
            anna.page.evaluate("light => (document.documentElement.dataset.theme = light)", light)
            until_still(anna)
            long: Any = anna.page.evaluate("document.documentElement.scrollHeight > innerHeight")
            anna.page.screenshot(path=SCREENS / f"{name}-{size}-{anna.locale}-{light}.png", full_page=long)
        amiss: Any = anna.page.evaluate(AMISS) + anna.page.evaluate(WHOLE)
        for wrong in dict.fromkeys(amiss):
            print(f"{name}, {size}, {anna.locale}: {wrong}", flush=True)
    anna.page.set_viewport_size(SIZES["desk"])  # type: ignore[arg-type]


def taken(browser: Browser, url: str, locale: str, part: Any, wanted: list[str], *more: Any) -> None:
    """The screens of one part that are wanted."""
    quick = "quick" in wanted
    wanted = [one for one in wanted if one != "quick"]
    anna = Person(browser, url, SIZES["desk"], locale)
    for name in part(anna, *more):
        if not wanted or any(one in name for one in wanted):
            shoot(anna, name, quick)
    anna.page.context.close()


def main(wanted: list[str]) -> None:
    """Take every screen whose name has one of these parts."""
    locales = [one for one in wanted if one in ("en", "fr")] or ["en", "fr"]
    parts = [part for part in (*PARTS, static) if part.__name__ in wanted] or [*PARTS, static]
    wanted = [one for one in wanted if one not in locales and one not in [part.__name__ for part in parts]]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tables = brought(Path(folder))
        server = Server(Path(folder), OPERATOR="letmein")
        house = House(Path(folder)) if static in parts else None
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *SOFTWARE_GL])
        try:
            for locale in locales:
                for part in parts:
                    if part is static:
                        assert house
                        taken(browser, house.url, locale, static, wanted)
                    else:
                        taken(browser, server.url, locale, part, wanted, tables)
        finally:
            browser.close()
            server.stop()
            if house:
                house.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
