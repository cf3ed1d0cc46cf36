"""How many lines of play there are, to a depth: known numbers, counted by the engine and by plainer means.

Each position is a line of play from the first state. Chance counts like a mover: all that may happen.
"""

import copy
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from typing import Any

import pytest

import archipel
from archipel import OVER, State
from tests.referee import Referee, kahuna, stonehenge
from tests.variants import played

Position = tuple[dict[str, Any], str, list[int]]

AUTO: dict[str, Any] = {"claims": "auto"}
MANUAL: dict[str, Any] = {"claims": "manual"}
HIDDEN: dict[str, Any] = {"hidden": True}

HALF_FULL = "6@K, 6@D, 5@G, 5@L, 4@B, 4@M, 3@H, 3@F, 2@C, 2@Q"
CROWDED = "6@F, 1@G, 1@A, 6@B, 1@D, 5@E, 2@J, 4@K, 2@N, 3@M, 3@O, 2@P"
LATE = HALF_FULL + ", 1@E, 1@P, 1@J, 1@I"
LEVEL = "6@A, done, 6@B, done, 5@J, done, 1@O, done, 4@N, done"  # AB is seat 0's: seat 1 placed last

STONEHENGE: list[Position] = [
    (AUTO, "", [108, 11016, 969408]),
    (HIDDEN, "", [108, 11016, 969408]),
    (MANUAL, "", [108, 114, 11022, 12390]),
    (AUTO, HALF_FULL, [24, 504, 7020, 78305]),
    (HIDDEN, HALF_FULL, [24, 504, 7056, 82320]),
    (AUTO, CROWDED, [18, 270, 2152]),
    (HIDDEN, CROWDED, [18, 270, 2160]),
    (MANUAL, CROWDED.replace(",", ", done,") + ", done", [22, 190, 1374]),
    (AUTO, LATE, [8, 42, 84, 17]),
    (HIDDEN, LATE, [8, 48, 96, 70]),
    (MANUAL, LATE.replace(",", ", done,") + ", done", [14, 141, 1159, 8233]),
    (MANUAL, LEVEL, [65, 94, 2582, 19842]),
]

DEALT = "deal ALOA, deal BARI, deal COCO, deal DUDA, deal ELAI, deal FAAA, deal GOLA, deal HUNA, deal IFFI"
BUILT = (
    "deal HUNA, deal DUDA, deal LALE, deal ALOA, deal HUNA, deal ALOA, deal GOLA, deal JOJO, deal KAHU, "
    "HUNA>ALOA, DUDA>HUNA, draw GOLA, deal LALE"
)
DOUBLES = "deal ELAI, deal HUNA, deal HUNA, deal ALOA, deal BARI, deal KAHU, deal LALE, deal LALE, deal JOJO"
OPENING = f"{DOUBLES}, ELAI>IFFI, draw deck, deal DUDA, ALOA>HUNA, BARI>ELAI, draw LALE, deal ALOA"
CUT = BUILT + ", x ALOA-HUNA (ALOA ALOA)"

KAHUNA: list[Position] = [
    ({"edition": "iello"}, "", [12, 144, 1716, 20196]),
    ({"edition": "iello"}, DEALT, [20, 241, 3217, 46179]),
    ({"edition": "tilsit"}, DEALT, [19, 252, 3012, 40608]),
    ({"edition": "iello"}, DOUBLES, [17, 182, 2099]),
    ({"edition": "iello"}, OPENING, [16, 158, 1587]),
    ({"edition": "tilsit"}, OPENING, [15, 159, 1505]),
    ({"edition": "iello", "guarded": True, "open_cards": True}, OPENING, [16, 159, 1600]),
    ({"edition": "iello"}, BUILT, [14, 123, 1206, 12172]),
    ({"edition": "tilsit"}, BUILT, [13, 119, 1062, 10076]),
    ({"edition": "iello"}, BUILT + ", discard ALOA", [7, 61, 706, 6530]),
    ({"edition": "tilsit"}, BUILT + ", discard ALOA, draw JOJO", [9, 116, 975, 9458]),
    ({"edition": "iello", "guarded": True}, CUT, [10, 77, 857, 8108]),
    ({"edition": "tilsit", "guarded": True, "open_cards": True}, CUT, [10, 64, 696, 6792]),
    ({"edition": "iello", "handicap": [0, 3]}, DEALT, [27, 702, 17550]),
    ({"edition": "iello", "handicap": [0, 2]}, DOUBLES, [27, 702, 11674]),
]


def at(name: str, options: dict[str, Any], line: str) -> State:
    """The state that a line of play leads to."""
    state = archipel.game(name, **options).new()
    for text in line.split(", ") if line else ():
        state = state.after(state.parse(text))
    return state


def judged(name: str, options: dict[str, Any], line: str) -> Referee:
    """The same position in the hands of the tests' own referee."""
    referee: Referee = (kahuna if name == "kahuna" else stonehenge).Referee(**options)
    state = archipel.game(name, **options).new()
    for text in line.split(", ") if line else ():
        action = state.parse(text)
        referee.play(state.decode(action))
        state = state.after(action)
    return referee


def perft(state: State, depth: int) -> int:
    """How many lines of play of this many actions there are."""
    actions = state.actions()
    if depth == 1:
        return len(actions)
    return sum(perft(state.after(action), depth - 1) for action in actions)


