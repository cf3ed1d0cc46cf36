"""`archipel play GAME`: play at this terminal, against bots or with others at the same screen."""

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import arguments, keeping, own, screen
from .errors import INTERRUPTED, BadInput, Left, complaining
from .messages import Messages

if TYPE_CHECKING:
    import numpy as np

    from archipel.arena.entrants import Entrants
    from archipel.core.game import Game
    from archipel.core.series import Series
    from archipel.core.state import State

ABOUT = "play in the terminal, against bots or each other"

HUMAN, BOT = "human", "bot"
DEFAULT_BOT = "sailor"
MOST_GAMES = 1000


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    who = "players of seat 0, 1 and so on: human, bot, a level, or a bot by name (mcts:1s); the rest are bots"
    parser.add_argument("--seat", nargs="+", action="extend", default=[], metavar="WHO", help=who)
    against = f"the bots’ level (beachcomber to chief) or name (default: {DEFAULT_BOT})"
    parser.add_argument("--against", metavar="WHO", help=against)
    own.add(parser)
    option = "an option of the game, as in edition=tilsit; `archipel games` lists them"
    parser.add_argument("--option", nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=option)
    parser.add_argument("--seed", type=arguments.whole, metavar="N", help="random seed, to make the game reproducible")
    series = "number of games; seats rotate after each, and scores are added up"
    parser.add_argument("--series", type=arguments.whole, default=1, metavar="N", help=series)
    parser.add_argument("--record", metavar="FILE", help="save the game to this file, even if you quit early")
    arguments.add_language(parser)


def run(args: argparse.Namespace) -> int:
    import numpy as np

    from archipel.core.series import Series

    from .warming import prepare

    messages = Messages(args.lang)
    game = arguments.game(args.game, args.option)
    entrants = own.entrants(args)
    players = seated(args.seat, args.against or next(iter(entrants.own), DEFAULT_BOT), game, entrants)
    files = _files(args.record, args.series)
    prepare(game, messages)
    screen.allow_editing()
    evening = Evening(game, players, entrants, files, Series(game.seats), messages)
    try:
        evening.run(np.random.SeedSequence(args.seed))
    except Left:
        screen.out().print(messages("left"))
    except KeyboardInterrupt:
        screen.out().print(f"\n{messages('left')}")
        return INTERRUPTED
    return 0


def seated(given: list[str], against: str, game: "Game", entrants: "Entrants") -> list[str]:
    """The players by seat: those given, then bots; if none are given, one person against bots."""
    if len(given) > game.seats:
        raise BadInput(
            f"{game.title} has {game.seats} seats with these options, but --seat names {len(given)} players."
        )
    players = (given or [HUMAN]) + [BOT] * game.seats
    seats = [against if player == BOT else player for player in players[: game.seats]]
    for player in dict.fromkeys(seats):
        if player != HUMAN:
            with complaining():
                entrants.check(player, game)
    return seats


def _files(path: str | None, games: int) -> list[str | None]:
    """The file to save each game to, or None."""
    if not 1 <= games <= MOST_GAMES:
        raise BadInput(f"A series has 1 to {MOST_GAMES} games, not {games}.")
    if path is None:
        return [None] * games
    files = [keeping.numbered(path, number, games) for number in range(1, games + 1)]
    for file in files:
        keeping.target(file)
    return list(files)


@dataclass
class Evening:
    """One game, or several in a row between the same players."""

    game: "Game"
    players: list[str]
    entrants: "Entrants"
    files: list[str | None]
    series: "Series"
    messages: Messages

    def run(self, seed: "np.random.SeedSequence") -> None:
        """Play all games; Left if a player leaves."""
        for part, file in zip(seed.spawn(len(self.files)), self.files, strict=True):
            self._announce()
            self.series.add(self._play(part, file))
            if len(self.files) > 1:
                self._standings()

    def _announce(self) -> None:
        screen.heading(arguments.described(self.game))
        number = self.messages("game", number=self.series.played + 1, games=len(self.files))
        players = [self.messages.actor(seat, self._seated()) for seat in range(self.game.seats)]
        screen.out().print(" · ".join([*([number] if len(self.files) > 1 else []), *players]))
        if HUMAN in self.players:
            screen.out().print(self.messages("hint"), style="soft")

    def _play(self, seed: "np.random.SeedSequence", file: str | None) -> "State":
        from .host import Host
        from .sitting import Sitting

        players = self._seated()
        sitting = Sitting(self.game, players, [seat for seat, player in enumerate(players) if player == HUMAN])
        try:
            Host(sitting, self.entrants, seed, self.messages).run()
        finally:
            if file:
                keeping.keep(sitting.record(), file)
                screen.out().print(self.messages("saved", path=file), style="right")
        return sitting.state

    def _seated(self) -> list[str]:
        """The players by seat in the next game."""
        return [self.players[player] for player in self.series.seating()]

    def _standings(self) -> None:
        points = [f"{name} {points}" for name, points in zip(self._names(), self.series.points, strict=True)]
        line = self.messages("points", played=self.series.played, games=len(self.files), points=" · ".join(points))
        screen.out().print(line, style="title")
        if self.series.played == len(self.files):
            self._settle()

    def _settle(self) -> None:
        leaders = [self._names()[player] for player in self.series.leaders]
        level = len(leaders) == len(self.players)
        key = "series-level" if level else "series-shared" if len(leaders) > 1 else "series-won"
        screen.out().print(self.messages(key, players=self.messages.listed(leaders)), style="title")

    def _names(self) -> list[str]:
        """The players by their seats in the first game."""
        return [self.messages.actor(seat, self.players) for seat in range(len(self.players))]
