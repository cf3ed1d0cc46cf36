"""`archipel rules GAME`: show the rules of a game, or one of them."""

import argparse

from rich.markdown import Markdown

from . import arguments, pages, screen
from .errors import complaining

ABOUT = "show the rules of a game, or one rule"

WIDTH = 96
"""Longer lines are hard to read."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or one of its rules, as in kahuna.hand-limit")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="one rule, by the name that a refused action quotes")
    arguments.add_language(parser)


def run(args: argparse.Namespace) -> int:
    game, _, rule = args.game.partition(".")
    show(arguments.name(game), args.rule or rule or None, args.lang)
    return 0


def show(game: str, rule: str | None, language: str) -> None:
    """Print a game's page, or the part about one rule."""
    with complaining():
        page = pages.load(game, language)
    text = pages.section(page, rule.removeprefix(f"{game}.")) if rule else page
    out = screen.out()
    out.print(Markdown(pages.plain(text), code_theme="ansi_dark"), width=min(WIDTH, out.width))
