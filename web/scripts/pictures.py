"""Write the positions that the rules pages show: real ones, reached by real actions, drawn by the real boards.

`python web/scripts/pictures.py` writes them anew; a test keeps them current.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from lessons import KAHUNA

import archipel

WEB = Path(__file__).parents[1]

OURS = ["DUDA>BARI", "ALOA>BARI", "draw GOLA", "deal JOJO"]
THROWN_OFF = ["YYB", "RBB"]
FIRST = [*THROWN_OFF, "YBB YRB RRB"]


class Picture(NamedTuple):
    """A position below a rule: what was played, who looks, what is written under it."""

    anchor: str
    script: list[str]
    en: str
    fr: str
    options: dict[str, Any] | None = None
    start: dict[str, Any] | None = None
    marks: int = 1
    """How many of the last actions are marked as new."""


PICTURES: dict[str, list[Picture]] = {
    "kahuna": [
        Picture(
            "build",
            [],
            "The round stones have bridges on two of BARI's five lines. With a DUDA card, BARI–DUDA is next.",
            "Les pierres rondes ont des ponts sur deux des cinq lignes de BARI. Avec une carte DUDA, BARI–DUDA suit.",
            start=KAHUNA,
        ),
        Picture(
            "control",
            ["DUDA>BARI"],
            "BARI–DUDA is built: three of five. BARI gets a stone, the foe's bridge to ALOA comes off.",
            "BARI–DUDA est construit : trois sur cinq. BARI reçoit une pierre, le pont adverse vers ALOA tombe.",
            start=KAHUNA,
        ),
        Picture(
            "cut",
            [*OURS, "x ELAI-HUNA (HUNA HUNA)"],
            "Two HUNA cards together cut the bridge on ELAI–HUNA.",
            "Deux cartes HUNA ensemble coupent le pont ELAI–HUNA.",
            start=KAHUNA,
        ),
        Picture(
            "example",
            [*OURS, "x ELAI-HUNA (HUNA HUNA)", "ELAI>HUNA"],
            "The foe's own bridge there wins HUNA and ELAI at once: three bridges come off, and DUDA is lost.",
            "Le pont que l'adversaire y pose gagne HUNA et ELAI d'un coup : trois ponts tombent, et DUDA est perdue.",
            start=KAHUNA,
        ),
    ],
    "stonehenge": [
        Picture(
            "board",
            [],
            "Eighteen cells, fifteen lines; a megalith will stand at the end of each.",
            "Dix-huit cases, quinze lignes ; un mégalithe se dressera au bout de chacune.",
        ),
        Picture(
            "place",
            ["3@A", "1@B"],
            "Three against one on AB: the line is full, and its megalith goes to the 3.",
            "Trois contre un sur AB : la ligne est pleine, et son mégalithe va au 3.",
        ),
        Picture(
            "domination",
            ["3@A", "1@B", "6@G", "2@D", "5@K"],
            "BDGKO: eleven against three with one cell free. Even a 6 would not be enough there: it is decided.",
            "BDGKO : onze contre trois, une case libre. Même un 6 n'y suffirait pas : la ligne est décidée.",
        ),
        Picture(
            "hidden",
            ["6@K", "2@L", "5@A"],
            "Face down: you see your own druids, of your foe's only where they stand.",
            "Face cachée : on voit ses propres druides, et de l'adversaire seulement où ils sont.",
            options={"hidden": True},
        ),
    ],
    "kula_kula": [
        Picture(
            "setup",
            [],
            "Three boats at their start islands, a Puka on every sea space, Kauri on the islands.",
            "Trois bateaux à leurs îles de départ, un Puka sur chaque case de mer, des Kauris sur les îles.",
        ),
        Picture(
            "sail",
            ["sail"],
            "One space on, and the Puka that lay there is taken.",
            "Une case plus loin ; le Puka qui s'y trouvait est pris.",
        ),
        Picture(
            "dolphin",
            ["sail", "oracle", "dolphin 1"],
            "The dolphin points to 1: a Puka comes to that space.",
            "Le dauphin montre le 1 : un Puka arrive sur cette case.",
            marks=2,
        ),
        Picture(
            "push",
            ["oracle", "dolphin 2", "card fish", "draw", "card boat"],
            "A fish and a boat: three spaces. Go now, or draw again and risk an idol?",
            "Un poisson et un bateau : trois cases. Avancer maintenant, ou tirer encore et risquer une idole ?",
            marks=2,
        ),
    ],
    "krakatoa": [
        Picture(
            "points",
            FIRST,
            "Nine dice in three sets, thrown all at once: each set scores by its yellows.",
            "Neuf dés en trois jeux, lancés ensemble : chaque jeu compte par ses jaunes.",
        ),
        Picture(
            "aim",
            [*FIRST, "keep", "lava>ash1"],
            "Lava is in the hand, and aimed at a die of ash.",
            "La lave est en main, et vise un dé de cendre.",
        ),
        Picture(
            "scratch",
            [*FIRST, "keep", "lava>ash1", "YBB YRR YYR touched", "steam>lava3", "YYB YRR YYR scratch"],
            "Nothing was touched: a scratch scores nothing.",
            "Rien n'a été touché : un lancer manqué ne rapporte rien.",
        ),
        Picture(
            "marks",
            [
                *FIRST,
                "keep",
                "lava>ash1",
                "YBB YRR YYR touched",
                "steam>lava3",
                "YYB YRR YYR scratch",
                "ash>lava1",
                "YYB YYB YYY touched",
            ],
            "After a Krakatoa the sheet shows what the next throws count.",
            "Après un Krakatoa, la feuille montre ce que comptent les prochains lancers.",
        ),
    ],
}


def picture(name: str, wanted: Picture) -> dict[str, Any]:
    """A position as its board draws it, and the words below it."""
    game = archipel.game(name, **(wanted.options or {}))
    states = [game.restore({"game": name, "options": game.options} | wanted.start) if wanted.start else game.new()]
    done: list[int] = []
    for notation in wanted.script:
        action = states[-1].parse(notation)
        done.append(action)
        states.append(states[-1].after(action))
    first = max(0, len(states) - 1 - wanted.marks)
    return {
        "anchor": wanted.anchor,
        "view": states[-1].view(0),
        "before": states[first].view(0) if done else None,
        "recent": [state.decode(action) for state, action in zip(states[first:], done[first:], strict=False)],
        "words": {"en": wanted.en, "fr": wanted.fr},
    }


def files() -> dict[Path, str]:
    """Everything that is written, by path."""
    return {
        WEB / "src" / "games" / name / "pictures.json": json.dumps(
            [picture(name, wanted) for wanted in pictures], ensure_ascii=False
        )
        + "\n"
        for name, pictures in PICTURES.items()
    }


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(WEB))


if __name__ == "__main__":
    main()
