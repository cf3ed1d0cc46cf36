"""Somebody in front of a browser, who plays by what the page shows: clicks, keys or typed words."""

import json
import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TooLate

WEB = Path(__file__).parents[2] / "web"
SCREENS = WEB / "build" / "screens"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
PATIENCE = 120_000
"""How many milliseconds anything may take: the machine may be busy."""
STILL = "document.getAnimations().every((one) => one.playState !== 'running')"
FORGIVEN = ("WebSocket connection", "404 (Not Found)", "Service Worker registration blocked")
"""What a browser says by itself when a server is away, or a link is dead."""


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
        **more: Any,
    ) -> None:
        self.url = url
        self.locale = locale
        self.rng = random.Random(locale)
        viewport: Any = size
        usual: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": motion}
        context = browser.new_context(viewport=viewport, locale=locale, **(usual | more))
        context.set_default_timeout(PATIENCE)
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

    def opens(self, game: str, company: str = "bot", name: str = "Anna", /, **chosen: Any) -> None:
        """Make a table with these options, and sit down at it."""
        self.go(f"/new/{game}")
        self.page.locator("form select").first.wait_for()
        self.page.locator("form input").first.fill(name)
        self.page.locator(f"input[value={company}]").check()
        if company == "bot":
            self.page.locator("label.field select").first.select_option(index=0)
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
            self.page.locator(f"#option-{option}").select_option(value=json.dumps(value))

    def invites(self) -> str:
        """A link for the first open seat."""
        self.page.locator(".waiting button.main").first.click()
        return self.page.locator(".link input").first.input_value()

    # At the table.

    def texts(self) -> None:
        """Turn to the text view, or back to the board."""
        self.page.locator(".bar button").first.click()

    @property
    def over(self) -> bool:
        return self.page.locator(".over").count() > 0

    def plays_until(self, selector: str) -> None:
        """At Krakatoa: keep the nine and take the first set, until there is this."""
        for _ in range(3000):
            if self.page.locator(selector).count():
                return
            if not self.click(".tray .deeds .main") and not self.click("button.set.may"):
                self.page.wait_for_timeout(50)
        raise AssertionError(f"There is no {selector}.")

    def until_over(self, act: Any, actions: int = 3000) -> int:
        """Act whenever something can be done, until the game is over; how often that was."""
        done = 0
        for _ in range(actions):
            if self.over:
                return done
            if act():
                done += 1
            else:
                self.page.wait_for_timeout(40)
        raise AssertionError("The game does not end.")

    def click(self, selector: str) -> bool:
        """Click one of these, if there is any, and if it stays long enough."""
        found = self.page.locator(selector)
        count = found.count()
        if count == 0:
            return False
        try:
            found.nth(self.rng.randrange(count)).click(force=True, timeout=PATIENCE / 60)
        except TooLate:
            return False
        self.page.wait_for_timeout(30)
        return True

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
