"""The packages and the paths through them, traced in real runs: `python -m tests.architecture` writes the page.

A path is what Python enters of this package between two moments: from the bytes of a move to those of the answers, from
a bot's turn to its move, from a throw of dice to its landing, from a game of the arena to its result. What worker
processes do is done in their leaders' threads here, where the trace can see it.
"""

import ast
import asyncio
import random
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from unittest.mock import patch

import archipel
from archipel.arena.entrants import Entrants
from archipel.arena.match import Result
from archipel.arena.match import play as play_match
from archipel.arena.plan import Match, round_robin
from archipel.arena.tournament import play as play_plan
from archipel.bench.moves import Pair, paired
from archipel.bench.table import tables_in
from archipel.core.rules import CHANCE
from archipel.table import entropy, protocol, serving
from archipel.table.log.decisions import Caller
from archipel.table.net.app import Api
from archipel.table.notices import courier
from archipel.table.play.workers import Leader
from archipel.table.settings import Settings

from .rules_table import ROOT

PAGE = ROOT / "docs" / "architecture.md"
PICTURE = PAGE.parent / "pictures" / "architecture.svg"
SOURCE = ROOT / "src"
MOST = 15
"""Through how many modules of the table a move may go."""
UNSEEN = "/bench/moves.py", "/rules.py", "/core/jit.py", "/core/native.py"
"""What plays here, and rules: compiled ahead of time they leave no trace, and just in time one that varies."""
OWN = "table.", "arena."
KEPT = "Teller._tell"
"""Where what was written comes back to the loop."""
LEVEL = "chief"


class Call(NamedTuple):
    """A function of this package that was entered: in which thread, in which module."""

    lane: str
    module: str
    function: str


class Stop(NamedTuple):
    """One module on a path, in one lane: the functions that were entered there, in order, and how often in all."""

    lane: str
    module: str
    functions: tuple[str, ...]
    calls: int


class Recorder:
    """Writes down which functions of this package are entered while it is on."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.on = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if self.on and event == "call":
            path = frame.f_code.co_filename
            if path.startswith(str(SOURCE)) and not path.endswith(UNSEEN):
                self.calls.append(Call(threading.current_thread().name, _module(path), frame.f_code.co_qualname))

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Be on, in this thread and in those that listen already."""
        self.on = True
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.on = False

    @contextmanager
    def in_threads(self) -> Iterator[None]:
        """Listen in the threads that start meanwhile. A leader's listens to its work only: importing and compiling for
        the first time would take minutes under a trace."""
        recorder = self

        def answer(self: Leader, task: Any) -> Any:
            sys.setprofile(recorder if recorder.on else None)
            return self._work(task)

        threading.setprofile(self)
        try:
            with patch.object(Leader, "_ask", answer):
                yield
        finally:
            threading.setprofile(None)

    def stops(self) -> list[Stop]:
        """What was entered, by lane and module, in the order in which each was first entered."""
        stops: dict[tuple[str, str], list[str]] = {}
        kept = False
        for call in self.calls:
            kept = kept or call.function == KEPT
            lane = {"MainThread": "loop, once it is kept" if kept else "loop"}.get(call.lane, call.lane)
            stops.setdefault((lane, call.module), []).append(call.function)
        order = list(dict.fromkeys(lane for lane, _ in stops))
        made = [Stop(lane, module, tuple(dict.fromkeys(f)), len(f)) for (lane, module), f in stops.items()]
        return sorted(made, key=lambda stop: order.index(stop.lane))


@cache
def _module(path: str) -> str:
    parts = Path(path).relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# The four paths.


