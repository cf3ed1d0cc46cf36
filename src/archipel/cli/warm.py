"""`archipel warm`: compile every game's rules now, so that no game begins with a wait."""

import argparse

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import archipel

from . import screen

ABOUT = "compile all rules now, so that no game begins with a wait"


def add(parser: argparse.ArgumentParser) -> None:
    """Nothing can be chosen."""


def run(args: argparse.Namespace) -> int:
    from archipel.core import registry, rules
    from archipel.core.compiled import cache_folder

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total}")
    with Progress(*columns, TimeElapsedColumn(), console=screen.out()) as bar:
        games = [registry.kind(name)() for name in archipel.GAMES]
        tasks = [bar.add_task(game.title, total=None, start=False) for game in games]
        for game, task in zip(games, tasks, strict=True):
            bar.start_task(task)
            for done, total in rules.warm(game.facts):
                bar.update(task, completed=done, total=total)
    screen.out().print(f"Every game is ready; the compiled rules are in {cache_folder()}.", soft_wrap=True)
    return 0
