"""The settings of a server: from the command line, or from environment variables that start with ARCHIPEL_."""

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import platformdirs
from msgspec import Struct

from . import entropy

PREFIX = "ARCHIPEL_"


def default_database() -> str:
    """The default location of the database."""
    return str(Path(platformdirs.user_data_dir("archipel")) / "tables.sqlite3")


FORMER = {"throwers": "outcomes"}
"""Former names of settings, which still work."""


class Settings(Struct, kw_only=True):
    """All settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8300
    database: str = ""
    redis: str = ""
    workers: int = 1
    public_url: str = ""
    bots: int = 0
    """The number of processes for bots; 0: one fewer than there are cores, at least one."""
    any_bot: bool = False
    """Whether bots may play alone, and whether bots that are not levels, such as `expert`, may have seats: they have no
    time limit."""
    pace: float = 1.0
    """How long bots take: 1 as long as a person would, 0 no longer than they need."""
    outcomes: int = 0
    """The number of processes that compute slow chance outcomes; 0: one for every two cores, at least one."""
    sockets: int = 10_000
    sockets_each: int = 200
    """The maximum number of WebSockets in all, and per address."""
    connections: int = 2_000
    connections_each: int = 100
    """The maximum number of HTTP connections in all, and per address."""
    proxies: str = ""
    """The addresses or networks of trusted proxies (`X-Forwarded-For`), separated by commas."""
    metrics_token: str = ""
    """The token for reading `/metrics`."""
    spectators: int = 1_000
    spectators_each: int = 50
    """The maximum number of spectators per table, and per address."""
    tables: int = 5_000
    """The maximum number of tables in memory."""
    tables_each: int = 30
    """How many tables an address may create per hour."""
    requests: float = 20
    """HTTP requests per second and address; ten times as many in a burst."""
    messages: float = 20
    """Messages per second and socket; three times as many in a burst."""
    away: int = 60_000
    """Milliseconds without a socket after which a seat may be given to a bot."""
    opening: int = 60_000
    """Milliseconds in which a connected browser must open its share in the draws."""
    forget: int = 120_000
    """Milliseconds without a socket after which a table is dropped from memory."""
    lease: int = 6_000
    """Milliseconds for which a worker's ownership of a table lasts without renewal."""
    session_days: int = 180
    """Days without use after which a session ends on a device; 0: never."""
    verify_seconds: float = 20.0
    """Seconds that the server spends on verifying one record."""
    password: str = ""
    """The password of a private server; empty: none."""
    operator: str = ""
    """The token of the operator's page; a random one at every start if empty."""
    absent: int = 2_500
    """Milliseconds without a socket after which a player counts as away and is notified."""
    notices_near: bool = False
    """Whether notices may be sent to addresses in the server's own network, and without HTTPS."""
    mail: str = ""
    """The Apprise address of a mail server, such as mailtos://user:password@example.org; empty: no mail."""
    contact: str = ""
    """The operator's address for push services, as in mailto:someone@example.org; default: the public URL."""
    log_format: str = "plain"
    """`plain` for people, `json` for machines."""

    def __post_init__(self) -> None:
        self.database = self.database or default_database()
        self.public_url = self.public_url.rstrip("/")
        self.operator = self.operator or entropy.token_urlsafe(16)
        if self.public_url and urlsplit(self.public_url).scheme not in ("http", "https"):
            raise ValueError("The public URL must begin with http:// or https://.")
        self.proxies = self.proxies or os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
        _networks(self.proxies)
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"{PREFIX}{name.upper()} is a number from {least} to {most}, not {value}.")
        if self.log_format not in ("plain", "json"):
            raise ValueError("The log format is plain or json.")
        if self.mail and urlsplit(self.mail).scheme not in ("mailto", "mailtos"):
            raise ValueError("Mail is sent through an address like mailtos://user:password@example.org.")
        if self.redis and urlsplit(self.redis).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("Redis is found by a URL like redis://host.")
        if self.workers > 1 and not (self.redis and self.database.startswith("postgresql")):
            raise ValueError("Several workers need PostgreSQL and Redis: --database postgresql://…, --redis redis://….")

    def is_proxy(self, address: str) -> bool:
        """True if this address is a trusted proxy."""
        try:
            known = ipaddress.ip_address(address)
        except ValueError:
            return False
        networks = _networks(self.proxies)
        return networks is None or any(known in each for each in networks)

    @property
    def secure(self) -> bool:
        """True if browsers use HTTPS."""
        return self.public_url.startswith("https://")


_MANY = 1_000_000
_DAY = 86_400_000
_RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65_535),
    "workers": (1, 256),
    "bots": (0, 1_024),
    "outcomes": (0, 1_024),
    "pace": (0, 10),
    "sockets": (1, _MANY),
    "sockets_each": (1, _MANY),
    "connections": (10, _MANY),
    "connections_each": (1, _MANY),
    "spectators": (0, _MANY),
    "spectators_each": (0, _MANY),
    "tables": (1, _MANY),
    "tables_each": (1, _MANY),
    "requests": (0.1, _MANY),
    "messages": (1, 1_000_000_000),
    "away": (0, 30 * _DAY),
    "opening": (1_000, _DAY),
    "absent": (0, _DAY),
    "forget": (0, _DAY),
    "lease": (500, 600_000),
    "session_days": (0, 36_500),
    "verify_seconds": (0.1, 86_400),
}


def _networks(proxies: str) -> "list[ipaddress.IPv4Network | ipaddress.IPv6Network] | None":
    """The networks of proxies; None: all. ValueError if one is not a network."""
    if proxies.strip() == "*":
        return None
    try:
        return [ipaddress.ip_network(each.strip()) for each in proxies.split(",") if each.strip()]
    except ValueError:
        raise ValueError(f"{PREFIX}PROXIES has addresses or networks with commas between, not {proxies}.") from None


def environment(variables: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The settings that environment variables give."""
    names = {field.name: field.name for field in msgspec.structs.fields(Settings)}
    asked = FORMER | names
    return {asked[name]: variables[PREFIX + name.upper()] for name in asked if PREFIX + name.upper() in variables}


def settings(given: Mapping[str, Any], variables: Mapping[str, str] = os.environ) -> Settings:
    """The given settings, else those of the environment, else the defaults; ValueError says what is wrong."""
    chosen = environment(variables) | {name: value for name, value in given.items() if value is not None}
    kinds = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    return Settings(**{name: _read(name, value, kinds[name]) for name, value in chosen.items()})


def _read(name: str, value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        wanted = {int: "a whole number", float: "a number", bool: "0 or 1"}.get(kind, "text")
        raise ValueError(f"{PREFIX}{name.upper()} is {wanted}, not {value}.") from None
