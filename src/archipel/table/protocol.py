"""What a browser and the table say to each other: every message and every HTTP body, as types.

`schema()` tells the same as JSON Schema; the client's types are generated from it.

A socket is opened at `/ws/{table}`. The browser says `hello`; the table answers `welcome` and an `update`. From
then on the browser sends commands, each with a counter `n` of its own that rises, and the table answers each with
`ack`, once it is safely kept, or with `refused`, after which nothing has changed. A command may be sent again with
the same `n` when no answer came: it happens once.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field, json

from archipel.core import registry
from archipel.core.errors import Sentence

PROTOCOL = 1

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
ClientId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,40}$", description="Drawn once by each tab.")]
ViewHash = Annotated[str, Meta(max_length=64)]
Rule = Annotated[str, Meta(description="What stands behind it: `kahuna.hand-limit`, `table.not-your-turn`.")]
Words = Annotated[
    str, Meta(description="The sentence with its gaps, if it has any: what to look up in another language.")
]
Gaps = dict[str, str | list[str]]
"""What fills the gaps of a sentence; a list: any of these."""
Object = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
Winner = int | list[int] | None
Eye = Annotated[int | None, Meta(description="The seat through whose eyes one looks; null: an onlooker's.")]
GAPS = "x-of-the-games"
"""Marks what only games know about in the schema; `schema` fills it in from their manifests."""
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
    """What browsers send; nothing else is understood."""


class _Command(_Said):
    n: Counter


# From the browser.


class Hello(_Said, tag="hello"):
    """The first message: who calls, what it saw last, and by which link it looks."""

    client: ClientId
    since: Count | None = None
    hash: ViewHash | None = None
    eye: Seat | None = None
    link: Token | None = None
    heard: Count | None = None
    """The number of the last remark that it knows."""
    pace: Literal["instant", "quick", "human"] = "human"
    """How fast bots are to answer, if this one plays; among several players the slowest wish counts."""


class Look(_Said, tag="look"):
    """On a shared screen: show the table through the eyes of one of one's seats; null draws the curtain."""

    seat: Seat | None


class AskRecording(_Said, tag="ask-throw"):
    """Ask for the recording of the outcome that the entry of that version tells of; answered by `thrown`."""

    v: Count


class Ping(_Said, tag="ping"):
    """Answered by `pong` with the same number."""

    sent: Count


class Sit(_Command, tag="sit"):
    """Take a seat that is open, or one's own again from the bot that kept it.

    A seat that somebody else left in a running game is asked for: those who play answer by `admit`.
    """

    seat: Seat
    name: Name | None = None
    link: Token | None = None
    seed: Seed = ""


class Rise(_Command, tag="rise"):
    """Leave one of one's seats: before the game it is open again, later the others may give it to a bot."""

    seat: Seat


class Admit(_Command, tag="admit"):
    """Let whoever asks for a seat that was left have it, or not."""

    agree: bool


class Unseat(_Command, tag="unseat"):
    """The host frees a seat before the game. Whoever sat there needs a new link to sit down again."""

    seat: Seat


class Remove(_Command, tag="remove"):
    """The host removes a spectator, who needs a new link to come back; "" removes all who have no name."""

    spectator: SpectatorId


class Mute(_Command, tag="mute"):
    """The host mutes a spectator, or lets them speak again."""

    spectator: SpectatorId
    muted: bool = True


class Close(_Command, tag="close"):
    """The host closes the table: nobody plays here any more."""


class SeatBot(_Command, tag="bot"):
    """Give a seat to a bot: the host an open one of any level, those who play one that was left or is deserted.

    In a running game the bot is a stand-in of a fixed level, whatever level is named, until the owner comes back.
    """

    seat: Seat
    level: Level


class Act(_Command, tag="act"):
    """What the mover does, as JSON or as notation. The seat is the mover's, which must be one's own.

    `at` is the version of the position that the player saw; in another position nothing happens. Where a game's chance
    outcomes are computed, an action may come with extra data that the game takes. Where they are entered by a player,
    that is an `act` too.
    """

    at: Count
    action: dict[str, Any] | Annotated[str, Meta(max_length=100)]
    extra: Extra | None = field(default=None, name="aim")


class Undo(_Command, tag="undo"):
    """Take one's last action back, when nobody has learned anything by it and nobody has acted since."""


