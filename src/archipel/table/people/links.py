"""Links that invite others: to a seat, to watch, or to watch a player's hand. Each can be revoked."""

from typing import Any

from .. import protocol, tokens
from ..log.decisions import Refusal
from ..play.hub import Hub
from ..play.live_table import LiveTable, seat_of
from ..storage import KeptLink
from .sessions import Person


async def make(hub: Hub, live: LiveTable, person: Person, wanted: protocol.NewLink) -> str:
    """Create a link; return its secret."""
    _check(live, person, wanted)
    token = tokens.new()
    kept = KeptLink(tokens.digest(token), wanted.kind, live.id, wanted.seat, live.table.game, person.who, hub.now())
    await hub.store.add_link(kept)
    return token


def _check(live: LiveTable, person: Person, wanted: protocol.NewLink) -> None:
    table, mine = live.table, live.table.seats_of(person.who)
    if person.who != table.setup.host and not mine:
        raise Refusal("table.players-only", "Only players at this table can invite others.")
    if wanted.kind == "watch":
        return
    if wanted.seat is None or wanted.seat >= table.seats:
        raise Refusal("table.no-such-seat", "Choose the seat that the link is for.")
    if wanted.kind == "shoulder" and wanted.seat not in mine:
        raise Refusal("table.not-your-seat", "Only your own cards are yours to show.")
    if wanted.kind == "seat" and person.who != table.setup.host:
        raise Refusal("table.host-only", "Only the host gives seats away.")


async def of_table(hub: Hub, live: LiveTable, person: Person) -> list[protocol.KnownLink]:
    """The links of a table that somebody may revoke, the newest first."""
    kept = await hub.store.links(live.id, hub.now())
    return [_known(link, live, person) for link in kept if _may_revoke(link, live, person)]


def _known(link: KeptLink, live: LiveTable, person: Person) -> protocol.KnownLink:
    kind: Any = link.kind
    mine = link.maker == person.who
    return protocol.KnownLink(link.digest, kind, link.created, mine, seat_of(link, live.table))


def _may_revoke(link: KeptLink, live: LiveTable, person: Person) -> bool:
    """True for its maker; for the host, unless it shows a hand; and for the player whose hand it shows."""
    if link.kind == "shoulder":
        entitled = seat_of(link, live.table) in live.table.seats_of(person.who)
    else:
        entitled = live.table.setup.host == person.who
    return person.who != "" and (person.who == link.maker or entitled)


async def find(hub: Hub, token: str) -> KeptLink:
    """The link with this secret; Refusal if it is not valid."""
    link = await hub.store.link(tokens.digest(token), hub.now())
    if link is None or link.table is None:
        raise Refusal("table.link", "This link is no longer valid.")
    return link


async def revoke(hub: Hub, person: Person, digest: str) -> None:
    """Revoke a link."""
    known = digest.isascii() and digest.isalnum()
    link = await hub.store.link(digest, hub.now()) if known else None
    live = await hub.find(link.table) if link and link.table else None
    if link is None or live is None:
        raise Refusal("table.link", "This link is no longer valid.")
    if not _may_revoke(link, live, person):
        raise Refusal("table.not-your-link", "That link is not yours to revoke.")
    await hub.store.revoke(link.digest)
    hub.cut(link.digest)


def opens(link: KeptLink, live: LiveTable, seat: int, who: str) -> bool:
    """True if the link leads this person to this seat of this table. A person whom the host removed needs a newer
    link."""
    leads = link.kind == "seat" and link.table == live.id and seat_of(link, live.table) == seat
    return leads and link.created > live.table.unseated.get(who, 0)


def bars(live: LiveTable, who: str, link: KeptLink | None) -> bool:
    """True if the host has removed this person from the table, and given them no newer link."""
    removed = live.table.removed.get(who)
    return removed is not None and not (link and link.table == live.id and link.created > removed)
