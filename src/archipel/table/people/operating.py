"""The operator's page: who is here, tables, load, errors. It never shows a hand."""

import os
import sys
from collections import defaultdict
from pathlib import Path

import archipel

from .. import logging, protocol, tokens
from ..log import views
from ..play.hub import Hub

LISTED = 100


def person_id(who: str) -> str:
    """The id that the operator sees for a person."""
    return tokens.digest(f"operator {who}")[:16]


def people(hub: Hub) -> dict[str, protocol.Visitor]:
    """The people connected to this process, by a key that never leaves the server."""
    tables: dict[str, set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    for live in hub.lives.values():
        for socket in live.sockets:
            tables[socket.who].add(live.id)
            names[socket.who] = socket.name
    return {who: protocol.Visitor(person_id(who), names[who], sorted(at)) for who, at in tables.items() if who}


async def report(hub: Hub, started: int, sockets: int, waiting: int) -> protocol.OperatorReport:
    """Everything on the operator's page."""
    rows = await hub.store.latest(LISTED)
    listed = []
    for row in rows:
        live = hub.lives.get(row.id)
        chairs = views.chairs(live.table) if live else []
        here = len(live.sockets) if live else 0
        status = live.table.status if live else row.status
        listed.append(
            protocol.OperatorTable(row.id, row.setup.game, status, row.setup.visibility, row.updated, chairs, here)
        )
    anonymous = sum(socket.who == "" for live in hub.lives.values() for socket in live.sockets)
    return protocol.OperatorReport(
        version=archipel.__version__,
        started=started,
        workers=hub.settings.workers,
        sockets=sockets,
        in_memory=len(hub.lives),
        waiting=waiting,
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0,
        memory=_memory(),
        people=sorted(people(hub).values(), key=lambda visitor: visitor.name.casefold())[:LISTED],
        unnamed=anonymous,
        tables=listed,
        troubles=[protocol.Incident(at, what) for at, what in logging.recent.troubles],
    )


def _memory() -> int:
    """The memory of this process in bytes; 0 if unknown."""
    if sys.platform == "win32":
        return 0
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