class AskBack(_Command, tag="ask-back"):
    """Ask the others to go back to before one's last action."""


class Answer(_Command, tag="answer"):
    """Agree to go back, or do not."""

    agree: bool


class Resign(_Command, tag="resign"):
    """Give the game up: of two sides the other has won, of more a bot plays on."""

    seat: Seat


class Rematch(_Command, tag="rematch"):
    """Agree to another game with the seats turned, or take that back."""

    agree: bool = True
    seed: Seed = ""


class Chat(_Command, tag="chat"):
    """Say something to all at the table."""

    text: Text


class AskHint(_Command, tag="ask-hint"):
    """Ask what a strong bot would do in one's place; answered by `hint`."""


class AskAnalysis(_Command, tag="ask-analysis"):
    """After the game: what a strong bot thinks of the position after so many actions, seen from its mover."""

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
)


# The log, as it is told to one pair of eyes.


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
    """A game began: its number at this table, the promise that binds its draws, and the seats' shares in them."""

    game: int
    commit: str
    seeds: list[str]
    seats: list[str]


class Acted(_Entry, tag="acted"):
    """A seat did something. What these eyes may not see is null in the JSON and `?` in the notation."""

    seat: int
    action: Object
    notation: str
    extra: KeptExtra | None = field(default=None, name="aim")
    """What came with the action: kept before anything about the outcome is drawn."""
    wrote: Object | None = None
    """What it brought about, as everybody sees it: a box of a score sheet, islands won, a toll."""


class Happened(_Entry, tag="happened"):
    """Chance did something, by the draw of that number; 0: by no draw, for a player entered it."""

    action: Object
    notation: str
    draw: int
    detail: Detail | None = field(default=None, name="fall")
    """What the game tells of an outcome that was computed."""
    wrote: Object | None = None
    """What it brought about, as everybody sees it: a box of a score sheet, islands won, a toll."""


class WentBack(_Entry, tag="back"):
    """The game went back to so many actions: by undo, or because all agreed."""

    seat: int
    moves: int
    agreed: bool


class AskedBack(_Entry, tag="asked-back"):
    """A seat asks to go back to so many actions."""

    seat: int
    moves: int


class Answered(_Entry, tag="answered"):
    """A seat answered the request to go back; a refusal ends it."""

    seat: int
    agree: bool


class Ended(_Entry, tag="ended"):
    """The game is over, and the seed of its draws is shown."""

    by: Literal["rules", "time", "resigned"]
    winner: Winner
    scores: list[int]
    seed: str
    salt: str
    seat: int | None = None
    points: list[int] = []
    """What each player has won in this series so far, by seat."""


class Agreed(_Entry, tag="agreed"):
    """A seat would play again, or no longer would."""

    seat: int
    agree: bool


class Spoke(_Entry, tag="spoke"):
    """Somebody said something; no seat: a spectator. Only of old: what is said now comes by `said`."""

    name: str
    text: str
    seat: int | None = None


class Resumed(_Entry, tag="resumed"):
    """The table was away for a while; the clock did not run meanwhile."""


class AskedSeat(_Entry, tag="asked-seat"):
    """Somebody asks the players for a seat that was left."""

    seat: int
    name: str


class AnsweredSeat(_Entry, tag="answered-seat"):
    """A player answered whoever asks for a seat; a refusal ends it, and when all agree a `sat` follows."""

    seat: int
    agree: bool


class Removed(_Entry, tag="removed"):
    """The host removed somebody from a seat, or, without a seat, from the table."""

    name: str
    seat: int | None = None


class Muted(_Entry, tag="muted"):
    """The host muted a spectator, or let them speak again."""

    name: str
    muted: bool


class Closed(_Entry, tag="closed"):
    """The table was closed: nobody plays here any more."""


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
)


# From the table.


class NoClock(Struct, tag_field="kind", tag="none", frozen=True, gc=False, forbid_unknown_fields=True):
    """No clock."""


class LiveClock(Struct, tag_field="kind", tag="live", frozen=True, gc=False, forbid_unknown_fields=True):
    """So much time for the whole game, and some more with every move."""

    initial: Annotated[int, Meta(ge=10_000, le=86_400_000, description="In milliseconds.")]
    increment: Annotated[int, Meta(ge=0, le=3_600_000, description="In milliseconds.")] = 0


