"""The start of a game in two phases: the hashes of the seats' shares are frozen, and only then the shares are opened.

A player who sends the last hash does not know the other shares, and one who opens last cannot change their own: so
nobody chooses what is drawn, not even the server. See `docs/verifying.md`.
"""

import hashlib
from typing import Literal

from msgspec import Struct

SCHEME = 2
"""The scheme of games that began in two phases; games whose seats sent their texts in the clear have scheme 1."""
SERVER, ABSENT = "server", "absent"
"""In place of a hash: a bot plays there, so that only the server's seed counts; or the seat's client sent none."""
Why = Literal["late", "left", "lost", "removed"]


def seal_of(share: str) -> str:
    """The hash of a share, both in hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(share)).hexdigest()


def is_seal(text: object) -> bool:
    """True if this is the hash of a share, not SERVER or ABSENT."""
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


class Void(Struct, frozen=True, gc=False):
    """A start that failed because of these seats of the next game."""

    seats: tuple[int, ...]
    how: Why


class Start:
    """What is known about the draws of the next game before it begins.

    Hashes are kept by the seats as they are now, what is frozen or opened by the seats of the game that is to begin.
    """

    __slots__ = ("awaited", "frozen", "opened", "seals", "voids")

    def __init__(self, voids: tuple[Void, ...] = (), awaited: frozenset[int] = frozenset()) -> None:
        self.seals: dict[int, str] = {}
        self.frozen: tuple[str, ...] = ()
        """For each seat of the next game the hash of its share, `SERVER` or `ABSENT`; empty before that is settled."""
        self.opened: dict[int, str] = {}
        self.voids = voids
        self.awaited = awaited
        """After a void start: the seats that must send a new hash before the next."""

    def copy(self) -> "Start":
        """The same once more, to see how it would go on."""
        other = Start(self.voids, self.awaited)
        other.seals, other.frozen, other.opened = dict(self.seals), self.frozen, dict(self.opened)
        return other

    def void(self, void: Void) -> "Start":
        """What is left when a start is void: nobody's hash or share is used again."""
        return Start((*self.voids, void), frozenset(self.seals))

    def forget(self, seat: int) -> None:
        """Somebody else, or nobody, sits at this seat."""
        self.seals.pop(seat, None)
        self.awaited -= {seat}

    @property
    def ready(self) -> bool:
        """Has everybody sent what they must?"""
        return self.awaited <= self.seals.keys()

    @property
    def closed(self) -> list[int]:
        """The seats of the next game whose shares are still to be opened."""
        return [seat for seat, seal in enumerate(self.frozen) if is_seal(seal) and seat not in self.opened]

    @property
    def shares(self) -> tuple[str, ...]:
        """What the seats of the next game add to its draws."""
        return tuple(self.opened.get(seat, "") for seat in range(len(self.frozen)))
