"""Recovery phrases: twelve syllables in six words by which somebody becomes themselves again on another device.

A phrase works once, and only its digest is kept. Its last syllable follows from the others, so that a slip of the pen
is told from a phrase that nobody has.
"""

import hashlib
import unicodedata

from archipel.core.errors import sentence

from .. import entropy
from ..log.decisions import Refusal

SYLLABLES = [consonant + vowel for consonant in "bdfghklmnprstvwz" for vowel in "aeiou"]
"""80 of them: eleven drawn ones are 69 bits."""
DRAWN = 11
WORDS = 6
_SALT = b"archipel: a recovery phrase"


def new() -> str:
    """A phrase that nobody has."""
    drawn = [SYLLABLES[entropy.below(len(SYLLABLES))] for _ in range(DRAWN)]
    syllables = [*drawn, _last(drawn)]
    return " ".join(syllables[2 * word] + syllables[2 * word + 1] for word in range(WORDS))


def read(typed: str) -> str:
    """A phrase as somebody typed it, in its usual form; Refusal if it is none."""
    letters = "".join(letter for letter in unicodedata.normalize("NFKC", typed).casefold() if letter.isalpha())
    syllables = [letters[at : at + 2] for at in range(0, len(letters), 2)]
    if len(syllables) != DRAWN + 1 or any(syllable not in SYLLABLES for syllable in syllables):
        raise Refusal("table.phrase", sentence("A recovery phrase has {n} words of four letters each.", n=WORDS))
    if syllables[-1] != _last(syllables[:-1]):
        raise Refusal("table.phrase", "There is a typing mistake in this recovery phrase: compare it letter by letter.")
    return " ".join(syllables[2 * word] + syllables[2 * word + 1] for word in range(WORDS))


def digest(phrase: str) -> str:
    """What is kept of a phrase. It takes long on purpose: call it in a thread."""
    return hashlib.scrypt(phrase.encode(), salt=_SALT, n=1 << 14, r=8, p=1, dklen=32).hex()


def _last(syllables: list[str]) -> str:
    """The syllable that follows from the others."""
    return SYLLABLES[int.from_bytes(hashlib.sha256("".join(syllables).encode()).digest()[:8]) % len(SYLLABLES)]
