"""The protocol between browser and table server: every WebSocket message and every HTTP body, as types.

`schema()` returns the same as JSON Schema, from which the client's types are generated.

A WebSocket is opened at `/ws/{table}`. The browser sends `hello`; the server answers `welcome` and an `update`. Then
the browser sends commands, each with an increasing counter `n`, and the server answers each with `ack`, once it is
stored, or with `refused`, after which nothing has changed. A command without an answer may be sent again with the same
`n`: it is applied once.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field, json

from archipel.core import registry
from archipel.core.errors import Sentence

PROTOCOL = 2
"""1: the first. 2: games begin in two phases if a client sends `seal`; clients that send none play as before."""

Seat = Annotated[int, Meta(ge=0, le=15)]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Counter = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Rises with every command of this client.")]
Milliseconds = Annotated[int, Meta(description="Since 1970, by the table's clock.")]
Duration = Annotated[int, Meta(description="In milliseconds.")]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Level = Annotated[str, Meta(min_length=1, max_length=40, description="A bot's level, from `/api/games`.")]
Token = Annotated[str, Meta(min_length=1, max_length=64, description="The secret part of a link.")]
SpectatorId = Annotated[str, Meta(max_length=16, description="A spectator, as `audience` names them to the host.")]
Seed = Annotated[str, Meta(max_length=64, description="A seat's share in the draws: any text, at best random.")]
Share = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="A seat's share in the draws: 32 random bytes.")]
NewSeal = Annotated[
    str, Meta(pattern="^([0-9a-f]{64})?$", description="SHA-256 of a seat's share, which is opened later; empty: none.")
]
Seals = Annotated[
    list[str],
    Meta(
        description="For each seat of the game the SHA-256 of its share, `server` (a bot: the server's seed is all), "
        "`absent` (its client sent none) or nothing (nobody sits there yet)."
    ),
]
Why = Literal["late", "left", "lost", "removed"]
ClientId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,40}$", description="Drawn once by each tab.")]
ViewHash = Annotated[str, Meta(max_length=64)]
Rule = Annotated[str, Meta(description="What stands behind it: `kahuna.hand-limit`, `table.not-your-turn`.")]
Words = Annotated[
    str, Meta(description="The sentence with its gaps, if it has any: what to look up in another language.")
]
Gaps = dict[str, str | list[str]]
"""The values inserted into a sentence; a list means any of its items."""
Object = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
Winner = int | list[int] | None
Outcome = Literal["won", "lost", "tied"]
Ways = Literal["rules", "time", "resigned"]
OpponentKind = Literal["bot", "person", "here"]
Eye = Annotated[int | None, Meta(description="The seat whose view is shown; null: a spectator's.")]
GAPS = "x-of-the-games"
"""Marks the parts of the schema that games define; `schema` fills them in from the manifests."""
Mode = Annotated[
    str, Meta(description="How chance acts, of the modes that the game has.", extra_json_schema={GAPS: "modes"})
]
Extra = Annotated[dict[str, Any], Meta(extra_json_schema={GAPS: "extra"})]
KeptExtra = Annotated[Raw, Meta(extra_json_schema={GAPS: "extra"})]
Shown = Annotated[Raw, Meta(extra_json_schema={GAPS: "shown"})]
Detail = Annotated[Raw, Meta(extra_json_schema={GAPS: "detail"})]
RecordingData = Annotated[str, Meta(description="The bytes of a recording, which the game reads, in base64.")]


class _Message(Struct, tag_field="type", omit_defaults=True, gc=False):
    pass


class _Said(_Message, forbid_unknown_fields=True):
    """A message from the browser; unknown fields are refused."""


class _Command(_Said):
    n: Counter


# From the browser.


class Hello(_Said, tag="hello"):
    """The first message: the client's key, what it saw last, and the link by which it comes."""

    client: ClientId
    since: Count | None = None
    hash: ViewHash | None = None
    eye: Seat | None = None
    link: Token | None = None
    heard: Count | None = None
    """The number of the last chat message that the client has."""
    pace: Literal["instant", "quick", "human"] = "human"
    """The bots' pace, if this person plays; among several players the slowest counts."""


class Look(_Said, tag="look"):
    """On a shared screen: show the view of one of your seats; null hides all hands."""

    seat: Seat | None


class AskRecording(_Said, tag="ask-throw"):
    """Ask for the recording of the outcome in the entry of that version; answered by `thrown`."""

    v: Count


class Ping(_Said, tag="ping"):
    """Answered by `pong` with the same number."""

    sent: Count


