"""What a table is from the moment it is made: game, options, clock, who may come."""

import secrets
from typing import Any, Literal

from msgspec import Struct

import archipel

from . import throwing
from .protocol import Clock, NewTable, NoClock, Thrower
from .words import Words, words


class Setup(Struct, gc=False, kw_only=True):
    """What never changes about a table. `secret` leaves it only as the seeds of games that are over."""

    id: str
    game: str
    options: dict[str, Any]
    host: str
    secret: bytes
    created: int
    visibility: Literal["public", "link"] = "link"
    clock: Clock = NoClock()
    hints: bool = False
    series: int = 1
    rules: str = archipel.__version__
    """The version of the rules that the table was made with."""
    branch: dict[str, Any] | None = None
    """The table, the game and after how many actions, if it goes on from a position of another one."""
    dice: Thrower | None = None
    """How dice fall; nothing is said where there are none, nor where they fell before one could choose: by odds."""
    imported: dict[str, Any] | None = None
    """What a record that was brought from elsewhere tells of its draws."""

    @property
    def by_odds(self) -> bool:
        """Does chance act at once? Dice that are simulated or rolled at home take their time."""
        return self.dice in (None, "odds")

    def words(self) -> Words:
        """The game, and what its actions are called."""
        return words(self.game, self.options)


def made(wanted: NewTable, host: str, now: int) -> Setup:
    """The setup of a new table; ValueError says what cannot be."""
    game = words(wanted.game, wanted.options).game
    return Setup(
        id=secrets.token_urlsafe(9),
        game=game.name,
        options=game.options,
        host=host,
        secret=secrets.token_bytes(32),
        created=now,
        visibility=wanted.visibility,
        clock=wanted.clock,
        hints=wanted.hints,
        series=wanted.series,
        dice=throwing.chosen(game.name, wanted.dice),
    )
