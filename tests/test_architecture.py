"""The page about the architecture shows what is so: packages, and the paths that things take through them."""

import pytest

from . import architecture
from .architecture import MOST, PAGE, PATHS, PICTURE, Stop


@pytest.fixture(scope="module")
def traced() -> dict[str, list[Stop]]:
    return architecture.traces()


def test_the_page_shows_the_paths_as_they_are(traced: dict[str, list[Stop]]) -> None:
    shown, now = architecture.rows(PAGE.read_text("utf-8")), architecture.rows(architecture.page(traced))
    assert shown.keys() == PATHS.keys()
    assert shown == now, "write it anew: python -m tests.architecture"


def test_the_page_shows_the_packages_as_they_are() -> None:
    assert architecture.diagram() == PICTURE.read_text("utf-8"), "draw it anew: python -m tests.architecture"


def test_a_move_goes_through_few_modules_of_the_table(traced: dict[str, list[Stop]]) -> None:
    assert 0 < len(architecture.of_the_table(traced["A move"])) <= MOST


def test_a_move_is_written_by_the_store_once(traced: dict[str, list[Stop]]) -> None:
    store = [stop for stop in traced["A move"] if stop.module == "archipel.table.storage.store"]
    assert [(stop.lane, stop.calls) for stop in store] == [("loop", 1)]
    assert not any(stop.module == "archipel.table.play.hub" for stop in traced["A move"])
