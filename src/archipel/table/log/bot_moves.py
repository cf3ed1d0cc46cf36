"""What the log and the record keep about each move of a bot, so that anybody can compute it again.

Clients learn nothing of it before the game is over: a view's digest would let them guess hidden cards.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from archipel.bots import levels
from archipel.bots.engine import engine

from . import events

_sorted = json.JSONEncoder(sort_keys=True).encode


class BotMove(Struct, frozen=True, gc=False):
    """How a bot came to a move: which bot, from which view, by which engine; `failed`: it gave no legal answer."""

    bot: str
    view: str
    engine: str
    failed: bool = False


def named(level: str) -> str:
    """A bot with its version: `sailor@3` for the level `sailor`."""
    return f"{level}@{max(levels.VERSIONS)}" if level in levels.NAMES else level


def digest(view: Mapping[str, Any]) -> str:
    """The SHA-256 of a view as JSON with sorted keys."""
    return hashlib.sha256(_sorted(view).encode()).hexdigest()


def made(level: str, view: Mapping[str, Any], failed: bool) -> BotMove:
    """What is kept of a move by the bot of this level."""
    return BotMove(named(level), digest(view), engine(view["game"]), failed)


def instead(legal: list[int], seed: int) -> int:
    """The action that is played if a bot gives no legal answer: any, chosen by the seed that the bot was given."""
    return legal[seed % len(legal)]


def of(entry: events.Acted) -> BotMove:
    """What the log entry of a bot's move keeps of it."""
    return BotMove(entry.bot, entry.view, entry.engine, entry.failed)


def recorded(moves: Mapping[int, BotMove], game: str) -> dict[str, Any]:
    """What a record says of the bots' moves, if there were any; `moves` are by the number of actions before."""
    return {"bots": [_recorded(before + 1, move, game) for before, move in sorted(moves.items())]} if moves else {}


def _recorded(number: int, move: BotMove, game: str) -> dict[str, Any]:
    name, _, version = move.bot.partition("@")
    told = {"action": number, "level": name, "view": move.view, "engine": move.engine}
    if version:
        told |= {"version": int(version), "budget": levels.level(name, game, int(version)).bot}
    return told | ({"failed": True} if move.failed else {})
