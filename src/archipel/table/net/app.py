"""The server's routes: pages, an HTTP API, and a WebSocket per browser."""

import asyncio
import hmac
import ipaddress
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request, cookie_parser
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

import archipel
from archipel.core import registry
from archipel.core.errors import LANGUAGES, sentence

from .. import logging, protocol, tokens
from ..limits import Buckets, Tally, network
from ..log import records, replay, views
from ..log.action_names import action_names
from ..log.decisions import Caller, Refusal
from ..log.table import Table
from ..notices import requests as notice_requests
from ..notices.courier import Courier
from ..people import history, links, operating
from ..people.gate import Gate
from ..people.sessions import DEVICE, Person, Sessions, device_of
from ..play.game_info import game_info
from ..play.hub import Hub
from ..play.live_table import LiveTable, seat_of
from ..play.preparing import Preparing
from ..play.verifying import Verifiers
from ..settings import Settings
from ..storage import Histories, KeptLink, Row, StorageError, Unsure
from .addresses import nearby
from .conversation import Conversation
from .pages import Pages
from .puzzle_files import PREFIX, PuzzleFiles
from .security import HEADERS, SAFE, Guard
from .websocket_protocol import LARGEST, WebSocketProtocol

RECORD = 512 * 1024
"""The maximum length of a record to verify."""
LINK = "archipel-link"
"""The header with a link's secret: a URL would be visible to too many."""
LISTED = 30
RUNNING = 200
"""How many running games of a person are listed."""
FOREVER = 1 << 62
HOUR = 3600.0
GUESSES = 10
"""How many wrong passwords an address may send in a burst; after that one per ten seconds."""
OPEN = ("/healthz", "/metrics", "/api/password", "/api/operator")
"""The paths of a private server that need no password; the operator has a token."""
OPERATOR = "archipel-operator"
"""The header with the operator's token."""

Body = TypeVar("Body")
Handler = Callable[["Api", Request, Person], Awaitable[Response]]
_encode = msgspec.json.Encoder().encode


class Api:
    """The state that all routes share."""

    def __init__(self, hub: Hub, verifiers: Verifiers, pages: Pages | None = None) -> None:
        settings = hub.settings
        self.hub = hub
        self.verifiers = verifiers
        self.preparing = Preparing()
        self.guard = Guard(settings)
        self.gate = Gate(settings)
        self.guesses = Buckets(GUESSES, GUESSES / 100)
        self.started = hub.now()
        self.histories = Histories(hub.store)
        self.courier = Courier(hub)
        self.pages = pages or Pages()
        self.puzzles = PuzzleFiles()
        self.sessions = Sessions(hub.store, settings.secure, settings.session_days)
        self.sessions.ended = hub.cut
        hub.forget = self.sessions.forget
        self.requests = Buckets(10 * settings.requests, settings.requests)
        self.new_tables = Buckets(settings.tables_each, settings.tables_each / HOUR)
        self.sockets = Tally(settings.sockets_each, settings.sockets)
        routes = [_route(self, *route[:3]) for route in ROUTES]
        self.routes = Starlette(routes=routes, exception_handlers={404: _no_such_page, 405: _no_such_page})

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, scope["extensions"]["archipel.websocket"])
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
            await (await self._page(scope, headers))(scope, receive, send)
            return
        if not (scope["path"].startswith(OPEN) or self.gate.lets_in(_cookies(headers).get(self.gate.cookie))):
            await _problem(Refusal("table.password-needed", "This server asks for a password."))(scope, receive, send)
            return
        await self.routes(scope, receive, send)

    def _admit(self, scope: Any, headers: Headers) -> None:
        if scope["path"] == "/healthz" and _is_loopback(_address(scope)):
            return  # health checks are answered however busy the server is
        if not self.requests.take(_address(scope), _now(self.hub)):
            self.hub.metrics.limited += 1
            raise Refusal("table.too-fast", "Too many requests; slow down.")
        if scope["path"] == "/healthz":
            return
        if not self.guard.is_our_host(headers.get("host", "")):
            raise Refusal("table.foreign-host", "This server does not have that name.")
        if scope["method"] not in SAFE and not self.guard.is_our_page(headers):
            raise Refusal("table.foreign-page", "Only pages of this server may ask for that.")

    async def _page(self, scope: Any, headers: Headers) -> Response:
        asked = scope["path"], headers.get("if-none-match"), headers.get("accept-encoding", "")
        if scope["method"] in ("GET", "HEAD"):
            found = await self.puzzles.response(*asked) if asked[0].startswith(PREFIX) else self.pages.response(*asked)
            if found:
                return found
        return _problem(Refusal("table.no-such-page", "There is no such page."))

    async def person(self, request: Request) -> Person:
        """The person who sends the request."""
        return await self.sessions.person(request.cookies.get(self.sessions.cookie), self.hub.now())

    # Sockets.

    async def _socket(self, scope: Any, connection: WebSocketProtocol) -> None:
        address, headers = _address(scope), Headers(scope=scope)
        path: str = scope["path"]
        known = self.gate.lets_in(_cookies(headers).get(self.gate.cookie))
        allowed = known and path.startswith("/ws/") and self.guard.is_our_page(headers) and not self.hub.stopping
        if not (allowed and self.requests.take(address, _now(self.hub)) and self.sockets.add(address)):
            connection.refuse()
            return

        def left() -> None:
            self.sockets.remove(address)
            self.hub.metrics.sockets.set(self.sockets.total)

        self.hub.metrics.sockets.set(self.sockets.total)
        try:
            person = await self.sessions.person(_cookies(headers).get(self.sessions.cookie), self.hub.now())
            await self.sessions.renew(person, self.hub.now())
        except StorageError:
            left()
            connection.refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        except BaseException:
            left()
            raise
        conversation = Conversation(self.hub, connection, address, person, path.removeprefix("/ws/")[:16], left)
        connection.accept(conversation, conversation.frames())


