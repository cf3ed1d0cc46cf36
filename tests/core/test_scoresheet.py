"""Games as text: written and read back, many in a file, damaged in every way that chance finds."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import archipel
from archipel.core.errors import RecordError
from archipel.core.record import Record
from archipel.core.scoresheet import Damaged, Move, Scoresheet, is_text, read, read_all, write_all
from archipel.core.state import State
from tests.variants import EVERY, chosen, played

STONEHENGE = """[Archipel "1"]
[Game "stonehenge"]
[Player0 "Ann"]
[Player1 "chief"]
[Event "A \\"club\\" evening"]
[Result "*"]

{An opening.} 1. 6@K; 5@D; {the centre} ( 4@G; {why not?} 5@H; ( 4@H; ) )
3. 4 @ l; 6@h;
"""


def sheet(name: str, options: dict[str, Any], seed: int) -> Scoresheet:
    steps = list(played(archipel.game(name, **options), seed))
    states, actions = [state for state, _ in steps], [action for _, action in steps[:-1]]
    return Scoresheet.of(Record.of(states, actions), Date="2026-11-18")


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_a_game_is_written_and_read_back(name: str, options: dict[str, Any]) -> None:
    whole = sheet(name, options, seed=1)
    again = read(whole.text())
    assert again == whole
    assert again.record().check().mover == archipel.OVER
    assert max(map(len, whole.text().splitlines()[8:])) <= 100


def test_comments_variations_and_headers_are_read() -> None:
    found = read(STONEHENGE)
    state = archipel.game("stonehenge").new()
    assert found.comment == "An opening."
    assert found.headers == {"Event": 'A "club" evening'}
    assert found.players == ["Ann", "chief"]
    assert [state.notation(move.action) for move in found.moves] == ["6@K", "5@D", "4@L", "6@H"]
    second = found.moves[1]
    assert second.comment == "the centre"
    ((first, then),) = second.variations
    assert (state.notation(first.action), first.comment) == ("4@G", "why not?")
    assert [[state.notation(move.action) for move in line] for line in then.variations] == [["4@H"]]
    assert read(found.text()) == found


@st.composite
def annotated(draw: st.DrawFn) -> Scoresheet:
    """A game with comments of any text, and variations within variations."""
    name, options = draw(st.sampled_from([("stonehenge", {}), ("kahuna", {"guarded": True}), ("krakatoa", {})]))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    text = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=12)

    def line(state: State, length: int, depth: int) -> list[Move]:
        moves = []
        for _ in range(length):
            if state.mover == archipel.OVER:
                break
            others = [
                line(state, draw(st.integers(1, 3)), depth + 1)
                for _ in range(draw(st.integers(0, 1)) if depth < 3 else 0)
            ]
            action = chosen(state, rng)
            moves.append(Move(action, draw(text).strip("\n"), others))
            state = state.after(action)
        return moves

    game = archipel.game(name, **options)
    moves = line(game.new(), draw(st.integers(1, 12)), 0)
    headers = draw(st.dictionaries(st.from_regex(r"Note[0-9]{0,3}", fullmatch=True), text, max_size=3))
    return Scoresheet(game.name, game.options, moves, [], headers, draw(text).strip("\n"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(annotated())
def test_any_scoresheet_is_read_back_as_it_was(whole: Scoresheet) -> None:
    assert read(whole.text()) == _single_lined(whole)


def _single_lined(whole: Scoresheet) -> Scoresheet:
    """Every kind of line break but \\n is read as a space, as everywhere in the text."""
    for move in _all(whole.moves):
        move.comment = _plain(move.comment)
    whole.comment = _plain(whole.comment)
    return whole


def _all(moves: list[Move]) -> list[Move]:
    return [found for move in moves for found in (move, *(m for line in move.variations for m in _all(line)))]


def _plain(text: str) -> str:
    return "\n".join(" ".join(line.splitlines()) for line in text.split("\n")).strip("\n")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_damage_is_one_sentence_and_nothing_else(data: st.DataObject) -> None:
    text = STONEHENGE
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 8))
        put = data.draw(
            st.sampled_from(["", "(", ")", "{", "}", ";", "[", "]", '"', "\\", "\n", "6@K;", "é", "\x00", "9" * 30])
        )
        text = text[:at] + put + text[at + cut :]
    for found in _tried(text):
        if isinstance(found, Damaged):
            assert re.fullmatch(r"Line \d+: .+\.", str(found.error))
        else:
            assert read(found.text()) == found


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_any_text_at_all(text: str) -> None:
    for found in _tried(f'[Archipel "1"]\n[Game "stonehenge"]\n{text}'):
        assert isinstance(found, Scoresheet | Damaged)


def _tried(text: str) -> list[Scoresheet | Damaged]:
    """All games of a text; none if nothing is left of it."""
    return list(read_all(text)) if text.strip("\ufeff \t\r\n\x0b\x0c") else []


def test_one_damaged_game_of_many_is_named_and_the_rest_goes_on() -> None:
    games = [sheet("stonehenge", {}, seed) for seed in range(3)]
    texts = [game.text() for game in games]
    texts[1] = texts[1].replace("[Options", "[Option", 1).replace("; ", "; 9@Z; ", 1)
    first, damaged, last = read_all("\n".join(texts))
    assert (first, last) == (games[0], games[2])
    assert isinstance(damaged, Damaged)
    assert damaged.line == texts[0].count("\n") + 2
    assert "'9@Z' cannot be played" in str(damaged.error)
    assert list(read_all(write_all(games))) == games


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "One game is wanted, but the text holds 0"),
        (STONEHENGE + STONEHENGE, "One game is wanted, but the text holds 2"),
        ("6@K;", r'Line 1: a game begins with \[Archipel "1"\]'),
        ('[Archipel "2"]', r'a game begins with \[Archipel "1"\]'),
        ('[Archipel "1"]', "the header Game is missing"),
        ('[Archipel "1"]\n[Game "chess"]', "Line 1: the game cannot be set up: There is no game 'chess'"),
        ('[Archipel "1"]\n[Game "kahuna"]\n[Game "kahuna"]', "the header Game is there twice"),
        ('[Archipel "1"]\n[Game "kahuna"]\n[Options "[]"]', "Options must hold a JSON object"),
        ('[Archipel "1"]\n[Game "kahuna"]\n[Player1 "Ann"]', "the players must be numbered from 0"),
        ('[Archipel "1"]\n[Game "kahuna"]\n[Player0 "Ann"]', "1 players are named for 2 seats"),
        ('[Archipel "1"]\n[Game "stonehenge"]\n[broken]', r"a header is written \[Name"),
        (STONEHENGE.replace('"*"', '"0"'), "the result is said to be '0', but the moves lead to '\\*'"),
        (STONEHENGE.replace("6@h;", "6@h"), "'6@h' is no move that ends with ';'"),
        (STONEHENGE.replace("4 @ l;", "\n6@K;"), "Line 10: '6@K' cannot be played: Cell K is taken"),
        (STONEHENGE.replace("1. 6@K;", "( 6@K;"), "a variation follows the move that it replaces"),
        (STONEHENGE.replace("; ) )", "; ) ) )"), "a variation that is empty or not open is closed"),
        (STONEHENGE + "( 4@H;", "a variation is not closed"),
        (STONEHENGE.replace("6@K;", "6@K;" + "( 5@K;" * 33), "more than 32 variations lie within each other"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        read(text)


def test_a_record_may_be_loaded_from_either_form(tmp_path: Any) -> None:
    whole = sheet("kula_kula", {"turn_limit": 5}, seed=4)
    whole.save(tmp_path / "game.agn")
    whole.record().save(tmp_path / "game.json")
    assert is_text((tmp_path / "game.agn").read_bytes())
    assert Record.load(tmp_path / "game.agn") == Record.load(tmp_path / "game.json") == whole.record()
    (tmp_path / "broken.agn").write_text('[Archipel "1"]\n[Game "chess"]\n')
    with pytest.raises(RecordError, match=r"broken\.agn is not a record: Line 1: the game cannot be set up"):
        Record.load(tmp_path / "broken.agn")
