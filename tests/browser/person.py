"""Somebody in front of a browser, who plays by what the page shows: clicks, keys or typed words."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests import chance
from tests.patience import PATIENCE

WEB = Path(__file__).parents[2] / "web"
SCREENS = WEB / "build" / "screens"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
A_WHILE = 120_000
"""How many milliseconds anything on a page may take: the machine may be busy."""
ENDLESS = 3000
"""So many actions are more than any game has."""
STILL = "document.getAnimations().every((one) => one.playState !== 'running')"
FORGIVEN = ("WebSocket connection", "404 (Not Found)", "Service Worker registration blocked")
"""What a browser says by itself when a server is away, or a link is dead."""

CHANCE = """(() => {
  let loads = 0;
  try {
    loads = Number(sessionStorage.getItem('loads') ?? 0) + 1;
    sessionStorage.setItem('loads', loads);
  } catch {}
  let state = (SEED + loads * 0x9e3779b9) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  };
  Math.random = () => next() / 4294967296;
  crypto.getRandomValues = (array) => { for (let k = 0; k < array.length; k++) array[k] = next(); return array; };
})();"""
"""The page's own chance, from a seed; every page that a window loads draws something else."""


class Person:
    """One browser window with its own cookies."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: dict[str, int] = PHONE,
        locale: str = "en",
        scheme: Any = "light",
        motion: Any = "reduce",
        draws: str = "somebody",
        **more: Any,
    ) -> None:
        self.url = url
        self.locale = locale
        self.rng = chance.source(draws)
        viewport: Any = size
        usual: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": motion}
        context = browser.new_context(viewport=viewport, locale=locale, **(usual | more))
        context.set_default_timeout(A_WHILE)
        context.add_init_script(CHANCE.replace("SEED", str(self.rng.getrandbits(32))))
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self._note(said.type, said.text))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(known in text for known in FORGIVEN):
            self.complaints.append(text)

    def words(self, english: str, french: str) -> str:
        """What this one reads."""
        return french if self.locale == "fr" else english

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def shot(self, name: str) -> None:
        """Keep a picture of the screen for people to look at."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"{name}.png", full_page=True)

    def violations(self) -> list[str]:
        """What axe-core finds on this screen."""
        for _ in range(100):  # what fades in has too little contrast on its way
            if self.page.evaluate(STILL):
                break
            self.page.wait_for_timeout(50)
        session = self.page.context.new_cdp_session(
            self.page
        )  # past the page's own policy, which allows no such script
        axe = (WEB / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
        session.send("Runtime.evaluate", {"expression": axe})
        found: Any = self.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(JSON.stringify)")
        return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in json.loads(found)["violations"]]

    # At the lobby.

    def opens(self, game: str, company: str = "bot", name: str = "Anna", /, level: int = 0, **chosen: Any) -> None:
        """Make a table with these options, and sit down at it."""
        self.go(f"/new/{game}")
        self.page.locator("form select").first.wait_for()
        self.page.locator("form input").first.fill(name)
        self.page.locator(f"input[value={company}]").check()
        if company == "bot":
            self.page.locator("label.field select").first.select_option(index=level)
        for option, value in chosen.items():
            self._choose(option, value)
        self.page.locator("form button.main").click()
        self.page.locator(".waiting" if company == "open" else ".frame, .curtain").first.wait_for()

    def asks(self, path: str, body: Any) -> Any:
        """Send something to the server as the page would."""
        answer = self.page.request.post(self.url + path, data=body, headers={"origin": self.url})
        assert answer.ok, answer.text()
        return answer.json() if answer.status != 204 else None

    def makes(self, game: str, chairs: list[dict[str, str]], **table: Any) -> str:
        """Make a table without the form, and go there; its id."""
        self.asks("/api/session", {"name": "Anna"})
        made: str = self.asks("/api/tables", {"game": game, "chairs": chairs} | table)["id"]
        self.go(f"/table/{made}")
        return made

    def _choose(self, option: str, value: Any) -> None:
        if option == "dice":
            self.page.locator(f"input[name=dice][value={value}]").check()
        elif value is True:
            self.page.locator(f"[aria-describedby=option-{option}-why]").check()
        else:
            self.page.locator(f"#option-{option}").select_option(value=json.dumps(value, separators=(",", ":")))

    def invites(self) -> str:
        """A link for the first open seat."""
        self.page.locator(".waiting button.main").first.click()
        return self.page.locator(".link input").first.input_value()

    def until_measured(self) -> None:
        """Wait until the page has been drawn once more: by then every part of it has been told its size."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    # At the table.

    def texts(self) -> None:
        """Turn to the text view, or back to the board."""
        self.chooses("text")

    def chooses(self, what: str) -> None:
        """Press this in the table's menu."""
        self.page.locator("[data-tool=more]").click()
        self.page.locator(f".menu [data-tool={what}]").click()

    def resigns(self) -> None:
        """Give the game up, and mean it."""
        self.chooses("resign")
        self.page.locator("dialog button.main").click()

    @property
    def over(self) -> bool:
        return self.page.locator(".over").count() > 0

    def plays_until(self, selector: str) -> None:
        """At Krakatoa: keep the nine and take the first set, until there is this."""
        self.acts_until(
            lambda: self.page.locator(selector).count() > 0,
            lambda: self.click(".tray .deeds .main") or self.click("button.set.may"),
        )

    def until_over(self, act: Callable[[], bool]) -> int:
        """Act whenever something can be done, until the game is over; how often that was."""
        return self.acts_until(lambda: self.over, act)

    def acts_until(self, reached: Callable[[], bool], act: Callable[[], bool]) -> int:
        """Act whenever something can be done, until this is reached; how often that was."""
        done, since = 0, time.monotonic()
        while not reached():
            if act():
                done, since = done + 1, time.monotonic()
            else:
                self.page.wait_for_timeout(40)
            assert done < ENDLESS, "The game does not end."
            assert time.monotonic() < since + PATIENCE, "Nothing can be done."
        return done

    def click(self, selector: str) -> bool:
        """Click one of these, if there is any, and if it stays long enough."""
        found = self.page.locator(selector)
        count = found.count()
        if count == 0:
            return False
        try:
            found.nth(self.rng.randrange(count)).click(force=True, timeout=2000)
        except TooLate:
            return False
        self.page.wait_for_timeout(30)
        return True

    def one_of(self, selector: str) -> Locator | None:
        """One of the things that match and can be seen; nothing if there is none."""
        seen = [thing for thing in self.page.locator(selector).all() if thing.is_visible()]
        return self.rng.choice(seen) if seen else None

    def acts_on_board(self) -> bool:
        """Do something by the mouse, whatever the game."""
        if self.page.locator("dialog button").count():
            return self.click(".answers button:first-child")
        if self.page.locator("form.aiming").count():
            return self.throws()
        if self.click(".die.lit, .cell.lit, .handle:not(.idle)"):
            return True
        picks = ".hand button:not([disabled], [aria-pressed=true]), .set.may"
        draws = ".slot.may, .own .deeds button:not([aria-pressed]), .tray .deeds button"
        first, second = (picks, draws) if self.rng.random() < 0.7 else (draws, picks)
        return self.click(first) or self.click(second)

    def throws(self) -> bool:
        """Throw the dice that are in the hand: at a die, from any side, as hard as one likes."""
        self.click(".die.lit")
        if self.rng.random() < 0.5:
            for slider in self.page.locator("form.aiming input").all()[:2]:
                for _ in range(self.rng.randrange(4)):
                    slider.press(self.rng.choice(("ArrowLeft", "ArrowRight", "PageUp")))
        return self.click("form.aiming .throw:not([disabled])")

    def types(self) -> bool:
        """Do something by the text view's line alone."""
        offered = self.page.locator(".actions li").count()
        if not offered:
            return False
        self.page.locator("#command").fill(str(self.rng.randrange(offered) + 1))
        self.page.keyboard.press("Enter")
        self.page.wait_for_timeout(30)
        return True
