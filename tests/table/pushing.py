"""A push service on loopback, and browsers that subscribe to it: they decrypt what comes as a browser does."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Json = dict[str, Any]
AUTH = bytes(range(16))


@dataclass
class Post:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """Whatever was posted, by the path that it was posted to; `answers` are statuses for the next posts to a path."""

    port: int
    posts: list[Post] = field(default_factory=list)
    answers: dict[str, list[int]] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def take(self, post: Post) -> int:
        with self.changed:
            self.posts.append(post)
            self.changed.notify_all()
            waiting = self.answers.get(post.path)
            return waiting.pop(0) if waiting else 201

    def at(self, path: str) -> list[Post]:
        with self.changed:
            return [post for post in self.posts if post.path == path]

    def wait(self, path: str, count: int, seconds: float) -> list[Post]:
        """Wait until so many posts have come to a path."""
        with self.changed:
            self.changed.wait_for(lambda: sum(post.path == path for post in self.posts) >= count, seconds)
        return self.at(path)

    def wait_for_more(self, count: int, seconds: float) -> None:
        """Wait until that many more posts have come, to any path."""
        with self.changed:
            wanted = len(self.posts) + count
            self.changed.wait_for(lambda: len(self.posts) >= wanted, seconds)


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = service.take(Post(self.path, headers, body))
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service = PushService(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Browser:
    """A browser's subscription: its keys never leave it."""

    def __init__(self, service: PushService, path: str, number: int = 1) -> None:
        self.service, self.path = service, path
        self._key = ec.derive_private_key(0xA1C41BE1 + number, ec.SECP256R1())

    @property
    def subscription(self) -> Json:
        """The body of a request for a channel."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "kind": "push",
            "address": self.service.url(self.path),
            "p256dh": base64.urlsafe_b64encode(point).rstrip(b"=").decode(),
            "auth": base64.urlsafe_b64encode(AUTH).rstrip(b"=").decode(),
        }

    def read(self, post: Post) -> Json:
        """What a push message says, decrypted."""
        assert post.headers["content-encoding"] == "aes128gcm"
        opened: Json = json.loads(
            http_ece.decrypt(post.body, private_key=self._key, auth_secret=AUTH, version="aes128gcm")
        )
        return opened

    def received(self, count: int, seconds: float) -> list[Json]:
        """Wait until so many messages have come; all of them."""
        return [self.read(post) for post in self.service.wait(self.path, count, seconds)]
