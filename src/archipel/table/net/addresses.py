"""The addresses of this machine: the one that only it understands, and the one for others in the same network."""

import socket
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::", "")
"""What a server listens on if others in the network may reach it."""


def reachable() -> str:
    """The address by which others in the same network reach this machine; 127.0.0.1 if there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent; it only shows which address would be used
        host: str = probe.getsockname()[0]
        return host
    return "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Does this name or address lead every machine to itself?"""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def nearby(url: str, listens: str, host: str | None = None) -> str:
    """The same page for others in the network, if the URL leads only this machine to it; "" if there is none."""
    parts = urlsplit(url)
    if listens not in EVERYWHERE or not is_loopback(parts.hostname or ""):
        return ""
    host = host or reachable()
    port = f":{parts.port}" if parts.port else ""
    return "" if is_loopback(host) else parts._replace(netloc=f"{host}{port}").geturl()
