"""Errors: refusals as one clear sentence that can be translated, with the rule behind it."""

import reprlib
from typing import Any

LANGUAGES = ("en", "fr")
"""The languages of sentences, rules pages and messages."""


class Sentence(str):
    """An English sentence that keeps its template (`template`) and the values inserted into it, so that it can be
    translated."""

    __slots__ = ("gaps", "template")

    template: str
    gaps: dict[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _filled, (self.template, self.gaps)


def sentence(template: str, /, **gaps: Any) -> Sentence:
    """Fill in a template, as in ``"You do not hold {card}."``. A list as a value means any of its items."""
    return _filled(template, {name: gap if isinstance(gap, list) else str(gap) for name, gap in gaps.items()})


def _filled(template: str, gaps: dict[str, Any]) -> Sentence:
    read = {name: " or ".join(gap) if isinstance(gap, list) else gap for name, gap in gaps.items()}
    filled = Sentence(template.format_map(read))
    filled.template, filled.gaps = template, gaps
    return filled


class InvalidAction(ValueError):
    """Text or JSON that is not an action of this game at all."""


class AmbiguousAction(InvalidAction):
    """Text that could mean several legal actions; the message lists them."""


class IllegalAction(ValueError):
    """An action that the rules do not allow now.

    `reason` is a sentence for the player; `rule` names the rule's anchor in the game's rules page, as in
    ``"kahuna.hand-limit"``.
    """

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule

    def __reduce__(self) -> tuple[type["IllegalAction"], tuple[str, str]]:
        return type(self), (self.reason, self.rule)


class RecordError(ValueError):
    """A record of a game that is damaged, incomplete or against the rules."""


class _Quotation(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 4, 60, 60

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < 128 else "a huge number"


_QUOTATION = _Quotation()


def quoted(value: Any) -> str:
    """Return a value as a sentence quotes it, shortened: input may be of any length and depth."""
    return _QUOTATION.repr(value)