class Sit(_Command, tag="sit"):
    """Take an open seat, or your own again from the bot that kept it.

    A seat that somebody else left in a running game needs the players' consent, given by `admit`.
    """

    seat: Seat
    name: Name | None = None
    link: Token | None = None
    seed: Seed = ""
    seal: NewSeal = ""


class Seal(_Command, tag="seal"):
    """Send another hash for one of one's seats: from another device, after a void start, or if the share was lost.

    While shares are being opened it makes that start void.
    """

    seat: Seat
    seal: Share


class Open(_Command, tag="open"):
    """Open the share of one of one's seats, once the hashes are frozen. The seat is that of the game to come."""

    seat: Seat
    share: Share


class Rise(_Command, tag="rise"):
    """Leave one of your seats: before the game it is open again, later the others may give it to a bot."""

    seat: Seat


class Admit(_Command, tag="admit"):
    """Accept or decline a request for a seat that was left."""

    agree: bool


class Unseat(_Command, tag="unseat"):
    """The host frees a seat before the game. The person who sat there needs a new link to sit down again."""

    seat: Seat


class Remove(_Command, tag="remove"):
    """The host removes a spectator, who needs a new link to come back; "" removes everyone without a name."""

    spectator: SpectatorId


class Mute(_Command, tag="mute"):
    """The host mutes or unmutes a spectator."""

    spectator: SpectatorId
    muted: bool = True


class Close(_Command, tag="close"):
    """The host closes the table: no more games are played here."""


class SeatBot(_Command, tag="bot"):
    """Give a seat to a bot: the host an open one of any level, players one that was left or whose player is away.

    In a running game the bot is a stand-in of a fixed level, whatever level is named, until the owner comes back.
    """

    seat: Seat
    level: Level


class Act(_Command, tag="act"):
    """Play an action, as JSON or as notation. The mover's seat must be yours.

    `at` is the version of the position that the player saw; in another position the command is refused. Where a game's
    chance outcomes are computed, an action may have extra data that the game reads. Where they are entered by a player,
    that is an `act` too.
    """

    at: Count
    action: dict[str, Any] | Annotated[str, Meta(max_length=100)]
    extra: Extra | None = field(default=None, name="aim")


class Undo(_Command, tag="undo"):
    """Undo your last action, if it revealed nothing and nobody has acted since."""


class AskBack(_Command, tag="ask-back"):
    """Request a takeback: ask the others to go back to before your last action."""


class Answer(_Command, tag="answer"):
    """Accept or decline a takeback."""

    agree: bool


class Resign(_Command, tag="resign"):
    """Resign: with two sides the other wins, with more a bot plays on."""

    seat: Seat


class Rematch(_Command, tag="rematch"):
    """Accept another game with rotated seats, or withdraw that."""

    agree: bool = True
    seed: Seed = ""
    seals: Annotated[list[NewSeal], Meta(max_length=16)] = []
    """The hashes of new shares, for one's seats in their order."""


class Chat(_Command, tag="chat"):
    """Send a chat message to everyone at the table."""

    text: Text


class AskHint(_Command, tag="ask-hint"):
    """Ask what a strong bot would play in your place; answered by `hint`."""


class AskAnalysis(_Command, tag="ask-analysis"):
    """After the game: a strong bot's evaluation of the position after this number of actions, from its mover's view."""

    moves: Count
    game: Count | None = None


ClientMessage = (
    Hello
    | Look
    | AskRecording
    | Ping
    | Sit
    | Rise
    | SeatBot
    | Act
    | Undo
    | AskBack
    | Answer
    | Resign
    | Rematch
    | Chat
    | AskHint
    | AskAnalysis
    | Admit
    | Unseat
    | Remove
    | Mute
    | Close
    | Seal
    | Open
)
Command = (
    Sit
    | Rise
    | SeatBot
    | Act
    | Undo
    | AskBack
    | Answer
    | Resign
    | Rematch
    | Chat
    | AskHint
    | AskAnalysis
    | Admit
    | Unseat
    | Remove
    | Mute
    | Close
    | Seal
    | Open
)


# The log as one viewer sees it.


class _Entry(Struct, tag_field="kind", omit_defaults=True, gc=False):
    v: Annotated[int, Meta(description="The table's version after this.")]
    at: Milliseconds


class Sat(_Entry, tag="sat"):
    """Somebody took a seat."""

    seat: int
    name: str


class Rose(_Entry, tag="rose"):
    """Somebody left a seat."""

    seat: int


class BotSat(_Entry, tag="bot"):
    """A seat was given to a bot."""

    seat: int
    level: str