def at_a_table(play: Callable[[Api, Recorder], Any]) -> list[Stop]:
    """The path of something that happens at a table of a real server."""
    recorder = Recorder()

    async def evening() -> None:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(database=tables_in(folder), bots=1, outcomes=1, pace=0.0, messages=1e6)
            async with serving.running(settings) as api:
                await play(api, recorder)

    entropy.use(random.Random(1))
    try:
        with (
            recorder.in_threads(),
            patch.object(serving, "TICK", 3600.0),
            patch.object(courier, "TICK", 3600.0),
        ):  # no chores
            asyncio.run(evening())
    finally:
        entropy.use(None)
    return recorder.stops()


async def _until(done: Callable[[], bool]) -> None:
    while not done():
        await asyncio.sleep(0.002)


async def _one_move(pair: Pair, recorder: Recorder, by_chance: bool, then: Callable[[], bool]) -> None:
    """Play the first action after which it is, or is not, chance's turn; and trace it until `then`."""
    table = pair.live.table
    leads = {action: table.state.after(action).mover == CHANCE for action in table.state.actions()}
    chosen = next(action for action, chance in leads.items() if chance == by_chance)
    seat = pair.seats[table.chairs[table.mover].who]
    action = table.action_names.of(table.state, chosen).action
    frame = seat.frame("act", at=table.version, action=action)
    await _until(lambda: pair.live.presence._timer is None)
    await asyncio.sleep(0.02)  # until who is here has been sent
    with recorder.recording():
        seat.hear(frame)
        await _until(then)
        await asyncio.sleep(0.01)


async def a_move(api: Api, recorder: Recorder) -> None:
    """Two people play Kahuna; one of them moves."""
    pair = await paired(api, "kahuna", random.Random(1))
    before = pair.live.table.history.moves
    await _one_move(pair, recorder, False, lambda: pair.live.table.history.moves > before)


async def a_thought(api: Api, recorder: Recorder) -> None:
    """A person opens a game of Stonehenge against a bot, which begins."""
    now = api.hub.now()
    cookie, _ = await api.sessions.begin("Ada", now)
    person = await api.sessions.person(cookie, now)
    chairs = [protocol.NewChair("bot", level=LEVEL), protocol.NewChair("me")]
    made = await api.hub.create(protocol.NewTable(game="stonehenge", chairs=chairs), Caller(person.who, person.name))
    live = api.hub.lives[made]
    await _until(lambda: live.table.history.moves == 1)
    live._asked = -1
    live.table.history.back(0)  # the same question once more, now that everything is loaded
    with recorder.recording():
        live.look_after()
        await _until(lambda: live.table.history.moves == 1)
        await asyncio.sleep(0.01)


async def a_throw(api: Api, recorder: Recorder) -> None:
    """Two people play Krakatoa with dice that fall; one of them throws."""
    pair = await paired(api, "krakatoa", random.Random(1), "physics")
    table = pair.live.table
    await _until(lambda: table.mover >= 0)
    before = table.history.moves
    await _one_move(pair, recorder, True, lambda: table.history.moves == before + 2)


class _Here:
    """Plays the games of an arena in this process, where the trace can see them."""

    def __init__(self, entrants: Entrants) -> None:
        self._entrants = entrants

    def results(self, matches: Any) -> Iterator[list[Result]]:
        for match in matches:
            yield [self._play(match)]

    def _play(self, match: Match) -> Result:
        threading.current_thread().name = "worker process"
        try:
            return play_match(match, self._entrants)
        finally:
            threading.current_thread().name = "MainThread"


def an_arena_game() -> list[Stop]:
    """Two bots meet once in Stonehenge."""
    from archipel.arena.log import Log

    recorder, entrants = Recorder(), Entrants.of()
    plan = round_robin(archipel.game("stonehenge"), ["greedy", "random"], 2, 1, entrants.digests(["greedy", "random"]))
    with tempfile.TemporaryDirectory() as folder, Log(Path(folder), plan) as log:
        workers: Any = _Here(entrants)
        games = play_plan(plan, log, workers)
        next(games)
        with recorder.recording():
            next(games)
        games.close()
    return recorder.stops()


