"""What the terminal says at a game, in English and in French."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from archipel import CHANCE

if TYPE_CHECKING:
    from archipel.core.state import State

LANGUAGES = ("en", "fr")

ENGLISH = {
    "seat": "seat {seat}",
    "player": "seat {seat} ({player})",
    "chance": "chance",
    "compiling": "Compiling {title}'s rules (once on this machine)…",
    "compiling-any": "Compiling the rules (once on this machine)…",
    "game": "game {number} of {games}",
    "prompt": "seat {seat}> ",
    "hint": "Type an action or its number; help lists everything else.",
    "curtain": "Seat {seat}, press Enter when nobody else is looking. ",
    "thinking": "seat {seat} ({player}) is thinking…",
    "forfeited": "seat {seat} ({player}) forfeits this move to a random one: {why}",
    "no-number": "There are {count} actions: type a number from 1 to {count}.",
    "rule": "rule {rule}; type `rules {anchor}` to read it",
    "undone": "Taken back: {action}.",
    "no-undo": "That stands: since then something was learned, or somebody else acted.",
    "nothing-done": "Nothing has been done yet.",
    "save-where": "Say where: save FILE.",
    "saved": "The game is kept in {path}.",
    "left": "The game is left as it is. Goodbye!",
    "wins": "{seats} wins.",
    "share": "{seats} share the win.",
    "draw": "A draw.",
    "and": " and ",
    "points": "After {played} of {games}: {points}",
    "series-won": "{players} wins the series.",
    "series-shared": "{players} share the series.",
    "series-level": "The series ends level.",
    "help-action": "the notation of an action, or its number in the list",
    "help-undo": "take your last action back, unless something was learned since",
    "help-rules": "the rules, or one of them",
    "help-board": "the board and the actions again",
    "help-save": "keep the game so far in a file",
    "help-help": "this list",
    "help-quit": "leave",
}

FRENCH = {
    "seat": "siège {seat}",
    "player": "siège {seat} ({player})",
    "chance": "hasard",
    "compiling": "Compilation des règles de {title} (une seule fois sur cette machine)…",
    "compiling-any": "Compilation des règles (une seule fois sur cette machine)…",
    "game": "partie {number} sur {games}",
    "prompt": "siège {seat}> ",
    "hint": "Tapez une action ou son numéro ; help montre tout le reste.",
    "curtain": "Siège {seat}, appuyez sur Entrée quand personne d'autre ne regarde. ",
    "thinking": "siège {seat} ({player}) réfléchit…",
    "forfeited": "siège {seat} ({player}) perd ce coup, joué au hasard : {why}",
    "no-number": "Il y a {count} actions : tapez un numéro de 1 à {count}.",
    "rule": "règle {rule} ; tapez `rules {anchor}` pour la lire",
    "undone": "Repris : {action}.",
    "no-undo": "C'est joué : depuis, on a appris quelque chose, ou un autre a joué.",
    "nothing-done": "Rien n'a encore été joué.",
    "save-where": "Dites où : save FICHIER.",
    "saved": "La partie est gardée dans {path}.",
    "left": "La partie reste où elle en est. Au revoir !",
    "wins": "{seats} gagne.",
    "share": "{seats} se partagent la victoire.",
    "draw": "Partie nulle.",
    "and": " et ",
    "points": "Après {played} sur {games} : {points}",
    "series-won": "{players} gagne la série.",
    "series-shared": "{players} se partagent la série.",
    "series-level": "La série finit à égalité.",
    "help-action": "la notation d'une action, ou son numéro dans la liste",
    "help-undo": "reprendre votre dernière action, si rien n'a été appris depuis",
    "help-rules": "les règles, ou l'une d'elles",
    "help-board": "le plateau et les actions, encore une fois",
    "help-save": "garder la partie jusqu'ici dans un fichier",
    "help-help": "cette liste",
    "help-quit": "partir",
}


@dataclass(frozen=True)
class Words:
    """The words of one language."""

    language: str = "en"

    def __call__(self, key: str, /, **values: Any) -> str:
        """One of the sentences above, with its blanks filled."""
        words = FRENCH if self.language == "fr" else ENGLISH
        return words[key].format(**values)

    def actor(self, mover: int, players: list[str]) -> str:
        """Whoever acts: a seat and who sits there, or chance."""
        if mover == CHANCE:
            return self("chance")
        if not players:
            return self("seat", seat=mover)
        return self("player", seat=mover, player="".join(c if c.isprintable() else "?" for c in players[mover]))

    def result(self, state: "State", players: list[str]) -> str:
        """How a game ended."""
        names = [
            self.actor(seat, players) for seat, worth in enumerate(state.returns()) if worth == max(state.returns())
        ]
        said = "draw" if len(names) == state.game.seats else "share" if len(names) > 1 else "wins"
        sentence = self(said, seats=self.listed(names))
        return f"{sentence[0].upper()}{sentence[1:]} {' : '.join(map(str, state.scores))}"

    def listed(self, names: list[str]) -> str:
        """Several names in a row: a, b and c."""
        return self("and").join([", ".join(names[:-1]), names[-1]] if names[:-1] else names)