class Started(_Entry, tag="started"):
    """A game started: its number at this table, the commitment to its random seed, and the seats' contributions to
    it."""

    game: int
    commit: str
    seeds: list[str]
    seats: list[str]
    seals: Seals = []
    """The hashes that were frozen before `seeds` were opened; empty where seats sent texts in the clear."""


class Acted(_Entry, tag="acted"):
    """A seat acted. What is hidden from the viewer is null in the JSON and `?` in the notation."""

    seat: int
    action: Object
    notation: str
    extra: KeptExtra | None = field(default=None, name="aim")
    """The extra data of the action: stored before anything about the outcome is drawn."""
    wrote: Object | None = None
    """Its public results: a box of a score sheet, islands won, a toll."""


class Happened(_Entry, tag="happened"):
    """Chance acted, with the draw of that number; 0: without a draw, because a player entered the outcome."""

    action: Object
    notation: str
    draw: int
    detail: Detail | None = field(default=None, name="fall")
    """What the game says about a computed outcome."""
    wrote: Object | None = None
    """Its public results: a box of a score sheet, islands won, a toll."""


class WentBack(_Entry, tag="back"):
    """The game went back to this number of actions: by undo, or because all agreed."""

    seat: int
    moves: int
    agreed: bool


class AskedBack(_Entry, tag="asked-back"):
    """A seat requests a takeback to this number of actions."""

    seat: int
    moves: int


class Answered(_Entry, tag="answered"):
    """A seat answered the request for a takeback; declining ends it."""

    seat: int
    agree: bool


class Ended(_Entry, tag="ended"):
    """The game is over, and the seed of its draws is published."""

    by: Literal["rules", "time", "resigned"]
    winner: Winner
    scores: list[int]
    seed: str
    salt: str
    seat: int | None = None
    points: list[int] = []
    """Each player's points in this series so far, by seat."""


class Agreed(_Entry, tag="agreed"):
    """A seat wants a rematch, or no longer does."""

    seat: int
    agree: bool


class Spoke(_Entry, tag="spoke"):
    """A chat message; no seat: a spectator. Only in old logs: new messages come by `said`."""

    name: str
    text: str
    seat: int | None = None


class Resumed(_Entry, tag="resumed"):
    """The table was out of memory for a while; the clock did not run meanwhile."""


class AskedSeat(_Entry, tag="asked-seat"):
    """Somebody asks the players for a seat that was left."""

    seat: int
    name: str


class AnsweredSeat(_Entry, tag="answered-seat"):
    """A player answered a request for a seat; declining ends it, and when all accept a `sat` follows."""

    seat: int
    agree: bool


class Removed(_Entry, tag="removed"):
    """The host removed somebody from a seat, or, without a seat, from the table."""

    name: str
    seat: int | None = None


class Muted(_Entry, tag="muted"):
    """The host muted or unmuted a spectator."""

    name: str
    muted: bool


class Closed(_Entry, tag="closed"):
    """The table was closed: no more games are played here."""


class Sealed(_Entry, tag="sealed"):
    """A seat sent another hash of its share."""

    seat: int
    seal: str


class Frozen(_Entry, tag="frozen"):
    """Everybody is ready for that game: commit and hashes are settled, and the shares are to be opened."""

    game: int
    commit: str
    seals: Seals


class Opened(_Entry, tag="opened"):
    """A seat of the game to come opened its share."""

    seat: int
    share: str


class Voided(_Entry, tag="void"):
    """The start of that game is void because of these of its seats.

    `late`: they did not open their shares in time; `left`: they went; `lost`: they no longer had the share; `removed`:
    the host removed them.
    """

    game: int
    seats: list[int]
    by: Why


Entry = (
    Sat
    | Rose
    | BotSat
    | Started
    | Acted
    | Happened
    | WentBack
    | AskedBack
    | Answered
    | Ended
    | Agreed
    | Spoke
    | Resumed
    | AskedSeat
    | AnsweredSeat
    | Removed
    | Muted
    | Closed
    | Sealed
    | Frozen
    | Opened
    | Voided
)


# From the server.


class NoClock(Struct, tag_field="kind", tag="none", frozen=True, gc=False, forbid_unknown_fields=True):
    """No clock."""


class LiveClock(Struct, tag_field="kind", tag="live", frozen=True, gc=False, forbid_unknown_fields=True):
    """A time for the whole game, and an increment for every move."""

    initial: Annotated[int, Meta(ge=10_000, le=86_400_000, description="In milliseconds.")]
    increment: Annotated[int, Meta(ge=0, le=3_600_000, description="In milliseconds.")] = 0