def plain_perft(referee: Referee, depth: int) -> int:
    """The same by the referee."""
    legal = [] if referee.mover == OVER else referee.legal() or []
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = copy.deepcopy(referee)
        after.play(action)
        total += plain_perft(after, depth - 1)
    return total


@pytest.mark.parametrize(("options", "line", "counts"), STONEHENGE)
def test_stonehenge(options: dict[str, Any], line: str, counts: list[int]) -> None:
    state = at("stonehenge", options, line)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("options", "line", "counts"), KAHUNA)
def test_kahuna(options: dict[str, Any], line: str, counts: list[int]) -> None:
    state = at("kahuna", options, line)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("name", "position"),
    [*(("stonehenge", position) for position in STONEHENGE), *(("kahuna", position) for position in KAHUNA)],
)
def test_the_referee_counts_the_same(name: str, position: Position) -> None:
    options, line, counts = position
    few = [count for count in counts[:3] if count < 20_000]
    assert [plain_perft(judged(name, options, line), depth) for depth in range(1, len(few) + 1)] == few


# The first depths by arithmetic.


def hands(placed: int) -> int:
    """In how many ways a seat can choose so many values one after the other: no more than it has of each."""
    total = 0
    for values in combinations_with_replacement(range(6), placed):
        copies = [values.count(value) for value in range(6)]
        if all(count <= (2 if value < 3 else 1) for value, count in enumerate(copies)):
            total += factorial(placed) // prod(map(factorial, copies))
    return total


@pytest.mark.parametrize("options", [AUTO, HIDDEN])
def test_stonehenge_by_arithmetic(options: dict[str, Any]) -> None:
    """Cells are taken one by one, and each seat plays from its own hand; nobody wins so soon."""
    start = at("stonehenge", options, "")
    for depth in (1, 2, 3):
        cells = prod(range(18, 18 - depth, -1))
        assert perft(start, depth) == cells * hands((depth + 1) // 2) * hands(depth // 2)


def test_the_first_deals_of_kahuna_by_arithmetic() -> None:
    """Ordered draws from twelve pairs: all but those with three of a kind."""
    start = at("kahuna", {}, "")
    assert perft(start, 3) == 12**3 - 12
    assert perft(start, 4) == 12**4 - 12 * (4 * 11) - 12


# Stonehenge's board looks the same from six sides.


FAMILIES = (
    ("AB", "CDE", "FGHI", "JKLMN", "OPQR"),
    ("NR", "IMQ", "EHLP", "BDGKO", "ACFJ"),
    ("JO", "FKP", "CGLQ", "ADHMR", "BEIN"),
)
LINES = [line for family in FAMILIES for line in family]


def where(cell: str) -> tuple[int, ...]:
    """A cell by the place of its line in each family of parallels."""
    return tuple(next(i for i, line in enumerate(family) if cell in line) for family in FAMILIES)


CELL_AT = {where(cell): cell for cell in "ABCDEFGHIJKLMNOPQR"}
TURNS = [
    {cell: CELL_AT[place[a], place[b], place[c]] for place, cell in CELL_AT.items()}
    for a, b, c in permutations(range(3))
]


def turned_line(line: str, turn: dict[str, str]) -> str:
    return next(other for other in LINES if set(other) == {turn[cell] for cell in line})


def turned(state: State, turn: dict[str, str]) -> State:
    """The same position with the board turned or mirrored."""
    drawn = state.snapshot()
    drawn["cells"] = {turn[cell]: druid for cell, druid in drawn["cells"].items()}
    for key in ("megaliths", "last"):
        drawn[key] = {turned_line(line, turn): seat for line, seat in drawn[key].items()}
    if "revealed" in drawn:
        drawn["revealed"] = sorted(turn[cell] for cell in drawn["revealed"])
    return state.game.restore(drawn)


def test_there_are_six_turns() -> None:
    assert len({tuple(turn.items()) for turn in TURNS}) == 6
    for turn in TURNS:
        assert sorted(turned_line(line, turn) for line in LINES) == sorted(LINES)


@pytest.mark.parametrize("options", [AUTO, MANUAL, HIDDEN])
def test_a_turned_board_plays_the_same(options: dict[str, Any]) -> None:
    for seed in range(4):
        for state, action in list(played(archipel.game("stonehenge", **options), seed))[3:-1:4]:
            for turn in TURNS:
                other = turned(state, turn)
                assert (other.mover, other.scores) == (state.mover, state.scores)
                assert perft(other, 2) == perft(state, 2)
                said = state.decode(action)
                if "cell" in said:
                    said["cell"] = turn[said["cell"]]
                if "line" in said:
                    said["line"] = turned_line(said["line"], turn)
                assert other.after(other.encode(said)) == turned(state.after(action), turn)


@pytest.mark.parametrize("options", [AUTO, HIDDEN])
def test_four_deep_from_the_empty_board(options: dict[str, Any]) -> None:
    """One first cell of each kind stands for all that a turn of the board makes of it."""
    start = at("stonehenge", options, "")
    kinds = {min(turn[cell] for turn in TURNS): {turn[cell] for turn in TURNS} for cell in CELL_AT.values()}
    total = 0
    for cell, alike in kinds.items():
        for value in range(1, 7):
            total += len(alike) * perft(start.after(start.parse(f"{value}@{cell}")), 3)
    assert total == prod(range(15, 19)) * hands(2) ** 2 == 79_976_160
