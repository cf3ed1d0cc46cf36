"""What people ask of their notices: wishes, channels, a test, an end."""

import hmac
import re
from urllib.parse import urlsplit

import msgspec

from archipel.core.errors import sentence

from .. import entropy, protocol, tokens
from ..log.decisions import Refusal, plain
from ..people.sessions import Person
from ..storage.outbox import Channel, Wishes
from . import hours
from .courier import Courier
from .delivery import MESSENGERS, public_key

MOST = 8
"""How many channels a person may have."""
_MAIL = re.compile(r"[^\s@<>,;\"']{1,64}@[A-Za-z0-9.-]{1,180}\.[A-Za-z]{2,24}")
_KEYS = re.compile(r"[A-Za-z0-9_-]+=*")


async def told(courier: Courier, person: Person) -> protocol.Notices:
    """A person's wishes and channels, and what this server can deliver to."""
    kept = await courier.outbox.wishes(person.who)
    kinds = kinds_of(courier)
    return protocol.Notices(
        wishes=_shown(kept or Wishes(person.who)),
        channels=[_channel(one, person) for one in await courier.outbox.channels(person.who)],
        kinds=kinds,
        push_key=public_key(await courier.key()) if "push" in kinds else "",
    )


def kinds_of(courier: Courier) -> list[protocol.ChannelKind]:
    """What this server can deliver to: `archipel[notices]` brings push and messengers, a mail server mail."""
    kinds: list[protocol.ChannelKind] = ["webhook"]
    if courier.has_push:
        kinds.append("push")
    if courier.has_apprise:
        kinds.append("apprise")
        if courier.hub.settings.mail:
            kinds.append("mail")
    return kinds


def _channel(one: Channel, person: Person) -> protocol.NoticeChannel:
    here = one.kind == "push" and one.cookie == person.cookie
    kind: protocol.ChannelKind = one.kind  # type: ignore[assignment]
    return protocol.NoticeChannel(one.id, kind, one.label, one.created, not one.code, one.failing, here)


def _shown(kept: Wishes) -> protocol.NoticeWishes:
    language: protocol.Language = "fr" if kept.language == "fr" else "en"
    return protocol.NoticeWishes(
        language, kept.zone, kept.quiet_from, kept.quiet_until, kept.digest, bool(kept.reminders), kept.away_until
    )


async def wish(courier: Courier, person: Person, wanted: protocol.NoticeWishes) -> None:
    """Store what a person wishes; Refusal if the zone does not exist."""
    await courier.outbox.wish(_kept(courier, person, wanted))


def _kept(courier: Courier, person: Person, wanted: protocol.NoticeWishes) -> Wishes:
    if hours.zone_of(wanted.zone) is None:
        raise Refusal("table.zone", "There is no such time zone.")
    now = courier.hub.now()
    kept = Wishes(
        person.who,
        wanted.language,
        wanted.zone,
        wanted.quiet_from,
        wanted.quiet_until,
        wanted.digest,
        None,
        int(wanted.reminders),
        wanted.away_until,
        now,
    )
    if wanted.digest is not None:
        kept.next_digest = hours.next_at(kept, now, wanted.digest)
    return kept


async def add(courier: Courier, person: Person, wanted: protocol.NewChannel, device: str) -> protocol.NoticeChannel:
    """Notify a person at one more place; Refusal says what is wrong with it."""
    if wanted.kind not in kinds_of(courier):
        raise Refusal("table.notices", "This server cannot deliver notices that way.")
    if len(await courier.outbox.channels(person.who)) >= MOST:
        raise Refusal("table.channels", sentence("You have {n} addresses already; remove one first.", n=MOST))
    wishes = _kept(courier, person, wanted.wishes or protocol.NoticeWishes())
    channel = await _CHECKS[wanted.kind](courier, person, wanted, device)
    code = ""
    if wanted.kind == "mail":
        code = f"{int.from_bytes(entropy.token_bytes(4), 'big') % 1_000_000:06}"
        channel.code = tokens.digest(f"{channel.id} {code}")
    await courier.outbox.add_channel(channel, wishes)
    await courier.subscribed(person.who)
    if code:
        await courier.say(channel, "confirm", {"code": code})
    return _channel(channel, person)


