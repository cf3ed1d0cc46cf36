"""How a server is set up: by the command line, or by environment variables that begin with ARCHIPEL_."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import platformdirs
from msgspec import Struct

PREFIX = "ARCHIPEL_"


def default_database() -> str:
    """Where tables are kept if nothing else is said."""
    return str(Path(platformdirs.user_data_dir("archipel")) / "tables.sqlite3")


class Settings(Struct, kw_only=True):
    """Everything that can be said about a server."""

    host: str = "127.0.0.1"
    port: int = 8300
    database: str = ""
    redis: str = ""
    workers: int = 1
    public_url: str = ""
    bots: int = 0
    """How many processes think for bots; 0: one fewer than there are cores, at least one."""
    pace: float = 1.0
    """How long bots take: 1 as long as a person would, 0 no longer than they think."""
    throwers: int = 0
    """How many processes throw dice; 0: one for every two cores, at least one."""
    sockets: int = 10_000
    sockets_each: int = 200
    """How many sockets there may be in all, and from one address."""
    tables: int = 5_000
    """How many tables may be in memory at a time."""
    tables_each: int = 30
    """How many tables an address may make in an hour."""
    requests: float = 20
    """How many HTTP requests a second an address may make for long; ten times as many at once."""
    messages: float = 20
    """How many messages a second a socket may send for long; three times as many at once."""
    away: int = 60_000
    """After how many milliseconds without a socket a seat may be given to a bot."""
    forget: int = 120_000
    """After how many milliseconds without a socket a table is put away."""
    lease: int = 6_000
    """For how many milliseconds a worker promises to look after a table."""
    log_format: str = "plain"
    """`plain` for people, `json` for machines."""

    def __post_init__(self) -> None:
        self.database = self.database or default_database()
        self.public_url = self.public_url.rstrip("/")
        if self.public_url and urlsplit(self.public_url).scheme not in ("http", "https"):
            raise ValueError("The public URL must begin with http:// or https://.")
        if self.workers > 1 and not (self.redis and self.database.startswith("postgresql")):
            raise ValueError("Several workers need PostgreSQL and Redis: --database postgresql://…, --redis redis://….")
        if not 0 <= self.pace <= 10:
            raise ValueError("The bots' pace is a number from 0 to 10.")
        if not 0 <= self.port < 65536:
            raise ValueError("A port is a number from 0 to 65535.")

    @property
    def secure(self) -> bool:
        """Do browsers come by HTTPS?"""
        return self.public_url.startswith("https://")


def environment(variables: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The settings that environment variables give."""
    names = {field.name for field in msgspec.structs.fields(Settings)}
    return {name: variables[PREFIX + name.upper()] for name in names if PREFIX + name.upper() in variables}


def settings(given: Mapping[str, Any], variables: Mapping[str, str] = os.environ) -> Settings:
    """The settings given, else those of the environment, else the usual ones; ValueError says what cannot be."""
    chosen = environment(variables) | {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(chosen, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(f"A setting cannot be: {error}.") from None
