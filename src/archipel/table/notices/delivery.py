"""Deliver one notice, in a worker process: Web Push, a webhook, or a messenger through Apprise.

Addresses come from strangers. The process therefore refuses to connect to anything but public addresses, however a name
resolves and wherever a redirect leads, except on behalf of the operator; see `guard`.
"""

import base64
import http.client
import ipaddress
import sys
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

SECONDS = 10.0
"""Seconds that a service may take to connect, and to answer."""
DAY = 86_400
MESSENGERS = (
    "discord", "gotify", "gotifys", "matrix", "matrixs", "mmost", "mmosts", "ntfy", "ntfys", "pover", "rocket",
    "rockets", "slack", "tgram", "zulip",
)  # fmt: skip
"""The kinds of Apprise addresses that people may enter: none of them reads files or acts on this machine."""
_MAPPED = ipaddress.ip_network("64:ff9b::/96")


class Task(Struct, gc=False):
    """One delivery: what is said, and where. `near`: addresses of the server's own network are permitted."""

    id: str
    kind: str
    address: str
    title: str
    text: str
    url: str
    stop: str
    waiting: int
    topic: str
    near: bool = False
    key: str = ""
    """The server's private key for Web Push."""
    contact: str = ""
    labels: dict[str, str] = {}


class Result(Struct, gc=False):
    """`gone`: the address no longer exists; `later`: what may work later, after a number of seconds if one is given."""

    how: Literal["done", "gone", "later", "never"]
    status: int = 0
    after: int | None = None
    error: str = ""
    """The type of an error; its text could name the address."""


class NotPublic(OSError):
    """An address in the server's own network."""


_near = False
_guarded = False


def guard(near: bool) -> None:
    """From now on, connections lead to public addresses only, unless `near`.

    An audit hook sees the address that a socket really connects to, after names are resolved and redirects followed.
    """
    global _near, _guarded  # noqa: PLW0603 (an audit hook stays for the life of the process)
    _near = near
    if not _guarded:
        _guarded = True
        sys.addaudithook(_audit)


def _audit(event: str, details: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg") and not _near:
        address = details[1]
        if not (isinstance(address, tuple) and is_public(str(address[0]))):
            raise NotPublic("That address is in the server's own network.")


def is_public(address: str) -> bool:
    """True for an IP address of the public Internet."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if ip in _MAPPED:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner:
            return inner.is_global and not inner.is_multicast
    return ip.is_global and not ip.is_multicast


def deliver(task: Task) -> Result:
    """Deliver a notice; the result says whether it arrived."""
    guard(task.near)
    try:
        return _SENDERS[task.kind](task)
    except NotPublic:
        return Result("never", 403)
    except Exception as error:  # also what a library did not expect; a traceback could name the address
        return Result("later", error=type(error).__name__)


def said(task: Task) -> dict[str, Any]:
    """What a browser or a webhook gets."""
    return {
        "id": task.id,
        "topic": task.topic,
        "title": task.title,
        "text": task.text,
        "url": task.url,
        "waiting": task.waiting,
    }


# Web Push and webhooks.


def _push(task: Task) -> Result:
    from py_vapid import Vapid02
    from pywebpush import WebPusher

    subscription = msgspec.json.decode(task.address)
    endpoint = urlsplit(subscription["endpoint"])
    body = WebPusher(subscription).encode(msgspec.json.encode(said(task) | {"labels": task.labels}), "aes128gcm")[
        "body"
    ]
    claims = {"aud": f"{endpoint.scheme}://{endpoint.netloc}", "sub": task.contact, "exp": int(time()) + DAY // 2}
    signed = Vapid02.from_pem(task.key.encode()).sign(claims)
    headers = {
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        "ttl": str(DAY),
        "topic": task.topic,
        "urgency": "normal",
    }
    return post(subscription["endpoint"], bytes(body), headers | signed)


def _webhook(task: Task) -> Result:
    headers = {"content-type": "application/json", "user-agent": "Archipel", "idempotency-key": task.id}
    return post(task.address, msgspec.json.encode(said(task) | {"stop": task.stop}), headers)


def post(url: str, body: bytes, headers: dict[str, str]) -> Result:
    """Send a POST request; redirects are not followed."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return _result(answer.status, answer.getheader("retry-after"))
    finally:
        connection.close()


def _result(status: int, after: str | None) -> Result:
    if 200 <= status < 300:
        return Result("done", status)
    if status in (404, 410):
        return Result("gone", status)
    return Result("later", status, _seconds(after) if after else None)


def _seconds(after: str) -> int | None:
    """The seconds of a Retry-After header, which may be a date."""
    if after.strip().isdigit():
        return min(int(after), DAY)
    try:
        return max(0, min(int(parsedate_to_datetime(after).timestamp() - time()), DAY))
    except (TypeError, ValueError):
        return None


# Apprise: mail and messengers.


def _messenger(task: Task) -> Result:
    return _apprise(task.address, task)


def _mail(task: Task) -> Result:
    """`address` is the operator's mail address for Apprise, a line break, and whom the mail goes to."""
    server, _, person = task.address.partition("\n")
    return _apprise(f"{server}{'&' if '?' in server else '?'}to={quote(person)}", task)


def _apprise(address: str, task: Task) -> Result:
    service = _service(address)
    if service is None:
        return Result("never", 400)
    text = f"{task.text}\n{task.url}" + (f"\n\n{task.labels['stop']}: {task.stop}" if task.stop else "")
    return Result("done" if service.notify(title=task.title, body=text, body_format="text") else "later")


def _service(address: str) -> Any:
    import logging

    import apprise

    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)  # it would write addresses
    service = apprise.Apprise(asset=apprise.AppriseAsset(app_id="Archipel", app_desc="Archipel", secure_logging=True))
    return service if service.add(address) else None


def _check(task: Task) -> Result:
    """Would Apprise understand this address? Nothing is sent."""
    return Result("done" if _service(task.address) else "never")


def _warm(task: Task) -> Result:
    """Import what the first notice would wait for."""
    from importlib.util import find_spec

    if find_spec("pywebpush"):
        import pywebpush  # noqa: F401
    return Result("done")


_SENDERS: dict[str, Callable[[Task], Result]] = {
    "push": _push,
    "webhook": _webhook,
    "apprise": _messenger,
    "mail": _mail,
    "check": _check,
    "warm": _warm,
}


# Keys.


def new_key() -> str:
    """A new private key for Web Push, as PEM."""
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    pem: bytes = vapid.private_pem()
    return pem.decode()


def public_key(private: str) -> str:
    """The public key that browsers subscribe with."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    point = Vapid02.from_pem(private.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
