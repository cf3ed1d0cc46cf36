"""Kahuna, by Günter Cornett: bridges between twelve islands, for two players."""

from archipel.core.manifest import Manifest

MANIFEST = Manifest(
    game="archipel.games.kahuna.game:Kahuna",
    knowledge="archipel.games.kahuna.bot.knowledge:KNOWLEDGE",
    levels="levels.json",
    puzzles="archipel.games.kahuna.bot.puzzles:PUZZLES",
)
