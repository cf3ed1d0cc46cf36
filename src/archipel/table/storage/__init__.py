"""Storage: SQLite by default, PostgreSQL by URL. Nothing is acknowledged before it is on disk.

These modules import the log's entries, and nothing about live tables, sockets or the network.
"""

from .changes import Change
from .histories import Histories
from .outbox import Outbox
from .store import Kept, KeptCookie, KeptLink, Row, Store
from .writer import Conflict, StorageError, Unsure

__all__ = [
    "Change",
    "Conflict",
    "Histories",
    "Kept",
    "KeptCookie",
    "KeptLink",
    "Outbox",
    "Row",
    "StorageError",
    "Store",
    "Unsure",
]