def _with_headers(send: Any) -> Any:
    """Add the security headers to every response."""
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *extra]
        await send(message)

    return sending


def _route(api: Api, path: str, method: str, handler: Handler) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            person = await api.person(request)
            response = await handler(api, request, person)
            if await api.sessions.renew(person, api.hub.now()) and "set-cookie" not in response.headers:
                response.headers["set-cookie"] = api.sessions.header(request.cookies[api.sessions.cookie])
            return response
        except Refusal as refusal:
            return _problem(refusal)
        except ClientDisconnect:
            return Response(status_code=400)
        except Unsure:
            return _problem(Refusal("table.unsure", "The database failed: that may or may not be saved. Look again."))
        except StorageError:
            return _problem(Refusal("table.not-kept", "That could not be saved; try again."))
        except HTTPException:
            raise
        except Exception:
            logging.log.exception("request-failed", extra={"route": path})
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
    "table.unsure": 503,
    "table.full-house": 503,
    "table.trouble": 500,
    "table.name-needed": 401,
    "table.password-needed": 401,
    "table.password": 403,
    "table.operator": 403,
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
    """The client's address, for rate limits."""
    return network(scope["client"][0]) if scope.get("client") else ""


def _now(hub: Hub) -> float:
    return hub.monotonic() / 1000


def _cookies(headers: Headers) -> dict[str, str]:
    return cookie_parser(headers.get("cookie", ""))


async def _body(request: Request, kind: type[Body], most: int = LARGEST) -> Body:
    """Decode the body of a request as one of the protocol's types; Refusal if it does not match."""
    content = await _content(request, most)
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal(
            "table.not-understood", sentence("The server does not understand that: {detail}", detail=_described(error))
        ) from None


def _described(error: Exception) -> str:
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
        return _json(protocol.Session(await api.sessions.rename(person, wanted.name)))
    token, name = await api.sessions.begin(wanted.name, api.hub.now(), _device(request))
    return _json(protocol.Session(name), 201, {"set-cookie": api.sessions.header(token)})


def _device(request: Request) -> str:
    return device_of(request.headers.get("user-agent", ""))


