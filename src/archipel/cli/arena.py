"""`archipel arena GAME BOT,BOT`: bots play each other, and a report estimates their strengths."""

import argparse
import shlex
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from . import arguments, own, screen
from .errors import INTERRUPTED, BadInput, complaining
from .messages import Messages

if TYPE_CHECKING:
    from archipel.arena.entrants import Entrants
    from archipel.arena.log import Log
    from archipel.arena.match import Result
    from archipel.arena.plan import Plan
    from archipel.arena.sprt import Trial
    from archipel.arena.workers import Workers
    from archipel.core.game import Game

ABOUT = "play bots against each other and report their ratings"

DEFAULT_BOT = "greedy"
GAMES = 100
TESTED_GAMES = 20_000
MOST_GAMES = 1_000_000
MOST_BOTS = 24

TEST = {
    "elo0": "not stronger means this Elo difference or less (default: 0)",
    "elo1": "stronger means this Elo difference or more (default: 20)",
    "alpha": "how often `stronger` may be wrong (default: 0.05)",
    "beta": "how often `not stronger` may be wrong (default: 0.05)",
}
"""The options of --until-significant, and what they mean."""


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    bots = "the bots, as in greedy,random; repeat a name to give it several seats"
    parser.add_argument("bots", metavar="BOT,BOT", nargs="?", default="", help=bots)
    games = (
        f"games per pairing (default: {GAMES}, with --until-significant at most {TESTED_GAMES}), "
        "rounded up so that every bot plays every seat equally often"
    )
    parser.add_argument("--games", type=arguments.whole, metavar="N", help=games)
    option = "an option of the game, as in edition=tilsit; `archipel games` lists them"
    parser.add_argument("--option", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=option)
    own.add(parser)
    parser.add_argument("--seed", type=arguments.whole, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument(
        "--cores", type=arguments.whole, metavar="N", help="number of games played in parallel (default: all cores)"
    )
    ray = "play on the Ray cluster at this address, as in 10.0.0.1:6379; auto: the one on this machine"
    parser.add_argument("--ray", metavar="ADDRESS", help=ray)
    parser.add_argument("--out", metavar="FOLDER", help="output folder (default: arena/…)")
    parser.add_argument("--anchor", metavar="BOT", help="the bot whose rating is 0 (default: the weakest)")
    until = "stop as soon as a sequential test (SPRT) can say whether the first bot is stronger than the second"
    parser.add_argument("--until-significant", action="store_true", help=until)
    for name, what in TEST.items():
        parser.add_argument(f"--{name}", type=arguments.real, metavar="N", help=f"with --until-significant: {what}")
    balance = "measure what each seat and each option is worth, with the same bot in every seat"
    parser.add_argument("--balance", action="store_true", help=balance)
    parser.add_argument("--bot", metavar="BOT", help=f"the bot for --balance (default: {DEFAULT_BOT})")


def run(args: argparse.Namespace) -> int:
    if not find_spec("scipy"):
        raise BadInput("The arena needs SciPy: pip install 'archipel[arena]'.")
    from archipel.arena.log import Log

    from .warming import prepare

    game = arguments.game(args.game, args.option)
    if args.games is None:
        args.games = TESTED_GAMES if args.until_significant else GAMES
    _check_numbers(args)
    entrants = own.entrants(args)
    with complaining():
        plan = _balance_plan(args, game, entrants) if args.balance else _arena_plan(args, game, entrants)
        trial = _trial(args, plan)
        folder = Path(args.out or Path("arena") / plan.name).expanduser()
        log = Log(folder, plan)
    with log:
        prepare(game, Messages())
        return _play(args, plan, log, entrants, trial)


def _check_numbers(args: argparse.Namespace) -> None:
    if not 1 <= args.games <= MOST_GAMES:
        raise BadInput(f"An arena has 1 to {MOST_GAMES} games, not {args.games}.")
    if args.cores is not None and not 1 <= args.cores <= 1024:
        raise BadInput(f"--cores is a number from 1 to 1024, not {args.cores}.")


def _trial(args: argparse.Namespace, plan: "Plan") -> "Trial | None":
    """The test of --until-significant: of the first bot against the second."""
    from archipel.arena.sprt import Hypotheses, Trial

    given = {name: getattr(args, name) for name in TEST if getattr(args, name) is not None}
    if not args.until_significant:
        if given:
            raise BadInput(f"--{next(iter(given))} goes with --until-significant.")
        return None
    if args.balance:
        raise BadInput("--until-significant compares two bots; --balance plays one against itself.")
    return Trial(Hypotheses(**given), plan, plan.bots[0])


def _arena_plan(args: argparse.Namespace, game: "Game", entrants: "Entrants") -> "Plan":
    from archipel.arena.plan import round_robin

    if args.bot:
        raise BadInput("--bot goes with --balance; without it the bots are listed after the game, as in greedy,random.")
    bots = _bots(args.bots, entrants)
    _check_bots(bots, game, args.anchor)
    for bot in dict.fromkeys(bots):
        entrants.check(bot, game)
    return round_robin(game, bots, args.games, args.seed, entrants.digests(bots))


def _bots(listed: str, entrants: "Entrants") -> list[str]:
    """The listed bots, and your own that are not listed."""
    named = [name.strip() for name in listed.split(",")] if listed else []
    bases = {name.partition(":")[0] for name in named}
    return named + [name for name in entrants.own if name not in bases]


def _check_bots(bots: list[str], game: "Game", anchor: str | None) -> None:
    if len(set(bots)) < 2:
        raise BadInput("An arena needs two bots or more, as in greedy,random; --balance plays one against itself.")
    if len(bots) > MOST_BOTS:
        raise BadInput(f"An arena has up to {MOST_BOTS} bots, not {len(bots)}.")
    if len(set(bots)) < len(bots) and len(bots) != game.seats:
        raise BadInput(
            f"A bot may be listed twice only if the list says who sits at the {game.seats} seats, "
            f"and it has {len(bots)} names."
        )
    if anchor is not None and anchor not in bots:
        raise BadInput(f"The anchor {anchor!r} does not play; the bots are {', '.join(dict.fromkeys(bots))}.")


def _balance_plan(args: argparse.Namespace, game: "Game", entrants: "Entrants") -> "Plan":
    from archipel.arena.balance import balance_plan

    if args.bots or args.anchor:
        raise BadInput("--balance plays one bot against itself: choose it with --bot.")
    if len(entrants.own) > 1:
        raise BadInput("--balance plays one bot against itself: give one of your own.")
    bot = args.bot or next(iter(entrants.own), DEFAULT_BOT)
    entrants.check(bot, game)
    return balance_plan(game, bot, args.games, args.seed, entrants.digests([bot]))


def _play(args: argparse.Namespace, plan: "Plan", log: "Log", entrants: "Entrants", trial: "Trial | None") -> int:
    """Play what has not been played yet, then report; also if it is interrupted."""
    from archipel.arena.tournament import play

    from .standings import Live

    _greet(plan, log)
    results = list(log.results)
    with complaining():
        workers = _workers(args, entrants)
    playing = play(plan, log, workers, trial)
    try:
        with Live(plan, results, args.anchor, trial) as live, closing(playing), complaining():
            for batch in playing:
                results += batch
                live.show()
    except KeyboardInterrupt:
        _report(args, plan, log, results, trial)
        _say_how_to_go_on(args, plan, results)
        return INTERRUPTED
    except BadInput:
        _report(args, plan, log, results, trial)
        raise
    _report(args, plan, log, results, trial)
    return 0


def _workers(args: argparse.Namespace, entrants: "Entrants") -> "Workers":
    from archipel.arena.cluster import Cluster
    from archipel.arena.workers import Cores
    from archipel.workers import cores

    return Cluster(entrants, args.ray, args.cores) if args.ray else Cores(entrants, args.cores or cores())


def _greet(plan: "Plan", log: "Log") -> None:
    if log.dropped:
        screen.err().print(f"The last line of {log.path} was broken off and is gone; its game is played again.")
    if log.results:
        screen.err().print(f"{len(log.results)} of {plan.total} games have been played already.", highlight=False)


def _report(args: argparse.Namespace, plan: "Plan", log: "Log", results: list["Result"], trial: "Trial | None") -> None:
    from archipel.arena import report

    from .standings import table, tell_forfeits

    if not results:
        return
    folder = log.path.parent
    with complaining():
        report.write(folder, plan, results, _command(args), args.anchor, trial.finding() if trial else None)
    screen.out().print(table(plan, results, args.anchor))
    if trial:
        screen.out().print(str(trial.finding()), markup=False, highlight=False, soft_wrap=True)
    tell_forfeits(plan, results)
    screen.out().print(f"The report is {folder / report.HTML}; its figures are in {report.JSON}.", soft_wrap=True)


def _say_how_to_go_on(args: argparse.Namespace, plan: "Plan", results: list["Result"]) -> None:
    text = f"Stopped after {len(results)} of {plan.total} games; nothing is lost. The same command goes on from here:"
    screen.err().print(f"{text}\n  {_command(args)}", markup=False, highlight=False, soft_wrap=True)


def _command(args: argparse.Namespace) -> str:
    """The command line that continues this arena."""
    parts = ["archipel", "arena", args.game, *([args.bots] if args.bots else [])]
    parts += ["--balance"] if args.balance else []
    parts += ["--until-significant"] if args.until_significant else []
    parts += ["--games", str(args.games), "--seed", str(args.seed)]
    for name in ("bot", "anchor", "limit", "cores", "ray", "out", *TEST):
        parts += [f"--{name}", str(getattr(args, name))] if getattr(args, name) is not None else []
    for name in ("option", "code", "program"):
        parts += [part for value in getattr(args, name) for part in (f"--{name}", value)]
    return shlex.join(parts)
