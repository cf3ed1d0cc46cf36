"""Secrets for links and cookies, and the digests by which they are stored."""

import hashlib

from . import entropy

BYTES = 16
"""128 bits, which cannot be guessed."""


def new() -> str:
    """A new secret that fits into a link or a cookie."""
    return entropy.token_urlsafe(BYTES)


def digest(token: str) -> str:
    """What is stored of a secret: enough to recognise it, not to use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
