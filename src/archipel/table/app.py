"""The server's routes: pages, a small HTTP interface, and a socket a browser."""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

import archipel
from archipel.core import registry
from archipel.core.errors import RecordError, sentence
from archipel.core.record import Record

from . import door, fairness, links, logs, protocol, records, replay, throwing, tokens
from .decisions import Caller, Refusal
from .hub import Hub, seat_of
from .limits import Buckets, Tally
from .line import LARGEST, Line
from .live import Live
from .pages import Pages
from .security import HEADERS, SAFE, Guard
from .sessions import Person, Sessions
from .storage import Row, StorageError
from .table import Table
from .talking import Talk

RECORD = 512 * 1024
"""How long a record may be that is to be verified."""
LINK = "archipel-link"
"""The header in which a link's secret comes: an address is seen by too many."""
LISTED = 30
HOUR = 3600.0

Body = TypeVar("Body")
Handler = Callable[["Api", Request, Person], Awaitable[Response]]
_encode = msgspec.json.Encoder().encode


class Api:
    """What the routes share."""

    def __init__(self, hub: Hub, pages: Pages | None = None) -> None:
        settings = hub.settings
        self.hub = hub
        self.guard = Guard(settings)
        self.pages = pages or Pages()
        self.sessions = Sessions(hub.store, settings.secure)
        self.requests = Buckets(10 * settings.requests, settings.requests)
        self.new_tables = Buckets(settings.tables_each, settings.tables_each / HOUR)
        self.sockets = Tally(settings.sockets_each, settings.sockets)
        routes = [_route(self, *route[:3]) for route in ROUTES]
        self.routes = Starlette(routes=routes, exception_handlers={404: _no_such_page, 405: _no_such_page})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, scope["extensions"]["archipel.line"])
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))

    # HTTP.

    async def _http(self, scope: Any, receive: Any, send: Any) -> None:
        headers = Headers(scope=scope)
        try:
            self._admit(scope, headers)
        except Refusal as refusal:
            await _problem(refusal)(scope, receive, send)
            return
        if not scope["path"].startswith(("/api/", "/healthz", "/metrics")):
            await self._page(scope, headers)(scope, receive, send)
            return
        await self.routes(scope, receive, send)

    def _admit(self, scope: Any, headers: Headers) -> None:
        if not self.requests.take(_address(scope), _now(self.hub)):
            self.hub.metrics.limited()
            raise Refusal("table.too-fast", "Too many requests; slow down.")
        if scope["path"] == "/healthz":
            return
        if not self.guard.is_our_host(headers.get("host", "")):
            raise Refusal("table.foreign-host", "The server does not go by that name.")
        if scope["method"] not in SAFE and not self.guard.is_our_page(headers):
            raise Refusal("table.foreign-page", "Only pages of this server may ask for that.")

    def _page(self, scope: Any, headers: Headers) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            return _problem(Refusal("table.no-such-page", "There is no such page."))
        encodings = headers.get("accept-encoding", "")
        return self.pages.response(scope["path"], headers.get("if-none-match"), encodings)

    async def person(self, request: Request) -> Person:
        """Who asks."""
        return await self.sessions.person(request.cookies.get(self.sessions.cookie))

    # Sockets.

    async def _socket(self, scope: Any, line: Line) -> None:
        address, headers = _address(scope), Headers(scope=scope)
        path: str = scope["path"]
        allowed = path.startswith("/ws/") and self.guard.is_our_page(headers) and not self.hub.stopping
        if not (allowed and self.requests.take(address, _now(self.hub)) and self.sockets.add(address)):
            line.refuse()
            return

        def left() -> None:
            self.sockets.remove(address)
            self.hub.metrics.sockets.set(self.sockets.total)

        self.hub.metrics.sockets.set(self.sockets.total)
        try:
            person = await self.sessions.person(_cookies(headers).get(self.sessions.cookie))
        except BaseException:
            left()
            raise
        line.accept(Talk(self.hub, line, address, person, path.removeprefix("/ws/")[:16], left))


