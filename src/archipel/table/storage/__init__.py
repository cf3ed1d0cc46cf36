"""Storage: SQLite by default, PostgreSQL by URL. Nothing is acknowledged before it is on the disk.

These modules know the log's entries, and nothing of who plays, sockets or the network.
"""

from .changes import Change
from .store import Kept, KeptCookie, KeptLink, Row, Store
from .writer import Conflict, StorageError, Unsure

__all__ = ["Change", "Conflict", "Kept", "KeptCookie", "KeptLink", "Row", "StorageError", "Store", "Unsure"]
