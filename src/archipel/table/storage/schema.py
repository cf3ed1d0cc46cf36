"""What is kept: the log, and beside it what is needed to find it. Migrations lead to this, and a test compares."""

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
    Index("tables_listed", "visibility", "status", "updated"),
    Index("tables_due", "due"),
)
"""`due`: when somebody must look after the table, for a bot is to act or a clock runs out; null: nobody need."""

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The log. That a version can be written once only is what keeps two owners of a table from harming it."""

recordings = Table(
    "throws",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("way", LargeBinary, key="data", nullable=False),
)
"""Recordings of computed chance outcomes, by the version of the entry that tells of them."""

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The last remarks at a table. Older tables have theirs in the log."""

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
"""Who has looked over a player's shoulder at a table: they cannot take over a seat there."""

sessions = Table(
    "sessions",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("name", String(48), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""A person is known by a digest of his cookie, so that whoever reads this cannot pass for him."""

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
"""A session on another device has a cookie of its own. `used`: when it was last used, to the day."""

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
"""Links that work. One that is revoked, or used up, is no longer here."""

leases = Table(
    "leases",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("worker", String(32), nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""Which process looks after a table, and until when it has promised to."""