def _with_headers(send: Any) -> Any:
    """Every answer bears the headers that keep browsers careful."""
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *extra]
        await send(message)

    return sending


def _route(api: Api, path: str, method: str, handler: Handler) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            return await handler(api, request, await api.person(request))
        except Refusal as refusal:
            return _problem(refusal)
        except ClientDisconnect:
            return Response(status_code=400)
        except StorageError:
            return _problem(Refusal("table.not-kept", "The table could not keep that; try again."))
        except HTTPException:
            raise
        except Exception:
            logs.log.exception("request-failed", extra={"route": path})
            return _problem(Refusal("table.trouble", "Something went wrong here."))

    endpoint.__name__ = handler.__name__
    return Route(path, endpoint, methods=[method])


_STATUS = {
    "table.too-fast": 429,
    "table.foreign-host": 421,
    "table.foreign-page": 403,
    "table.no-such-table": 404,
    "table.no-such-page": 404,
    "table.link": 404,
    "table.not-understood": 400,
    "table.too-long": 413,
    "table.not-kept": 503,
    "table.full-house": 503,
    "table.trouble": 500,
    "table.name-needed": 401,
}


def _problem(refusal: Refusal) -> Response:
    return _json(protocol.problem(refusal.rule, refusal.reason), _STATUS.get(refusal.rule, 409))


async def _no_such_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _json(protocol.Problem("table.no-such-page", "There is no such page."), status)


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    extra = {"cache-control": "no-store"} | (headers or {})
    return Response(_encode(body), status, media_type="application/json", headers=extra)


def _address(scope: Any) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _now(hub: Hub) -> float:
    return hub.now() / 1000


def _cookies(headers: Headers) -> dict[str, str]:
    pairs = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
    return {name: value for name, _, value in pairs}


async def _body(request: Request, kind: type[Body], most: int = LARGEST) -> Body:
    """The body of a request as one of the protocol's types; Refusal if it is none."""
    content = await _content(request, most)
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal(
            "table.not-understood", sentence("That is not what the table expects: {detail}", detail=_said(error))
        ) from None


def _said(error: Exception) -> str:
    return f"{error}." if isinstance(error, msgspec.ValidationError) else "it is not JSON."


async def _content(request: Request, most: int) -> bytes:
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise Refusal("table.too-long", sentence("A body has at most {n} bytes.", n=most))
    return bytes(content)


# Sessions.


async def get_session(api: Api, request: Request, person: Person) -> Response:
    return _json(protocol.Session(person.name))


async def post_session(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewSession)
    if person.who:
        await api.sessions.rename(person, wanted.name)
        return _json(protocol.Session(person.name))
    token = await api.sessions.begin(wanted.name, api.hub.now())
    named = await api.sessions.person(token)
    return _json(protocol.Session(named.name), 201, {"set-cookie": api.sessions.header(token)})


