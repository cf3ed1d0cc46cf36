"""Secrets that are handed out, and the digests by which they are known again."""

import hashlib
import secrets

BYTES = 16
"""128 bits: nobody guesses one."""


def new() -> str:
    """A secret that fits into a link or a cookie."""
    return secrets.token_urlsafe(BYTES)


def digest(token: str) -> str:
    """What is kept of a secret: enough to know it again, not to use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
