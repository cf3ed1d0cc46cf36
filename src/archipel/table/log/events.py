"""The entries of a table's log, as they are stored: everything else about a table is computed from them.

An entry can hold the client that sent the command (`by`) and that client's counter (`n`), so that a command that is
sent twice is applied once, even after a crash.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct, field, json

Action = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
Opaque = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
"""Data that only the game reads; see `archipel.core.slow_chance`."""
NOTHING = Raw()


class _Entry(Struct, tag_field="kind", omit_defaults=True, gc=False, kw_only=True):
    at: int
    by: str = ""
    n: int = 0


class Sat(_Entry, tag="sat"):
    """A person took a seat; `who` is never sent to clients."""

    seat: int
    who: str
    name: str
    seed: str = ""
    seal: str = ""


class Rose(_Entry, tag="rose"):
    """A person left a seat."""

    seat: int


class BotSat(_Entry, tag="bot"):
    """A bot got a seat; `out`: the person cannot come back in this game."""

    seat: int
    level: str
    out: bool = False


class Sealed(_Entry, tag="sealed"):
    """A seat sent the hash of its share in the next game's draws, instead of any that it had sent before."""

    seat: int
    seal: str


class Frozen(_Entry, tag="frozen"):
    """Everybody is ready: nothing that the next game's draws come from can change any more.

    `seals` has a hash for each seat of that game, or who stands in for it; see `archipel.table.log.shares`.
    """

    game: int
    commit: str
    seals: list[str]


class Opened(_Entry, tag="opened"):
    """A seat of the next game opened its share."""

    seat: int
    share: str


class Voided(_Entry, tag="void"):
    """The start of a game is void, because of these of its seats: all must send new hashes."""

    game: int
    seats: list[int]
    how: Literal["late", "left", "lost", "removed"]


class Started(_Entry, tag="started"):
    """A game started; the first chance outcomes follow."""

    game: int


class Acted(_Entry, tag="acted"):
    """The mover acted; extra data is stored before the outcome that it leads to is drawn."""

    seat: int
    action: Action
    extra: Opaque = field(default=NOTHING, name="aim")
    bot: str = ""
    """The bot with its version, as in `sailor@3`; see `archipel.table.log.bot_moves`. Never sent to clients."""
    view: str = ""
    engine: str = ""
    failed: bool = False


class Happened(_Entry, tag="happened"):
    """Chance acted, with the draw of that number; 0: without a draw, because a player entered the outcome."""

    action: Action
    draw: int
    detail: Opaque = field(default=NOTHING, name="fall")


class WentBack(_Entry, tag="back"):
    """The game went back to this number of actions."""

    seat: int
    moves: int
    agreed: bool = False


class AskedBack(_Entry, tag="asked-back"):
    """A seat asks to go back to this number of actions."""

    seat: int
    moves: int


class Answered(_Entry, tag="answered"):
    """A seat answered."""

    seat: int
    agree: bool


class AskedSeat(_Entry, tag="asked-seat"):
    """Somebody asks the players for a seat that was left in a running game; `who` is never sent to clients."""

    seat: int
    who: str
    name: str


class AnsweredSeat(_Entry, tag="answered-seat"):
    """A player answered a request for a seat."""

    seat: int
    agree: bool


class Removed(_Entry, tag="removed"):
    """The host removed somebody: from a seat before the game, or, without a seat, from the table."""

    who: str
    name: str
    seat: int | None = None


class Muted(_Entry, tag="muted"):
    """The host muted a spectator, or let them speak again."""

    who: str
    name: str
    muted: bool


class Closed(_Entry, tag="closed"):
    """The host, or the operator of the server, closed the table: no more games are played here."""


class Ended(_Entry, tag="ended"):
    """The game is over."""

    how: Literal["rules", "time", "resigned"]
    seat: int | None = None


class Agreed(_Entry, tag="agreed"):
    """A seat wants a rematch, with this contribution to the random seed; or no longer wants one."""

    seat: int
    agree: bool
    seed: str = ""
    seal: str = ""


class Spoke(_Entry, tag="spoke"):
    """A chat message."""

    name: str
    text: str
    seat: int | None = None


class Resumed(_Entry, tag="resumed"):
    """The table was out of memory, and is back."""


Entry = (
    Sat
    | Rose
    | BotSat
    | Started
    | Acted
    | Happened
    | WentBack
    | AskedBack
    | Answered
    | Ended
    | Agreed
    | Spoke
    | Resumed
    | AskedSeat
    | AnsweredSeat
    | Removed
    | Muted
    | Closed
    | Sealed
    | Frozen
    | Opened
    | Voided
)

_decoder: json.Decoder[Entry] = json.Decoder(Entry)
encode: Callable[[Entry], bytes] = json.Encoder().encode
"""Encode an entry for storage."""


def decode(kept: bytes | str) -> Entry:
    """Decode a stored entry."""
    entry: Entry = _decoder.decode(kept)
    return entry