async def post_session_link(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    token = await api.sessions.carry(person, api.hub.now())
    return _json(protocol.Link(token, "session", f"{_base(api, request)}/arrive/{token}"), 201)


async def post_arrive(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.TokenBody)
    token = await api.sessions.arrive(wanted.token, api.hub.now())
    arrived = await api.sessions.person(token)
    return _json(protocol.Session(arrived.name), 201, {"set-cookie": api.sessions.header(token)})


def _known(person: Person) -> None:
    if not person.who:
        raise Refusal("table.name-needed", "Say your name first.")


def _base(api: Api, request: Request) -> str:
    return api.hub.settings.public_url or f"{request.url.scheme}://{request.headers['host']}"


# Tables.


async def get_games(api: Api, request: Request, person: Person) -> Response:
    games = [_game(name, api.hub.thinkers.levels(name)) for name in archipel.GAMES]
    return _json(protocol.Games(archipel.__version__, games))


def _game(name: str, levels: list[str]) -> protocol.GameInfo:
    kind = registry.kind(name)
    options = [
        protocol.OptionInfo(option.name, option.default, option.about, option.wanted, list(option.values))
        for option in kind.OPTIONS
    ]
    players = next((option.values for option in kind.OPTIONS if option.name == "players"), None)
    return protocol.GameInfo(name, kind.title, options, list(players or [kind().seats]), levels, throwing.ways(name))


async def get_tables(api: Api, request: Request, person: Person) -> Response:
    store = api.hub.store
    yours = await store.of(person.who, LISTED) if person.who else []
    public = await store.public(LISTED)
    return _json(protocol.Tables(await _summaries(api, yours, person), await _summaries(api, public, person)))


async def _summaries(api: Api, rows: list[Row], person: Person) -> list[protocol.Summary]:
    """Those of the tables that can be shown now."""
    summaries = []
    for row in rows:
        with suppress(Refusal):
            if live := await api.hub.find(row.id):
                summaries.append(_summarised(live.table, row.updated, person))
    return summaries


def _summarised(table: Table, updated: int, person: Person) -> protocol.Summary:
    about = door.about(table)
    return protocol.Summary(
        id=about.id,
        game=about.game,
        options=about.options,
        status=table.status,
        visibility=about.visibility,
        clock=about.clock,
        chairs=door.chairs(table),
        updated=updated,
        yours=table.seats_of(person.who),
        your_turn=table.awaits(person.who),
        dice=about.dice,
    )


async def post_tables(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewTable)
    _known(person)
    _spare(api, request)
    try:
        made = await api.hub.create(wanted, Caller(person.who, person.name))
    except ValueError as error:
        raise Refusal("table.options", error.args[0]) from None
    logs.event("table-made", table=made, game=wanted.game)
    return _json(protocol.Created(made), 201)


async def get_table(api: Api, request: Request, person: Person) -> Response:
    live = await _visible(api, request, person)
    return _json(_summarised(live.table, live.table.log[-1].at if live.table.log else live.table.setup.created, person))


async def _visible(api: Api, request: Request, person: Person) -> Live:
    """The table that is asked for, if the person may know of it."""
    live = await api.hub.find(request.path_params["table"][:16])
    if live:
        setup, mine = live.table.setup, live.table.seats_of(person.who)
        if setup.visibility == "public" or mine or setup.host == person.who != "":
            return live
        if await _has_link(api, request, live):
            return live
    raise Refusal("table.no-such-table", "There is no such table.")


async def _has_link(api: Api, request: Request, live: Live) -> bool:
    """Does the request bear a link to this table?"""
    token = request.headers.get(LINK, "")[:64]
    return token != "" and (await links.find(api.hub, token)).table == live.id


async def get_record(api: Api, request: Request, person: Person) -> Response:
    live = await _visible(api, request, person)
    try:
        found = records.record(live.table, _number(request, "game"))
    except ValueError as error:
        raise Refusal("table.not-over", error.args[0]) from None
    name = f"{live.table.setup.game}-{live.id}.json"
    return _json(found.json(), headers={"content-disposition": f'attachment; filename="{name}"'})


def _number(request: Request, name: str) -> int | None:
    asked = request.query_params.get(name, "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else None


async def get_replay(api: Api, request: Request, person: Person) -> Response:
    live = await _visible(api, request, person)
    game = replay.played(live.table, _number(request, "game"))
    eye: replay.Eye = "referee" if request.query_params.get("eye") == "referee" else _number(request, "eye")
    since = _number(request, "since") or 0
    return _json(await asyncio.to_thread(replay.page, live.table, game, eye, since))


async def post_branch(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewBranch)
    _known(person)
    live = await _visible(api, request, person)
    _spare(api, request)
    made = await api.hub.branch(live, wanted, Caller(person.who, person.name))
    logs.event("table-branched", table=made, game=live.table.setup.game)
    return _json(protocol.Created(made), 201)


def _spare(api: Api, request: Request) -> None:
    if not api.new_tables.take(_address(request.scope), _now(api.hub)):
        raise Refusal("table.too-fast", "You have made many tables; wait a while.")


# Links.


async def get_table_links(api: Api, request: Request, person: Person) -> Response:
    live = await _visible(api, request, person)
    return _json(protocol.Links(await links.of_table(api.hub, live, person)))


async def post_table_links(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewLink)
    live = await _visible(api, request, person)
    token = await links.make(api.hub, live, person, wanted)
    url, digest = f"{_base(api, request)}/join/{token}", tokens.digest(token)
    return _json(protocol.Link(token, wanted.kind, url, wanted.seat, digest), 201)


async def post_links(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.TokenBody)
    link = await links.find(api.hub, wanted.token)
    live = await api.hub.find(link.table or "")
    if live is None:
        raise Refusal("table.link", "This link does not work any more.")
    kind: Any = link.kind
    return _json(protocol.LinkTarget(live.id, kind, seat_of(link, live.table)))


async def post_revoke(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.Revoke)
    await links.revoke(api.hub, person, tokens.digest(wanted.token) if wanted.token else wanted.id or "")
    return Response(status_code=204)


# Fairness.


async def post_verify(api: Api, request: Request, person: Person) -> Response:
    content = await _content(request, RECORD)
    throw = api.hub.throwers.checked
    try:
        checked = await asyncio.to_thread(lambda: fairness.verify(Record.read(msgspec.json.decode(content)), throw))
    except (RecordError, fairness.NotFair) as error:
        return _json(protocol.verdict(False, error.args[0]))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refusal("table.not-understood", "That is no record.") from None
    said = "Every draw is what the promised seed gives."
    return _json(protocol.verdict(True, said if not checked.note else f"{said} {checked.note}"))


# Operating.


async def healthz(api: Api, request: Request, person: Person) -> Response:
    await api.hub.store.is_there()
    return _json({"status": "stopping" if api.hub.stopping else "ok"}, 503 if api.hub.stopping else 200)


async def metrics(api: Api, request: Request, person: Person) -> Response:
    if not _is_near(_address(request.scope)):
        raise Refusal("table.no-such-page", "There is no such page.")
    return Response(api.hub.metrics.page(), media_type="text/plain; version=0.0.4")


def _is_near(address: str) -> bool:
    """Is it this machine, or one beside it?"""
    try:
        return ipaddress.ip_address(address).is_private
    except ValueError:
        return False


class Served(NamedTuple):
    """One route: what it takes, and what it gives."""

    path: str
    method: str
    handler: Handler
    takes: type[msgspec.Struct] | None = None
    gives: type[msgspec.Struct] | None = None
    asks: tuple[str, ...] = ()
    """What may stand in the query."""


ROUTES = [
    Served("/api/session", "GET", get_session, None, protocol.Session),
    Served("/api/session", "POST", post_session, protocol.NewSession, protocol.Session),
    Served("/api/session/links", "POST", post_session_link, None, protocol.Link),
    Served("/api/session/arrive", "POST", post_arrive, protocol.TokenBody, protocol.Session),
    Served("/api/games", "GET", get_games, None, protocol.Games),
    Served("/api/tables", "GET", get_tables, None, protocol.Tables),
    Served("/api/tables", "POST", post_tables, protocol.NewTable, protocol.Created),
    Served("/api/tables/{table}", "GET", get_table, None, protocol.Summary),
    Served("/api/tables/{table}/record", "GET", get_record, None, None, ("game",)),
    Served("/api/tables/{table}/replay", "GET", get_replay, None, protocol.Replay, ("game", "eye", "since")),
    Served("/api/tables/{table}/branch", "POST", post_branch, protocol.NewBranch, protocol.Created),
    Served("/api/tables/{table}/links", "GET", get_table_links, None, protocol.Links),
    Served("/api/tables/{table}/links", "POST", post_table_links, protocol.NewLink, protocol.Link),
    Served("/api/links", "POST", post_links, protocol.TokenBody, protocol.LinkTarget),
    Served("/api/links/revoke", "POST", post_revoke, protocol.Revoke),
    Served("/api/verify", "POST", post_verify, None, protocol.Verdict),
    Served("/healthz", "GET", healthz),
    Served("/metrics", "GET", metrics),
]
