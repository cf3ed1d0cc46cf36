"""Stonehenge, by Reiner Knizia: druids on the crossings of fifteen lines, for two players."""

from archipel.core.manifest import Manifest

MANIFEST = Manifest(
    game="archipel.games.stonehenge.game:Stonehenge",
    knowledge="archipel.games.stonehenge.bot.knowledge:KNOWLEDGE",
    expert="archipel.games.stonehenge.bot.solver.bot:expert",
    bots={"solver": "archipel.games.stonehenge.bot.solver:SolverBot"},
    levels="levels.json",
    puzzles="archipel.games.stonehenge.bot.puzzles:PUZZLES",
    page="archipel.games.stonehenge.bot.solver.page:PAGE",
)