class DaysClock(Struct, tag_field="kind", tag="days", frozen=True, gc=False, forbid_unknown_fields=True):
    """A number of days for every move."""

    days: Annotated[int, Meta(ge=1, le=30)]


Clock = NoClock | LiveClock | DaysClock


class About(Struct, gc=False):
    """The properties of a table that never change."""

    id: str
    game: str
    options: Object
    seats: int
    visibility: Literal["public", "link"]
    clock: Clock
    hints: bool
    series: int
    mode: Mode | None = field(default=None, name="dice")
    """How chance acts here, in games that have several modes."""
    secret: bool = False
    """Seats know different things, such as their own cards: a shared screen must hide hands between turns."""


class Chair(Struct, omit_defaults=True, gc=False):
    """The person or bot at a seat."""

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str = ""
    left: bool = False
    """The person has left: the others may give the seat to a bot."""


class Time(Struct, gc=False):
    """The clock at the time `at`: what each seat has left, and whose time is running."""

    at: Milliseconds
    left: list[Duration]
    running: int | None


class Legal(Struct, gc=False):
    """A legal action."""

    action: Object
    notation: str


class Request(Struct, gc=False):
    """A request for a takeback to this number of actions; `waiting` have not answered yet."""

    seat: int
    moves: int
    waiting: list[int]


class Candidate(Struct, gc=False):
    """A request for a seat that was left; `waiting` have not answered yet."""

    seat: int
    name: str
    waiting: list[int]


class Over(Struct, omit_defaults=True, gc=False):
    """How the game ended, and who wants a rematch."""

    by: Literal["rules", "time", "resigned"]
    winner: Winner
    seat: int | None = None
    again: list[int] = []


class Void(Struct, gc=False):
    """A start that came to nothing, because of these seats of the game that was to begin."""

    seats: list[int]
    by: Why


class Opening(Struct, omit_defaults=True, gc=False):
    """What the draws of the game to come will be made from, and how far its start has got."""

    game: int
    commit: str
    seals: Seals
    frozen: bool = False
    """Nothing here can change any more, and the shares are to be opened."""
    opened: list[int] = []
    """The seats of the game to come whose shares are open."""
    void: Void | None = None
    """The last start that was void: those who had sent a hash must send a new one by `seal`."""
    awaited: list[int] = []
    """Whose new hashes are missing, by the seats as they are now."""


class Position(Struct, omit_defaults=True, gc=False):
    """The game as one viewer sees it: everything needed to draw it."""

    game: int
    """The number of the game at this table, from 1; 0 before the first has started."""
    moves: int
    """The number of actions so far."""
    hash: ViewHash
    """The hash of the view, which the client sends when it reconnects."""
    seat: Eye
    view: Object
    """`state.view(seat)` of the contract."""
    legal: list[Legal]
    """Your legal actions; empty unless one of your seats is the mover, and its view is shown."""
    undo: bool = False
    request: Request | None = None
    time: Time | None = None
    over: Over | None = None
    chance: Shown | None = field(default=None, name="dice")
    """What the game shows in addition to the view where its chance outcomes are computed or entered."""
    candidate: Candidate | None = None
    closed: bool = False
    """The table was closed: no more games are played here."""
    opening: Opening | None = None
    """The start of the next game, once a client has sent the hash of a share."""


class Welcome(_Message, tag="welcome"):
    """The answer to `hello`."""

    protocol: int
    table: About
    commit: str
    """The commitment to the random seed of the running game, or else of the next."""
    now: Milliseconds


class Yours(_Message, tag="yours"):
    """Your seats, and whether you are the host. Sent after `welcome`, and when it changes."""

    seats: list[int]
    host: bool


class Update(_Message, tag="update"):
    """What is new since a version, and the table as it is now.

    `whole`: discard what you have; the entries are those of the running game. Unchanged parts are left out.
    """

    since: int
    version: int
    entries: list[Entry]
    whole: bool = False
    chairs: list[Chair] | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    commit: str | UnsetType = UNSET


class Ack(_Message, tag="ack"):
    """The command is stored for good, as the log entry of that version."""

    n: int
    version: int


class Refused(_Message, tag="refused"):
    """The command was refused, and nothing has changed."""

    n: int
    rule: Rule
    reason: str
    words: Words = ""
    gaps: Gaps = {}


class Trouble(_Message, tag="trouble"):
    """A message that could not be understood, or that exceeded the rate limit."""

    rule: Rule
    reason: str
    words: Words = ""
    gaps: Gaps = {}


class Presence(_Message, tag="presence"):
    """Which seats are connected now, and the number of spectators."""

    here: list[bool]
    watchers: int


