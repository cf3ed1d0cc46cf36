"""Secrets that are handed out, and the digests by which they are known again."""

import hashlib

from . import entropy

BYTES = 16
"""128 bits: nobody guesses one."""


def new() -> str:
    """A secret that fits into a link or a cookie."""
    return entropy.token_urlsafe(BYTES)


def digest(token: str) -> str:
    """What is kept of a secret: enough to know it again, not to use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
