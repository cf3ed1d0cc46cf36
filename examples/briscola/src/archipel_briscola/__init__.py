"""Briscola, a traditional Italian card game: forty cards, twenty tricks, for two players."""

from archipel.core.manifest import Manifest

MANIFEST = Manifest(game="archipel_briscola.game:Briscola")