class Spectator(Struct, omit_defaults=True, gc=False):
    """A spectator with a name; `id` is for `mute` and `remove`."""

    id: SpectatorId
    name: str
    muted: bool = False


class Audience(_Message, tag="audience"):
    """Sent to the host alone, when it changes: the spectators, and the number of those without a name."""

    spectators: list[Spectator]
    unnamed: int = 0


class Remark(Struct, omit_defaults=True, gc=False):
    """A chat message; no seat: a spectator. Numbers increase, with gaps."""

    number: int
    at: Milliseconds
    name: str
    text: str
    seat: int | None = None


class Said(_Message, tag="said"):
    """Chat messages: the last ones after `hello`, and each new one. A number may come twice."""

    remarks: list[Remark]


class Opinion(Struct, gc=False):
    """A bot's evaluation of one action: its share of the search, and its value from -1 to 1."""

    action: Object
    notation: str
    share: float
    value: float


class Hint(_Message, tag="hint"):
    """A bot's evaluation: the actions from best to worst, and its principal variation.

    `played` is the action that was played in a position of a finished game: it is always among the actions.
    """

    n: int
    moves: int
    seat: int
    ranking: list[Opinion]
    line: list[str]
    played: str = ""


class Recording(_Message, tag="thrown"):
    """The answer to `ask-throw`."""

    v: int
    data: RecordingData = field(name="trajectory")


class Pong(_Message, tag="pong"):
    """The answer to `ping`."""

    sent: int
    now: Milliseconds


class Goodbye(_Message, tag="goodbye"):
    """The server closes the connection; reconnect after this time. `rule` says why."""

    rule: Rule
    after: Duration


ServerMessage = (
    Welcome | Yours | Update | Ack | Refused | Trouble | Presence | Audience | Said | Hint | Recording | Pong | Goodbye
)


# Over HTTP.


class _Body(Struct, forbid_unknown_fields=True, omit_defaults=True):
    pass


class NewSession(_Body):
    """`POST /api/session`: your name."""

    name: Name


class Session(_Body):
    """`GET /api/session`: who you are here; the name is empty before you have given one."""

    name: str


class TokenBody(_Body):
    """The secret of a link."""

    token: Token


class Arrive(TokenBody):
    """`POST /api/session/arrive`: become the person who made the link; `replace`: even if you lose your own seats."""

    replace: bool = False


class Arriving(_Body):
    """`POST /api/session/arriving`: who a link would make you, who you are now, and how many tables you would leave."""

    name: str
    now: str
    tables: int = 0


class Device(_Body):
    """A device on which you have a session; `here`: this one. Its last use is given to the day."""

    id: str
    device: str
    created: Milliseconds
    used: Milliseconds
    here: bool = False


class Devices(_Body):
    """`GET /api/session/devices`: your devices, the last used first."""

    devices: list[Device]


class EndSession(_Body):
    """`POST /api/session/end`: end your session on a device (default: on all but this one)."""

    device: Annotated[str, Meta(max_length=16)] | None = None


class Password(_Body):
    """`POST /api/password`: the password of a private server."""

    password: Annotated[str, Meta(min_length=1, max_length=200)]


class Visitor(_Body):
    """A connected person with a name, and their tables; `id` is for `POST /api/operator/end`."""

    id: str
    name: str
    tables: list[str]


class Incident(_Body):
    """An error on the server."""

    at: Milliseconds
    what: str


class OperatorTable(_Body):
    """One table as the operator sees it: its players while it is in memory, never their hands."""

    id: str
    game: str
    status: str
    visibility: str
    updated: Milliseconds
    chairs: list[Chair]
    sockets: int


class OperatorReport(_Body):
    """`GET /api/operator`: people, tables, load and errors of one worker."""

    version: str
    started: Milliseconds
    workers: int
    sockets: int
    in_memory: int
    waiting: int
    """Positions that wait for a bot."""
    load: float
    memory: int
    people: list[Visitor]
    unnamed: int
    tables: list[OperatorTable]
    troubles: list[Incident]


class OperatorTarget(_Body):
    """`POST /api/operator/end` and `/api/operator/close`: whose session to end, or which table to close."""

    id: Annotated[str, Meta(max_length=16)]


class NewLink(_Body):
    """`POST /api/tables/{id}/links`: a link that lets others in.

    `seat`: to take that open seat; `watch`: to watch; `shoulder`: to watch the hand of your own seat.
    """

    kind: Literal["seat", "watch", "shoulder"]
    seat: Seat | None = None


