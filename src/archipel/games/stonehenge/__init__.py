"""Stonehenge, by Reiner Knizia: druids on the crossings of fifteen lines, for two players."""

from archipel.core.manifest import Manifest

MANIFEST = Manifest(
    game="archipel.games.stonehenge.game:Stonehenge",
    knowledge="archipel.bots.knowledge.stonehenge:KNOWLEDGE",
    expert="archipel.bots.solver.bot:expert",
    levels="levels.json",
)
