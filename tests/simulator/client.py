"""A simulated browser: tabs that mend their connection as the page's own code does, and a player behind each.

The player moves, talks, takes back, leaves and comes again as a seed has it.
"""

import json
import random
from typing import TYPE_CHECKING, Any

import msgspec
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from archipel.table import tokens
from archipel.table.log.shares import seal_of

from .network import HOST, Connection
from .properties import Update, Violation, require

if TYPE_CHECKING:
    from .world import World

FIRST_WAIT, LONGEST_WAIT, QUIET, DEAD, AGAIN = 0.3, 5.0, 15.0, 25.0, 4.0
"""The seconds of `connection.ts`: between tries, until a ping, until a line is given up, and until a command that was
not answered is sent again."""
MOST_PATIENCE = 8
"""How many times as long it waits before the later tries, at most."""
MOST_UNANSWERED = 12
"""Nobody goes on while so much is not answered."""
_LEAVE_FOR_GOOD = {
    "table.no-such-table",
    "table.link-needed",
    "table.link",
    "table.link-revoked",
    "table.other-rules",
    "table.removed",
}
Json = dict[str, Any]


class Link:
    """A link that somebody made: `maker` is the person's key, known to the simulator alone."""

    def __init__(self, token: str, kind: str, table: str, seat: int | None, maker: str) -> None:
        self.token, self.kind, self.table, self.seat, self.maker = token, kind, table, seat, maker
        self.revoked = False


class Person:
    """Somebody with a name and, once the server has told, a cookie."""

    def __init__(self, world: "World", name: str, number: int) -> None:
        self.world, self.name = world, name
        self.address = f"10.0.0.{number}"
        self.cookie = ""
        self.who = ""
        self.seals = number % 3 == 2
        """Seals shares in the draws as the page does; the others' clients are of protocol 1."""
        self.shares: dict[str, str] = {}
        """By hash, as the browser keeps them."""

    async def ask(self, method: str, path: str, body: Any = None, tries: int = 40) -> tuple[int, Any]:
        """The answer to a request, asked until one comes."""
        world = self.world
        content = b"" if body is None else json.dumps(body).encode()
        for _ in range(tries):
            worker = world.any_worker()
            if worker:
                found = await world.network.request(
                    worker.process, worker.api, method, path, content, self.cookie, self.address
                )
                if found and found[0] not in (429, 500, 503):
                    status, headers, answer = found
                    if "set-cookie" in headers:
                        self.cookie = headers["set-cookie"].partition(";")[0]
                    world.trace("answer", self.name, method, path, status)
                    return status, json.loads(answer) if answer else None
                require(not found or found[0] != 500, "The server answered 500.", path=path, body=found and found[2])
            await world.sleep(world.rng.uniform(0.2, 1.5))
        raise Violation(f"Nobody answers {method} {path}.")

    def seal(self) -> str:
        """The hash of a new share, if this one's client sends any."""
        if not self.seals:
            return ""
        share = tokens.digest(f"{self.name} {len(self.shares)}")
        hashed = seal_of(share)
        self.shares[hashed] = share
        return hashed

    async def arrive(self) -> None:
        """Say one's name."""
        status, _ = await self.ask("POST", "/api/session", {"name": self.name})
        require(status in (200, 201), "A name was refused.", status=status)
        digest = tokens.digest(self.cookie.partition("=")[2])
        self.who = self.world.disk.kept.execute("SELECT who FROM cookies WHERE digest = ?", (digest,)).fetchone()[0]


