"""Drawing: sound XML, whatever the words are, and something for those who see no colours or hear the picture."""

import itertools
from typing import Any
from xml.etree import ElementTree

import pytest

import archipel
from archipel.core import drawing
from tests.variants import EVERY, played

NASTY = "<b>&\"'</b> ]]> é 🌋"
SVG = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def test_tags() -> None:
    assert drawing.tag("rect", x=1, y=2.0, rx=1.25) == '<rect x="1" y="2" rx="1.2"/>'
    assert drawing.tag("g", "inside", class_="ink", stroke_width=3) == '<g class="ink" stroke-width="3">inside</g>'


def test_words_and_attributes_are_escaped() -> None:
    assert read(drawing.label(1, 2, NASTY)).text == NASTY
    assert read(drawing.tag("a", id=NASTY)).get("id") == NASTY
    assert read(drawing.document(10, 10, NASTY, [])).findtext(f"{SVG}title") == NASTY


def test_every_seat_has_a_shape_of_its_own() -> None:
    shapes = [read(drawing.token(0, 0, seat, 10)) for seat in range(5)]
    corners = [len(shape.get("points", "").split()) for shape in shapes]
    assert [shape.tag for shape in shapes] == ["circle"] + ["polygon"] * 4
    assert len(set(corners)) == 5
    assert [shape.get("class") for shape in shapes] == [f"seat{seat}" for seat in range(5)]


def test_a_token_may_bear_words() -> None:
    assert ">6</text>" in drawing.token(0, 0, 1, 20, 6)
    assert "text" not in drawing.token(0, 0, 1, 20)


def test_a_polygon_lies_flat() -> None:
    square = [tuple(map(float, corner.split(","))) for corner in drawing.polygon(0, 0, 10, 4).split()]
    assert {(abs(x), abs(y)) for x, y in square} == {(7.1, 7.1)}


def test_a_document_has_colours_for_light_and_dark() -> None:
    whole = drawing.document(320, 200, "A title", [drawing.label(1, 1, "words")], ".own{fill:none}")
    picture = read(whole)
    assert picture.get("viewBox") == "0 0 320 200"
    assert picture.get("role") == "img"
    style = picture.findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme:dark" in style
    assert ".own{fill:none}" in style
    assert "http" not in whole.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_pictures_of_whole_games(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    states = [state for state, _ in played(game)]
    for state in itertools.islice(states, 0, None, max(1, len(states) // 12)):
        for shown in (state.snapshot(), state.view(0), state.view(None)):
            picture = read(game.svg(shown))
            assert (picture.findtext(f"{SVG}title") or "").startswith(game.title)
            assert game.text(shown) == game.text(shown).rstrip()


def test_names_on_a_board_of_ones_own_are_escaped() -> None:
    ring = [{"space": 0, "island": NASTY, "kauri": 1}, {"space": 1, "number": 1}]
    game = archipel.game("kula_kula", board={"ring": ring, "starts": {"3": [NASTY] * 3}})
    assert NASTY.split(maxsplit=1)[0] in "".join(read(game.svg(game.new().snapshot())).itertext())