class Link(_Body):
    """A new link: its secret, and the URL to send."""

    token: str
    kind: Literal["seat", "watch", "shoulder", "session"]
    url: str
    seat: int | None = None
    id: str = ""
    near: str = ""
    """The URL for others in the same network, if `url` works on this machine only."""


class LinkTarget(_Body):
    """`POST /api/links`: where a link leads."""

    table: str
    kind: Literal["seat", "watch", "shoulder"]
    seat: int | None = None


class NewChair(_Body):
    """The player at a seat of a new table: you, another person at the same screen, anyone with a link, or a bot."""

    kind: Literal["me", "here", "open", "bot"]
    name: Name | None = None
    level: Level | None = None
    seal: NewSeal = ""
    """The hash of this seat's share, of oneself or somebody else at the same screen."""


class NewTable(_Body):
    """`POST /api/tables`: a new table."""

    game: str
    chairs: list[NewChair]
    options: dict[str, Any] = {}
    visibility: Literal["public", "link"] = "link"
    clock: Clock = NoClock()
    hints: bool = False
    series: Annotated[int, Meta(ge=1, le=99)] = 1
    seed: Seed = ""
    mode: Mode | None = field(default=None, name="dice")
    """How chance acts, if the game has several modes (default: the first)."""


class Created(_Body):
    """A new table."""

    id: str


class Summary(_Body):
    """One table in a list."""

    id: str
    game: str
    options: Object
    status: Literal["waiting", "playing", "over", "closed"]
    visibility: Literal["public", "link"]
    clock: Clock
    chairs: list[Chair]
    updated: Milliseconds
    yours: list[int] = []
    your_turn: bool = False
    mode: Mode | None = field(default=None, name="dice")
    turn: list[int] = []
    """The seats that may act now."""
    since: Milliseconds = 0
    """Since when it is their turn."""
    deadline: Milliseconds | None = None
    """When their time runs out."""


class Tables(_Body):
    """`GET /api/tables`: your own tables, and public ones that wait for players or are being played."""

    yours: list[Summary]
    public: list[Summary]


class Running(_Body):
    """`GET /api/tables/running`: one's tables that are not over; those that wait for oneself first, then by time."""

    tables: list[Summary]


class Opponent(_Body):
    """Whom one played against: a bot by its level, a person by name; `id` is for asking for games with them."""

    seat: int
    kind: OpponentKind
    name: str
    id: str
    score: int


class Finished(_Body):
    """A finished game in one's history."""

    table: str
    number: int
    """Which of the games at that table it was."""
    game: str
    at: Milliseconds
    seat: int
    name: str
    result: Outcome
    how: Ways
    moves: int
    score: int
    opponents: list[Opponent]


class History(_Body):
    """`GET /api/history`: finished games, the latest first; `next` asks for more as `before`.

    `total` counts all games that are asked for. `reading`: games from before there was a history are still being read.
    """

    games: list[Finished]
    total: int
    next: str = ""
    reading: bool = False


class Against(_Body):
    """How one did against one opponent at one game."""

    game: str
    name: str
    """One's own name in those games."""
    kind: OpponentKind
    opponent: str
    id: str
    won: int
    lost: int
    tied: int
    latest: Milliseconds


class Rated(_Body):
    """A rating against a game's levels in Elo points above the weakest, with its 95% interval.

    Only games against bots alone count, from the start and without hints. `next` is the level nearest to it.
    """

    game: str
    name: str
    games: int
    elo: float
    low: float
    high: float
    next: str
    levels: dict[str, float]
    """The levels' own, as they were measured."""


class Figures(_Body):
    """`GET /api/history/figures`: how one did against whom, and how strong that makes one."""

    names: list[str]
    """The names under which one has played, the most usual first."""
    against: list[Against]
    ratings: list[Rated]


class Phrase(_Body):
    """`POST /api/session/phrase`: a recovery phrase, shown once. It works once; the one before it no longer does."""

    phrase: str


class Recover(_Body):
    """`POST /api/session/recover`: become the person with this phrase; `replace`: even if you lose your own seats."""

    phrase: Annotated[str, Meta(min_length=1, max_length=200)]
    replace: bool = False


Minute = Annotated[int, Meta(ge=0, lt=1440)]
Language = Literal["en", "fr"]
ChannelKind = Literal["push", "webhook", "apprise", "mail"]


