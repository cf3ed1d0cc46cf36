"""The words for a game's actions, written once and shared by every table that plays it."""

import json
from collections import defaultdict
from functools import lru_cache
from typing import Any

import msgspec

from archipel.core import registry
from archipel.core.game import Game
from archipel.core.state import State
from archipel.core.vocabulary import Vocabulary

from .protocol import Legal

_MOST = 4096
"""How many actions of one vocabulary are kept: all of most, and the last ones where they are countless."""


class Words:
    """One game with its options, and what its actions are called."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: defaultdict[Vocabulary, dict[int, Legal]] = defaultdict(dict)
        self._numbers: defaultdict[Vocabulary, dict[bytes, int]] = defaultdict(dict)
        self._alike: dict[tuple[int, int, tuple[str, ...]], tuple[int, ...]] = {}

    def of(self, state: State, action: int) -> Legal:
        """An action's JSON and notation."""
        vocabulary = self.game.vocabulary(state)
        return self._known[vocabulary].get(action) or self._learned(vocabulary, action)

    def _learned(self, vocabulary: Vocabulary, action: int) -> Legal:
        words = Legal(msgspec.Raw(msgspec.json.encode(vocabulary.decode(action))), vocabulary.notation(action))
        _remember(self._known[vocabulary], action, words)
        _remember(self._numbers[vocabulary], bytes(words.action), action)
        return words

    def number(self, state: State, action: msgspec.Raw) -> int:
        """The number of an action that the log gives as JSON; InvalidAction if it is none here."""
        known, text = self._numbers[self.game.vocabulary(state)], bytes(action)
        number = known.get(text)
        if number is None:
            number = state.encode(msgspec.json.decode(action))
            _remember(known, text, number)
        return number

    def alike(self, state: State, action: int, unseen: tuple[str, ...]) -> tuple[int, ...]:
        """The actions that differ from this one in nothing but the values of these keys of their JSON."""
        vocabulary = self.game.vocabulary(state)
        key = id(vocabulary), action, unseen
        known = self._alike.get(key)
        if known is None:
            wanted = _without(vocabulary.decode(action), unseen)
            all_ = range(len(vocabulary))
            known = tuple(other for other in all_ if _without(vocabulary.decode(other), unseen) == wanted)
            self._alike[key] = known
        return known

    def legal(self, state: State) -> list[Legal]:
        """What the mover may do."""
        vocabulary = self.game.vocabulary(state)
        known = self._known[vocabulary]
        return [known.get(action) or self._learned(vocabulary, action) for action in state.actions()]


def _remember(known: dict[Any, Any], key: object, value: object) -> None:
    known[key] = value
    if len(known) > _MOST:
        known.pop(next(iter(known)), None)


def _without(action: dict[str, object], keys: tuple[str, ...]) -> dict[str, object]:
    return {key: None if key in keys else value for key, value in action.items()}


def words(name: str, options: dict[str, object]) -> Words:
    """The words of a game; ValueError if there is none such."""
    try:
        return _words(name, json.dumps(options, sort_keys=True))
    except (TypeError, RecursionError):
        raise ValueError("Options are a JSON object of a few values.") from None


@lru_cache(maxsize=512)
def _words(name: str, options: str) -> Words:
    game = registry.game(name, **json.loads(options))
    return Words(game)
