"""The database schema: the log, and what is needed to find it. A test compares it with the result of the migrations."""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("setup", LargeBinary, nullable=False),
    Column("game", String(32), nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("status", String(8), nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("noted", Integer, nullable=False, default=1),
    Index("tables_noted", "noted"),
    Index("tables_listed", "visibility", "status", "updated"),
    Index("tables_due", "due"),
)
"""`due`: when somebody must look after the table because a bot is to act or a clock runs out; null: never.

`noted`: 0 while the finished games of a table from before there was a history are still to be read into it.
"""

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The log. Since a version can be written only once, two owners of a table cannot corrupt it."""

recordings = Table(
    "throws",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("way", LargeBinary, key="data", nullable=False),
)
"""Recordings of computed chance outcomes, by the version of their entry."""

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The last chat messages of a table. Older tables have theirs in the log."""

players = Table(
    "players",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
)

lookers = Table(
    "lookers",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
)
"""People who have watched a player's hand at a table: they cannot take over a seat there."""

sessions = Table(
    "sessions",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("name", String(48), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""A person is identified by a digest of their cookie, so that a reader of the database cannot impersonate them."""

cookies = Table(
    "cookies",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("who", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("device", String(48), nullable=False),
    Index("cookies_of", "who"),
)
"""Each device has its own cookie. `used`: when it was last used, to the day."""

links = Table(
    "links",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("table_id", String(16)),
    Column("seat", Integer),
    Column("game", Integer),
    Column("maker", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger),
    Index("links_of_table", "table_id"),
)
"""Valid links. Revoked or used ones are deleted."""

leases = Table(
    "leases",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("worker", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""The owner of each table, and until when its ownership lasts."""

played = Table(
    "played",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", String(32), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("name", String(48), nullable=False),
    Column("result", String(8), nullable=False),
    Column("how", String(8), nullable=False),
    Column("moves", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("main", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Index("played_latest", "who", "main", "at"),
)
"""The history of finished games, one row for each seat of a person. `main`: the first of that person's seats.
`rated`: played from the start and without hints."""

met = Table(
    "met",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("other", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("opponent", String(64), nullable=False),
    Column("name", String(48), nullable=False),
    Column("result", String(8), nullable=False),
    Column("score", Integer, nullable=False),
    Index("met_opponents", "who", "kind", "opponent"),
)
"""Whom a person played against in each finished game: a bot's level, another person, or a name at the same screen."""

wishes = Table(
    "wishes",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("language", String(2), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("digest", Integer),
    Column("next_digest", BigInteger),
    Column("reminders", Integer, nullable=False),
    Column("away_until", BigInteger),
    Column("changed", BigInteger, nullable=False),
    Index("wishes_changed", "changed"),
    Index("wishes_digest", "next_digest"),
)
"""How a person wants to be notified. `quiet_from`, `quiet_until` and `digest` are minutes of the day in their zone."""

channels = Table(
    "channels",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("who", String(64), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("address", Text, nullable=False),
    Column("label", String(80), nullable=False),
    Column("cookie", String(64), nullable=False),
    Column("code", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("failing", BigInteger),
    Index("channels_of", "who"),
)
"""Where a person is notified. `cookie`: the device whose session it ends with; `code`: the digest of the code that
confirms a mail address, until it is confirmed; `failing`: since when nothing could be delivered."""

turns = Table(
    "turns",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("who", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("awaited", Integer, nullable=False),
    Column("state", Integer, nullable=False),
    Column("remind_at", BigInteger),
    Index("turns_state", "state", "at"),
    Index("turns_remind", "remind_at"),
    Index("turns_of", "who", "awaited"),
)
"""Whose turn it is, for those who want notices, written in the transaction of the move. `state`: 0 not looked at yet,
1 notified, 2 they know. A row that says that somebody was notified stays until they come, so that one absence brings
one notice."""

notices = Table(
    "notices",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("channel", String(24), nullable=False),
    Column("who", String(64), nullable=False),
    Column("table_id", String(16), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("body", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("next", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("claimed", Integer, nullable=False),
    Index("notices_next", "next"),
    Index("notices_of", "channel"),
)
"""The outbox: notices to be delivered. `next`: when it is tried next, or until when its sender has it."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Keys that the server has made for itself."""