class DaysClock(Struct, tag_field="kind", tag="days", frozen=True, gc=False, forbid_unknown_fields=True):
    """So many days for every move."""

    days: Annotated[int, Meta(ge=1, le=30)]


Clock = NoClock | LiveClock | DaysClock


class About(Struct, gc=False):
    """What a table is, which never changes."""

    id: str
    game: str
    options: Object
    seats: int
    visibility: Literal["public", "link"]
    clock: Clock
    hints: bool
    series: int
    mode: Mode | None = field(default=None, name="dice")
    """How chance acts here, at games that have several modes."""
    secret: bool = False
    """Seats know different things, such as their own cards: a shared screen must hide itself between turns."""


class Chair(Struct, omit_defaults=True, gc=False):
    """Who sits at a seat."""

    kind: Literal["open", "person", "bot"]
    name: str = ""
    level: str = ""
    left: bool = False
    """The person has left: the others may give the seat to a bot."""


class Time(Struct, gc=False):
    """The clock, as of the moment `at`: what each seat has left, and whose time runs."""

    at: Milliseconds
    left: list[Duration]
    running: int | None


class Legal(Struct, gc=False):
    """One thing that the mover may do."""

    action: Object
    notation: str


class Request(Struct, gc=False):
    """A seat asks to go back to so many actions; these have not answered yet."""

    seat: int
    moves: int
    waiting: list[int]


class Candidate(Struct, gc=False):
    """Somebody asks for a seat that was left; these have not answered yet."""

    seat: int
    name: str
    waiting: list[int]


class Over(Struct, omit_defaults=True, gc=False):
    """How the game ended; and who would play again."""

    by: Literal["rules", "time", "resigned"]
    winner: Winner
    seat: int | None = None
    again: list[int] = []


class Position(Struct, omit_defaults=True, gc=False):
    """The game as one pair of eyes sees it: everything that there is to draw."""

    game: int
    """Which game at this table, from 1; 0 before the first has begun."""
    moves: int
    """How many actions lie behind it."""
    hash: ViewHash
    """Of the view: what the client tells when it comes back."""
    seat: Eye
    view: Object
    """`state.view(seat)` of the contract."""
    legal: list[Legal]
    """What one may do; empty unless one of one's seats is the mover, and looked through."""
    undo: bool = False
    request: Request | None = None
    time: Time | None = None
    over: Over | None = None
    chance: Shown | None = field(default=None, name="dice")
    """What the game shows beside the view where its chance outcomes are computed or entered."""
    candidate: Candidate | None = None
    closed: bool = False
    """The table was closed: nobody plays here any more."""


class Welcome(_Message, tag="welcome"):
    """The answer to `hello`."""

    protocol: int
    table: About
    commit: str
    """The promise that binds the draws of the game that runs, or else of the next."""
    now: Milliseconds


class Yours(_Message, tag="yours"):
    """Your seats, and whether you are the host. Said after `welcome`, and when it changes."""

    seats: list[int]
    host: bool


class Update(_Message, tag="update"):
    """What is new since a version, and the table as it is now.

    `whole`: forget what you knew; the entries are those of the game that runs. A part that has not changed is left out.
    """

    since: int
    version: int
    entries: list[Entry]
    whole: bool = False
    chairs: list[Chair] | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    commit: str | UnsetType = UNSET


class Ack(_Message, tag="ack"):
    """The command is kept; nothing can lose it any more. It is the log's entry of that version."""

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
    """A message that could not be understood, or was one too many."""

    rule: Rule
    reason: str
    words: Words = ""
    gaps: Gaps = {}


class Presence(_Message, tag="presence"):
    """Which seats are here now, and how many look on."""

    here: list[bool]
    watchers: int


class Spectator(Struct, omit_defaults=True, gc=False):
    """Somebody with a name who watches; `id` is for `mute` and `remove`."""

    id: SpectatorId
    name: str
    muted: bool = False


class Audience(_Message, tag="audience"):
    """Told to the host alone, when it changes: who watches, and how many without a name do."""

    spectators: list[Spectator]
    unnamed: int = 0


