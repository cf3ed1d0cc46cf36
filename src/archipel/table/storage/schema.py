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
