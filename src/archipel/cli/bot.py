"""`archipel bot BOT`: serve one of our bots as a program that speaks JSON lines."""

import argparse
import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from . import screen
from .errors import BAD_INPUT, BadInput, complaining

if TYPE_CHECKING:
    from archipel.arena.wire import Server

ABOUT = "run a bot as a program that speaks JSON lines on standard input and output"


def add(parser: argparse.ArgumentParser) -> None:
    who = "a bot or a level, as in greedy, mcts:1s or sailor"
    parser.add_argument("bot", metavar="BOT", nargs="?", help=who)
    parser.add_argument("--code", metavar="FILE", help="your own bot, from a Python file")
    parser.add_argument("--schema", action="store_true", help="print the schema of the protocol")


def run(args: argparse.Namespace) -> int:
    from archipel.arena import wire
    from archipel.arena.entrants import Entrants

    if args.schema:
        sys.stdout.write(wire.SCHEMA.read_text("utf-8"))
        return 0
    if bool(args.bot) == bool(args.code):
        raise BadInput("Choose a bot: by name, as in `archipel bot greedy`, or with --code.")
    with complaining():
        entrants = Entrants.of([args.code] if args.code else [])
        name = args.bot or next(iter(entrants.own))
        server = wire.Server(name, entrants.make(name))
    if sys.stdin.isatty():
        screen.err().print(f"{name} waits for lines of JSON; docs/your-own-bot.md says which.", highlight=False)
    return _serve(server)


def _serve(server: "Server") -> int:
    with suppress(BrokenPipeError):
        try:
            server.serve(sys.stdin, sys.stdout)
        except json.JSONDecodeError as error:
            return _refuse(f"That is no JSON: {error}.")
        except (KeyError, TypeError, ValueError) as error:
            return _refuse(f"That is nothing that a host says: {type(error).__name__}: {error}.")
    return 0


def _refuse(sentence: str) -> int:
    print(" ".join(sentence.split()), file=sys.stderr)
    return BAD_INPUT
