"""The other worker processes of a server, as live tables and the hub see them."""

from .. import protocol
from .sockets import Socket


class Peers:
    """The peers of a server with one process: there are none, so this worker owns every table and nothing is sent.

    `archipel.table.play.cluster` overrides all of this where several processes share the tables.
    """

    worker = ""
    """The name of this worker, as the owner of its tables."""

    async def close(self) -> None:
        """Release all tables for other workers."""

    @property
    def silence(self) -> int:
        """Milliseconds since the last message from other workers."""
        return 0

    async def owner(self, table: str) -> str:
        """The owner of a table; this worker becomes the owner if there is none."""
        return self.worker

    def grown(self, table: str, version: int) -> None:
        """Tell the others that we have written a table's log up to this version."""

    def spoken(self, table: str, number: int) -> None:
        """Tell the others that a table has a new chat message with this number."""

    def here(self, table: str, persons: list[str], watchers: int, spectators: dict[str, str]) -> None:
        """Tell the others who is connected to a table through us."""

    def cut(self, digest: str) -> None:
        """Tell the others that a link or a cookie was revoked."""

    def shut(self, table: str) -> None:
        """Tell the owner of a table that the operator closes it."""

    def pass_on(
        self, table: str, socket: Socket, command: protocol.Command, may_sit: bool = False, has_looked: bool = False
    ) -> None:
        """Let the owner of the table decide a command."""
