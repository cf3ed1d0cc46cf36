"""The static house in a real browser with the network off: whole games, reloads, imports and troubles."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from .person import DESK, Person
from .static import House

PHONE = {"width": 390, "height": 664}
AT_ONCE = "localStorage.setItem('archipel-settings', JSON.stringify({ bots: 'instant', throws: 'off' }))"

Visit = Callable[..., Person]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("static"))
    yield made
    made.stop()


@pytest.fixture
def visits(launched: Callable[..., Browser], house: House, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Somebody comes to the house once, and then has no network; in the end no browser has complained."""
    came: list[Person] = []

    def visit(size: dict[str, int] = PHONE, locale: str = "en", scheme: str = "light", **more: Any) -> Person:
        draws = f"{request.node.nodeid} {len(came)}"
        came.append(Person(launched(), house.url, size, locale, scheme, draws=draws, **more))
        came[-1].page.add_init_script(AT_ONCE)
        came[-1].go("/")
        came[-1].page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        came[-1].page.context.set_offline(True)
        return came[-1]

    yield visit
    complaints = [complaint for person in came for complaint in person.complaints]
    for person in came:
        person.page.context.close()
    assert complaints == []


def plays(anna: Person, moves: int) -> None:
    """Make so many moves, or play to the end."""
    left = iter(range(moves))
    anna.acts_until(lambda: anna.over or next(left, None) is None, anna.acts_on_board)


@pytest.mark.parametrize(
    ("game", "size", "locale"),
    [("kahuna", PHONE, "fr"), ("stonehenge", DESK, "en"), ("kula_kula", DESK, "fr"), ("krakatoa", PHONE, "en")],
)
def test_a_whole_game_against_the_strongest_level_offline(
    visits: Visit, game: str, size: dict[str, int], locale: str
) -> None:
    anna = visits(size, locale)
    anna.opens(game, level=4)
    plays(anna, 4)
    anna.page.reload()
    anna.page.locator("div.frame").wait_for()
    anna.until_over(anna.acts_on_board)
    anna.shot(f"static-{game}-over")
    assert anna.page.locator(".refused").count() == 0


@pytest.mark.parametrize(
    ("game", "size", "locale", "options"),
    [
        ("stonehenge", PHONE, "fr", {"hidden": True}),
        ("krakatoa", DESK, "en", {"game": "basic"}),
    ],
)
def test_a_whole_game_on_one_screen_offline(
    visits: Visit, game: str, size: dict[str, int], locale: str, options: dict[str, Any]
) -> None:
    anna = visits(size, locale, "dark")
    anna.opens(game, "here", **options)

    def act() -> bool:
        return anna.click(".curtain button") or anna.acts_on_board()

    left = iter(range(4))
    anna.acts_until(lambda: next(left, None) is None, act)
    anna.page.reload()
    anna.page.locator("div.frame, .curtain").first.wait_for()
    anna.until_over(act)
    anna.shot(f"static-{game}-one-screen")
    assert anna.page.locator(".refused").count() == 0
