"""`archipel replay RECORD`: show a saved game state by state."""

import argparse
from typing import TYPE_CHECKING

from . import arguments, screen
from .errors import BadInput, complaining
from .messages import Messages

if TYPE_CHECKING:
    from archipel.core.record import Record

    from .story import Eyes

ABOUT = "show a recorded game, state by state"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record", metavar="RECORD", help="a file written by `archipel play --record` or downloaded from a table"
    )
    parser.add_argument("--step", action="store_true", help="wait for Enter after each state")
    seat = "show what this seat could see (default: everything)"
    parser.add_argument("--seat", type=arguments.whole, metavar="N", help=seat)
    arguments.add_language(parser)


def run(args: argparse.Namespace) -> int:
    from .story import REFEREE, Eyes

    messages = Messages(args.lang)
    record = _load(args.record, messages)
    eyes = REFEREE if args.seat is None else Eyes(args.seat)
    try:
        _show(record, eyes, args.step, messages)
    except EOFError:
        screen.out().print()
    return 0


def _load(path: str, messages: Messages) -> "Record":
    from archipel.core.compiled import announced
    from archipel.core.record import Record

    with complaining(), announced(lambda: screen.err().print(messages("compiling-any"))):
        return Record.load(path)


def _show(record: "Record", eyes: "Eyes", step: bool, messages: Messages) -> None:
    states = list(record.states())
    game = states[0].game
    if eyes.seat is not None and eyes.seat >= game.seats:
        raise BadInput(f"{game.title} has seats 0 to {game.seats - 1} here, not {eyes.seat}.")
    screen.heading(arguments.described(game))
    eyes.show(states[0])
    for number, (before, action, after) in enumerate(zip(states, record.actions, states[1:], strict=False), 1):
        if step:
            input()
        actor = messages.actor(before.mover, record.players)
        screen.heading(f"{number} · {actor} · {eyes.action(before, before.encode(action))}")
        eyes.show(after)
    screen.out().print()
    if record.result:
        screen.out().print(messages.result(states[-1], record.players), style="title")
