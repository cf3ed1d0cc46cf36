"""Sessions: a name and a cookie, no account. Each device has its own cookie; a link or a recovery phrase adds one."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from archipel.core.errors import sentence

from .. import entropy, protocol, tokens
from ..log.clock import DAY
from ..log.decisions import Refusal, plain
from ..storage import KeptLink, Store
from . import phrases

LONGEST = 400
"""The maximum lifetime of a cookie in browsers, in days."""
CARRY = 600_000
"""Milliseconds for which a link to another device is valid."""
RECHECK = 60_000
"""Milliseconds after which the database is asked again whether a cookie is still valid."""
DEVICE = 16
"""The length of the part of a cookie's digest that identifies a device to its owner."""


class Person(Struct, gc=False):
    """A person: `who` never leaves the server, nor does the digest of their cookie."""

    who: str
    name: str
    cookie: str = ""


NOBODY = Person("", "")


class _Known(Struct, gc=False):
    """A recently used cookie: its person, its last use, and when the database was last asked."""

    person: Person
    used: int
    asked: int


class Sessions:
    """The persons behind cookies, with a cache. A session ends after `days` days without use (0: never)."""

    def __init__(self, store: Store, secure: bool, days: int, most: int = 20_000) -> None:
        self._store = store
        self._secure = secure
        self._days = days
        self._most = most
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self.cookie = "__Host-archipel" if secure else "archipel"
        self.ended: Callable[[str], None] = lambda digest: None
        """Called with the digest of a cookie that is no longer valid."""

    def header(self, token: str) -> str:
        """The header that sets a browser's cookie; an empty one deletes it."""
        secure = "; Secure" if self._secure else ""
        age = (min(self._days, LONGEST) or LONGEST) * DAY // 1000 if token else 0
        return f"{self.cookie}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}"

    async def person(self, token: str | None, now: int) -> Person:
        """The person with this cookie."""
        if not token or len(token) > 64:
            return NOBODY
        digest = tokens.digest(token)
        known = self._known.get(digest)
        if known is None or not 0 <= now - known.asked < RECHECK:
            found = await self._store.cookie(digest)
            if found is None:
                self.forget(digest)
                return NOBODY
            who, name, used = found
            known = self._remember(digest, _Known(Person(who, name, digest), used, now))
        return NOBODY if self._expired(known.used, now) else known.person

    def _expired(self, used: int, now: int) -> bool:
        return self._days > 0 and used < now - self._days * DAY

    def _remember(self, digest: str, known: _Known) -> _Known:
        self._known[digest] = known
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return known

    def forget(self, digest: str) -> None:
        """A cookie is no longer valid, here or according to another process."""
        self._known.pop(digest, None)

    async def renew(self, person: Person, now: int) -> bool:
        """Note that a cookie was used; True once a day, when the browser should get it again."""
        known = self._known.get(person.cookie)
        if known is None or now - known.used < DAY:
            return False
        known.used = now
        await self._store.use_cookie(person.cookie, now)
        return True

    async def sweep(self, now: int) -> None:
        """End the sessions that have not been used for too long."""
        if self._days:
            await self._store.end_unused(now - self._days * DAY)

    async def begin(self, name: str, now: int, device: str = "") -> tuple[str, str]:
        """Create a person; return their cookie and name."""
        token, who = tokens.new(), entropy.token_hex(12)
        digest, name = tokens.digest(token), _named(name)
        await self._store.add_person(who, name, digest, now, device)
        self._remember(digest, _Known(Person(who, name, digest), now, now))
        return token, name

    async def rename(self, person: Person, name: str) -> str:
        """Change a person's name; return the new one."""
        name = _named(name)
        await self._store.rename(person.who, name)
        for known in self._known.values():
            if known.person.who == person.who:
                known.person.name = name
        return name

    # Devices.

    async def devices(self, person: Person) -> list[protocol.Device]:
        """A person's devices, the last used first."""
        return [
            protocol.Device(kept.digest[:DEVICE], kept.device, kept.created, kept.used, kept.digest == person.cookie)
            for kept in await self._store.cookies(person.who)
        ]

    async def end(self, person: Person, device: str | None) -> None:
        """End a person's session on one device, or on all but this one; Refusal if there is no such device."""
        cookies = [kept.digest for kept in await self._store.cookies(person.who)]
        if device is None:
            ended = [digest for digest in cookies if digest != person.cookie]
        else:
            ended = [digest for digest in cookies if digest[:DEVICE] == device]
            if not ended:
                raise Refusal("table.no-such-device", "There is no such device.")
        await self._end(ended)

    async def end_person(self, who: str) -> None:
        """End a person's sessions on all devices."""
        await self._end([kept.digest for kept in await self._store.cookies(who)])

    async def _end(self, digests: list[str]) -> None:
        await self._store.end_cookies(digests)
        for digest in digests:
            self.ended(digest)

    # From one device to another.

    async def carry(self, person: Person, now: int) -> str:
        """The secret of a link that adds another device to a person's session, once and for a short time."""
        token = tokens.new()
        await self._store.add_link(
            KeptLink(tokens.digest(token), "session", None, None, None, person.who, now, now + CARRY)
        )
        return token

    async def arriving(self, person: Person, token: str, now: int) -> protocol.Arriving:
        """Whom such a link would make of somebody, and what they would leave; Refusal if the link is not valid."""
        link = await self._carried(token, now)
        left = 0 if person.who in ("", link.maker) else await self._store.tables_of(person.who)
        return protocol.Arriving(await self._store.name(link.maker), person.name, left)

    async def arrive(self, person: Person, token: str, replace: bool, now: int, device: str) -> tuple[str, str]:
        """Use such a link; return the new device's cookie, "" if it has one already, and the name.

        Refusal if the link is not valid, or if the person would lose seats and has not agreed to that.
        """
        return await self._become(person, await self._carried(token, now), replace, now, device)

    async def phrase(self, person: Person, now: int) -> str:
        """A recovery phrase by which somebody's session can be used on one more device, once; the last one ends."""
        phrase = phrases.new()
        digest = await asyncio.to_thread(phrases.digest, phrase)
        await self._store.replace_link(KeptLink(digest, "phrase", None, None, None, person.who, now))
        return phrase

    async def recover(self, person: Person, typed: str, replace: bool, now: int, device: str) -> tuple[str, str]:
        """Use a recovery phrase as a link to another device is used; Refusal if it is none, or nobody's."""
        digest = await asyncio.to_thread(phrases.digest, phrases.read(typed))
        link = await self._store.link(digest, now)
        if link is None or link.kind != "phrase":
            raise Refusal("table.phrase", "Nobody has this recovery phrase. Each works once: was it used already?")
        return await self._become(person, link, replace, now, device)

    async def _become(self, person: Person, link: KeptLink, replace: bool, now: int, device: str) -> tuple[str, str]:
        """Become the person who made a link; the link is used up."""
        name = await self._store.name(link.maker)
        if person.who not in ("", link.maker) and not replace:
            tables = await self._store.tables_of(person.who)
            if tables:
                reason = "You have seats at {n} tables here as {name}: say that you want to leave them."
                raise Refusal("table.seats-held", sentence(reason, n=tables, name=person.name))
        if not await self._store.revoke(link.digest):
            raise Refusal("table.link", "This link is no longer valid.")
        if person.who == link.maker:
            return "", name
        cookie = tokens.new()
        await self._store.add_cookie(link.maker, tokens.digest(cookie), now, device)
        if person.cookie:
            await self._end([person.cookie])
        return cookie, name

    async def _carried(self, token: str, now: int) -> KeptLink:
        link = await self._store.link(tokens.digest(token), now)
        if link is None or link.kind != "session":
            raise Refusal("table.link", "This link is no longer valid.")
        return link


