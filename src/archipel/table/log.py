"""The log of a table, as it is kept: keys and parameters from which everything else is worked out again.

An entry may bear who sent the command behind it (`by`) and that client's counter (`n`), so that a command that is
sent again is known again, even after a crash.
"""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct, json

from .protocol import Aim

Action = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]


class _Entry(Struct, tag_field="kind", omit_defaults=True, gc=False, kw_only=True):
    at: int
    by: str = ""
    n: int = 0


class Sat(_Entry, tag="sat"):
    """A person took a seat; `who` is known to the table alone."""

    seat: int
    who: str
    name: str
    seed: str = ""


class Rose(_Entry, tag="rose"):
    """A person left a seat."""

    seat: int


class BotSat(_Entry, tag="bot"):
    """A bot got a seat; `out`: for good, as far as this game goes."""

    seat: int
    level: str
    out: bool = False


class Started(_Entry, tag="started"):
    """A game began, the draws of chance before its first turn follow."""

    game: int


class Acted(_Entry, tag="acted"):
    """The mover acted; a throw of dice that are simulated bears its aim, kept before its fall is drawn."""

    seat: int
    action: Action
    aim: Aim | None = None


class Fall(Struct, omit_defaults=True, gc=False, frozen=True):
    """How dice fell: how all of them lie now, how many were cocked, what moved them, and SHA-256 of their way."""

    lies: Action
    engine: str
    sha256: str
    cocked: int = 0


class Happened(_Entry, tag="happened"):
    """Chance acted, by the draw of that number; 0: by none, for dice were rolled at home and typed in."""

    action: Action
    draw: int
    fall: Fall | None = None


class WentBack(_Entry, tag="back"):
    """The game went back to so many actions."""

    seat: int
    moves: int
    agreed: bool = False


class AskedBack(_Entry, tag="asked-back"):
    """A seat asks to go back to so many actions."""

    seat: int
    moves: int


class Answered(_Entry, tag="answered"):
    """A seat answered."""

    seat: int
    agree: bool


class Ended(_Entry, tag="ended"):
    """The game is over."""

    how: Literal["rules", "time", "resigned"]
    seat: int | None = None


class Agreed(_Entry, tag="agreed"):
    """A seat would play again, with this share in the draws; or no longer would."""

    seat: int
    agree: bool
    seed: str = ""


class Spoke(_Entry, tag="spoke"):
    """Somebody said something."""

    name: str
    text: str
    seat: int | None = None


class Resumed(_Entry, tag="resumed"):
    """The table was away, and is back."""


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
)

_decoder: json.Decoder[Entry] = json.Decoder(Entry)
_encoder = json.Encoder()


def encode(entry: Entry) -> bytes:
    """An entry as it is kept."""
    return _encoder.encode(entry)


def decode(kept: bytes | str) -> Entry:
    """An entry again."""
    entry: Entry = _decoder.decode(kept)
    return entry
