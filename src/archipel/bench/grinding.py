"""A cheating host tries many shares before each game, and takes the one that seems to deal the card they want.

`python -m archipel.bench.grinding`: a million shares under both schemes of `docs/verifying.md`.
"""

import hashlib
from typing import NamedTuple

from archipel.core import registry
from archipel.table.log.fairness import Lot
from archipel.table.log.shares import seal_of

GAMES, TRIES = 2_000, 500
ISLANDS, CARDS, WANTED = 12, 24, 2
"""The number of cards from which Kahuna deals, two per island; the host wants one of the first two islands."""


class Ground(NamedTuple):
    """In how many games the host got what they wanted, and how often chance alone gives that."""

    games: int
    tries: int
    got: int
    chance: float

    @property
    def pleased(self) -> float:
        return self.got / self.games

    @property
    def z(self) -> float:
        """By how many standard deviations that is more than chance gives."""
        spread = float((self.chance * (1 - self.chance) / self.games) ** 0.5)
        return (self.pleased - self.chance) / spread


def ground(games: int, tries: int, scheme: int) -> Ground:
    """Play starts of Kahuna with a host who knows the server's seed, sits down last and tries several shares.

    Under scheme 1 the opponent's text is there to read. Under scheme 2 the host sees only its hash, and tries the
    shares as if the hash were all there is to know; the opponent's share is opened when the host's is frozen.
    """
    first = registry.game("kahuna").new()
    got = 0
    for game in range(games):
        server, opponent = Lot.of(b"host", game), _share(f"opponent {game}")
        known = opponent if scheme == 1 else seal_of(opponent)
        mine = min((_share(f"{game} {n}") for n in range(tries)), key=lambda share: _first_number(server, known, share))
        got += _lot(server, opponent, mine).draw(first, 1) < WANTED
    return Ground(games, tries, got, WANTED / ISLANDS)


def _share(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _lot(server: Lot, *shares: str) -> Lot:
    return Lot(server.seed, server.salt, shares)


def _first_number(server: Lot, *shares: str) -> int:
    """What the first card follows from: of all 64-bit words that mean a wanted card, any will do."""
    return next(_lot(server, *shares).random_numbers(1)) % CARDS // 2


def main() -> None:
    """Print both schemes side by side."""
    for scheme in (1, 2):
        found = ground(GAMES, TRIES, scheme)
        tried = f"scheme {scheme}: {found.games * found.tries:,} shares tried before {found.games:,} games"
        print(f"{tried}, the wanted card in {found.pleased:.1%} (chance {found.chance:.1%}, {found.z:+.1f} σ)")


if __name__ == "__main__":
    main()
