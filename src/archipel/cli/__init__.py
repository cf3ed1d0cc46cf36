"""The command line: `archipel COMMAND`, one module per command; `archipel` alone starts the server.

A command's module has `ABOUT`, a line for the help; `add(parser)`, which adds its
arguments; and `run(args)`, which runs it and returns the exit code.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import NoReturn

import archipel

from .errors import BAD_INPUT, INTERRUPTED, PIPE_CLOSED, BadInput

COMMANDS = (
    "serve",
    "site",
    "play",
    "games",
    "rules",
    "replay",
    "analyse",
    "verify",
    "arena",
    "bot",
    "solve",
    "puzzles",
    "records",
    "db",
    "backup",
    "warm",
    "bench",
    "completion",
)
ALONE = "serve"
"""The default command."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors as one sentence."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{self.prog}: {message}.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a file that cannot be read or written must not end a game
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()  # here, so that a closed pipe is noticed now and not when Python exits
        return code
    except BadInput as complaint:
        print(complaint, file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed the pipe, like `head`; the rest must not be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED


def _run(argv: list[str]) -> int:
    argv = argv or [ALONE]
    if argv[0] == "help" and argv[1:]:
        argv = [argv[1], "--help"]
    if argv[0] in ("-h", "--help", "help"):
        return _help()
    if argv[0] in ("-V", "--version"):
        print(f"archipel {archipel.__version__}")
        return 0
    if argv[0].startswith("-"):
        argv = [ALONE, *argv]
    command = _command(argv[0])
    code: int = command.run(parser(argv[0]).parse_args(argv[1:]))
    return code


def parser(name: str) -> Parser:
    """The parser of one command's arguments."""
    command = _command(name)
    made = Parser(prog=f"archipel {name}", description=command.ABOUT, allow_abbrev=False)
    command.add(made)
    return made


def _command(name: str) -> ModuleType:
    if name not in COMMANDS:
        near = get_close_matches(name, COMMANDS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}."
        raise BadInput(f"There is no command {name!r}; {hint}")
    return import_module(f"{__name__}.{name}")


def _help() -> int:
    from .help import show

    show([(name, _command(name).ABOUT) for name in COMMANDS])
    return 0
