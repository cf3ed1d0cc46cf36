"""`archipel warm [GAME ...]`: compile the games' rules now, so that no game starts with a wait."""

import argparse

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import archipel

from . import arguments, screen

ABOUT = "compile all rules now, so that no game starts with a wait"


def add(parser: argparse.ArgumentParser) -> None:
    some = "which games (default: all)"
    parser.add_argument("games", nargs="*", metavar="GAME", type=arguments.name, help=some)


def run(args: argparse.Namespace) -> int:
    from archipel.bots.warming import warm
    from archipel.core.compiled import JIT, LIBRARIES, MODE, cache_folder

    games = [arguments.game(name) for name in args.games or archipel.GAMES]
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total}")
    with Progress(*columns, TimeElapsedColumn(), console=screen.out()) as bar:
        tasks = [bar.add_task(game.title, total=None, start=False) for game in games]
        for game, task in zip(games, tasks, strict=True):
            bar.start_task(task)
            for done, total in warm(game):
                bar.update(task, completed=done, total=total)
    folders = {library.path.parent for library in LIBRARIES.values()} | ({cache_folder()} if MODE == JIT else set())
    where = " and ".join(map(str, sorted(folders)))
    screen.out().print(
        f"Ready; the compiled rules are in {where}." if where else "Ready; nothing is compiled.", soft_wrap=True
    )
    return 0
