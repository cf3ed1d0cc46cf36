"""The JSON and the notation of a game's actions, computed once and shared by all tables of the game."""

import json
from collections import defaultdict
from functools import lru_cache
from typing import Any

import msgspec

from archipel.core import registry
from archipel.core.game import Game
from archipel.core.state import State
from archipel.core.vocabulary import Vocabulary

from ..protocol import Legal

_MOST = 4096
"""How many actions of one vocabulary are cached: all of them in most games."""


class ActionNames:
    """One game with its options, and the names of its actions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: defaultdict[Vocabulary, dict[int, Legal]] = defaultdict(dict)
        self._numbers: defaultdict[Vocabulary, dict[bytes, int]] = defaultdict(dict)

    def of(self, state: State, action: int) -> Legal:
        """The JSON and notation of an action."""
        vocabulary = self.game.vocabulary(state)
        return self._known[vocabulary].get(action) or self._learned(vocabulary, action)

    def _learned(self, vocabulary: Vocabulary, action: int) -> Legal:
        name = Legal(msgspec.Raw(msgspec.json.encode(vocabulary.decode(action))), vocabulary.notation(action))
        _remember(self._known[vocabulary], action, name)
        _remember(self._numbers[vocabulary], bytes(name.action), action)
        return name

    def number(self, state: State, action: msgspec.Raw) -> int:
        """The number of an action that the log has as JSON; InvalidAction if there is no such action here."""
        known, text = self._numbers[self.game.vocabulary(state)], bytes(action)
        number = known.get(text)
        if number is None:
            number = state.encode(msgspec.json.decode(action))
            _remember(known, text, number)
        return number

    def legal(self, state: State) -> list[Legal]:
        """The names of the mover's legal actions."""
        vocabulary = self.game.vocabulary(state)
        known = self._known[vocabulary]
        return [known.get(action) or self._learned(vocabulary, action) for action in state.actions()]


def _remember(known: dict[Any, Any], key: object, value: object) -> None:
    known[key] = value
    if len(known) > _MOST:
        known.pop(next(iter(known)), None)


def action_names(name: str, options: dict[str, object]) -> ActionNames:
    """The action names of a game with these options; ValueError if there is no such game."""
    try:
        return _action_names(name, json.dumps(options, sort_keys=True))
    except (TypeError, RecursionError):
        raise ValueError("Options are a JSON object of a few values.") from None


@lru_cache(maxsize=512)
def _action_names(name: str, options: str) -> ActionNames:
    game = registry.game(name, **json.loads(options))
    return ActionNames(game)
