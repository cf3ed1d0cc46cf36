"""What a page runs of a game without a server: its rules, its bots and the table around them, translated to JavaScript.

`python -m archipel.table.page_module FOLDER` writes `GAME.js` for every game.
"""

import hashlib
import itertools
import json
import operator
import re
import sys
import threading
import time
import unicodedata
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import replace
from math import log2
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from archipel import bots
from archipel.bots import levels, mcts, random, thought
from archipel.bots.expert import ExpertBot
from archipel.core import bits, compiled, errors, fields, manifest, plain, registry, vocabulary
from archipel.core.compiled import KERNELS
from archipel.core.state import State
from archipel.kernels.javascript import Translator
from archipel.kernels.typescript import named

from . import entropy, protocol
from .log import action_names, decisions, events, replay, views
from .play import local_table, thinking

WANTED = (
    *("new", "restore", "snapshot", "view", "views", "unaided", "written", "unseen", "vocabulary", "refusal", "scores"),
    *("winner", "imagine", "actions", "chances", "sample", "after", "is_legal", "encode", "decode", "notation", "told"),
    *("parse", "returns", "judge", "redealt", "hear", "take", "question", "patience", "bot_acts", "advised", "replay"),
    *(
        "record",
        "branch",
        "summary",
        "steps",
        "move",
        "parts",
        "part",
        "followed",
        "try_out",
        "share",
        "nodes",
        "solved",
    ),
)
"""Methods that a page calls by name."""
PARTS = ("knowledge", "expert", "striving", "habits")
"""The parts of a game's manifest that its bots ask for."""


def natives() -> Iterator[tuple[Any, str]]:
    """Objects that a page has of its own: of Python's library and NumPy, and a few of ours that stand on those."""
    yield from (
        (errors.sentence, "py.sentence"),
        (errors.quoted, "py.quoted"),
        (bits.count, "py.bitCount"),
        (bits.first, "py.firstBit"),
        (plain.reader, "py.reader"),
        (fields.quick, "py.same"),
        (vocabulary._AROUND, "py.around"),
        (vocabulary._sorted, "py.dumpsSorted"),
        (protocol._spoken, "py.spoken"),
        (entropy.token_bytes, "py.token_bytes"),
        (entropy.token_urlsafe, "py.token_urlsafe"),
        (mcts._side_by_side, "py.nothing"),
        (compiled.arrive, "(() => true)"),
        (compiled.wait_no_longer, "py.nothing"),
        (json.dumps, "py.dumps"),
        (json.loads, "py.decode"),
        (re.findall, "py.findall"),
        (re.fullmatch, "py.fullmatch"),
        (threading.Timer, "py.Timer"),
        (operator.index, "py.index"),
        (operator.itemgetter, "py.itemgetter"),
        (itertools.islice, "py.islice"),
        (unicodedata.category, "py.category"),
        (hashlib.sha256, "py.sha256"),
        (time.perf_counter, "py.perf_counter"),
        (time.monotonic, "py.perf_counter"),
        (wait, "py.awaited"),
        (log2, "py.log2"),
        (copy, "py.copied"),
        (deepcopy, "py.deepcopy"),
        (replace, "py.replace"),
        (suppress, "py.suppress"),
        (deque, "py.deque"),
        (defaultdict, "py.DefaultDict"),
        (OrderedDict, "py.dict"),
        (msgspec.Raw, "py.Raw"),
        (msgspec.UNSET, "py.UNSET"),
        (msgspec.json.encode, "py.encode"),
        (msgspec.json.decode, "py.decode"),
        (msgspec.convert, "py.convert"),
        (np.random.default_rng, "py.default_rng"),
        (np.zeros, "py.zeros"),
        (np.empty, "py.zeros"),
        (np.ones, "py.ones"),
        (np.full, "py.full"),
        (np.array, "py.array"),
        (np.uint8, '"u1"'),
        (np.int8, '"i1"'),
        (np.int64, '"i8"'),
        (np.uint64, '"u8"'),
        (np.int32, '"i4"'),
        (np.float64, '"f8"'),
    )
    for module in (views, replay, decisions, local_table):
        yield module._encode, "py.encode"
    yield events.encode, "py.encode"


def translator(name: str) -> Translator:
    """A translator that knows what a page has of its own, and the answers that one game gives."""
    game = registry.game(name)
    called = {id(instance.kernel.call): said for said, (_, instance) in named(game).items() if "Plain" not in said}
    kernels = [
        (kernel.call, f"py.kernels.{called[id(kernel.call)]}")
        for kernel in KERNELS.values()
        if id(kernel.call) in called
    ]
    others = [(kernel.call, kernel.function) for kernel in KERNELS.values() if id(kernel.call) not in called]
    made = Translator([*natives(), *kernels], others)
    kind = made.reference(type(game))
    made.answer(registry.names, "() => " + made.reference([name], "names"))
    made.answer(registry.game, f"(name, options) => new {kind}(py.dict(options))")
    made.answer(registry.slow_chance, "() => null")
    made.answer(action_names.action_names, _with_action_names(made, kind))
    made.answer(events.decode, f"(kept) => py.entry({_by_tag(made)}, kept)")
    made.answer(levels._brought, "() => " + made.reference(levels._brought(name), "brought"))
    made.answer(registry.manifest, _manifest(made, name))
    made.answer(manifest.resolve, _bots(made))
    return made


def module(name: str, by: Translator | None = None) -> str:
    """The JavaScript of a game."""
    exported = {
        "game": registry.kind(name),
        "State": State,
        "LocalTable": local_table.LocalTable,
        "opened": local_table.opened,
        "imported": local_table.imported,
        "verified": local_table.verified,
        "thought": local_table.thought,
        "Question": thinking.Question,
        "Thought": thought.Thought,
        "Opinion": thought.Opinion,
        "bot": bots.bot,
    } | {said: part for said, part in own(name).items() if not isinstance(part, Path)}
    return (by or translator(name)).module(exported, WANTED)


def own(name: str) -> dict[str, Any]:
    """What only this game has in a page: functions and classes, and the paths of files."""
    return registry.manifest(name).part("page") or {}


def _with_action_names(translator: Translator, kind: str) -> str:
    return f"(name, options) => new {translator.reference(action_names.ActionNames)}(new {kind}(options))"


def _by_tag(translator: Translator) -> str:
    kinds = {kind.__struct_config__.tag: kind for kind in events.Entry.__args__}
    return translator.reference(kinds, "entries")


def _manifest(translator: Translator, name: str) -> str:
    parts = {part: registry.manifest(name).part(part) for part in PARTS}
    said = translator.reference(parts, "parts")
    return f"() => ({{ bots: new Map(), part: (name) => {said}.get(name) }})"


def _bots(translator: Translator) -> str:
    kinds = {
        "archipel.bots.random:RandomBot": random.RandomBot,
        "archipel.bots.mcts:SearchBot": mcts.SearchBot,
        "archipel.bots.expert:ExpertBot": ExpertBot,
    }
    return f"(path) => {translator.reference(kinds, 'bots')}.get(path)"


def write(folder: Path) -> None:
    """Write the modules of all games into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in registry.own():
        (folder / f"{name}.js").write_text(module(name), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
