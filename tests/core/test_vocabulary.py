"""Words for actions: both ways, capitals and spaces aside, and what happens when they mean several things."""

import re
from typing import Any

import pytest

import archipel
from archipel import AmbiguousAction, InvalidAction
from archipel.core.vocabulary import Table, tidy, verb
from archipel.games.kahuna import game as kahuna

ACTION_NAMES = Table(
    [
        ({"do": "go", "to": "north"}, "go North"),
        ({"do": "go", "to": "south"}, "go South"),
        ({"do": "take", "what": ["lamp", "rope"]}, "take lamp + rope"),
        ({"do": "wait"}, "wait"),
    ],
    shorts=[("go", 0), ("go", 1), ("take", 2), ("n", 0)],
)


def anything(action: int) -> bool:
    return True


def nothing(action: int) -> bool:
    return False


def test_numbers_json_and_notation() -> None:
    assert len(ACTION_NAMES) == 4
    for action in range(4):
        assert ACTION_NAMES.encode(ACTION_NAMES.decode(action)) == action
        assert ACTION_NAMES.parse(ACTION_NAMES.notation(action), nothing) == action


def test_the_order_of_keys_does_not_matter() -> None:
    assert ACTION_NAMES.encode({"to": "north", "do": "go"}) == 0


def test_decoded_json_is_the_callers_own() -> None:
    ACTION_NAMES.decode(2)["what"].clear()
    assert ACTION_NAMES.decode(2) == {"do": "take", "what": ["lamp", "rope"]}


@pytest.mark.parametrize("text", ["go north", "GO NORTH", "  go   North ", "go\tnorth", "n", "N"])
def test_capitals_and_spaces_do_not_matter(text: str) -> None:
    assert ACTION_NAMES.parse(text, anything) == 0


def test_a_short_form_means_what_is_legal() -> None:
    assert ACTION_NAMES.parse("go", lambda action: action == 1) == 1
    assert ACTION_NAMES.parse("take", nothing) == 2


def test_a_short_form_may_be_ambiguous() -> None:
    for is_legal in (anything, nothing):
        with pytest.raises(AmbiguousAction, match="'go' may mean go North or go South"):
            ACTION_NAMES.parse("go", is_legal)


@pytest.mark.parametrize("text", ["", "gonorth", "north", "go north!", "go north south", "\0", "wait wait"])
def test_words_that_mean_nothing(text: str) -> None:
    with pytest.raises(InvalidAction, match=r"is not notation for anything; for example: go North, take"):
        ACTION_NAMES.parse(text, anything)


@pytest.mark.parametrize("text", [None, 3, b"wait", ["wait"]])
def test_notation_is_text(text: Any) -> None:
    with pytest.raises(InvalidAction, match="Notation is text, not "):
        ACTION_NAMES.parse(text, anything)


def test_long_nonsense_is_shortened() -> None:
    with pytest.raises(InvalidAction) as caught:
        ACTION_NAMES.parse("x" * 10_000, anything)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (None, 'An action is a JSON object with its verb in "do"'),
        ([], 'An action is a JSON object with its verb in "do"'),
        ({}, 'An action is a JSON object with its verb in "do"'),
        ({"DO": "wait"}, 'An action is a JSON object with its verb in "do"'),
        ({"do": "fly"}, "'fly' is not an action here; the verbs are go, take, wait"),
        ({"do": ["wait"]}, "is not an action here"),
        ({"do": None}, "None is not an action here"),
        ({"do": "wait", "long": True}, "There is no such 'wait': it takes nothing else"),
        ({"do": "go"}, "There is no such 'go': it takes to"),
        ({"do": "go", "to": "west"}, "There is no such 'go'"),
        ({"do": "go", "to": {"north"}}, "There is no such 'go'"),
        ({"do": "go", "to": "north", 3: 4}, "There is no such 'go'"),
        ({"do": "take", "what": ["rope", "lamp"]}, "There is no such 'take'"),
    ],
)
def test_json_that_is_no_action(action: Any, said: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        ACTION_NAMES.encode(action)
    assert said in str(caught.value)


def test_numbers_in_json_are_of_their_kind() -> None:
    table = Table([({"do": "put", "n": 1}, "put 1")])
    assert table.encode({"do": "put", "n": 1}) == 0
    for other in (True, 1.0, "1"):
        with pytest.raises(InvalidAction):
            table.encode({"do": "put", "n": other})


def test_a_verb_with_several_shapes_lists_them() -> None:
    table = Table([({"do": "build", "card": "A", "line": "AB"}, "A>B"), ({"do": "build", "line": "AB"}, "free AB")])
    with pytest.raises(InvalidAction, match="There is no such 'build': it takes card and line, or line"):
        table.encode({"do": "build"})


def test_verb_and_tidy() -> None:
    assert verb({"do": "go"}, ("go", "wait")) == "go"
    assert tidy("  Go   NORTH\n") == "go north"


@pytest.mark.parametrize("text", ["6 @ k", "6@ K", " 6  @k "])
def test_spaces_around_signs_do_not_matter(text: str) -> None:
    state = archipel.game("stonehenge").new()
    assert state.parse(text) == state.parse("6@K")


def test_every_notation_may_be_spaced_out() -> None:
    for action in range(len(kahuna.ACTION_NAMES)):
        spaced = re.sub(r"([@>()-])", r" \1 ", kahuna.ACTION_NAMES.notation(action))
        assert kahuna.ACTION_NAMES.parse(spaced, lambda _: True) == action
