"""What must hold whatever goes wrong: a witness reads the database after every commit, and every message a browser gets
is compared with what the log says that these eyes may know.
"""

from collections import defaultdict
from typing import Any

import msgspec
import numpy as np
from msgspec import Raw, Struct

from archipel.core.errors import IllegalAction, InvalidAction
from archipel.core.state import State
from archipel.table.log import events, views
from archipel.table.log.setup import Setup
from archipel.table.log.table import Table
from tests.web.refusals import said

from .disk import Disk

Eye = int | None
_encode = msgspec.json.Encoder().encode
REDEALS = 3
"""In how many worlds that a player cannot tell from the real one a refusal must read the same."""
SENTENCES = frozenset(said())
"""Every sentence that the table can say, with its gaps."""


class Violation(Exception):
    """A property does not hold."""


def require(condition: object, what: str, /, **facts: Any) -> None:
    if not condition:
        told = ", ".join(f"{name}={value!r}" for name, value in facts.items())
        raise Violation(f"{what} ({told})" if told else what)


NOTHING = Raw(b"")


class Update(Struct, tag_field="type", tag="update"):
    """An update whose parts are left as the bytes they came in."""

    since: int
    version: int
    entries: list[Raw]
    whole: bool = False
    chairs: Raw = NOTHING
    position: Raw = NOTHING
    commit: str | None = None


class Story:
    """One table as its committed log tells it, and what each pair of eyes may know at each version."""

    def __init__(self, setup: Setup) -> None:
        self.table = Table(setup)
        self.views = views.Views(self.table)
        self.eyes: tuple[Eye, ...] = (None, *range(self.table.seats))
        self.told: dict[tuple[int, Eye], bytes] = {}
        self.positions: dict[tuple[int, Eye], bytes] = {}
        self.chairs: dict[int, bytes] = {}
        self.commits: dict[int, str] = {}
        self.owners: dict[int, list[str]] = {}
        self.states: dict[int, State] = {}
        self.kept: dict[tuple[str, int], int] = {}
        """At which version the command of a client with this counter is."""
        self.started: dict[int, list[str]] = {}
        """Who owned which seat when the game of that number began."""
        self.remarks: dict[int, dict[str, Any]] = {}
        self.said: dict[tuple[str, int], int] = {}
        """Which remark the command of a client with this counter is."""
        self._note()

    @property
    def version(self) -> int:
        return self.table.version

    def grow(self, rows: list[tuple[int, str]]) -> None:
        """Entries were committed together."""
        for version, body in rows:
            require(version == self.version + 1, "The log has a gap.", at=version, after=self.version)
            entry = events.decode(body)
            self._count(version, entry)
            step = self.table.apply(entry)
            tell = views.entry_view(self.table, version, entry, step)
            for eye in self.eyes:
                self.told[version, eye] = _encode(tell(eye))
            self._note()

    def _count(self, version: int, entry: events.Entry) -> None:
        if entry.by:
            twice = self.kept.setdefault((entry.by, entry.n), version)
            require(twice == version, "A command happened twice.", at=version, before=twice, n=entry.n)

    def hear(self, rows: list[tuple[int, str]]) -> None:
        """Remarks were committed."""
        for number, body in rows:
            remark = msgspec.json.decode(body)
            same = [known for known, other in self.remarks.items() if other["text"] == remark["text"]]
            require(not same, "What was said once was heard twice.", number=number, before=same)
            self.remarks[number] = remark
            self.said[remark["by"], remark["n"]] = number

    def standing(self) -> set[int]:
        """The versions of the actions that stand."""
        actions: list[int] = []
        for version, entry in enumerate(self.table.log, 1):
            if isinstance(entry, events.Started):
                actions = []
            elif isinstance(entry, events.Acted | events.Happened):
                actions.append(version)
            elif isinstance(entry, events.WentBack):
                del actions[entry.moves :]
        return set(actions)

    def _note(self) -> None:
        table, version = self.table, self.table.version
        for eye in self.eyes:
            self.positions[version, eye] = _encode(self.views.position(eye))
        self.chairs[version] = _encode(views.chairs(table))
        self.commits[version] = table.commit
        self.owners[version] = [chair.who for chair in table.chairs]
        self.states[version] = table.state
        if table.game:
            self.started.setdefault(table.game, self.owners[version])


