"""The addresses of this machine: the loopback address, and the one for others in the same network."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::", "")
"""The addresses on which a server listens if others in the network can reach it."""


def reachable() -> str:
    """The address by which others in the same network reach this machine; 127.0.0.1 if there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent; it only shows which address would be used
        host: str = probe.getsockname()[0]
        return host
    return "127.0.0.1"


def is_loopback(host: str) -> bool:
    """True if this name or address means the same machine everywhere, such as localhost."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def nearby(url: str, listens: str, host: str | None = None) -> str:
    """The same URL for others in the network, if it works on this machine only; "" if there is none."""
    parts = urlsplit(url)
    if listens not in EVERYWHERE or not is_loopback(parts.hostname or ""):
        return ""
    host = host or reachable()
    port = f":{parts.port}" if parts.port else ""
    return "" if is_loopback(host) else parts._replace(netloc=f"{host}{port}").geturl()