async def post_session_link(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    token = await api.sessions.carry(person, api.hub.now())
    return _json(protocol.Link(token, "session", f"{_base(api, request)}/arrive/{token}"), 201)


async def post_arrive(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.Arrive)
    sessions, now = api.sessions, api.hub.now()
    cookie, name = await sessions.arrive(person, wanted.token, wanted.replace, now, _device(request))
    return _json(protocol.Session(name), 201, {"set-cookie": sessions.header(cookie)} if cookie else None)


async def post_arriving(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.TokenBody)
    return _json(await api.sessions.arriving(person, wanted.token, api.hub.now()))


async def post_phrase(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    _guess(api, request)  # a digest takes long to compute
    return _json(protocol.Phrase(await api.sessions.phrase(person, api.hub.now())), 201)


async def post_recover(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.Recover)
    _guess(api, request)
    sessions, now = api.sessions, api.hub.now()
    cookie, name = await sessions.recover(person, wanted.phrase, wanted.replace, now, _device(request))
    return _json(protocol.Session(name), 201, {"set-cookie": sessions.header(cookie)} if cookie else None)


async def get_devices(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    return _json(protocol.Devices(await api.sessions.devices(person)))


async def post_end_session(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.EndSession)
    _known(person)
    await api.sessions.end(person, wanted.device)
    here = wanted.device == person.cookie[:DEVICE]
    return Response(status_code=204, headers={"set-cookie": api.sessions.header("")} if here else None)


def _known(person: Person) -> None:
    if not person.who:
        raise Refusal("table.name-needed", "Enter your name first.")


def _base(api: Api, request: Request) -> str:
    return api.hub.settings.public_url or f"{request.url.scheme}://{request.headers['host']}"


async def post_password(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.Password)
    _guess(api, request)
    if not await asyncio.to_thread(api.gate.opens, wanted.password):
        raise Refusal("table.password", "That is not the password.")
    return Response(status_code=204, headers={"set-cookie": api.gate.header()})


def _guess(api: Api, request: Request) -> None:
    if not api.guesses.take(_address(request.scope), _now(api.hub)):
        raise Refusal("table.too-fast", "Too many requests; slow down.")


# The operator.


def _operated(api: Api, request: Request) -> None:
    if not api.gate.is_operator(request.headers.get(OPERATOR, "")):
        _guess(api, request)
        raise Refusal("table.operator", "Only the operator of this server may do that.")


async def get_operator(api: Api, request: Request, person: Person) -> Response:
    _operated(api, request)
    waiting = api.hub.metrics.bots_waiting
    return _json(await operating.report(api.hub, api.started, api.sockets.total, waiting))


async def post_operator_end(api: Api, request: Request, person: Person) -> Response:
    _operated(api, request)
    wanted = await _body(request, protocol.OperatorTarget)
    found = [who for who, visitor in operating.people(api.hub).items() if visitor.id == wanted.id]
    if not found:
        raise Refusal("table.no-such-person", "Nobody of that id is here.")
    await api.sessions.end_person(found[0])
    return Response(status_code=204)


async def post_operator_close(api: Api, request: Request, person: Person) -> Response:
    _operated(api, request)
    await api.hub.shut((await _body(request, protocol.OperatorTarget)).id)
    return Response(status_code=204)


# History.


async def get_history(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    asked = {name: value[:64] for name, value in request.query_params.items() if value}
    return _json(await history.page(api.histories, person, asked, asked.get("before", "")))


async def get_figures(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    return _json(await history.figures(api.histories, person))


async def get_records(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    lines = history.all_records(api.hub, api.histories, person)
    headers = {"content-disposition": 'attachment; filename="archipel.jsonl"', "cache-control": "no-store"}
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


async def post_forget(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    await history.forget(api.histories, person)
    return Response(status_code=204)


# Notices.


async def get_notices(api: Api, request: Request, person: Person) -> Response:
    _known(person)
    return _json(await notice_requests.told(api.courier, person))


async def post_wishes(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NoticeWishes)
    _known(person)
    await notice_requests.wish(api.courier, person, wanted)
    return Response(status_code=204)


async def post_channels(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewChannel)
    _known(person)
    _guess(api, request)  # mail is sent, and an address is looked at in another process
    return _json(await notice_requests.add(api.courier, person, wanted, _device(request)), 201)


async def post_confirm(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.ConfirmChannel)
    _known(person)
    _guess(api, request)
    await notice_requests.confirm(api.courier, person, wanted)
    return Response(status_code=204)


async def post_remove(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.ChannelTarget)
    _known(person)
    await notice_requests.remove(api.courier, person, wanted.id)
    return Response(status_code=204)


async def post_test(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.ChannelTarget)
    _known(person)
    _guess(api, request)
    await notice_requests.test(api.courier, person, wanted.id)
    return Response(status_code=204)


async def post_stop(api: Api, request: Request, person: Person) -> Response:
    await notice_requests.stop(api.courier, (await _body(request, protocol.StopNotices)).token)
    return Response(status_code=204)


# Tables.


async def get_games(api: Api, request: Request, person: Person) -> Response:
    games = [game_info(name, api.hub.bots.levels(name)) for name in archipel.GAMES]
    return _json(protocol.Games(archipel.__version__, games, api.preparing.games()))


async def get_tables(api: Api, request: Request, person: Person) -> Response:
    store = api.hub.store
    yours = await store.of(person.who, LISTED) if person.who else []
    public = await store.public(LISTED)
    return _json(protocol.Tables(await _summaries(api, yours, person), await _summaries(api, public, person)))


async def _summaries(api: Api, rows: list[Row], person: Person) -> list[protocol.Summary]:
    """The summaries of the tables that can be shown now."""
    summaries = []
    for row in rows:
        with suppress(Refusal):
            if live := await api.hub.find(row.id):
                summaries.append(_summarised(live.table, row.updated, person))
    return summaries


async def get_running(api: Api, request: Request, person: Person) -> Response:
    rows = await api.hub.store.of(person.who, RUNNING, running=True) if person.who else []
    found = await _summaries(api, rows, person)
    return _json(
        protocol.Running(sorted(found, key=lambda one: (not one.your_turn, one.deadline or FOREVER, one.since)))
    )


def _summarised(table: Table, updated: int, person: Person) -> protocol.Summary:
    about = views.about(table)
    return protocol.Summary(
        id=about.id,
        game=about.game,
        options=about.options,
        status=table.status,
        visibility=about.visibility,
        clock=about.clock,
        chairs=views.chairs(table),
        updated=updated,
        yours=table.seats_of(person.who),
        your_turn=table.awaits(person.who),
        mode=about.mode,
        turn=table.actors,
        since=table.log[table.position - 1].at if table.position else table.setup.created,
        deadline=table.timer.deadline if table.timed else None,
    )


async def post_tables(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewTable)
    _known(person)
    _spare(api, request)
    try:
        made = await api.hub.create(wanted, Caller(person.who, person.name))
    except ValueError as error:
        raise Refusal("table.options", error.args[0]) from None
    logging.event("table-made", table=made, game=wanted.game)
    return _json(protocol.Created(made), 201)


async def get_table(api: Api, request: Request, person: Person) -> Response:
    live = await _visible(api, request, person)
    return _json(_summarised(live.table, live.table.log[-1].at if live.table.log else live.table.setup.created, person))


async def _visible(api: Api, request: Request, person: Person) -> LiveTable:
    """The requested table, if the person may know of it."""
    live = await api.hub.find(request.path_params["table"][:16])
    link = await _link(api, request)
    if live and not links.bars(live, person.who, link):
        setup, mine = live.table.setup, live.table.seats_of(person.who)
        if setup.visibility == "public" or mine or setup.host == person.who != "":
            return live
        if link and link.table == live.id:
            return live
    raise Refusal("table.no-such-table", "There is no such table.")


async def _link(api: Api, request: Request) -> KeptLink | None:
    """The link that the request carries, if any; Refusal if it is not valid."""
    token = request.headers.get(LINK, "")[:64]
    return await links.find(api.hub, token) if token else None


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
    logging.event("table-branched", table=made, game=live.table.setup.game)
    return _json(protocol.Created(made), 201)


def _spare(api: Api, request: Request) -> None:
    if not api.new_tables.take(_address(request.scope), _now(api.hub)):
        raise Refusal("table.too-fast", "You have created many tables; wait a while.")


# Links.


async def get_table_links(api: Api, request: Request, person: Person) -> Response:
    live = await _visible(api, request, person)
    return _json(protocol.Links(await links.of_table(api.hub, live, person)))


async def post_table_links(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.NewLink)
    live = await _visible(api, request, person)
    token = await links.make(api.hub, live, person, wanted)
    url, digest = f"{_base(api, request)}/join/{token}", tokens.digest(token)
    near = nearby(url, api.hub.settings.host)
    return _json(protocol.Link(token, wanted.kind, url, wanted.seat, digest, near), 201)


async def post_links(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.TokenBody)
    link = await links.find(api.hub, wanted.token)
    live = await api.hub.find(link.table or "")
    if live is None:
        raise Refusal("table.link", "This link is no longer valid.")
    kind: Any = link.kind
    return _json(protocol.LinkTarget(live.id, kind, seat_of(link, live.table)))


async def post_revoke(api: Api, request: Request, person: Person) -> Response:
    wanted = await _body(request, protocol.Revoke)
    await links.revoke(api.hub, person, tokens.digest(wanted.token) if wanted.token else wanted.id or "")
    return Response(status_code=204)


# Drawings for pages of games without a board of their own.


async def get_rules(api: Api, request: Request, person: Person) -> Response:
    game, language = (request.query_params.get(name, "") for name in ("game", "language"))
    if game in archipel.GAMES and language in LANGUAGES:
        page = registry.manifest(game).file(f"rules.{language}.md")
        if page.is_file():
            return _json(protocol.RulesPage(page.read_text("utf-8")))
    raise Refusal("table.no-such-page", "There is no such page.")


async def post_picture(api: Api, request: Request, person: Person) -> Response:
    view = await _body(request, dict[str, Any], RECORD)
    try:
        return _json(_drawn(view))
    except (ValueError, TypeError, KeyError):
        raise Refusal("table.not-understood", "That is no view of a game.") from None


def _drawn(view: dict[str, Any]) -> protocol.Picture:
    """A view as text and SVG; ValueError unless it is a view that the game can give, or a whole snapshot."""
    game = action_names(view["game"], view["options"]).game
    whole = {key: value for key, value in view.items() if key != "seat"}
    if whole.keys() == game.new().snapshot().keys() and view.get("seat") is None:
        with suppress(ValueError):
            game.restore(whole)
            return protocol.Picture(game.svg(whole), game.text(whole))
    game.imagine(view, np.random.default_rng(0))
    return protocol.Picture(game.svg(view), game.text(view))


# Fairness.


async def post_verify(api: Api, request: Request, person: Person) -> Response:
    content = await _content(request, RECORD)
    verdict: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
    resolve = lambda answer: None if verdict.done() else verdict.set_result(answer)  # noqa: E731
    if not api.verifiers.verify(_address(request.scope), content, resolve):
        raise Refusal("table.too-fast", "Too many records are being verified; try again later.")
    answer = await verdict
    if answer is None:
        raise Refusal("table.too-long", "That record takes too long to verify here; use archipel verify.")
    if not answer:
        raise Refusal("table.not-understood", "That is no record.")
    return _json(msgspec.Raw(answer))


# Operating.


async def healthz(api: Api, request: Request, person: Person) -> Response:
    if api.hub.stopping:
        return _json({"status": "stopping"}, 503)
    trouble = await api.hub.health.trouble()
    return _json({"status": "failing", "why": trouble}, 503) if trouble else _json({"status": "ok"})


async def metrics(api: Api, request: Request, person: Person) -> Response:
    if not _may_see_metrics(api.hub.settings, request):
        raise Refusal("table.no-such-page", "There is no such page.")
    return Response(api.hub.metrics.page(), media_type="text/plain; version=0.0.4")


def _may_see_metrics(settings: Settings, request: Request) -> bool:
    """True for requests with the token; on a server for this machine only, for all its requests."""
    token = f"Bearer {settings.metrics_token}" if settings.metrics_token else ""
    if token and hmac.compare_digest(request.headers.get("authorization", "").encode(), token.encode()):
        return True
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    return not (settings.public_url or forwarded) and _is_loopback(_address(request.scope))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_network(address).is_loopback
    except ValueError:
        return False


class Served(NamedTuple):
    """One route: its parameters, body and response."""

    path: str
    method: str
    handler: Handler
    takes: type[msgspec.Struct] | None = None
    gives: type[msgspec.Struct] | None = None
    asks: tuple[str, ...] = ()
    """The query parameters."""


HISTORY = ("game", "result", "name", "opponent", "search", "before")
"""What a history may be asked for."""
ROUTES = [
    Served("/api/session", "GET", get_session, None, protocol.Session),
    Served("/api/session", "POST", post_session, protocol.NewSession, protocol.Session),
    Served("/api/session/links", "POST", post_session_link, None, protocol.Link),
    Served("/api/session/arrive", "POST", post_arrive, protocol.Arrive, protocol.Session),
    Served("/api/session/arriving", "POST", post_arriving, protocol.TokenBody, protocol.Arriving),
    Served("/api/session/phrase", "POST", post_phrase, None, protocol.Phrase),
    Served("/api/session/recover", "POST", post_recover, protocol.Recover, protocol.Session),
    Served("/api/session/devices", "GET", get_devices, None, protocol.Devices),
    Served("/api/session/end", "POST", post_end_session, protocol.EndSession),
    Served("/api/password", "POST", post_password, protocol.Password),
    Served("/api/operator", "GET", get_operator, None, protocol.OperatorReport),
    Served("/api/operator/end", "POST", post_operator_end, protocol.OperatorTarget),
    Served("/api/operator/close", "POST", post_operator_close, protocol.OperatorTarget),
    Served("/api/games", "GET", get_games, None, protocol.Games),
    Served("/api/rules", "GET", get_rules, None, protocol.RulesPage, ("game", "language")),
    Served("/api/tables", "GET", get_tables, None, protocol.Tables),
    Served("/api/tables", "POST", post_tables, protocol.NewTable, protocol.Created),
    Served("/api/tables/running", "GET", get_running, None, protocol.Running),
    Served("/api/history", "GET", get_history, None, protocol.History, HISTORY),
    Served("/api/history/figures", "GET", get_figures, None, protocol.Figures),
    Served("/api/history/records", "GET", get_records),
    Served("/api/history/delete", "POST", post_forget),
    Served("/api/notices", "GET", get_notices, None, protocol.Notices),
    Served("/api/notices/wishes", "POST", post_wishes, protocol.NoticeWishes),
    Served("/api/notices/channels", "POST", post_channels, protocol.NewChannel, protocol.NoticeChannel),
    Served("/api/notices/confirm", "POST", post_confirm, protocol.ConfirmChannel),
    Served("/api/notices/remove", "POST", post_remove, protocol.ChannelTarget),
    Served("/api/notices/test", "POST", post_test, protocol.ChannelTarget),
    Served("/api/notices/stop", "POST", post_stop, protocol.StopNotices),
    Served("/api/tables/{table}", "GET", get_table, None, protocol.Summary),
    Served("/api/tables/{table}/record", "GET", get_record, None, None, ("game",)),
    Served("/api/tables/{table}/replay", "GET", get_replay, None, protocol.Replay, ("game", "eye", "since")),
    Served("/api/tables/{table}/branch", "POST", post_branch, protocol.NewBranch, protocol.Created),
    Served("/api/tables/{table}/links", "GET", get_table_links, None, protocol.Links),
    Served("/api/tables/{table}/links", "POST", post_table_links, protocol.NewLink, protocol.Link),
    Served("/api/links", "POST", post_links, protocol.TokenBody, protocol.LinkTarget),
    Served("/api/links/revoke", "POST", post_revoke, protocol.Revoke),
    Served("/api/picture", "POST", post_picture, None, protocol.Picture),
    Served("/api/verify", "POST", post_verify, None, protocol.Verdict),
    Served("/healthz", "GET", healthz),
    Served("/metrics", "GET", metrics),
]
