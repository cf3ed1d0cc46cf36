"""What a host and a bot in another process say to each other: JSON, one object a line. `protocol.json` is its schema.

The host says hello, asks for actions one at a time, and says quit; the bot answers the first two.
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
"""So that languages whose only numbers are floating-point can read it."""

Message = dict[str, Any]


def line(message: Message) -> bytes:
    """A message as it goes over the wire."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def hello(game: str, options: dict[str, Any]) -> Message:
    """Before a game: which protocol is spoken, and what will be played."""
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
    """One of our bots, answering over the wire."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot

    def serve(self, heard: Iterable[str], said: IO[str]) -> None:
        """Answer until the host says quit, or nothing more."""
        for text in heard:
            asked = json.loads(text)
            if asked["do"] == "quit":
                return
            said.write(line(self._answer(asked)).decode())
            said.flush()

    def _answer(self, asked: Message) -> Message:
        if asked["do"] == "hello":
            _get_ready(self.bot, asked["game"], asked["options"])
            return {"protocol": PROTOCOL, "name": self.name}
        budget = Budget(**asked["budget"]) if asked["budget"] else None
        chosen = self.bot.choose(asked["view"], np.random.default_rng(asked["seed"]), budget)
        return {"id": asked["id"], "action": int(chosen)}


def _get_ready(bot: Bot, game: str, options: dict[str, Any]) -> None:
    """Choose once for nothing before the clock runs: something may have to be compiled."""
    rng = np.random.default_rng(0)
    state = registry.game(game, **options).new()
    while state.mover == CHANCE:
        state = state.after(state.sample(rng))
    bot.choose(state.view(state.mover), rng, Budget(simulations=1))


def meant(answer: Any, world: State) -> int:
    """The action that was answered, by number or as JSON; ValueError if it is none, IllegalAction if it may not be."""
    action = world.encode(answer) if isinstance(answer, dict) else answer
    world.after(action)
    return int(action)


def a_world(view: View, rng: np.random.Generator) -> tuple[State, int]:
    """A world consistent with the view, and a seed for the bot that is asked."""
    (world,) = imagined(view, rng)
    return world, int(rng.integers(LARGEST_SEED))