class Remark(Struct, omit_defaults=True, gc=False):
    """Somebody said something; no seat: a spectator. Numbers rise, and some are left out."""

    number: int
    at: Milliseconds
    name: str
    text: str
    seat: int | None = None


class Said(_Message, tag="said"):
    """What was said: the last remarks after `hello`, and each one as it is said. A number may come twice."""

    remarks: list[Remark]


class Opinion(Struct, gc=False):
    """What a bot thinks of one action: how much of its search went there, and what it is worth from -1 to 1."""

    action: Object
    notation: str
    share: float
    value: float


class Hint(_Message, tag="hint"):
    """What a bot thinks: its actions from best to worst, and the play that it expects.

    `played` is what was done in a position of a game that is over: it is always among the actions.
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
    """The table goes; come back after so long. `rule` says why."""

    rule: Rule
    after: Duration


ServerMessage = (
    Welcome | Yours | Update | Ack | Refused | Trouble | Presence | Audience | Said | Hint | Recording | Pong | Goodbye
)


# Over HTTP.


class _Body(Struct, forbid_unknown_fields=True, omit_defaults=True):
    pass


class NewSession(_Body):
    """`POST /api/session`: the name one plays under."""

    name: Name


class Session(_Body):
    """`GET /api/session`: who one is here; the name is empty before one has given it."""

    name: str


class TokenBody(_Body):
    """The secret part of a link, sent back to the table."""

    token: Token


class Arrive(TokenBody):
    """`POST /api/session/arrive`: become whoever made the link; `replace`: though one leaves one's own seats."""

    replace: bool = False


class Arriving(_Body):
    """`POST /api/session/arriving`: who a link would make one, who one is now, and how many tables one would leave."""

    name: str
    now: str
    tables: int = 0


class Device(_Body):
    """A device on which one is known; `here`: this one. Its last use is told to the day."""

    id: str
    device: str
    created: Milliseconds
    used: Milliseconds
    here: bool = False


class Devices(_Body):
    """`GET /api/session/devices`: where one is known, the device used last first."""

    devices: list[Device]


class EndSession(_Body):
    """`POST /api/session/end`: end one's session on a device; on all others than this if none is named."""

    device: Annotated[str, Meta(max_length=16)] | None = None


class Password(_Body):
    """`POST /api/password`: what a private server asks for before anything else."""

    password: Annotated[str, Meta(min_length=1, max_length=200)]


class Visitor(_Body):
    """Somebody with a name who is connected, and at which tables; `id` is for `POST /api/operator/end`."""

    id: str
    name: str
    tables: list[str]


class Incident(_Body):
    """Something that went wrong."""

    at: Milliseconds
    what: str


class OperatorTable(_Body):
    """One table as the operator sees it: who sits there while it is in memory, never what they hold."""

    id: str
    game: str
    status: str
    visibility: str
    updated: Milliseconds
    chairs: list[Chair]
    sockets: int


class OperatorReport(_Body):
    """`GET /api/operator`: who is here, the tables, the load, what went wrong; of one worker of several."""

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
    """`POST /api/operator/end` and `/api/operator/close`: whose session is to end, or which table is to close."""

    id: Annotated[str, Meta(max_length=16)]


class NewLink(_Body):
    """`POST /api/tables/{id}/links`: a link that lets others in.

    `seat`: to take that open seat; `watch`: to look on; `shoulder`: to look through the eyes of one's own seat.
    """

    kind: Literal["seat", "watch", "shoulder"]
    seat: Seat | None = None


class Link(_Body):
    """A link that was made: its secret part, and the address to send."""

    token: str
    kind: Literal["seat", "watch", "shoulder", "session"]
    url: str
    seat: int | None = None
    id: str = ""
    near: str = ""
    """The address for others in the same network, if `url` leads only this machine here."""


class LinkTarget(_Body):
    """`POST /api/links`: where a link leads."""

    table: str
    kind: Literal["seat", "watch", "shoulder"]
    seat: int | None = None


class NewChair(_Body):
    """Who is to sit at a seat: oneself, somebody else at the same screen, whoever comes, or a bot."""

    kind: Literal["me", "here", "open", "bot"]
    name: Name | None = None
    level: Level | None = None


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
    """How chance acts, if the game has several modes; the first of them if nothing is said."""


class Created(_Body):
    """A table that was made."""

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