class Tab:
    """One tab at one table."""

    def __init__(self, world: "World", person: Person, table: str, number: int, link: Link | None = None) -> None:
        self.world, self.person, self.table = world, person, table
        self.key = link
        """What lets it in."""
        self.link = link if link and link.kind != "seat" else None
        """What it looks on by."""
        self.name = f"{person.name}/{number}"
        self.client = f"simulated-tab-{number}"
        self.who = person.who
        self.by = tokens.digest(f"{person.who} {self.client}")[:16]
        self.standing = "connecting"
        self.n = 0
        self.unanswered: dict[int, Json] = {}
        self.refused: dict[int, str] = {}
        self.acked: dict[int, int] = {}
        self.version = 0
        self.known = False
        self.position: Json = {}
        self.seen = b""
        """The position as it came."""
        self.seat: int | None = None
        self.eye: int | None = None
        self.entries: dict[int, bytes] = {}
        self.heard = 0
        """The number of the last remark."""
        self.chairs: list[Json] = []
        self.yours: list[int] = []
        self.host = False
        self.has_left = False
        """Its player has left a seat of this table for good."""
        self.options: Json = {}
        self._wait = FIRST_WAIT
        self._connection: Connection | None = None
        self._wire: ClientProtocol | None = None
        self._heard_at = 0.0
        self._opened = 0
        self._sent_at: dict[int, float] = {}
        self._patience: dict[int, int] = {}
        self._shares_sent: set[str] = set()
        self.open()

    # The connection: what connection.ts does.

    def open(self) -> None:
        if self.standing == "closed":
            return
        worker = self.world.any_worker()
        if worker is None:
            self._lose()
            return
        self._opened += 1
        wire = self._wire = ClientProtocol(parse_uri(f"ws://{HOST}/ws/{self.table}"), origin=f"http://{HOST}")  # type: ignore[arg-type]
        self._connection = self.world.network.connect(worker.process, worker.api, self, self.person.address)
        request = wire.connect()
        if self.person.cookie:
            request.headers["Cookie"] = self.person.cookie
        wire.send_request(request)
        self._flush()
        self.world.later(10.0, self._give_up, self._opened)

    def _give_up(self, opened: int) -> None:
        if opened == self._opened and self._wire and self._wire.state is State.CONNECTING:
            self.drop()

    def _flush(self) -> None:
        if self._wire and self._connection:
            for data in self._wire.data_to_send():
                if data:
                    self._connection.send(data)

    def received(self, connection: Connection, data: bytes) -> None:
        if connection is not self._connection or self._wire is None:
            return
        wire = self._wire
        wire.receive_data(data)
        for event in wire.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self._hear(bytes(event.data))
            elif wire.state is State.OPEN:
                self._greet()
        if wire is not self._wire:
            return
        if isinstance(wire.handshake_exc, InvalidHandshake):
            self.drop()
            return
        self._flush()
        if wire.state is State.CLOSING or wire.close_expected():
            self.drop()

    def ended(self, connection: Connection) -> None:
        """The connection is over."""
        if connection is self._connection:
            self._lose()

    def drop(self) -> None:
        """Close the connection ourselves."""
        if self._connection:
            self._connection.leave()
            self._lose()

    def _lose(self) -> None:
        self._connection = self._wire = None
        if self.standing == "closed":
            return
        self.standing = "lost"
        self.world.later(self._wait * self.world.rng.uniform(0.7, 1.3), self.open)
        self._wait = min(LONGEST_WAIT, 2 * self._wait)

    def close(self) -> None:
        """The tab is closed."""
        self.standing = "closed"
        if self._connection:
            self._connection.leave()
        self._connection = self._wire = None

    def slow(self, seconds: float) -> None:
        """Read nothing for a while."""
        if self._connection:
            self._connection.read(False)
            self.world.later(seconds, self._connection.read, True)

    def _greet(self) -> None:
        self._heard_at = self.world.now()
        hello: Json = {"type": "hello", "client": self.client, "eye": self.eye}
        if self.known:
            hello |= {"since": self.version, "hash": self.position.get("hash")}
        if self.heard:
            hello["heard"] = self.heard
        if self.key:
            hello["link"] = self.key.token
        self._send(hello)
        self.world.later(AGAIN / 2, self._beat, self._opened)

    def _beat(self, opened: int) -> None:
        if opened != self._opened or self._connection is None:
            return
        quiet = self.world.now() - self._heard_at
        if quiet > DEAD:
            self.drop()
            return
        if quiet > QUIET:
            self._send({"type": "ping", "sent": 1})
        self.resend(AGAIN)
        self.world.later(AGAIN / 2, self._beat, opened)

    def _send(self, message: Json | bytes) -> None:
        if self._wire and self._wire.state is State.OPEN:
            self._wire.send_text(message if isinstance(message, bytes) else json.dumps(message).encode())
            self._flush()

    def _say(self, command: Json) -> None:
        self._sent_at[command["n"]] = self.world.now()
        if self.standing == "open":
            self._send(command)

    def command(self, kind: str, **parameters: Any) -> int:
        """Send a command; it is kept until it is answered."""
        self.n += 1
        command = {"type": kind, "n": self.n} | parameters
        self.unanswered[self.n] = command
        self.world.trace("says", self.name, self.n, kind)
        self._say(command)
        if self.world.rng.random() < self.world.plan.twice:
            self.world.count("sent twice")
            self._say(command)
        return self.n

    def resend(self, after: float = 0.0) -> None:
        """Send again what has had no answer for so long, with the same counter."""
        for n, command in list(self.unanswered.items()):
            patience = self._patience.get(n, 1)
            if self.world.now() - self._sent_at[n] >= after * patience:
                self._patience[n] = min(MOST_PATIENCE, 2 * patience) if after else 1
                self._say(command)

    # What it hears: what table.svelte.ts does.

    def _hear(self, raw: bytes) -> None:
        world = self.world
        self._heard_at = world.now()
        message: Json = msgspec.json.decode(raw)
        kind = message["type"]
        world.hears(self, raw, kind)
        if kind == "update":
            self._update(msgspec.json.decode(raw, type=Update))
        elif kind == "welcome":
            self._wait = FIRST_WAIT
            self.standing = "open"
            self.options = message["table"]
            self.resend()
        elif kind == "yours":
            self.yours, self.host = message["seats"], message["host"]
        elif kind in ("ack", "refused", "hint"):
            self._answered(message)
        elif kind == "said":
            world.witness.check_said(self, message["remarks"])
            self.heard = max(self.heard, message["remarks"][-1]["number"])
        elif kind == "trouble":
            world.witness.check_refused(self, message, None)
            self._troubled(message["rule"])
        elif kind == "goodbye":
            self._wait = max(FIRST_WAIT, message["after"] / 1000)
            self._troubled(message["rule"])

    def _troubled(self, rule: str) -> None:
        if rule in _LEAVE_FOR_GOOD:
            self.world.turned_away(self, rule)
            self.close()

    def _answered(self, message: Json) -> None:
        n = message["n"]
        command = self.unanswered.pop(n, None)
        if message["type"] == "ack":
            require(n <= self.n, "Something that was never said is acknowledged.", tab=self.name, n=n)
            self.world.acknowledged(self, n, message["version"], command)
        elif message["type"] == "refused":
            self.world.witness.check_refused(self, message, command)
            if command is not None:
                self.refused[n] = message["rule"]
                self.world.trace("refused", self.name, n, message["rule"])

    def _update(self, update: Update) -> None:
        self.world.witness.check_update(self, update)
        if update.whole:
            self.entries.clear()
        for entry in update.entries:
            self.entries[msgspec.json.decode(entry)["v"]] = bytes(entry)
        self.version = update.version
        self.known = True
        if update.chairs:
            self.chairs = msgspec.json.decode(update.chairs)
        if update.position:
            self.seen = bytes(update.position)
            self.position = msgspec.json.decode(update.position)
            self.seat = self.position["seat"]
            if self.seat is not None and len(self.yours) <= 1:
                self.eye = self.seat
            self._open_shares(self.position.get("opening") or {})
        if update.whole:
            self.resend(AGAIN / 4)

    def _open_shares(self, opening: Json) -> None:
        """Open what is frozen, once; after a void start, begin again."""
        if not opening.get("frozen"):
            return
        for seat, hashed in enumerate(opening["seals"]):
            if (
                hashed in self.person.shares
                and seat not in opening.get("opened", ())
                and hashed not in self._shares_sent
            ):
                self._shares_sent.add(hashed)
                self.command("open", seat=seat, share=self.person.shares[hashed])

    # The player.

    def live(self) -> None:
        """Do something now and then."""
        if self.standing == "closed" or self.world.calm:
            return
        if self.standing == "open" and self.known:
            self._do_something(self.world.rng)
        self.world.later(self.world.rng.expovariate(1 / self.world.plan.pace), self.live)

    def _do_something(self, rng: random.Random) -> None:
        plan = self.world.plan
        if len(self.unanswered) >= MOST_UNANSWERED:
            return
        if self.position.get("legal") and len(self.unanswered) < 2 and rng.random() < 0.9:
            self._act(rng)
        elif rng.random() < plan.mischief:
            self._make_mischief(rng)
        elif self.position.get("over"):
            if self.yours and rng.random() < 0.5:
                self.command("rematch", seed=f"share {self.n}", seals=[self.person.seal() for _ in self.yours])
            self._begin_again()
        elif self._begin_again():
            pass
        elif not self.yours and not self.link:
            self._sit(rng)
        elif len(self.yours) > 1:
            self._look(rng)
        elif self.position.get("request"):
            self.command("answer", agree=rng.random() < 0.7)
        elif self.position.get("candidate"):
            self.command("admit", agree=rng.random() < 0.7)
        elif rng.random() < 0.3:
            self.say()

    def _begin_again(self) -> bool:
        """Seal a new share after a void start."""
        awaited = (self.position.get("opening") or {}).get("awaited", ())
        mine = [seat for seat in self.yours if seat in awaited]
        for seat in mine:
            self.command("seal", seat=seat, seal=self.person.seal())
        return bool(mine)

    def _act(self, rng: random.Random) -> None:
        if rng.random() < self.world.plan.mischief / 3:
            self.command("act", at=self.version, action=self.world.any_action(self, rng))
            return
        legal = rng.choice(self.position["legal"])
        self.command("act", at=self.version, action=legal["action"] if rng.random() < 0.7 else legal["notation"])

    def _sit(self, rng: random.Random) -> None:
        free = [seat for seat, chair in enumerate(self.chairs) if chair["kind"] == "open" or chair.get("left")]
        if free and not self.has_left:
            shown = {"link": self.key.token} if self.key else {}
            self.command("sit", seat=rng.choice(free), seed=f"share {self.n}", seal=self.person.seal(), **shown)

    def rise(self, seat: int) -> None:
        """Leave a seat that one's hand was shown of: the next player there must not be watched by that link."""
        if self.standing == "open" and seat in self.yours and not self.world.calm:
            self.command("rise", seat=seat)

    def _look(self, rng: random.Random) -> None:
        """On a shared screen: look through the eyes of the seat that is to move, mostly."""
        mover = self.position.get("view", {}).get("mover")
        self.eye = mover if mover in self.yours and rng.random() < 0.8 else rng.choice([None, *self.yours])
        self._send({"type": "look", "seat": self.eye})

    def say(self) -> int:
        """Say something that nobody has said before."""
        return self.command("chat", text=f"{self.name} says {self.n}")

    def _make_mischief(self, rng: random.Random) -> None:
        mine = rng.choice(self.yours) if self.yours else 0
        rng.choices(
            [
                lambda: self.command("undo"),
                lambda: self.command("ask-back"),
                lambda: self.command("answer", agree=True),
                lambda: self.command("act", at=self.version, action=self.world.any_action(self, rng)),
                lambda: self.command("act", at=max(0, self.version - 1), action="nonsense"),
                lambda: self.command("rise", seat=mine),
                lambda: self.command("resign", seat=mine),
                lambda: self.command("sit", seat=rng.randrange(3)),
                lambda: self.command("unseat", seat=rng.randrange(3)),
                lambda: self.command("close"),
                lambda: self.command("bot", seat=rng.randrange(3), level="sailor"),
                lambda: self.command("ask-hint"),
                lambda: self.command("ask-analysis", moves=rng.randrange(20)),
                lambda: self._send({"type": "look", "seat": rng.randrange(3)}),
                lambda: self._send(rng.randbytes(12).hex().encode()),
                lambda: self._send({"type": "ask-throw", "v": self.version}),
                self.drop,
            ],
            weights=[6, 4, 4, 12, 3, 1, 0.3, 3, 1, 0.1, 2, 1, 1, 2, 1, 1, 3],
        )[0]()
