"""How a server is set up: by the command line, or by environment variables that begin with ARCHIPEL_."""

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
    """Where tables are kept if nothing else is said."""
    return str(Path(platformdirs.user_data_dir("archipel")) / "tables.sqlite3")


FORMER = {"throwers": "outcomes"}
"""Names that settings had before, and still answer to."""


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
    any_bot: bool = False
    """Whether bots may play alone, and bots that are no levels, such as `expert`, which think as long as they like."""
    pace: float = 1.0
    """How long bots take: 1 as long as a person would, 0 no longer than they think."""
    outcomes: int = 0
    """How many processes compute chance outcomes that take their time; 0: one for every two cores, at least one."""
    sockets: int = 10_000
    sockets_each: int = 200
    """How many sockets there may be in all, and from one address."""
    connections: int = 2_000
    connections_each: int = 100
    """How many HTTP connections there may be in all, and from one address."""
    proxies: str = ""
    """The addresses or networks of proxies that tell who calls (`X-Forwarded-For`), with commas between them."""
    metrics_token: str = ""
    """Whoever bears this token may read `/metrics`."""
    spectators: int = 1_000
    spectators_each: int = 50
    """How many may watch one table, and from one address."""
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
    session_days: int = 180
    """After how many days without use a session ends on a device; 0: never."""
    verify_seconds: float = 20.0
    """How many seconds the server spends on one record that somebody wants verified."""
    password: str = ""
    """What everybody has to know to come in at all; empty: nothing."""
    operator: str = ""
    """The token of the operator's page; one is drawn at every start if none is given."""
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
        if self.redis and urlsplit(self.redis).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("Redis is found by a URL like redis://host.")
        if self.workers > 1 and not (self.redis and self.database.startswith("postgresql")):
            raise ValueError("Several workers need PostgreSQL and Redis: --database postgresql://…, --redis redis://….")

    def is_proxy(self, address: str) -> bool:
        """Does this address speak for many people?"""
        try:
            known = ipaddress.ip_address(address)
        except ValueError:
            return False
        networks = _networks(self.proxies)
        return networks is None or any(known in each for each in networks)

    @property
    def secure(self) -> bool:
        """Do browsers come by HTTPS?"""
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
    "forget": (0, _DAY),
    "lease": (500, 600_000),
    "session_days": (0, 36_500),
    "verify_seconds": (0.1, 86_400),
}


def _networks(proxies: str) -> "list[ipaddress.IPv4Network | ipaddress.IPv6Network] | None":
    """The networks of proxies; None: everybody. ValueError if one is none."""
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
    """The settings given, else those of the environment, else the usual ones; ValueError says what cannot be."""
    chosen = environment(variables) | {name: value for name, value in given.items() if value is not None}
    kinds = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    return Settings(**{name: _read(name, value, kinds[name]) for name, value in chosen.items()})


def _read(name: str, value: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        wanted = {int: "a whole number", float: "a number", bool: "0 or 1"}.get(kind, "text")
        raise ValueError(f"{PREFIX}{name.upper()} is {wanted}, not {value}.") from None
