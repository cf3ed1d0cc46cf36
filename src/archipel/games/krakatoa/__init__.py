"""Krakatoa, by Joli Quentin Kansil: nine dodecahedra, thrown at each other, for two to four players."""

from archipel.core.manifest import Manifest

MANIFEST = Manifest(
    game="archipel.games.krakatoa.game:Krakatoa",
    slow_chance="archipel.games.krakatoa.dice.at_table:TABLE_DICE",
    expert="archipel.games.krakatoa.bot.expert:expert",
    striving="archipel.games.krakatoa.bot.expert:strive",
    habits="archipel.games.krakatoa.bot.expert:lean",
    levels="levels.json",
    puzzles="archipel.games.krakatoa.bot.puzzles:PUZZLES",
)
