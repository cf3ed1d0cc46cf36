"""A server and a browser for the tests that look at real pages: the system's Chromium, or the one that is named."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from .person import PHONE, Person
from .server import Server

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
CLIENT = Path(__file__).parents[2] / "src" / "archipel" / "table" / "client" / "index.html"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert CLIENT.is_file(), "build the client first: make client"
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


Enter = Callable[..., Person]


@pytest.fixture
def enters(chromium: Browser, server: Server) -> Iterator[Enter]:
    """Somebody comes; in the end nobody's browser has complained."""
    came: list[Person] = []

    def enter(size: dict[str, int] = PHONE, locale: str = "en", scheme: str = "light", **more: Any) -> Person:
        came.append(Person(chromium, server.url, size, locale, scheme, **more))
        return came[-1]

    yield enter
    complaints = [complaint for person in came for complaint in person.complaints]
    for person in came:
        person.page.context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
