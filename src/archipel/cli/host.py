"""Runs a game in the terminal: asks persons, bots and chance for actions, and shows each seat only what it may see."""

import sys
from time import monotonic, sleep
from typing import TYPE_CHECKING

import numpy as np
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from archipel.arena.match import Player
from archipel.bots.levels import LevelBot
from archipel.core.errors import IllegalAction, InvalidAction
from archipel.core.rules import CHANCE, OVER
from archipel.workers import cores

from . import keeping, listing, rules, screen
from .errors import BadInput, Left
from .messages import Messages
from .story import REFEREE, Eyes, recap

if TYPE_CHECKING:
    from archipel.arena.entrants import Entrants
    from archipel.core.state import State

    from .sitting import Sitting


MOST_DIGITS = 9


class Host:
    """Runs one game from its first state to its end, or until a player leaves."""

    def __init__(
        self, sitting: "Sitting", entrants: "Entrants", seed: np.random.SeedSequence, messages: Messages
    ) -> None:
        self.sitting = sitting
        self.messages = messages
        # Bots have separate generators, so that nobody can infer chance outcomes from their moves.
        self._chance, *rngs = map(np.random.default_rng, seed.spawn(1 + 2 * len(sitting.players)))
        self._bots = {
            seat: Player(name, entrants, rngs[seat], rngs[len(sitting.players) + seat], cores())
            for seat, name in enumerate(sitting.players)
            if seat not in sitting.people
        }
        self._seen: dict[Eyes, int] = {}
        self._at_screen: int | None = None
        self._commands = {
            "board": self._show_again,
            "help": self._help,
            "quit": self._quit,
            "rules": self._rules,
            "save": self._save,
            "undo": self._undo,
        }

    @property
    def state(self) -> "State":
        return self.sitting.state

    @property
    def actor(self) -> int:
        """The seat that acts now; the game must not be over."""
        return self.state.mover

    def run(self) -> None:
        """Play the game; Left if a player leaves before the end."""
        try:
            while self.state.mover != OVER:
                self._go_on()
        finally:
            for player in self._bots.values():
                player.leave()
        self._show_end()

    def _go_on(self) -> None:
        if self.state.mover == CHANCE:
            self.sitting.play(self.state.sample(self._chance))
        elif self.state.mover in self._bots:
            self._let_think()
        else:
            self._ask()

    # Bots.

    def _let_think(self) -> None:
        seat = self.actor
        if not self.sitting.people and self._at_screen != seat:
            self._tell(REFEREE)
            self._at_screen = seat
        player = self._bots[seat]
        forfeits = player.forfeits
        with screen.waiting(self.messages("thinking", seat=seat, player=player.name)):
            begun = monotonic()
            action = player.decide(self.state)
            if screen.out().is_terminal and sys.stdin.isatty():
                sleep(max(0.0, begun + self._pace(player) - monotonic()))
        if player.forfeits > forfeits:
            self._refuse(self.messages("forfeited", seat=seat, player=player.name, why=player.last))
        self.sitting.play(action)

    def _pace(self, player: Player) -> float:
        """Seconds to wait for a bot, so that people can follow the game."""
        if not isinstance(player.bot, LevelBot):
            return 0.0
        return player.bot.pace(self.state)

    # Persons.

    def _ask(self) -> None:
        """Show the acting seat its view and read input until the state changes."""
        if self._at_screen != self.actor and self._has_secrets():
            self._draw_curtain()
        self._at_screen = self.actor
        self._tell(Eyes(self.actor))
        self._show()
        asked = self.state
        while self.state is asked:
            self._answer(self._hear(self.messages("prompt", seat=self.actor)))

    def _has_secrets(self) -> bool:
        """True if one person at this screen sees what another may not."""
        game = self.state.game
        views = [game.unaided(self.state.view(seat)) | {"seat": None} for seat in self.sitting.people]
        return any(view != views[0] for view in views)

    def _draw_curtain(self) -> None:
        screen.clear()
        self._hear(self.messages("curtain", seat=self.actor))
        screen.clear()
        self.sitting.bar_undo()

    def _hear(self, prompt: str) -> str:
        try:
            line = input(prompt).strip()
        except EOFError:
            print()
            raise Left from None
        if not sys.stdin.isatty():
            print(line)  # it has never been shown
        return line

    def _answer(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            if word.casefold() in self._commands:
                self._commands[word.casefold()](rest.strip())
            elif line:
                self.sitting.play(self._meant(line))
        except IllegalAction as refusal:
            self._refuse(self.messages.refusal(refusal.reason))
            _, _, anchor = refusal.rule.partition(".")
            screen.out().print(self.messages("rule", rule=refusal.rule, anchor=anchor), style="soft")
        except (InvalidAction, BadInput) as refusal:
            self._refuse(self.messages.refusal(refusal.args[0]))

    def _meant(self, line: str) -> int:
        """The action that was typed, in notation or by its number in the list."""
        if not line.isdecimal() or len(line) > MOST_DIGITS:
            return self.state.parse(line)
        actions = self.state.actions()
        if not 1 <= int(line) <= len(actions):
            raise BadInput(self.messages("no-number", count=len(actions)))
        return actions[int(line) - 1]

    def _refuse(self, sentence: str) -> None:
        screen.out().print(sentence, style="wrong")

    # Commands that a person may type.

    def _show_again(self, rest: str) -> None:
        self._show()

    def _help(self, rest: str) -> None:
        table = Table.grid(padding=(0, 3, 0, 0))
        example = self.state.notation(self.state.actions()[0])
        names = {"action": example, "rules": "rules [RULE]", "save": "save FILE"}
        for name in ("action", "undo", "board", "rules", "save", "help", "quit"):
            table.add_row(Text(names.get(name, name), "command"), self.messages(f"help-{name}"))
        screen.out().print(Padding(table, (1, 2)))

    def _quit(self, rest: str) -> None:
        raise Left

    def _rules(self, rest: str) -> None:
        rules.show(self.state.game.name, rest or None, self.messages.language)

    def _save(self, rest: str) -> None:
        if not rest:
            raise BadInput(self.messages("save-where"))
        keeping.keep(self.sitting.record(), rest)
        screen.out().print(self.messages("saved", path=rest), style="right")

    def _undo(self, rest: str) -> None:
        if not self.sitting.may_undo():
            raise BadInput(self.messages("no-undo" if self.sitting.actions else "nothing-done"))
        screen.out().print(self.messages("undone", action=self.sitting.undo()), style="right")

    # Output.

    def _tell(self, eyes: Eyes) -> None:
        """Show what has happened since this viewer last saw the game."""
        since = min(self._seen.get(eyes, 0), len(self.sitting.actions))
        self._seen[eyes] = len(self.sitting.actions)
        if since < len(self.sitting.actions):
            screen.out().print(recap(self.sitting, since, eyes, self.messages))

    def _show(self) -> None:
        screen.heading(self.messages.actor(self.actor, self.sitting.players))
        Eyes(self.actor).show(self.state)
        screen.out().print()
        screen.out().print(listing.listed(self.state, screen.out().width))
        screen.out().print()

    def _show_end(self) -> None:
        eyes = self._last_eyes()
        if self._has_secrets():
            screen.clear()
        self._tell(eyes)
        screen.heading(self.messages.result(self.state, self.sitting.players))
        eyes.show(self.state)
        screen.out().print()

    def _last_eyes(self) -> Eyes:
        """The viewer of the final board: the only person, what all persons share, or everything."""
        people = self.sitting.people
        return REFEREE if not people else Eyes(people[0]) if len(people) == 1 else Eyes()