def _named(name: str) -> str:
    name = plain(name)[:24].strip()
    if not name:
        raise Refusal("table.name-needed", "A name has at least one letter.")
    return name


_BROWSERS = (
    ("Firefox", ("Firefox/", "FxiOS/")),
    ("Edge", ("Edg/", "EdgA/", "EdgiOS/")),
    ("Opera", ("OPR/",)),
    ("Samsung Internet", ("SamsungBrowser/",)),
    ("Chrome", ("Chrome/", "CriOS/")),
    ("Safari", ("Safari/",)),
)
_SYSTEMS = (
    ("Android", ("Android",)),
    ("iPhone", ("iPhone",)),
    ("iPad", ("iPad",)),
    ("ChromeOS", ("CrOS",)),
    ("Windows", ("Windows",)),
    ("macOS", ("Mac OS X", "Macintosh")),
    ("Linux", ("Linux", "X11")),
)


def device_of(agent: str) -> str:
    """A readable name of a device from its user agent, such as `Firefox, Android`; "" if unknown.

    The first match counts: browsers also name those that they resemble.
    """
    found = (next((name for name, signs in known if any(sign in agent for sign in signs)), "") for known in _KINDS)
    return ", ".join(part for part in found if part)


_KINDS = _BROWSERS, _SYSTEMS
