"""`archipel warm [GAME ...]`: compile the games' rules now, so that no game begins with a wait."""

import argparse

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import archipel

from . import arguments, screen

ABOUT = "compile all rules now, so that no game begins with a wait"


def add(parser: argparse.ArgumentParser) -> None:
    some = "which games; all of them if none is named"
    parser.add_argument("games", nargs="*", metavar="GAME", type=arguments.name, help=some)


def run(args: argparse.Namespace) -> int:
    from archipel.bots import expert, tree
    from archipel.bots.knowledge import NOTHING, known_of
    from archipel.core import rules
    from archipel.core.compiled import cache_folder

    games = [arguments.game(name) for name in args.games or archipel.GAMES]
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total}")
    with Progress(*columns, TimeElapsedColumn(), console=screen.out()) as bar:
        tasks = [bar.add_task(game.title, total=None, start=False) for game in games]
        for game, task in zip(games, tasks, strict=True):
            bar.start_task(task)
            for done, total in rules.warm(game.facts):
                bar.update(task, completed=done, total=total + 3)
            for knowledge in (NOTHING, known_of(game)):
                tree.warm(game.facts, knowledge)
                bar.advance(task)
            expert.warm(game)
            bar.advance(task)
    screen.out().print(f"Ready; the compiled rules are in {cache_folder()}.", soft_wrap=True)
    return 0
