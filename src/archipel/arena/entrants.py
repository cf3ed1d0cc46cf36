"""Who plays: bots by name, and bots of one's own from files."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from archipel.bots import BOTS, Bot, bot

from . import ArenaError
from .code import Code


@dataclass(frozen=True)
class Entrants:
    """The bots that may be named; `files` has those that come from a file."""

    files: dict[str, Code] = field(default_factory=dict)

    @classmethod
    def with_files(cls, paths: Iterable[str]) -> "Entrants":
        """Bots by name, and these files; ArenaError if one of them makes no bot."""
        files: dict[str, Code] = {}
        for code in map(Code.read, paths):
            if code.name in BOTS:
                raise ArenaError(f"A bot file cannot be called {code.name}, as there is such a bot: rename it.")
            if code.name in files:
                raise ArenaError(f"There are two bot files called {code.name}: rename one of them.")
            files[code.name] = code
        entrants = cls(files)
        for name in files:
            entrants.check(name)
        return entrants

    def make(self, name: str) -> Bot:
        """A bot that has played nothing yet; ValueError if there is none of that name."""
        return self.files[name].make() if name in self.files else bot(name)

    def check(self, name: str) -> None:
        """Make the bot once to see that it can be made; ArenaError if not."""
        try:
            self.make(name)
        except ValueError as refusal:
            raise ArenaError(str(refusal)) from None
        except (Exception, SystemExit) as error:
            raise ArenaError(f"The bot {name} cannot be made: {type(error).__name__}: {error}.") from None

    def digests(self) -> dict[str, str]:
        """What tells the versions of the files apart."""
        return {name: code.digest for name, code in self.files.items()}
