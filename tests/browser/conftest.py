"""A server and a browser for the tests that look at real pages: the system's Chromium, or the one that is named."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from .person import A_WHILE, PHONE, Person
from .server import Server

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
CLIENT = Path(__file__).parents[2] / "src" / "archipel" / "table" / "client" / "index.html"
expect.set_options(timeout=A_WHILE)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert CLIENT.is_file(), "build the client first: make client"
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


SOFTWARE_GL = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Three dimensions without a graphics card: slow, and the same everywhere."""
NO_GL = ("--disable-3d-apis",)

Enter = Callable[..., Person]


@pytest.fixture(scope="session")
def launched() -> Iterator[Callable[..., Browser]]:
    """Starts a browser, or gives the one that was started with the same words."""
    running: dict[tuple[str, ...], Browser] = {}
    with sync_playwright() as playwright:

        def launch(*words: str) -> Browser:
            if words not in running:
                args = ["--no-sandbox", *words]
                running[words] = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
            return running[words]

        yield launch
        for browser in running.values():
            browser.close()


@pytest.fixture(scope="session")
def chromium(launched: Callable[..., Browser]) -> Browser:
    return launched()


@pytest.fixture
def enters(launched: Callable[..., Browser], server: Server, request: pytest.FixtureRequest) -> Iterator[Enter]:
    """Somebody comes; in the end nobody's browser has complained."""
    came: list[Person] = []
    server.draw_from(request.node.nodeid)

    def enter(
        size: dict[str, int] = PHONE,
        locale: str = "en",
        scheme: str = "light",
        words: tuple[str, ...] = (),
        **more: Any,
    ) -> Person:
        draws = f"{request.node.nodeid} {len(came)}"
        came.append(Person(launched(*words), server.url, size, locale, scheme, draws=draws, **more))
        return came[-1]

    yield enter
    complaints = [complaint for person in came for complaint in person.complaints]
    for person in came:
        person.page.context.close()
    assert complaints == []
