"""Where the server takes its random numbers from: the operating system, unless a test puts a seeded source there.

Everything at a table that is left to chance starts here: ids, tokens, and the secret that a table's draws and its bots'
thoughts are derived from. Whoever seeds the source before a table is made can therefore play that table again.
No setting, argument or message reaches `use`.
"""

import base64
import random

_system: random.Random = random.SystemRandom()
_source = _system


def use(source: random.Random | None) -> None:
    """Take random numbers from this source from now on; None: from the operating system again."""
    global _source  # noqa: PLW0603 (there is one source for everybody, or a test could miss one)
    _source = source or _system


def token_bytes(count: int) -> bytes:
    """So many random bytes."""
    return _source.randbytes(count)


def token_hex(count: int) -> str:
    """So many random bytes, in hexadecimal digits."""
    return token_bytes(count).hex()


def token_urlsafe(count: int) -> str:
    """So many random bytes, in letters that fit into a URL."""
    return base64.urlsafe_b64encode(token_bytes(count)).rstrip(b"=").decode("ascii")
