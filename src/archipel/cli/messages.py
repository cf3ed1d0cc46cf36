"""The terminal's messages, in English and French."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import archipel
from archipel import CHANCE
from archipel.core.errors import Sentence

if TYPE_CHECKING:
    from archipel.core.state import State

ENGLISH = {
    "seat": "seat {seat}",
    "player": "seat {seat} ({player})",
    "chance": "chance",
    "compiling": "Compiling {title}’s rules (once on this machine)…",
    "compiling-any": "Compiling the rules (once on this machine)…",
    "game": "game {number} of {games}",
    "prompt": "seat {seat}> ",
    "hint": "Type an action or its number, or help for a list of commands.",
    "curtain": "Seat {seat}: press Enter when nobody else is looking. ",
    "thinking": "seat {seat} ({player}) is thinking…",
    "forfeited": "seat {seat} ({player}) failed, so a random move was played: {why}",
    "no-number": "There are {count} actions: type a number from 1 to {count}.",
    "rule": "rule {rule}; type `rules {anchor}` to read it",
    "undone": "Undone: {action}.",
    "no-undo": "Can’t undo: new information was revealed, or another player has acted.",
    "nothing-done": "There is nothing to undo yet.",
    "save-where": "Add a file name: save FILE.",
    "saved": "Game saved to {path}.",
    "left": "Game abandoned. Bye!",
    "wins": "{seats} wins.",
    "share": "{seats} share the win.",
    "draw": "Draw.",
    "and": " and ",
    "or": " or ",
    "points": "After {played} of {games}: {points}",
    "series-won": "{players} wins the series.",
    "series-shared": "{players} share the series.",
    "series-level": "The series is tied.",
    "help-action": "play an action: its notation, or its number in the list",
    "help-undo": "undo your last action (not after new information)",
    "help-rules": "show the rules, or one of them",
    "help-board": "show the board and the legal actions again",
    "help-save": "save the game so far",
    "help-help": "show this list",
    "help-quit": "quit",
}

FRENCH = {
    "seat": "siège {seat}",
    "player": "siège {seat} ({player})",
    "chance": "hasard",
    "compiling": "Compilation des règles de {title} (une seule fois sur cette machine)…",
    "compiling-any": "Compilation des règles (une seule fois sur cette machine)…",
    "game": "partie {number} sur {games}",
    "prompt": "siège {seat}> ",
    "hint": "Tapez une action ou son numéro, ou help pour la liste des commandes.",
    "curtain": "Siège {seat} : appuyez sur Entrée quand personne d’autre ne regarde. ",
    "thinking": "siège {seat} ({player}) réfléchit…",
    "forfeited": "siège {seat} ({player}) a échoué, un coup au hasard a été joué : {why}",
    "no-number": "Il y a {count} actions : tapez un numéro de 1 à {count}.",
    "rule": "règle {rule} ; tapez `rules {anchor}` pour la lire",
    "undone": "Annulé : {action}.",
    "no-undo": "Annulation impossible : une information a été révélée, ou un autre joueur a joué.",
    "nothing-done": "Il n’y a encore rien à annuler.",
    "save-where": "Ajoutez un nom de fichier : save FICHIER.",
    "saved": "Partie enregistrée dans {path}.",
    "left": "Partie abandonnée. Au revoir !",
    "wins": "{seats} gagne.",
    "share": "{seats} se partagent la victoire.",
    "draw": "Match nul.",
    "and": " et ",
    "or": " ou ",
    "points": "Après {played} sur {games} : {points}",
    "series-won": "{players} gagne la série.",
    "series-shared": "{players} se partagent la série.",
    "series-level": "La série se termine sur une égalité.",
    "help-action": "jouer une action : sa notation, ou son numéro dans la liste",
    "help-undo": "annuler votre dernière action (sauf si une information a été révélée)",
    "help-rules": "afficher les règles, ou l’une d’elles",
    "help-board": "afficher de nouveau le plateau et les actions possibles",
    "help-save": "enregistrer la partie",
    "help-help": "afficher cette liste",
    "help-quit": "quitter",
}


@dataclass(frozen=True)
class Messages:
    """The messages of one language."""

    language: str = "en"

    def __call__(self, key: str, /, **values: Any) -> str:
        """The message `key`, formatted with `values`."""
        return (FRENCH if self.language == "fr" else ENGLISH)[key].format(**values)

    def actor(self, mover: int, players: list[str]) -> str:
        """Name the mover: a seat and its player, or chance."""
        if mover == CHANCE:
            return self("chance")
        if not players:
            return self("seat", seat=mover)
        return self("player", seat=mover, player="".join(c if c.isprintable() else "?" for c in players[mover]))

    def result(self, state: "State", players: list[str]) -> str:
        """Say how a game ended."""
        names = [
            self.actor(seat, players) for seat, worth in enumerate(state.returns()) if worth == max(state.returns())
        ]
        key = "draw" if len(names) == state.game.seats else "share" if len(names) > 1 else "wins"
        sentence = self(key, seats=self.listed(names))
        return f"{sentence[0].upper()}{sentence[1:]} {' : '.join(map(str, state.scores))}"

    def listed(self, names: list[str], joined: str = "and") -> str:
        """Join names as a list: a, b and c (or, with `joined="or"`: a, b or c)."""
        return self(joined).join([", ".join(names[:-1]), names[-1]] if names[:-1] else names)

    def refusal(self, reason: str) -> str:
        """A refusal in this language; in English if it has no translation."""
        catalogue = refusals(self.language)
        template = catalogue.get(reason.template if isinstance(reason, Sentence) else reason)
        if template is None:
            return reason
        gaps = reason.gaps if isinstance(reason, Sentence) else {}
        return template.format(**{name: self._gap(gap, catalogue) for name, gap in gaps.items()})

    def _gap(self, gap: str | list[str], catalogue: dict[str, str]) -> str:
        return self.listed(gap, "or") if isinstance(gap, list) else catalogue.get(gap, gap)


@cache
def refusals(language: str) -> dict[str, str]:
    """All refusals by their English template, from the `refusals.LANGUAGE.json` of each package."""
    from archipel.core import registry

    own = sorted(Path(archipel.__file__).parent.rglob(f"refusals.{language}.json"))
    others = [found.file(f"refusals.{language}.json") for found in registry.plug_ins().manifests.values()]
    found: dict[str, str] = {}
    for path in (*own, *(other for other in others if other.is_file())):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found