async def _push(courier: Courier, person: Person, wanted: protocol.NewChannel, device: str) -> Channel:
    _web_address(courier, wanted.address)
    if not (_KEYS.fullmatch(wanted.p256dh) and _KEYS.fullmatch(wanted.auth)):
        raise Refusal("table.address", "The browser’s subscription lacks its keys.")
    keys = {"p256dh": wanted.p256dh, "auth": wanted.auth}
    address = msgspec.json.encode({"endpoint": wanted.address, "keys": keys}).decode()
    return _made(courier, person, wanted, address, device or urlsplit(wanted.address).hostname or "", person.cookie)


async def _webhook(courier: Courier, person: Person, wanted: protocol.NewChannel, device: str) -> Channel:
    return _made(courier, person, wanted, wanted.address, _web_address(courier, wanted.address))


async def _messenger(courier: Courier, person: Person, wanted: protocol.NewChannel, device: str) -> Channel:
    scheme = wanted.address.partition("://")[0].lower()
    if scheme not in MESSENGERS:
        raise Refusal("table.address", sentence("Addresses of messengers begin with one of {kinds}.", kinds=_listed()))
    if not await courier.check(wanted.address):
        raise Refusal("table.address", "That address is not complete, or not written as its messenger wants it.")
    return _made(courier, person, wanted, wanted.address, scheme)


async def _mail(courier: Courier, person: Person, wanted: protocol.NewChannel, device: str) -> Channel:
    if not _MAIL.fullmatch(wanted.address):
        raise Refusal("table.address", "That is not a mail address.")
    return _made(courier, person, wanted, wanted.address, wanted.address)


_CHECKS = {"push": _push, "webhook": _webhook, "apprise": _messenger, "mail": _mail}


def _listed() -> str:
    return ", ".join(f"{kind}://" for kind in MESSENGERS)


def _web_address(courier: Courier, address: str) -> str:
    """The host of a web address; Refusal unless it begins with https://."""
    schemes = ("http", "https") if courier.hub.settings.notices_near else ("https",)
    try:
        parts = urlsplit(address)
        fits = parts.scheme in schemes and parts.hostname and parts.port != 0 and address.isascii()
    except ValueError:
        fits = None
    if not fits or any(letter.isspace() for letter in address):
        raise Refusal("table.address", "That is not an address that begins with https://.")
    return plain(parts.hostname or "")[:80]


def _made(
    courier: Courier, person: Person, wanted: protocol.NewChannel, address: str, label: str, cookie: str = ""
) -> Channel:
    whose = "" if wanted.kind == "push" else person.who  # a browser has one subscription for all who play in it
    channel = tokens.digest(f"{wanted.kind} {wanted.address} {whose}")[:24]
    return Channel(channel, person.who, wanted.kind, address, label[:80], cookie, "", courier.hub.now())


async def confirm(courier: Courier, person: Person, wanted: protocol.ConfirmChannel) -> None:
    """A mail address is a person's own if they know the code that was sent there."""
    channel = await _mine(courier, person, wanted.id)
    digest = tokens.digest(f"{channel.id} {wanted.code.strip()}")
    if channel.code and not hmac.compare_digest(digest, channel.code):
        raise Refusal("table.code", "That is not the code.")
    await courier.outbox.confirm(channel.id)


async def remove(courier: Courier, person: Person, name: str) -> None:
    """Notify a person there no more."""
    await courier.outbox.remove_channel((await _mine(courier, person, name)).id)


async def test(courier: Courier, person: Person, name: str) -> None:
    """Send a notice that says that notices arrive."""
    channel = await _mine(courier, person, name)
    if channel.code:
        raise Refusal("table.code", "Confirm the address first.")
    await courier.say(channel, "test", {})


async def stop(courier: Courier, token: str) -> None:
    """Stop the notices that brought this link."""
    if not await courier.stop(token):
        raise Refusal("table.link", "This link is no longer valid.")


async def _mine(courier: Courier, person: Person, name: str) -> Channel:
    channel = await courier.outbox.channel(name)
    if channel is None or channel.who != person.who:
        raise Refusal("table.no-such-channel", "You have no such address.")
    return channel
