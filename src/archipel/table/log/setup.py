"""The setup of a table, fixed when it is created: game, options, clock, visibility."""

from typing import Any, Literal

from msgspec import Struct, field

import archipel
from archipel.core import registry
from archipel.core.errors import quoted, sentence
from archipel.core.slow_chance import Kind, SlowChance

from .. import entropy
from ..protocol import Clock, NewTable, NoClock
from .action_names import ActionNames, action_names


class Setup(Struct, gc=False, kw_only=True):
    """What never changes about a table. `secret` is published only as the seeds of finished games."""

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
    """The version of the rules that the table was created with."""
    branch: dict[str, Any] | None = None
    """The table, the game and the number of actions from which this table continues, if it is a branch."""
    taken_over: list[dict[str, Any]] = []
    """The actions that a branch takes over from that game."""
    mode: str | None = field(default=None, name="dice")
    """How chance acts, if the game has several modes; empty at tables from before there was a choice."""
    imported: dict[str, Any] | None = None
    """The fairness data of an imported record."""

    def slow_chance(self) -> SlowChance | None:
        """The game's `SlowChance`, unless this table simply draws its outcomes."""
        chance = registry.slow_chance(self.game) if self.mode else None
        return chance if chance and chance.modes[self.mode or ""] != "drawn" else None

    @property
    def chance(self) -> Kind:
        """How chance outcomes come about: drawn at once, computed, or entered by a player."""
        slow = self.slow_chance()
        return slow.modes[self.mode or ""] if slow else "drawn"

    def action_names(self) -> ActionNames:
        """The game, and the names of its actions."""
        return action_names(self.game, self.options)


def made(wanted: NewTable, host: str, now: int) -> Setup:
    """The setup of a new table; ValueError says what is wrong."""
    game = action_names(wanted.game, wanted.options).game
    return Setup(
        id=entropy.token_urlsafe(9),
        game=game.name,
        options=game.options,
        host=host,
        secret=entropy.token_bytes(32),
        created=now,
        visibility=wanted.visibility,
        clock=wanted.clock,
        hints=wanted.hints,
        series=wanted.series,
        mode=_chosen(game.name, game.title, wanted.mode),
    )


def _chosen(game: str, title: str, wanted: str | None) -> str | None:
    """How chance acts at a new table; ValueError if the game has no such mode."""
    modes = slow.modes if (slow := registry.slow_chance(game)) else {}
    if wanted is not None and wanted not in modes:
        template = "{game} has no mode {mode} of chance."
        raise ValueError(sentence(template, game=title, mode=quoted(wanted)))
    return wanted or next(iter(modes), None)
