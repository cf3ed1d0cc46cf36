"""The password of a private server, and the operator's token."""

import hashlib
import hmac

from ..settings import Settings

LONGEST = 34_560_000
"""The maximum lifetime of a cookie in browsers, in seconds: 400 days."""
_SALT = b"archipel: the password of a private server"


class Gate:
    """Knows the password and the token, and compares them in constant time."""

    def __init__(self, settings: Settings) -> None:
        self._pass = _stretched(settings.password) if settings.password else ""
        self._operator = settings.operator.encode()
        self._secure = settings.secure
        self.cookie = "__Host-archipel-pass" if settings.secure else "archipel-pass"

    @property
    def private(self) -> bool:
        """True if the server asks for a password."""
        return self._pass != ""

    def lets_in(self, shown: str | None) -> bool:
        """True if this cookie proves that the password is known."""
        return not self.private or hmac.compare_digest(self._pass.encode(), (shown or "").encode())

    def opens(self, password: str) -> bool:
        """True if it is the password. Slow on purpose: call it in a thread."""
        return self.private and hmac.compare_digest(self._pass, _stretched(password))

    def header(self) -> str:
        """The header that sets the cookie for those who know the password."""
        secure = "; Secure" if self._secure else ""
        return f"{self.cookie}={self._pass}; Path=/; Max-Age={LONGEST}; HttpOnly; SameSite=Strict{secure}"

    def is_operator(self, token: str) -> bool:
        """True if it is the operator's token."""
        return hmac.compare_digest(self._operator, token.encode())


def _stretched(password: str) -> str:
    """A key derived from a password: the same in every process, and slow to guess from."""
    return hashlib.scrypt(password.encode(), salt=_SALT, n=1 << 14, r=8, p=1, dklen=24).hex()
