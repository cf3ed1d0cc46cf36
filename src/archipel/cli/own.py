"""Your own bots as command-line arguments: files with --code, programs with --program."""

import argparse
from typing import TYPE_CHECKING

from .errors import BadInput, complaining

if TYPE_CHECKING:
    from archipel.arena.entrants import Entrants

LONGEST = 86_400


def add(parser: argparse.ArgumentParser) -> None:
    code = "your own bot: a Python file with a function choose(view, rng, budget), or a class with such a method"
    parser.add_argument("--code", action="append", default=[], metavar="FILE", help=code)
    program = 'your own bot: a program that speaks JSON lines, as in --program mine="python my_bot.py"'
    parser.add_argument("--program", action="append", default=[], metavar="NAME=COMMAND", help=program)
    limit = "seconds a program may take for a move (default: 10); a time budget is added to it"
    parser.add_argument("--limit", type=seconds, metavar="SECONDS", help=limit)


def seconds(text: str) -> float:
    """Parse a positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(f"a number of seconds above 0 is wanted, not {text!r}")
    return value


def entrants(args: argparse.Namespace) -> "Entrants":
    """All bots that can be named, including your own."""
    from archipel.arena.entrants import Entrants
    from archipel.arena.program import LIMIT, Program

    if args.limit and not args.program:
        raise BadInput("--limit goes with --program: nothing else can be stopped in the middle of a move.")
    with complaining():
        return Entrants.of(args.code, [Program.read(text, args.limit or LIMIT) for text in args.program])
