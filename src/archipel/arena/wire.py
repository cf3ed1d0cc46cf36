"""The protocol between a host and a bot in another process: JSON, one object per line. `protocol.json` is its schema.

The host sends hello, asks for one action at a time, and sends quit; the bot answers the first two.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import numpy as np

from archipel.bots import Bot, Budget, View
from archipel.bots.worlds import imagined
from archipel.core import registry
from archipel.core.rules import CHANCE
from archipel.core.state import State

PROTOCOL = 1
SCHEMA = Path(__file__).with_name("protocol.json")
LARGEST_SEED = 1 << 53
"""Small enough for languages whose only numbers are floating-point."""

Message = dict[str, Any]


def line(message: Message) -> bytes:
    """Encode a message as one line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def hello(game: str, options: dict[str, Any]) -> Message:
    """The first message: the protocol's version, and the game."""
    return {"do": "hello", "protocol": PROTOCOL, "game": game, "options": options}


def question(number: int, view: View, world: State, seed: int, budget: Budget | None, limit: float) -> Message:
    """The question for an action, with all legal actions; they are the same in every world consistent with the view."""
    actions = [
        {"number": action, "action": world.decode(action), "notation": world.notation(action)}
        for action in world.actions()
    ]
    spent = None if budget is None else {"simulations": budget.simulations, "seconds": budget.seconds}
    asked = {"do": "choose", "id": number, "game": view["game"], "options": view["options"], "view": view}
    return asked | {"actions": actions, "seed": seed, "budget": spent, "limit": limit}


QUIT: Message = {"do": "quit"}


class Server:
    """Serves one of our bots."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot

    def serve(self, lines: Iterable[str], output: IO[str]) -> None:
        """Answer until the host sends quit or closes the pipe."""
        for text in lines:
            asked = json.loads(text)
            if asked["do"] == "quit":
                return
            output.write(line(self._answer(asked)).decode())
            output.flush()

    def _answer(self, asked: Message) -> Message:
        if asked["do"] == "hello":
            _get_ready(self.bot, asked["game"], asked["options"])
            return {"protocol": PROTOCOL, "name": self.name}
        budget = Budget(**asked["budget"]) if asked["budget"] else None
        chosen = self.bot.choose(asked["view"], np.random.default_rng(asked["seed"]), budget)
        return {"id": asked["id"], "action": int(chosen)}


def _get_ready(bot: Bot, game: str, options: dict[str, Any]) -> None:
    """Choose once without effect before the clock runs, because something may have to be compiled."""
    rng = np.random.default_rng(0)
    state = registry.game(game, **options).new()
    while state.mover == CHANCE:
        state = state.after(state.sample(rng))
    bot.choose(state.view(state.mover), rng, Budget(simulations=1))


def meant(answer: Any, world: State) -> int:
    """Parse the answered action, a number or JSON; ValueError if there is no such action, IllegalAction if it is not
    legal."""
    action = world.encode(answer) if isinstance(answer, dict) else answer
    world.after(action)
    return int(action)


def a_world(view: View, rng: np.random.Generator) -> tuple[State, int]:
    """A world consistent with the view, and a seed for the bot's answer."""
    (world,) = imagined(view, rng)
    return world, int(rng.integers(LARGEST_SEED))
