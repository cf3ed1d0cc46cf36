"""Whatever is sent, the server answers in its own words, goes on, and does not grow."""

import asyncio
import gc
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from archipel.table import protocol
from archipel.table.net import openapi
from archipel.table.net.conversation import Conversation
from archipel.table.play.live_table import LiveTable

from .house import Guest, House, Player, house

PAGE = Path(__file__).parents[2] / "docs" / "openapi.json"
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def test_the_published_document_is_current() -> None:
    assert PAGE.read_text("utf-8") == openapi.written(), "run `make golden`"


class Somewhere:
    """A server in a thread, for tests that know no loop."""

    def __init__(self, database: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.here: House
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, args=(database,))
        self._thread.start()
        assert self._ready.wait(60)
        self.cookie: str = self.run(self.here.guest("Fuzz")).cookie

    def _run(self, database: Path) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve(database))
        self.loop.close()

    async def _serve(self, database: Path) -> None:
        async with house(database, sockets_each=10_000) as self.here:
            self._ready.set()
            await self._stop.wait()

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(120)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Somewhere]:
    place = Somewhere(tmp_path_factory.mktemp("fuzz") / "tables.sqlite3")
    yield place
    place.close()


HTTP = schemathesis.openapi.from_dict(openapi.document())


@HTTP.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_route_answers_in_its_own_words(case: Any, somewhere: Somewhere) -> None:
    answer = case.call(base_url=somewhere.here.url, headers={"Cookie": somewhere.cookie})
    assert answer.status_code < 500
    if answer.status_code >= 400 and answer.content:
        assert {"rule", "reason"} <= set(answer.json()) <= {"rule", "reason", "words", "gaps"}


NUMBERS = st.integers(-1, 40) | st.integers()
WORDS = st.sampled_from(["draw deck", "pass", "random", "greedy", "fuzz-tab-1"]) | st.text(max_size=30)
ACTIONS = st.sampled_from(
    [
        {"do": "pass"},
        {"do": "draw", "from": "deck"},
        {"do": "discard", "card": "ALOA"},
        {"do": "keep"},
        {"do": "throw", "set": "ash"},
        {"do": "throw", "set": "ash", "at": "lava1"},
    ]
)
CENTIMETRES = st.floats(-25, 25) | st.floats(allow_nan=False)
AIMS = st.fixed_dictionaries(
    {"x": CENTIMETRES, "y": CENTIMETRES, "direction": st.floats(0, 360)}, optional={"strength": st.floats(0, 300)}
)
SHARES = st.sampled_from(["", "0" * 64, "f" * 64]) | WORDS
PLAUSIBLE: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("n", "seat", "at", "since", "moves", "game", "sent", "eye", "v", "heard"), NUMBERS),
    **dict.fromkeys(("client", "hash", "link", "name", "seed", "level", "text", "spectator", "pace"), WORDS),
    **dict.fromkeys(("agree", "muted"), st.booleans()),
    "action": ACTIONS | WORDS,
    "aim": AIMS,
    **dict.fromkeys(("seal", "share"), SHARES),
    "seals": st.lists(SHARES, max_size=3),
}


def _message(kind: Any) -> st.SearchStrategy[Any]:
    """A message of a type: mostly as it should be, sometimes with something odd in it."""
    fields = {field.encode_name: PLAUSIBLE[field.encode_name] | ODD for field in msgspec.structs.fields(kind)}
    needed = {
        field.encode_name: PLAUSIBLE[field.encode_name] for field in msgspec.structs.fields(kind) if field.required
    }
    tag = {"type": st.just(kind.__struct_config__.tag)}
    return st.fixed_dictionaries(tag | needed) | st.fixed_dictionaries(tag, optional=fields)


def _messages() -> st.SearchStrategy[Any]:
    return st.one_of(*map(_message, get_args(protocol.ClientMessage)), ODD)


MESSAGES = st.lists(st.one_of(_messages().map(json.dumps), st.binary(max_size=60), st.text(max_size=60)), max_size=12)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(messages=MESSAGES, game=st.sampled_from(["kahuna", "krakatoa"]))
def test_every_message_is_answered_or_forgiven(messages: list[str | bytes], game: str, somewhere: Somewhere) -> None:
    somewhere.run(_spend(somewhere.here, game, messages))


async def _spend(here: House, game: str, messages: list[str | bytes]) -> None:
    guest = await here.guest("Fuzz")
    table = await guest.table(game, [{"kind": "me"}, {"kind": "here", "name": "Kim"}], hints=True)
    async with guest.at(table, eye=0) as player:
        for message in messages:
            try:
                await player.send(message)
            except ConnectionClosed:
                break
        try:
            await player.send({"type": "ping", "sent": 77})
            await player.until(lambda m: m["type"] == "pong" and m["sent"] == 77)
        except ConnectionClosed:
            pass
    async with guest.at(table) as again:
        assert again.version >= 3
    assert (await guest.get("/healthz"))[0] == 200


def test_coming_and_going_leaves_nothing_behind(tmp_path: Path) -> None:
    """Sockets, messages and tables that are gone are forgotten."""

    async def visit(guest: Guest, table: str) -> None:
        async with guest.connect(table) as connection:
            player = Player(connection)
            await player.hello()
            await player.send("nonsense")
            await player.command("chat", text="hello")

    async def evening() -> None:
        async with house(tmp_path / "tables.sqlite3", forget=0) as here:
            guest = await here.guest("Ada")
            for round_ in range(3):
                for _ in range(4):
                    table = await guest.table("stonehenge", [{"kind": "me"}, {"kind": "open"}])
                    await visit(guest, table)
                await asyncio.sleep(0.2)
                here.hub.tidy()
                here.hub.tidy()
                gc.collect()
                assert here.hub.lives == {}, round_
                assert here.api.sockets.total == 0
                lives = [thing for thing in gc.get_objects() if isinstance(thing, LiveTable)]
                talks = [thing for thing in gc.get_objects() if isinstance(thing, Conversation)]
                left: list[object] = [live for live in lives if live.services is here.hub]
                left += [talk for talk in talks if talk.hub is here.hub]
                assert len(left) <= 1, "but for what the last callback still holds"

    asyncio.run(evening())