class NoticeWishes(_Body):
    """How you want to be notified; times of day are minutes in your zone (an IANA name).

    `quiet_from`, `quiet_until`: between them nothing is delivered. `digest`: one notice a day at that time, instead of
    one for each game. `reminders`: before your time runs out. `away_until`: no notices until then (milliseconds since
    1970).
    """

    language: Language = "en"
    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    quiet_from: Minute | None = None
    quiet_until: Minute | None = None
    digest: Minute | None = None
    reminders: bool = True
    away_until: Annotated[int, Meta(ge=0, lt=1 << 53)] | None = None


class NoticeChannel(_Body):
    """A place where you are notified. `failing`: since when nothing could be delivered."""

    id: str
    kind: ChannelKind
    label: str
    created: int
    confirmed: bool
    failing: int | None = None
    here: bool = False
    """This browser's push subscription was made with the session that asks."""


class Notices(_Body):
    """`GET /api/notices`: your wishes and channels; `kinds` are those that this server can deliver to.

    `push_key`: the key with which browsers subscribe.
    """

    wishes: NoticeWishes
    channels: list[NoticeChannel]
    kinds: list[ChannelKind]
    push_key: str = ""


class NewChannel(_Body):
    """`POST /api/notices/channels`: notify me there, too; for push, `p256dh` and `auth` are the subscription's keys."""

    kind: ChannelKind
    address: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=200)] = ""
    auth: Annotated[str, Meta(max_length=100)] = ""
    wishes: NoticeWishes | None = None
    """Your language and zone, if you had no wishes before."""


class ChannelTarget(_Body):
    """`POST /api/notices/remove` and `/api/notices/test`: one of your channels."""

    id: Annotated[str, Meta(max_length=24)]


class ConfirmChannel(_Body):
    """`POST /api/notices/confirm`: the code that came to a mail address."""

    id: Annotated[str, Meta(max_length=24)]
    code: Annotated[str, Meta(max_length=12)]


class StopNotices(_Body):
    """`POST /api/notices/stop`: the token of a notice's link; its channel gets no more of them."""

    token: Annotated[str, Meta(max_length=100)]


class OptionInfo(_Body):
    """One option of a game; `values` are its permitted values, or some worth offering."""

    name: str
    default: Any
    about: str
    wanted: str
    values: list[Any]


class GameInfo(_Body):
    """One game: its options, its numbers of players, and the bots' levels from weakest to strongest."""

    name: str
    title: str
    options: list[OptionInfo]
    seats: list[int]
    levels: list[str]
    modes: list[Mode] = field(default=[], name="dice")
    """How chance may act, the default mode first; empty where outcomes are always drawn at once."""


class Preparing(_Body):
    """A game whose bots are still being compiled: `done` of `total` steps. 0 of 0: not started yet."""

    game: str
    done: int
    total: int


class Games(_Body):
    """`GET /api/games`."""

    version: str
    games: list[GameInfo]
    preparing: list[Preparing] = []
    """Games whose bots are not ready yet; people can play them already."""


class Deed(_Body):
    """What led to a step; no seat: chance. What was hidden from the viewer is null in the JSON and `?` in the
    notation."""

    seat: int | None
    action: Object
    notation: str
    wrote: Object | None = None
    """Its public results, as in `acted` and `happened`."""


class Step(_Body):
    """A position of a finished game, and what led to it."""

    view: Object
    mover: int
    deed: Deed | None = None


class Replay(_Body):
    """`GET /api/tables/{id}/replay`: some steps of a finished game, from a number of actions on.

    `eye` is the seat, null for a spectator, or `referee`, who sees everything. `scores` and `movers` are those of every
    step of the game.
    """

    game: int
    moves: int
    eye: int | Literal["referee"] | None
    since: int
    steps: list[Step]
    scores: list[list[int]]
    movers: list[int]
    chairs: list[Chair]
    over: Over


class Picture(_Body):
    """`POST /api/picture`: a view, drawn by the server for pages that have no board of the game."""

    svg: str
    text: str


class RulesPage(_Body):
    """`GET /api/rules?game=…&language=…`: the rules of a game in English (en) or French (fr), as Markdown."""

    text: str


class NewBranch(_Body):
    """`POST /api/tables/{id}/branch`: play from a position of a finished game, against bots.

    The hidden cards stay as they were; later chance outcomes are new.
    """

    moves: Count
    seat: Seat
    level: Level
    game: Count | None = None
    seed: Seed = ""
    seal: NewSeal = ""


class KnownLink(_Body):
    """A valid link; `id` is for revoking it, the secret is its maker's alone."""

    id: str
    kind: Literal["seat", "watch", "shoulder"]
    made: Milliseconds
    mine: bool
    seat: int | None = None


class Links(_Body):
    """`GET /api/tables/{id}/links`: the links that you may revoke."""

    links: list[KnownLink]


