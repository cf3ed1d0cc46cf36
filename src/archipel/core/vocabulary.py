"""The names of a game's actions: numbers inside the engine, JSON and notation outside."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .errors import AmbiguousAction, InvalidAction, quoted, sentence

Json = dict[str, Any]
IsLegal = Callable[[int], bool]
_AROUND = re.compile(r" ?([@>()-]) ?")
"""Characters that need no spaces around them: `6 @ k` is `6@K`."""
_sorted = json.JSONEncoder(sort_keys=True).encode


class Vocabulary(Protocol):
    """Translates between an action's number, its JSON and its notation."""

    def encode(self, action: Any) -> int: ...
    def decode(self, action: int) -> Json: ...
    def notation(self, action: int) -> str: ...
    def parse(self, text: str, is_legal: IsLegal) -> int: ...
    def __len__(self) -> int: ...


def verb(action: Any, verbs: Iterable[str]) -> str:
    """Return the verb of a JSON action; InvalidAction if it has none of `verbs`."""
    if not isinstance(action, dict) or "do" not in action:
        raise InvalidAction('An action is a JSON object with its verb in "do".')
    if not isinstance(action["do"], str) or action["do"] not in verbs:
        raise InvalidAction(
            sentence(
                "{verb} is not an action here; the verbs are {verbs}.",
                verb=quoted(action["do"]),
                verbs=", ".join(verbs),
            )
        )
    return action["do"]


def tidy(text: Any) -> str:
    """Normalise notation for comparison: case and spaces do not matter."""
    if not isinstance(text, str):
        raise InvalidAction(sentence("Notation is text, not {kind}.", kind=type(text).__name__))
    return _AROUND.sub(r"\1", " ".join(text.casefold().split()))


class Table:
    """A vocabulary that lists every action as JSON with its notation.

    `shorts` are abbreviations that may mean several actions; parsing chooses the legal one.
    """

    def __init__(self, names: Iterable[tuple[Json, str]], shorts: Iterable[tuple[str, int]] = ()) -> None:
        names = list(names)
        self._json = [json.dumps(action) for action, _ in names]
        self._notation = [text for _, text in names]
        self._by_json = {_sorted(action): i for i, (action, _) in enumerate(names)}
        self._by_notation = {tidy(text): i for i, text in enumerate(self._notation)}
        self._shorts: dict[str, list[int]] = {}
        for short, i in shorts:
            self._shorts.setdefault(tidy(short), []).append(i)
        self._keys: dict[str, list[str]] = {}
        for action, _ in names:
            takes = " and ".join(key for key in action if key != "do") or "nothing else"
            known = self._keys.setdefault(action["do"], [])
            if takes not in known:
                known.append(takes)

    def __len__(self) -> int:
        return len(self._json)

    def encode(self, action: Any) -> int:
        """Return the action's number; InvalidAction if there is no such action."""
        do = verb(action, self._keys)
        try:
            known = self._by_json.get(_sorted(action))
        except (TypeError, ValueError, RecursionError):
            known = None
        if known is None:
            takes = ", or ".join(self._keys[do])
            raise InvalidAction(sentence("There is no such {verb}: it takes {takes}.", verb=repr(do), takes=takes))
        return known

    def decode(self, action: int) -> Json:
        """Return the action as JSON that the caller may modify."""
        known: Json = json.loads(self._json[action])
        return known

    def notation(self, action: int) -> str:
        """The action in notation."""
        return self._notation[action]

    def parse(self, text: str, is_legal: IsLegal) -> int:
        """Return the action that a notation means."""
        tidied = tidy(text)
        if tidied in self._by_notation:
            return self._by_notation[tidied]
        meanings = self._shorts.get(tidied)
        if meanings is None:
            raise InvalidAction(
                sentence(
                    "{text} is not notation for anything; for example: {examples}.",
                    text=quoted(text),
                    examples=self._examples(),
                )
            )
        legal = [i for i in meanings if is_legal(i)] or meanings
        if len(legal) > 1:
            meant = [self._notation[i] for i in legal]
            raise AmbiguousAction(sentence("{text} may mean {meant}.", text=quoted(text), meant=meant))
        return legal[0]

    def _examples(self) -> str:
        seen: dict[str, str] = {}
        for text, notation in zip(self._json, self._notation, strict=True):
            seen.setdefault(json.loads(text)["do"], notation)
        return ", ".join(seen.values())
