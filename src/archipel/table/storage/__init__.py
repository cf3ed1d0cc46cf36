"""Where tables are kept: SQLite by default, PostgreSQL by URL. Nothing is acknowledged before it is on the disk."""

from .store import Change, Kept, KeptCookie, KeptLink, Row, Store
from .writer import Conflict, StorageError, Unsure

__all__ = ["Change", "Conflict", "Kept", "KeptCookie", "KeptLink", "Row", "StorageError", "Store", "Unsure"]
