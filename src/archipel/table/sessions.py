"""Who is who: a name and a cookie, no account. Somebody may carry his session to another device by a link."""

import secrets
from collections import OrderedDict

from msgspec import Struct

from . import tokens
from .decisions import Refusal, plain
from .storage import KeptLink, Store

YEAR = 365 * 86_400
CARRY = 600_000
"""For how many milliseconds a link to another device works."""


class Person(Struct, gc=False):
    """Somebody: `who` never leaves the server."""

    who: str
    name: str


NOBODY = Person("", "")


class Sessions:
    """The persons behind cookies; those seen lately are remembered."""

    def __init__(self, store: Store, secure: bool, most: int = 20_000) -> None:
        self._store = store
        self._secure = secure
        self._most = most
        self._known: OrderedDict[str, Person] = OrderedDict()
        self.cookie = "__Host-archipel" if secure else "archipel"

    def header(self, token: str) -> str:
        """The header that gives a browser its cookie."""
        secure = "; Secure" if self._secure else ""
        return f"{self.cookie}={token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict{secure}"

    async def person(self, token: str | None) -> Person:
        """Who has this cookie."""
        if not token or len(token) > 64:
            return NOBODY
        digest = tokens.digest(token)
        known = self._known.get(digest)
        if known is None:
            found = await self._store.person(digest)
            if found is None:
                return NOBODY
            known = self._remember(digest, Person(*found))
        return known

    def _remember(self, digest: str, person: Person) -> Person:
        self._known[digest] = person
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return person

    async def begin(self, name: str, now: int) -> str:
        """Somebody new; his cookie."""
        token, who = tokens.new(), secrets.token_hex(12)
        digest, name = tokens.digest(token), _named(name)
        await self._store.add_person(who, name, digest, now)
        self._remember(digest, Person(who, name))
        return token

    async def rename(self, person: Person, name: str) -> None:
        """Somebody goes by another name from now on."""
        name = _named(name)
        await self._store.rename(person.who, name)
        for known in self._known.values():
            if known.who == person.who:
                known.name = name

    async def carry(self, person: Person, now: int) -> str:
        """The secret of a link by which somebody's session can be used on one more device, once and soon."""
        token = tokens.new()
        await self._store.add_link(
            KeptLink(tokens.digest(token), "session", None, None, None, person.who, now, now + CARRY)
        )
        return token

    async def arrive(self, token: str, now: int) -> str:
        """Use such a link; the new device's cookie. Refusal if the link does not work."""
        link = await self._store.link(tokens.digest(token), now)
        if link is None or link.kind != "session" or not await self._store.revoke(link.digest):
            raise Refusal("table.link", "This link does not work any more.")
        cookie = tokens.new()
        await self._store.add_cookie(link.maker, tokens.digest(cookie), now)
        return cookie


def _named(name: str) -> str:
    name = plain(name)[:24].strip()
    if not name:
        raise Refusal("table.name-needed", "A name has at least one letter.")
    return name
