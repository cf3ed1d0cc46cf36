"""The example game, installed as a package: in engine, terminal, arena, adapters, records and at a table."""

import re
from pathlib import Path

from .conftest import ROOT, Run

PACKAGE = ROOT / "examples" / "briscola" / "src" / "archipel_briscola"
PLAYED = """
import asyncio, random, sys, tempfile
from pathlib import Path
from tests.table.house import house

async def evening():
    rng = random.Random(7)
    async with house(Path(tempfile.mkdtemp()) / "tables.sqlite3", pace=0) as here:
        ada = await here.guest("Ada")
        _, games = await ada.get("/api/games")
        print([game["name"] for game in games["games"]], games["games"][-1]["seats"], len(games["games"][-1]["levels"]))
        _, page = await ada.get("/api/rules?game=briscola&language=fr")
        missing, _ = await ada.get("/api/rules?game=briscola&language=../rules.fr")
        print(page["text"].splitlines()[2].split(":")[0].strip(), missing)
        table = await ada.table("briscola", [{"kind": "me"}, {"kind": "bot", "level": "random"}])
        async with ada.at(table) as player:
            while not player.position.get("over"):
                if player.position["legal"]:
                    hidden = player.position["view"]["hands"][1]
                    assert isinstance(hidden, int), hidden
                    told = await player.act(rng.choice(player.position["legal"])["action"])
                    assert told["type"] == "ack", told
                    await player.until_version(told["version"])
                else:
                    await player.next()
            print(sum(player.position["view"]["scores"]), player.position["over"]["by"])
            draws = [entry for entry in player.entries if entry["kind"] == "happened"]
            print(sorted({str(entry["action"]["card"]) == "None" for entry in draws}))
        _, record = await ada.get(f"/api/tables/{table}/record")
        _, verdict = await ada.post("/api/verify", record)
        print(verdict["fair"], record["game"])

asyncio.run(asyncio.wait_for(evening(), 500))
"""


def test_it_is_short() -> None:
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in PACKAGE.glob("*.py"))
    assert lines <= 250


def test_the_guide_quotes_it() -> None:
    """What `docs/a-fifth-game.md` shows of a file stands in it, word for word."""
    page = (ROOT / "docs" / "a-fifth-game.md").read_text("utf-8")
    quoted = re.findall(r"```py\n# archipel_briscola/(\w+\.py)\n(.*?)```", page, re.DOTALL)
    assert len(quoted) == 5
    for name, part in quoted:
        assert part in (PACKAGE / name).read_text("utf-8"), name


def test_it_keeps_the_contract(briscola: Path, python: Run) -> None:
    """Every promise, the exact odds of imagined hands included."""
    code = (
        "import archipel; from archipel.testing import check_game; print(archipel.GAMES);"
        "report = check_game(archipel.game('briscola'), plays=3, seed=1);"
        "assert report.posteriors >= 3 and report.varied; print(report)"
    )
    said = python(code, briscola)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("('kahuna', 'krakatoa', 'kula_kula', 'stonehenge', 'briscola')\n3 games, ")


def test_compiled_it_plays_the_same_games(briscola: Path, python: Run) -> None:
    code = (
        "import archipel, numpy as np; rng = np.random.default_rng(5); state = archipel.game('briscola').new();"
        "print(state.judge(20, rng), [state.sample(rng) for _ in range(9)])"
    )
    plain, compiled = python(code, briscola), python(code, briscola, plain=False)
    assert plain.returncode == 0, plain.stderr
    assert compiled.stdout == plain.stdout


TRICKS = [("7H", "AH", 1), ("AH", "7H", 0), ("AH", "2S", 0), ("AH", "2D", 1), ("3D", "AD", 1), ("2D", "AS", 0)]
"""With diamonds as trump: what is led, what is answered, and who takes the trick."""


def test_who_takes_a_trick(briscola: Path, python: Run) -> None:
    code = f"""
import archipel
for led, answer, winner in {TRICKS}:
    state = archipel.game("briscola").new()
    for card in (led, "4S", "5S", answer, "4H", "5H", "KD"):
        state = state.after(state.encode({{"do": "deal", "card": card}}))
    for card in (led, answer):
        state = state.after(state.parse(card))
    seen = state.snapshot()
    assert seen["leader"] == winner and len(seen["won"][winner]) == 2, (led, answer, seen)
"""
    said = python(code, briscola)
    assert said.returncode == 0, said.stderr


def test_the_terminal_and_the_arena_have_it(briscola: Path, terminal: Run, tmp_path: Path) -> None:
    listed = terminal("games", folders=(briscola,))
    assert listed.returncode == 0, listed.stderr
    assert "Briscola · 2 seats" in listed.stdout
    assert "A traditional Italian card game" in listed.stdout
    assert re.search(r"navigator\s+expert:1000; 5% random moves", listed.stdout)
    page = terminal("rules", "briscola", "--lang", "fr", folders=(briscola,))
    assert "personne n’est obligé de fournir" in " ".join(page.stdout.split())
    mine = tmp_path / "mine.py"
    mine.write_text("def choose(view, rng, budget):\n    return int(rng.integers(40))\n", "utf-8")
    words = ("arena", "briscola", "random,mine", "--code", str(mine), "--games", "2", "--cores", "1")
    played = terminal(*words, "--out", str(tmp_path / "out"), folders=(briscola,))
    assert played.returncode == 0, played.stderr
    assert (tmp_path / "out").is_dir()


def test_adapters_and_records_have_it(briscola: Path, python: Run) -> None:
    code = """
import json, random
import numpy as np
import archipel
from archipel.adapters.pettingzoo import env
world = env("briscola")
world.reset(seed=3)
rng = random.Random(3)
for agent in world.agent_iter():
    seen, _, ended, cut, _ = world.last()
    world.step(None if ended or cut else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
states, actions, chance = [archipel.game("briscola").new()], [], np.random.default_rng(3)
while states[-1].mover != archipel.OVER:
    state = states[-1]
    actions.append(state.sample(chance) if state.mover == archipel.CHANCE else state.actions()[0])
    states.append(state.after(actions[-1]))
record = archipel.Record.of(states, actions)
print(archipel.Record.read(json.loads(json.dumps(record.json()))) == record, sum(states[-1].scores))
"""
    said = python(code, briscola)
    assert said.stdout == "True 120\n", said.stderr


def test_a_table_plays_it(briscola: Path, python: Run) -> None:
    """Against a bot: the other hand is a number, cards that it draws are not told, and the draws can be verified."""
    said = python(PLAYED, ROOT, briscola)
    assert said.returncode == 0, said.stderr
    games, rules, score, hidden, fair = said.stdout.splitlines()
    assert rules == "Un jeu de cartes italien traditionnel 404"
    assert games == "['kahuna', 'krakatoa', 'kula_kula', 'stonehenge', 'briscola'] [2] 5"
    assert score == "120 rules"
    assert hidden == "[False, True]"
    assert fair == "True briscola"
