"""Fair draws: the table binds itself to a seed before the deal, the seats add theirs, and anybody can check it later.

Before a game begins the table publishes SHA-256 of a salt and a seed. Each seat may add some text of its own. The
words of draw number d are HMAC-SHA256, keyed with the seed, of the seats' texts, d and a block number; each block
gives four words of 64 bits. What happens is drawn from them by rejection, so that every outcome has exactly its
chance. At the end salt and seed are shown.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from archipel.core import registry, rules
from archipel.core.errors import RecordError, quoted, sentence
from archipel.core.record import Record
from archipel.core.rules import CHANCE, TOO_MANY
from archipel.core.slow_chance import Computed, Draw, NotFair
from archipel.core.state import State

from .outcomes import Task, carry_out

WORD = 1 << 64
_WORD_BYTES = 8
_BLOCK = 64
_PADS = tuple(bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
TAKEN_OVER = -1
"""The number of a draw that was made at another table, from which this one branched."""
_SEED_BITS = 53


class Checked(NamedTuple):
    """A record whose draws are fair: how many were taken back, and what could not be checked, as a sentence."""

    taken_back: int
    note: str = ""


class Mac:
    """HMAC-SHA256 with one key. (The library's would let go of the interpreter for each, and wait to get it back.)"""

    def __init__(self, key: bytes) -> None:
        block = (key if len(key) <= _BLOCK else hashlib.sha256(key).digest()).ljust(_BLOCK, b"\0")
        self._inner, self._outer = (hashlib.sha256(block.translate(pad)) for pad in _PADS)

    def __call__(self, message: bytes) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


@dataclass(frozen=True)
class Lot:
    """What the draws of one game come from."""

    seed: bytes
    salt: bytes
    seeds: tuple[str, ...] = ()

    @classmethod
    def of(cls, secret: bytes, game: int, seeds: Sequence[str] = ()) -> "Lot":
        """That of a table's game of this number; from it no other game's can be told."""
        mac = Mac(secret)
        seed, salt = (mac(f"{word} {game}".encode()) for word in ("seed", "salt"))
        return cls(seed, salt, tuple(seeds))

    @property
    def commit(self) -> str:
        """The promise that is published before the game."""
        return hashlib.sha256(self.salt + self.seed).hexdigest()

    @cached_property
    def _shares(self) -> bytes:
        return json.dumps(self.seeds, ensure_ascii=True, separators=(",", ":")).encode()

    @cached_property
    def _mac(self) -> "Mac":
        return Mac(self.seed)

    def words(self, draw: int) -> Iterator[int]:
        """As many random words of 64 bits as the draw of this number needs."""
        block = 0
        while True:
            digest = self._mac(b"%b draw %d block %d" % (self._shares, draw, block))
            for at in range(0, len(digest), _WORD_BYTES):
                yield int.from_bytes(digest[at : at + _WORD_BYTES], "big")
            block += 1

    def first_words(self, draw: int) -> tuple[int, ...]:
        """The four words that a computed outcome is drawn from."""
        return tuple(islice(self.words(draw), 4))

    def draw(self, state: State, number: int) -> int:
        """What chance does in this state, by the draw of this number."""
        weights = np.empty(state.game.rules.outcomes, np.int64)
        n = rules.chances(state.game.facts, state._raw, weights)
        words = self.words(number)
        if n == TOO_MANY:
            # Too many outcomes to list: the first word seeds the generator that the game draws with.
            return rules.sample(state.game.facts, state._raw, next(words) >> (64 - _SEED_BITS))
        return _chosen(weights[:n].tolist(), words)

    def shown(self) -> dict[str, Any]:
        """What a record tells about it."""
        return {
            "commit": self.commit,
            "seed": self.seed.hex(),
            "salt": self.salt.hex(),
            "seeds": list(self.seeds),
        }


def below(words: Iterator[int], n: int) -> int:
    """A number from 0 to n-1, each exactly as likely: words beyond the last whole multiple of n are passed over."""
    limit = WORD - WORD % n
    return next(word for word in words if word < limit) % n


def _chosen(weights: list[int], words: Iterator[int]) -> int:
    at = below(words, sum(weights))
    for outcome, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return outcome
    raise AssertionError("The weights do not add up.")


def verify(record: Record, compute: Callable[[Task], Computed | None] = carry_out) -> Checked:
    """Draw or compute every chance action of a record again. NotFair says what does not agree."""
    lot, draws = _lot(record.fair), list(_numbers(record.fair))
    if lot.commit != record.fair.get("commit"):
        raise NotFair("The seed is not the one that was promised before the game.")
    slow = registry.slow_chance(record.game)
    kind = slow.modes[slow.mode_of(record.fair)] if slow else "drawn"
    states = list(record.states())
    chances = [] if kind == "entered" else [(n, s) for n, s in enumerate(states[:-1], 1) if s.mover == CHANCE]
    if len(draws) != len(chances):
        raise NotFair(sentence("The record has {n} draws but numbers {given}.", n=len(chances), given=len(draws)))
    drawn = [(n, state, record.actions[n - 1], draw) for draw, (n, state) in zip(draws, chances, strict=True)]
    drawn = [one for one in drawn if one[3] != TAKEN_OVER]
    taken_back = (drawn[-1][3] if drawn else 0) - len(drawn)
    if slow is None or kind == "drawn":
        _check_drawn(lot, drawn)
        return Checked(taken_back)
    if kind == "entered":
        return Checked(taken_back, slow.entered_note)
    due = [Draw(n, state, said, lot.first_words(draw)) for n, state, said, draw in drawn]
    return Checked(taken_back, slow.verify(record.fair, due, lambda order: compute(Task(record.game, order))))


Drawn = list[tuple[int, State, dict[str, Any], int]]
"""For each thing that chance did the number of the action, the state before, the action, and the number of the draw."""


def _check_drawn(lot: Lot, drawn: Drawn) -> None:
    for n, state, action, draw in drawn:
        due = state.decode(lot.draw(state, draw))
        if due != action:
            said = "Action {n} should have been {should}: the seed gives that for draw {draw}."
            raise NotFair(sentence(said, n=n, should=json.dumps(due), draw=draw))


def _lot(fair: dict[str, Any]) -> Lot:
    if not fair:
        raise NotFair("The record does not tell what its draws came from: it was not played at a table.")
    try:
        seed, salt = bytes.fromhex(fair["seed"]), bytes.fromhex(fair["salt"])
    except (KeyError, TypeError, ValueError):
        raise NotFair("The record's seed and salt must be given in hexadecimal digits.") from None
    seeds = fair.get("seeds")
    if not isinstance(seeds, list) or not all(isinstance(text, str) for text in seeds):
        raise NotFair(sentence("The seats' seeds must be a list of texts, not {seeds}.", seeds=quoted(seeds)))
    return Lot(seed, salt, tuple(seeds))


def _numbers(fair: dict[str, Any]) -> Iterator[int]:
    last = 0
    draws = fair.get("draws")
    if not isinstance(draws, list):
        raise NotFair("The record does not number its draws.")
    branched = isinstance(fair.get("branch"), dict)
    for draw in draws:
        if branched and last == 0 and draw == TAKEN_OVER:
            yield draw
            continue
        if type(draw) is not int or draw <= last:
            said = "Draws are numbered upwards, so {draw} cannot follow {last}."
            raise NotFair(sentence(said, draw=quoted(draw), last=last))
        yield draw
        last = draw


__all__ = ["Checked", "Lot", "NotFair", "RecordError", "below", "verify"]