PATHS: dict[str, tuple[str, Callable[[], list[Stop]]]] = {
    "A move": (
        "A player's move in Kahuna, from the bytes of a WebSocket frame to the bytes for both players.",
        lambda: at_a_table(a_move),
    ),
    "A bot's thought": (
        "A bot's turn in Stonehenge: the loop asks, a worker process thinks about a view, and its choice is played.",
        lambda: at_a_table(a_thought),
    ),
    "A throw of dice": (
        "A chance outcome that takes its time: a player throws in Krakatoa, a worker process computes how the dice "
        "fall, and the landing is played.",
        lambda: at_a_table(a_throw),
    ),
    "A game of the arena": ("Two bots meet once in Stonehenge; the result is in the log.", an_arena_game),
}


# The page.


@cache
def opening(module: str) -> str:
    """The first sentence of a module's docstring."""
    path = SOURCE / Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def table(stops: list[Stop]) -> list[str]:
    lines = ["| where | module | functions | its subject |", "|---|---|---|---|"]
    for stop in stops:
        named = [name for name in stop.functions if "<" not in name] or ["…"]
        shown = ", ".join(f"`{name}`" for name in named[:2])
        lines.append(f"| {stop.lane} | `{stop.module.removeprefix('archipel.')}` | {shown} | {opening(stop.module)} |")
    return lines


def rows(page: str) -> dict[str, list[tuple[str, str]]]:
    """Of every path on a page, the lanes and modules of table and arena: games remember what they were asked."""
    parts = page.split("\n## Paths\n")[1].split("\n## ")[1:]
    found = {part.split("\n")[0]: re.findall(r"^\| ([^|]+) \| `([\w.]+)` \|", part, re.M) for part in parts}
    return {title: sorted({stop for stop in stops if stop[1].startswith(OWN)}) for title, stops in found.items()}


def of_the_table(stops: list[Stop]) -> set[str]:
    """The modules of the server on a path; the others are the game's, and what all games share."""
    return {stop.module for stop in stops if stop.module.startswith("archipel.table")}


ROOMS = ("table.net", "table.notices", "table.people", "table.play", "table.storage", "table.log")
PACKAGES = ("cli", "bench", *ROOMS, "arena", "kernels", "adapters", "testing", "bots", "games", "core")


def imports() -> list[tuple[str, str]]:
    """Which package imports which, from all imports in the sources."""
    import grimp

    graph = grimp.build_graph("archipel")
    edges = set()
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            one, two = _package(module), _package(other)
            if one and two and one != two:
                edges.add((one, two))
    return sorted(edges)


def _package(module: str) -> str | None:
    inner = module.removeprefix("archipel.")
    return next((name for name in PACKAGES if inner == name or inner.startswith(f"{name}.")), None)


def arrows() -> list[tuple[str, str]]:
    """The imports that a diagram shows: downwards, and none that goes by way of another package."""
    edges = {(a, b) for a, b in imports() if PACKAGES.index(a) < PACKAGES.index(b)}
    return [(a, b) for a, b in sorted(edges) if not any((a, c) in edges and (c, b) in edges for c in PACKAGES)]


