"""Write the positions that the rules pages show: real ones, reached by real actions, drawn by the real boards.

`python web/scripts/pictures.py` writes them anew; a test keeps them current.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import archipel

WEB = Path(__file__).parents[1]

KAHUNA: dict[str, Any] = {
    "round": 2,
    "mover": 0,
    "bridges": [
        ["ALOA-DUDA", "BARI-ELAI", "BARI-FAAA", "DUDA-ELAI", "DUDA-HUNA", "ELAI-HUNA"],
        ["ALOA-BARI", "ALOA-HUNA", "ELAI-FAAA", "ELAI-IFFI", "ELAI-JOJO", "HUNA-IFFI", "HUNA-LALE"],
    ],
    "stones": [["DUDA"], ["ALOA", "HUNA"]],
    "hands": [["ALOA", "DUDA", "KAHU"], ["ELAI", "HUNA", "HUNA"]],
    "shown": [[], []],
    "open": ["COCO", "GOLA", "LALE"],
    "deck": ["ALOA", "BARI", "COCO", "ELAI", "FAAA", "JOJO", "KAHU"],
    "discard": ["BARI", "DUDA", "FAAA", "GOLA", "IFFI", "IFFI", "JOJO", "LALE"],
    "hidden_discard": [[], []],
    "scores": [0, 1],
    "passed": False,
    "last_turns": None,
}
"""The example of the rules page, with cards that play it."""

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
            "Red has bridges on two of BARI’s five lines. With a DUDA card, BARI–DUDA is next.",
            "Rouge a des ponts sur deux des cinq lignes de BARI. Avec une carte DUDA, BARI–DUDA suit.",
            start=KAHUNA,
        ),
        Picture(
            "control",
            ["DUDA>BARI"],
            "BARI–DUDA is built: three of five. Red holds BARI, and Blue’s bridge to ALOA comes off.",
            "BARI–DUDA est construit : trois sur cinq. Rouge contrôle BARI, et le pont de Bleu vers ALOA est retiré.",
            start=KAHUNA,
        ),
        Picture(
            "cut",
            [*OURS, "x ELAI-HUNA (HUNA HUNA)"],
            "With two HUNA cards, Blue cuts Red’s bridge on ELAI–HUNA.",
            "Avec deux cartes HUNA, Bleu coupe le pont de Rouge sur ELAI–HUNA.",
            start=KAHUNA,
        ),
        Picture(
            "example",
            [*OURS, "x ELAI-HUNA (HUNA HUNA)", "ELAI>HUNA"],
            "Blue’s own bridge there wins HUNA and ELAI at once: three bridges of Red come off, and DUDA is lost.",
            "Le pont que Bleu y construit gagne HUNA et ELAI : trois ponts de Rouge sont retirés, et DUDA est perdue.",
            start=KAHUNA,
        ),
    ],
    "stonehenge": [
        Picture(
            "board",
            [],
            "Eighteen cells and fifteen lines, each with a standing stone at its end.",
            "Dix-huit cases et quinze lignes, chacune avec une pierre dressée à son bout.",
        ),
        Picture(
            "place",
            ["3@A", "1@B"],
            "Three to one on AB: the line is full, and Red’s megalith stands at its end.",
            "Trois contre un sur AB : la ligne est pleine, et le mégalithe de Rouge se dresse à son bout.",
        ),
        Picture(
            "domination",
            ["3@A", "1@B", "6@G", "2@D", "5@K"],
            "BDGKO: eleven to three with one cell free. Even a 6 would not be enough: the line is decided.",
            "BDGKO : onze contre trois, une case libre. Même un 6 ne suffirait pas : la ligne est décidée.",
        ),
        Picture(
            "hidden",
            ["6@K", "2@L", "5@A"],
            "Face down: you see your own druids, but of your opponent’s only where they stand.",
            "Face cachée : on voit ses propres druides, mais de ceux de l’adversaire seulement où ils sont.",
            options={"hidden": True},
        ),
    ],
    "kula_kula": [
        Picture(
            "setup",
            [],
            "Three boats at their start islands, a Puka on every odd sea space, Kauri on the islands.",
            "Trois bateaux à leurs îles de départ, un Puka sur chaque case de mer impaire, des Kauris sur les îles.",
        ),
        Picture(
            "sail",
            ["sail"],
            "Red sailed one space and picked up the Puka there.",
            "Rouge a avancé d’une case et ramassé le Puka qui s’y trouvait.",
        ),
        Picture(
            "dolphin",
            ["sail", "oracle", "dolphin 1"],
            "The dolphin points to 1: a Puka is added to that space.",
            "Le dauphin montre le 1 : un Puka s’ajoute sur cette case.",
            marks=2,
        ),
        Picture(
            "push",
            ["oracle", "dolphin 2", "card fish", "draw", "card boat"],
            "A fish and a boat: three spaces. Sail now, or draw again and risk an idol?",
            "Un poisson et un bateau : trois cases. Avancer maintenant, ou piocher encore et risquer une idole ?",
            marks=2,
        ),
    ],
    "krakatoa": [
        Picture(
            "points",
            FIRST,
            "Nine dice in three sets, thrown all at once: each set scores by its yellows.",
            "Neuf dés en trois séries, lancés ensemble : chaque série compte par ses jaunes.",
        ),
        Picture(
            "aim",
            [*FIRST, "keep", "lava>ash1"],
            "Lava is in hand, and aimed at a die of ash.",
            "La lave est en main, et vise un dé de cendre.",
        ),
        Picture(
            "scratch",
            [*FIRST, "keep", "lava>ash1", "YBB YRR YYR touched", "steam>lava3", "YYB YRR YYR scratch"],
            "No die on the table was touched: a scratch scores nothing.",
            "Aucun dé de la table n’a été touché : un raté ne rapporte rien.",
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