class Witness:
    """Knows what is in the database, table by table."""

    def __init__(self) -> None:
        self.disk: Disk
        self.stories: dict[str, Story] = {}
        self.entries = 0
        self.rng = np.random.default_rng(1)
        self.seen: defaultdict[tuple[str, int, str], set[int]] = defaultdict(set)
        """Through which seats' eyes a person has looked at a game of a table."""

    def committed(self) -> None:
        """Read what is new."""
        ask = self.disk.kept.execute
        for table, setup in ask("SELECT id, setup FROM tables").fetchall():
            if table not in self.stories:
                self.stories[table] = Story(msgspec.json.decode(setup, type=Setup))
        for table, story in self.stories.items():
            later = "SELECT version, body FROM entries WHERE table_id = ? AND version > ? ORDER BY version"
            rows = ask(later, (table, story.version)).fetchall()
            story.grow(rows)
            self.entries += len(rows)
            heard = "SELECT number, body FROM chat WHERE table_id = ? AND number > ? ORDER BY number"
            story.hear(ask(heard, (table, max(story.remarks, default=0))).fetchall())

    # What browsers are told.

    def check_update(self, tab: Any, update: Update) -> None:
        """An update must be what the log says, for eyes that are the reader's to look through."""
        story = self.stories[tab.table]
        version = update.version
        require(version <= story.version, "Told before it was kept.", tab=tab.name, version=version, kept=story.version)
        require(
            update.whole or update.since <= tab.version, "An update is missing.", since=update.since, had=tab.version
        )
        eye: Eye = tab.seat
        if update.position:
            position = msgspec.json.decode(update.position)
            eye = position["seat"]
            self._may_look(tab, story, update, 0 if position.get("over") else position["game"], eye)
            known = story.positions.get((version, eye))
            require(known == bytes(update.position), "Not the view that the log gives.", tab=tab.name, version=version)
        self._check_entries(tab, story, update, eye)
        if update.chairs:
            require(story.chairs.get(version) == bytes(update.chairs), "Not the chairs of the log.", version=version)
        if update.commit is not None:
            require(story.commits.get(version) == update.commit, "Not the promise of the log.", version=version)

    def _check_entries(self, tab: Any, story: Story, update: Update, eye: Eye) -> None:
        versions = []
        for entry in update.entries:
            versions.append(msgspec.json.decode(entry)["v"])
            known = story.told.get((versions[-1], eye))
            require(known == bytes(entry), "Not what these eyes know.", tab=tab.name, told=bytes(entry), known=known)
        if not update.whole:
            due = list(range(update.since + 1, update.version + 1))
            require(versions == due, "Entries are missing.", tab=tab.name, told=versions, due=due)

    def check_said(self, tab: Any, remarks: list[dict[str, Any]]) -> None:
        """A remark must be in the database before it is told."""
        story = self.stories[tab.table]
        for remark in remarks:
            kept = story.remarks.get(remark["number"])
            require(kept and kept["text"] == remark["text"], "Told before it was kept.", tab=tab.name, remark=remark)

    def _may_look(self, tab: Any, story: Story, update: Update, game: int, eye: Eye) -> None:
        if eye is None:
            return
        version = update.version
        owners = [story.owners[version][eye]]
        if update.since in story.states and story.states[update.since] == story.states[version]:
            owners.append(story.owners[update.since][eye])  # who just rose knew all this before
        allowed = {tab.who} | ({tab.link.maker} if tab.link and tab.link.kind == "shoulder" else set())
        known = any(owner and owner in allowed for owner in owners)
        require(known, "A hand is shown to somebody else.", tab=tab.name, seat=eye, v=version)
        if tab.who and game:
            self._count_hands(tab, story, game, eye, own=tab.who in owners)

    def _count_hands(self, tab: Any, story: Story, game: int, eye: int, own: bool) -> None:
        """Whoever takes over a seat in a running game has seen no other hand of it. (What a player shows to others by
        a link is that player's own affair.)"""
        seen = self.seen[tab.table, game, tab.who]
        if eye not in seen and own and story.started[game][eye] != tab.who:
            require(not seen, "Somebody saw two hands of a game.", tab=tab.name, seat=eye, seen=sorted(seen))
        seen.add(eye)

    def check_ack(self, tab: Any, n: int, version: int, command: dict[str, Any]) -> None:
        """What is acknowledged must be in the log, at the version that was told."""
        story = self.stories[tab.table]
        if command["type"] == "chat":
            said = story.remarks.get(story.said.get((tab.by, n), 0))
            require(said and said["text"] == command["text"], "Acknowledged, but never said.", tab=tab.name, n=n)
            return
        kept = story.kept.get((tab.by, n))
        require(kept == version, "Acknowledged, but not in the log.", tab=tab.name, n=n, told=version, kept=kept)
        if command["type"] == "act":
            require(isinstance(story.table.log[version - 1], events.Acted), "Another entry was acknowledged.", n=n)

    def check_refused(self, tab: Any, message: dict[str, Any], command: dict[str, Any] | None) -> None:
        """A refusal may depend on nothing that its reader does not know: it reads the same in worlds dealt anew."""
        rule, reason = message["rule"], message["reason"]
        words = message.get("words") or reason
        require(words in SENTENCES, "A refusal says what no refusal says.", rule=rule, reason=reason)
        if rule.startswith("table.") or command is None or command["type"] != "act":
            return
        story = self.stories[tab.table]
        first = min(command["at"], story.version)
        versions = [version for version in story.states if version >= first]
        require(
            any(self._reads_so(story, version, tab.who, command["action"], (rule, reason)) for version in versions),
            "A refusal tells what its reader may not know.",
            tab=tab.name,
            rule=rule,
            reason=reason,
        )

    def _reads_so(self, story: Story, version: int, who: str, action: Any, told: tuple[str, str]) -> bool:
        state = story.states[version]
        seats = [seat for seat, owner in enumerate(story.owners[version]) if owner == who]
        if state.mover not in seats:
            return False
        dealt = (state.redealt(state.mover, self.rng) for _ in range(REDEALS))
        return all(_refusal(other, action) == told for other in dealt)


def _refusal(state: State, action: Any) -> tuple[str, str] | None:
    """What the rules say against an action."""
    try:
        state.after(state.parse(action) if isinstance(action, str) else state.encode(action))
    except InvalidAction as error:
        return f"{state.game.name}.actions", error.args[0]
    except IllegalAction as error:
        return error.rule, error.reason
    return None
