"""A table in a page says what the same table says in Python, message by message, and its bots make the same moves."""

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from archipel.bench import pages as node
from archipel.cli import main
from archipel.core import registry
from archipel.table.play import local_table
from archipel.table.play.local_table import LocalTable
from tests.local.test_engine import ROOT, WASM, difference, needs_wasm

GAMES: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "kahuna": ([{}, {"edition": "tilsit", "open_cards": True}], ["navigator"]),
    "kula_kula": ([{}], ["chief", "beachcomber"]),
    "krakatoa": (
        [{"game": "basic", "players": 4}, {"players": 4, "teams": True}],
        ["chief", "navigator", "beachcomber"],
    ),
    "stonehenge": ([{}, {"hidden": True}], ["chief"]),
}


class Player:
    """Plays a local table to its end, and writes down what it said and heard."""

    def __init__(self, made: local_table.Made) -> None:
        self.table = LocalTable(copy.deepcopy(made.setup), [entry.decode() for entry in made.entries])
        self.script: list[dict[str, Any]] = []
        self.told: list[bytes] = []
        self.now = 1_000
        self.n = 0

    def later(self) -> int:
        self.now += 10
        return self.now

    def say(self, **said: Any) -> None:
        self.script.append(said)
        heard = self.table.hear(said, self.later())
        self.told += heard.answers
        if heard.entries:
            self.told += self.table.take(heard.entries)
        if heard.question:
            thought = local_table.thought(heard.question.question)
            self.told.append(self.table.advised(heard.question, thought))
        self.bots()

    def command(self, kind: str, **more: Any) -> None:
        self.n += 1
        self.say(type=kind, n=self.n, **more)

    def bots(self) -> None:
        while question := self.table.question():
            choice = local_table.thought(question)
            self.told += self.table.take(self.table.bot_acts(choice, self.later()))

    def act(self) -> None:
        table = self.table.table
        legal = table.state.actions()
        said = table.state.decode(legal[self.n * 7 % len(legal)])
        self.command("act", at=table.version, action=said)

    def play(self, takes_back: bool) -> None:
        self.bots()
        self.say(type="hello", client="page-0001", since=None, hash=None, eye=None, link=None, heard=None, pace="quick")
        self.command("act", at=0, action={"do": "nothing"})
        self.command("act", at=self.table.table.version, action="nonsense")
        self.command("ask-hint")
        self.command("sit", seat=0)
        moves = 0
        while self.table.table.playing and moves < 400:
            self.act()
            moves += 1
            if moves == 2 and takes_back:
                self.command("undo")
                self.command("ask-back")
        if self.table.table.playing:
            self.command("resign", seat=self.table.table.seats_of("you")[0])
        self.command("ask-analysis", game=1, moves=12)
        self.command("rematch", agree=True, seed="again")
        self.say(type="look", seat=None)


def wanted(name: str, options: dict[str, Any], levels: list[str]) -> dict[str, Any]:
    bots = [{"kind": "bot", "level": level} for level in levels]
    return {"game": name, "options": options, "chairs": [{"kind": "me"}, *bots], "seed": "a seat's share"}


@needs_wasm
@pytest.mark.parametrize(
    ("name", "options", "levels"),
    [pytest.param(name, options, levels, id=f"{name}-{i}") for name, (variants, levels) in GAMES.items()
     for i, options in enumerate(variants)],
)  # fmt: skip
def test_a_page_plays_as_python_does(
    name: str,
    options: dict[str, Any],
    levels: list[str],
    modules: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "slow_chance", lambda name: None)  # a page draws all dice by their odds
    made = local_table.opened(wanted(name, options, levels), "Ada", 500)
    made.setup["secret"] = "5a" * 32  # the deal, the draws and the bots' thoughts all follow from it
    made.entries = local_table.dealt(made.setup, wanted(name, options, levels), "Ada", 500)
    player = Player(made)
    player.play(takes_back=name in ("kahuna", "stonehenge"))
    table = player.table
    told = [
        *player.told,
        table.summary(),
        table.replay(1, None, 0),
        table.replay(1, "referee", 48),
        table.replay(1, 0, 0),
    ]
    record = json.loads(table.record(1))
    changed = json.loads(table.record(1))
    changed["fair"]["seed"] = "00" * 32
    told += [table.record(1), local_table.verified(record), local_table.verified(changed)]
    assert json.loads(told[-2])["fair"] is (name != "kahuna")  # where moves were taken back, draws were passed over
    assert json.loads(told[-1])["fair"] is False
    task = {
        "game": name,
        "setup": made.setup,
        "entries": [entry.decode() for entry in made.entries],
        "script": player.script,
        "records": [record, changed],
    }
    (tmp_path / "task.json").write_text(json.dumps(task))
    script = ROOT / "web" / "tests" / "local" / "table.ts"
    command = [node.node(), script, tmp_path / "task.json", WASM, modules / f"{name}.js"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [plain(said) for said in json.loads(done.stdout)]
    for at, (said, expected) in enumerate(zip(found, map(plain, told), strict=False)):
        assert said == expected, difference(json.dumps(said, sort_keys=True), json.dumps(expected, sort_keys=True), at)
    assert len(found) == len(told)
    monkeypatch.undo()
    kept = tmp_path / "record.json"
    kept.write_text(json.dumps(found[-3]))
    assert (main(["verify", str(kept)]) == 0) is (name != "kahuna")  # the command judges the page's own record alike


def plain(said: str | bytes) -> Any:
    message = json.loads(said)
    if isinstance(message, dict) and isinstance(position := message.get("position"), dict):
        position.pop("hash")  # of bytes whose keys may stand in another order
    return message
