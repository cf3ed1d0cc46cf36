"""The source of the server's random numbers: the operating system, or a seeded source in tests.

All randomness of a table starts here: ids, tokens, and the secret from which its draws and its bots' seeds are derived.
A test that seeds the source before a table is created can therefore replay that table. No setting, argument or message
reaches `use`.
"""

import base64
import random

_system: random.Random = random.SystemRandom()
_source = _system


def use(source: random.Random | None) -> None:
    """Take random numbers from this source from now on; None: from the operating system."""
    global _source  # noqa: PLW0603 (there is one source for everybody, or a test could miss one)
    _source = source or _system


def token_bytes(count: int) -> bytes:
    """Return n random bytes."""
    return _source.randbytes(count)


def token_hex(count: int) -> str:
    """Return n random bytes as hexadecimal digits."""
    return token_bytes(count).hex()


def token_urlsafe(count: int) -> str:
    """Return n random bytes as URL-safe text."""
    return base64.urlsafe_b64encode(token_bytes(count)).rstrip(b"=").decode("ascii")


def below(count: int) -> int:
    """A random whole number from 0 up to `count`, without `count` itself."""
    return _source.randrange(count)