class Revoke(_Body):
    """`POST /api/links/revoke`: the link to revoke, by its secret or by its id."""

    token: Token | None = None
    id: Annotated[str, Meta(max_length=64)] | None = None


class Verdict(_Body):
    """`POST /api/verify`: whether a record's draws were fair, and if not, why."""

    fair: bool
    reason: str
    words: Words = ""
    gaps: Gaps = {}
    shares: list[str] = []
    """For each seat whether its `player`, the `server` (for a bot) or nobody (`absent`) added a share to the draws;
    empty where seats sent texts in the clear."""
    voids: list[list[int]] = []
    """The seats because of which earlier starts of the game were void."""


class Problem(_Body):
    """The body of every HTTP error: one sentence, with its template and values."""

    rule: Rule
    reason: str
    words: Words = ""
    gaps: Gaps = {}


def refused(n: int, rule: str, reason: str) -> Refused:
    """A refusal, with the template and values of its sentence."""
    return Refused(n, rule, *_spoken(reason))


def trouble(rule: str, reason: str) -> Trouble:
    """A `trouble` message, with the template and values of its sentence."""
    return Trouble(rule, *_spoken(reason))


def problem(rule: str, reason: str) -> Problem:
    """A problem, with the template and values of its sentence."""
    return Problem(rule, *_spoken(reason))


def verdict(fair: bool, reason: str) -> Verdict:
    """A verdict, with the template and values of its sentence."""
    return Verdict(fair, *_spoken(reason))


def _spoken(reason: str) -> tuple[str, str, Gaps]:
    return (str(reason), reason.template, reason.gaps) if isinstance(reason, Sentence) else (reason, "", {})


BODIES: tuple[type[Struct], ...] = (
    NewSession,
    Session,
    TokenBody,
    Arrive,
    Arriving,
    Devices,
    EndSession,
    Password,
    OperatorReport,
    OperatorTarget,
    NewLink,
    Link,
    LinkTarget,
    NewTable,
    Created,
    Tables,
    Running,
    History,
    Figures,
    Phrase,
    Recover,
    NoticeWishes,
    Notices,
    NewChannel,
    NoticeChannel,
    ChannelTarget,
    ConfirmChannel,
    StopNotices,
    Games,
    Replay,
    Picture,
    RulesPage,
    NewBranch,
    Links,
    Revoke,
    Verdict,
    Problem,
)


def schema() -> dict[str, Any]:
    """Every message and body as JSON Schema: `client` and `server` list what either side of a WebSocket may send."""
    parts = (ClientMessage, ServerMessage, *BODIES)
    (client, server, *bodies), components = schemas(parts, "#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Archipel's table",
        "protocol": PROTOCOL,
        "client": client,
        "server": server,
        "http": {kind.__name__: body for kind, body in zip(BODIES, bodies, strict=True)},
        "$defs": components,
    }


def schemas(parts: Sequence[Any], template: str) -> tuple[list[Any], dict[str, Any]]:
    """The JSON Schemas of some types and of those that they refer to, including what games define."""
    chances = [chance for name in registry.names() if (chance := registry.slow_chance(name))]
    named = json.encode(json.schema_components(parts, ref_template=template)).decode()
    added = {
        gap: [chance.wire_types[gap] for chance in chances]
        for gap in ("extra", "shown", "detail")
        if f'"{GAPS}":"{gap}"' in named
    }
    games = [kind for kinds in added.values() for kind in kinds]
    found, components = json.schema_components([*parts, *games], ref_template=template)
    fillings: dict[str, Any] = {
        gap: [{"$ref": template.format(name=kind.__name__)} for kind in kinds] for gap, kinds in added.items()
    }
    fillings["modes"] = [{"enum": sorted({mode for chance in chances for mode in chance.modes})}]
    used = list(found)[: len(parts)]
    return [_filled(part, fillings) for part in used], {k: _filled(v, fillings) for k, v in components.items()}


def _filled(schema: Any, fillings: dict[str, Any]) -> Any:
    """A schema with the parts that games define."""
    if isinstance(schema, list):
        return [_filled(part, fillings) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if gap := schema.get(GAPS):
        described = {key: schema[key] for key in ("description",) if key in schema}
        choices = fillings[gap]
        return described | (choices[0] if len(choices) == 1 else {"anyOf": choices})
    return {key: _filled(value, fillings) for key, value in schema.items()}


def written() -> str:
    """The text of `docs/protocol.json`."""
    return json.format(json.encode(schema(), order="sorted"), indent=1).decode() + "\n"


if __name__ == "__main__":
    print(written(), end="")
