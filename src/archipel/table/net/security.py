"""Origin checks: only the server's own pages, and programs that are not pages, may use it."""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from ..settings import Settings

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Knows which hosts and origins are our own."""

    def __init__(self, settings: Settings) -> None:
        self._public = urlsplit(settings.public_url).netloc.casefold()
        self._scheme = "https" if settings.secure else "http"

    def is_our_host(self, host: str) -> bool:
        """True if the request's host is a name of this server.

        A foreign name that resolves to this server would make a foreign page look like ours; an IP address cannot.
        """
        host = host.casefold()
        if self._public:
            return host == self._public or _is_loopback(_name(host))
        name = _name(host)
        return name == "localhost" or _is_address(name)

    def is_our_page(self, headers: Mapping[str, str]) -> bool:
        """True if the request comes from a page of this server, or from no page at all."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self.is_our_host(host):
            return False
        if origin is not None:
            return origin.casefold() == f"{self._origin_scheme(host)}://{host.casefold()}"
        return headers.get("sec-fetch-site", "none") in ("same-origin", "none")

    def _origin_scheme(self, host: str) -> str:
        return self._scheme if host.casefold() == self._public else "http"


def _name(host: str) -> str:
    """A host without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)