def places(shown: list[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """The column and row of each package: just above what it imports, and no arrow to it passes another package."""
    height: dict[str, int] = {}
    for name in reversed(PACKAGES):
        height[name] = max((height[b] + 1 for a, b in shown if a == name), default=0)
    row = {name: max(height.values()) - h for name, h in height.items()}
    above = {name: min((row[a] for a, b in shown if b == name), default=row[name]) for name in PACKAGES}
    found = {name: (0, row[name]) for name in ROOMS}
    for name in sorted(set(PACKAGES) - set(ROOMS), key=lambda name: (row[name] - above[name], row[name], name)):
        way = range(above[name] + 1, row[name]) if above[name] < row[name] else range(0)
        taken = {column for column, at in found.values() if at == row[name] or at in way}
        found[name] = next(column for column in range(1, len(PACKAGES)) if column not in taken), row[name]
    return found


def diagram() -> str:
    """A drawing of the packages, each above those that it imports."""
    shown = arrows()
    at = places(shown)
    wide, high, gap = 128, 34, 44
    across, down = wide + 36, high + gap

    def corner(name: str) -> tuple[int, int]:
        column, row = at[name]
        return 28 + column * across, 24 + row * down

    width = 20 + (1 + max(column for column, _ in at.values())) * across
    height = 24 + (1 + max(row for _, row in at.values())) * down - gap + 20
    first, last = corner(ROOMS[0])[1], corner(ROOMS[-1])[1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="14" role="img"><title>The packages of Archipel</title>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#5b6b78"/></marker></defs>',
        f'<rect width="{width}" height="{height}" rx="12" fill="#f6f1e4"/>',
        f'<rect x="14" y="{first - 14}" width="{wide + 28}" height="{last - first + high + 28}" rx="12" '
        'fill="#dbe9ec"/>',
    ]
    for a, b in shown:
        (x, y), (u, v) = corner(a), corner(b)
        start, end, middle = (x + wide // 2, y + high), (u + wide // 2, v - 2), (y + high + v) // 2
        parts.append(
            f'<path d="M{start[0]} {start[1]}C{start[0]} {middle} {end[0]} {middle} {end[0]} {end[1]}" '
            'fill="none" stroke="#5b6b78" stroke-width="1.5" marker-end="url(#tip)"/>'
        )
    for name in PACKAGES:
        x, y = corner(name)
        parts.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="8" fill="#fff" stroke="#2f6f7e"/>')
        place = f'x="{x + wide // 2}" y="{y + high // 2 + 5}" text-anchor="middle" fill="#1d2b33"'
        parts.append(f"<text {place}>{name}</text>")
    return "\n".join([*parts, "</svg>", ""])


READING = (
    "A row is a module of Archipel in which at least one function is entered; the first two are named.",
    "Libraries of others are not counted, nor are compiled rules, which leave no trace.",
    "",
    "*Where* is a thread, and for the event loop also a time: before the log entries are on disk, and after. A",
    "module can stand in several of these, each time for another purpose: `live_table` first has a command",
    "decided and stored, and later applies and sends what was stored; `writer` takes a change, writes it, and",
    "reports it. In each of them a module stands once, however often its functions are called.",
    "",
    f"A move may enter {MOST} modules of the table at most; a test counts them. The others are the game's own",
    "and those of the engine: positions, views, and who learns something from a move.",
)


def page(traced: dict[str, list[Stop]]) -> str:
    """The whole page."""
    lines = [
        "# Architecture",
        "",
        "Written by `python -m tests.architecture` from the imports and from traces of real runs.",
        "",
        "## Packages",
        "",
        "An arrow leads from a package to one that it imports; arrows that follow from others are left out.",
        "Import-linter keeps the layers (`pyproject.toml`).",
        "",
        f"![The packages, each above those that it imports](pictures/{PICTURE.name})",
        "",
        "| package | its subject |",
        "|---|---|",
        *(f"| `{name}` | {opening(f'archipel.{name}')} |" for name in PACKAGES),
        "",
        "## Paths",
        "",
        *READING,
    ]
    for title, stops in traced.items():
        mine = len(of_the_table(stops))
        every = len({stop.module for stop in stops})
        counted = (
            f"{mine} modules of the table, {every} with those of the game and the engine"
            if mine
            else f"{every} modules"
        )
        lines += ["", f"## {title}", "", PATHS[title][0], "", f"{counted}.", "", *table(stops)]
    return "\n".join(lines) + "\n"


def traces() -> dict[str, list[Stop]]:
    return {title: trace() for title, (_, trace) in PATHS.items()}


if __name__ == "__main__":
    PICTURE.write_text(diagram(), "utf-8")
    PAGE.write_text(page(traces()), "utf-8")
