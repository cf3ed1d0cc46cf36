"""Kula Kula, by Reinhold Wittig: shells traded around a ring of islands, for three to five players."""

from archipel.core.manifest import Manifest

MANIFEST = Manifest(
    game="archipel.games.kula_kula.game:KulaKula",
    knowledge="archipel.games.kula_kula.bot.knowledge:KNOWLEDGE",
    expert="archipel.games.kula_kula.bot.expert:expert",
    levels="levels.json",
    puzzles="archipel.games.kula_kula.bot.puzzles:PUZZLES",
)