class Tables(_Body):
    """`GET /api/tables`: one's own tables, and public ones that wait for players or are being played."""

    yours: list[Summary]
    public: list[Summary]


class OptionInfo(_Body):
    """One option of a game; `values` are those it may have, or some worth choosing from."""

    name: str
    default: Any
    about: str
    wanted: str
    values: list[Any]


class GameInfo(_Body):
    """One game: its options, how many may play, and the bots' levels from weakest to strongest."""

    name: str
    title: str
    options: list[OptionInfo]
    seats: list[int]
    levels: list[str]
    modes: list[Mode] = field(default=[], name="dice")
    """How chance may act, the usual mode first; empty where outcomes are always drawn at once."""


class Preparing(_Body):
    """A game whose bots are still being compiled: so many of so many steps are done. 0 of 0: it waits for its turn."""

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
    """What led to a step; no seat: chance. What these eyes did not see is null in the JSON and `?` in the notation."""

    seat: int | None
    action: Object
    notation: str
    wrote: Object | None = None
    """What it brought about, as in `acted` and `happened`."""


class Step(_Body):
    """A position of a game that is over, and what led to it."""

    view: Object
    mover: int
    deed: Deed | None = None


class Replay(_Body):
    """`GET /api/tables/{id}/replay`: some steps of a game that is over, from so many actions on.

    `eye` is the seat, null for an onlooker, or `referee`, who sees everything. `scores` and `movers` are those of every
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
    """`POST /api/tables/{id}/branch`: play on from a position of a game that is over, against bots.

    The hidden cards stay as they were; what chance does from there on is drawn anew.
    """

    moves: Count
    seat: Seat
    level: Level
    game: Count | None = None
    seed: Seed = ""


class KnownLink(_Body):
    """A link that works; `id` is for revoking it, the secret is its maker's alone."""

    id: str
    kind: Literal["seat", "watch", "shoulder"]
    made: Milliseconds
    mine: bool
    seat: int | None = None


class Links(_Body):
    """`GET /api/tables/{id}/links`: the links that one may revoke."""

    links: list[KnownLink]


class Revoke(_Body):
    """`POST /api/links/revoke`: which link is to work no more, by its secret or by its id."""

    token: Token | None = None
    id: Annotated[str, Meta(max_length=64)] | None = None


class Verdict(_Body):
    """`POST /api/verify`: whether a record's draws were fair, and if not, why."""

    fair: bool
    reason: str
    words: Words = ""
    gaps: Gaps = {}


class Problem(_Body):
    """The body of every HTTP error: one sentence, and what stands behind it."""

    rule: Rule
    reason: str
    words: Words = ""
    gaps: Gaps = {}


def refused(n: int, rule: str, reason: str) -> Refused:
    """A refusal, with how its sentence was put together."""
    return Refused(n, rule, *_spoken(reason))


def trouble(rule: str, reason: str) -> Trouble:
    """Trouble, with how its sentence was put together."""
    return Trouble(rule, *_spoken(reason))


def problem(rule: str, reason: str) -> Problem:
    """A problem, with how its sentence was put together."""
    return Problem(rule, *_spoken(reason))


def verdict(fair: bool, reason: str) -> Verdict:
    """A verdict, with how its sentence was put together."""
    return Verdict(fair, *_spoken(reason))


def _spoken(reason: str) -> tuple[str, str, Gaps]:
    return (str(reason), reason.words, reason.gaps) if isinstance(reason, Sentence) else (reason, "", {})


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
    """Every message and body as JSON Schema: `client` and `server` are what either side of a socket may send."""
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
    """The JSON Schemas of some types, and those that they refer to; what games add is that of all games here."""
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
    """A schema with what only games know."""
    if isinstance(schema, list):
        return [_filled(part, fillings) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if gap := schema.get(GAPS):
        said = {key: schema[key] for key in ("description",) if key in schema}
        choices = fillings[gap]
        return said | (choices[0] if len(choices) == 1 else {"anyOf": choices})
    return {key: _filled(value, fillings) for key, value in schema.items()}


def written() -> str:
    """The schema as it stands in `docs/protocol.json`."""
    return json.format(json.encode(schema(), order="sorted"), indent=1).decode() + "\n"


if __name__ == "__main__":
    print(written(), end="")
