"""The bots of an arena: built-in bots and levels by name, and your own from files and programs."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from archipel.bots import Bot, Budget, View, bot, is_known, levels
from archipel.core.game import Game

from .code import Code, Made
from .errors import ArenaError, Failed
from .program import Program, ProgramBot


@dataclass(frozen=True)
class Entrants:
    """The bots that can be named; `own` has those from files, classes, functions and programs."""

    own: dict[str, Code | Made | Program] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[str] = (), programs: Iterable[Program] = (), made: Iterable[Made] = ()) -> "Entrants":
        """Collect the built-in bots and these files, programs, classes and functions; ArenaError if one has no bot."""
        own: dict[str, Code | Made | Program] = {}
        entrants: list[Code | Made | Program] = [*map(Code.read, files), *programs, *made]
        for entrant in entrants:
            what = {Code: "file", Made: "class", Program: "program"}[type(entrant)]
            if is_known(entrant.name):
                raise ArenaError(f"A bot {what} cannot be called {entrant.name}, as there is such a bot: rename it.")
            if entrant.name in own:
                raise ArenaError(f"There are two bots called {entrant.name}: rename one of them.")
            own[entrant.name] = entrant
        found = cls(own)
        for name, entrant in own.items():
            if not isinstance(entrant, Program):
                found.check(name)
        return found

    def make(self, name: str, cores: int = 1) -> Bot:
        """Return a new bot, with its own budget if the name has one, as in `mine:1s`."""
        base, colon, text = name.partition(":")
        if base not in self.own:
            return bot(name, cores)
        entrant = self.own[base]
        if isinstance(entrant, Program):
            return entrant.make(Budget.parse(text) if colon else None)
        made = entrant.make()
        return Thrifty(made, Budget.parse(text)) if colon else made

    def check(self, name: str, game: Game | None = None) -> None:
        """Create the bot once to see that it works and, if it is a program, answers; ArenaError if not."""
        try:
            made = self.make(name)
            if game and isinstance(made, ProgramBot):
                made.begin(game.name, game.options)
                made.close()
        except ValueError as refusal:
            raise ArenaError(str(refusal)) from None
        except Failed as failure:
            raise ArenaError(f"The bot {name} cannot be started: {str(failure).rstrip('.')}.") from None
        except (Exception, SystemExit) as error:
            raise ArenaError(f"The bot {name} cannot be made: {type(error).__name__}: {error}.") from None

    def digests(self, named: Iterable[str] = ()) -> dict[str, str]:
        """Digests of files, commands and levels, to distinguish versions of the same name."""
        own = {name: entrant.digest for name, entrant in self.own.items()}
        return own | {name: levels.digest(name) for name in named if name.partition("@")[0] in levels.NAMES}


@dataclass
class Thrifty:
    """Your own bot with a budget of its own, as in `mine:1s`."""

    bot: Bot
    budget: Budget

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return self.bot.choose(view, rng, budget or self.budget)
