"""Bots that are programs: real processes, well-behaved and otherwise."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import archipel
from archipel.arena import ArenaError, Failed, wire
from archipel.arena.entrants import Entrants
from archipel.arena.match import play
from archipel.arena.plan import round_robin
from archipel.arena.program import Program, ProgramBot, ProgramProcess, _running, kill_all
from archipel.arena.workers import Cores, Waiting
from archipel.bots import Budget, bot
from archipel.core.state import State
from tests.patience import PATIENCE

from .conftest import small, written

PAGE = Path(__file__).parents[2] / "docs" / "your-own-bot.md"
OURS = f"{sys.executable} -m archipel bot"
SCHEMA = json.loads(wire.SCHEMA.read_text("utf-8"))

BEGIN = """
import json, sys, time
def say(**answer): print(json.dumps(answer), flush=True)
json.loads(input())
say(protocol=1, name="mine")
asked = json.loads(input())
"""


def program(folder: Path, text: str, limit: float = 10.0) -> Program:
    return Program("mine", f"{sys.executable} {written(folder / 'mine.py', text)}", limit)


def first() -> State:
    return archipel.game("stonehenge").new()


def asked(made: ProgramBot, state: State) -> int:
    return made.choose(state.view(state.mover), np.random.default_rng(1))


@pytest.mark.parametrize("name", archipel.GAMES)
def test_our_own_bot_plays_as_a_program(name: str) -> None:
    entrants = Entrants.of(programs=[Program("ours", f"{OURS} random")])
    game = archipel.game(name, **({"turn_limit": 10} if name == "kula_kula" else {}))
    plan = round_robin(game, ["ours", "random"], 2, 1, {})
    result = play(plan.match(0, 0), entrants)
    assert set(result.forfeits) == {0}
    assert min(result.decisions) > 0
    assert not _running


def test_what_is_said_is_in_the_schema(tmp_path: Path) -> None:
    """A program that keeps all that it hears, and answers as our bots do."""
    heard = tmp_path / "heard"
    text = f"""
import sys, io, json
from archipel.arena.wire import Server
from archipel.bots import bot
lines = iter(sys.stdin.readline, "")
def keep():
    for line in lines:
        open({str(heard)!r}, "a").write(line)
        yield line
class Out:
    def write(self, text):
        open({str(heard)!r}, "a").write(text)
        sys.stdout.write(text)
    def flush(self): sys.stdout.flush()
Server("mine", bot("random")).serve(keep(), Out())
"""
    entrants = Entrants.of(programs=[program(tmp_path, text)])
    result = play(small(("mine:50", "random")).match(0, 0), entrants)
    said = [json.loads(line) for line in heard.read_text("utf-8").splitlines()]
    assert [message.get("do") for message in said[:4]] == ["hello", None, "choose", None]
    assert said[-1] == {"do": "quit"}
    assert len(said) == 3 + 2 * result.decisions[0]
    for message in said:
        jsonschema.validate(message, SCHEMA)
    assert said[2]["budget"] == {"simulations": 50, "seconds": None}
    assert said[2]["view"] == archipel.game("stonehenge").new().view(0)


def test_the_same_seed_the_same_game() -> None:
    entrants = Entrants.of(programs=[Program("ours", f"{OURS} greedy:20")])
    results = [play(small(("ours", "random")).match(0, 0), entrants).json() | {"seconds": 0} for _ in range(2)]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BEGIN + "1 / 0", "it ended with exit code 1: ZeroDivisionError: division by zero"),
        (BEGIN + "sys.exit(0)", "it ended with exit code 0"),
        (BEGIN + "import os; os.kill(os.getpid(), 9)", "it was ended by signal 9"),
        (BEGIN + "time.sleep(60)", "it took longer than 0.5 s"),
        (BEGIN + "print('certainly!', flush=True)", "it answered what is no JSON object: 'certainly!'"),
        (BEGIN + "print('[1]', flush=True)", "it answered what is no JSON object: '[1]'"),
        (BEGIN + "print('[' * 100000, flush=True)", "it answered what is no JSON object: '[[["),
        (BEGIN + "print('x' * 3_000_000, end='', flush=True)", "its answer has no end"),
        (BEGIN + "sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "it answered what is no JSON object"),
        (BEGIN + "say(id=1, action=10**6)", "not allowed: There is no action number 1000000 here."),
        (BEGIN + "say(id=1, action=1.5)", "not allowed: An action is a whole number, not 1.5."),
        (BEGIN + "say(id=1, action={'do': 'fly'})", "not an action: "),
        (BEGIN + "say(id=1, action={'do': 'done'})", "not allowed: "),
        (BEGIN + "say(id=7, action=0)", "it answered question 7, not 1"),
        (BEGIN + "say(id=1)", 'its answer has no action: {"id": 1}'),
        (BEGIN + "import os; os.close(1); time.sleep(60)", "it closed its output"),
        ("print('{}', flush=True)", "it did not answer hello with protocol 1 and a name, but with {}"),
        ('print(\'{"protocol": 2, "name": "x"}\', flush=True)', "it did not answer hello with protocol 1"),
        ("import nothing_of_the_kind", "it ended with exit code 1: ModuleNotFoundError: No module named"),
    ],
)
def test_what_can_go_wrong(tmp_path: Path, text: str, why: str) -> None:
    made = program(tmp_path, text, 0.5).make()
    with pytest.raises(Failed, match=f"^{re.escape(why)}"):
        asked(made, first())
    assert not _running


def test_a_program_that_fails_is_started_anew_and_the_game_goes_on(tmp_path: Path) -> None:
    text = BEGIN + "say(id=1, action=asked['actions'][0]['number'])\ninput()\n1 / 0"
    result = play(small(("mine", "random")).match(0, 0), Entrants.of(programs=[program(tmp_path, text)]))
    assert result.decisions[0] > 3
    # It counts questions from 1 only, so whoever was started anew is asked a question that it gets wrong.
    assert result.forfeits[0] == result.decisions[0] - 1
    assert result.why[0] == "it ended with exit code 1: ZeroDivisionError: division by zero"
    assert not _running


def test_a_large_question_to_one_who_does_not_listen(tmp_path: Path) -> None:
    text = 'import time\nprint(\'{"protocol": 1, "name": "deaf"}\', flush=True)\ntime.sleep(60)'
    process = ProgramProcess([sys.executable, written(tmp_path / "deaf.py", text)])
    with pytest.raises(Failed, match="longer than 1 s"):
        process.ask({"do": "x" * 1_000_000}, 1.0)
    process.kill()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("mine", 'A program is written NAME="COMMAND", as in mine="python my_bot.py", not \'mine\'.'),
        ("=python", "A program is written NAME="),
        ("a,b=python", "A program is written NAME="),
        ("mine=", "The program mine has no command."),
        ("mine='", "The command of mine cannot be read: No closing quotation."),
    ],
)
def test_a_program_that_is_none(text: str, sentence: str) -> None:
    with pytest.raises(ArenaError, match=re.escape(sentence)):
        Program.read(text)


def test_a_program_that_cannot_be_started() -> None:
    entrants = Entrants.of(programs=[Program.read("mine=/no/such/thing")])
    with pytest.raises(ArenaError, match=r"^The bot mine cannot be started: /no/such/thing .* No such file or dir"):
        entrants.check("mine", archipel.game("stonehenge"))


@pytest.mark.parametrize("name", ["greedy", "sailor"])
def test_a_program_that_is_called_like_a_bot(name: str) -> None:
    with pytest.raises(ArenaError, match=f"cannot be called {name}, as there is such a bot"):
        Entrants.of(programs=[Program.read(f"{name}=true")])


def test_a_budget_comes_with_the_name(tmp_path: Path) -> None:
    path = written(tmp_path / "frugal.py", "def choose(view, rng, budget): raise ValueError(str(budget))")
    result = play(small(("frugal:7", "random")).match(0, 0), Entrants.of([path]))
    assert result.why[0] == "ValueError: 7"


def test_nobody_is_left_when_the_arena_stops(tmp_path: Path) -> None:
    """A program that thinks for ever, and leaves its process number behind."""
    text = BEGIN + f"import os; open({str(tmp_path)!r} + '/pid', 'w').write(str(os.getpid()))\nwhile True: pass"
    workers = Cores(Entrants.of(programs=[program(tmp_path, text, 600.0)]), 1)
    workers._hand_out(Waiting(small(("mine", "random")).matches()))
    pid = wait_for(tmp_path / "pid")
    workers._dismiss()
    deadline = time.monotonic() + PATIENCE
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def wait_for(file: Path) -> int:
    deadline = time.monotonic() + PATIENCE
    while not file.exists() or not file.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return int(file.read_text())


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_all_programs_can_be_ended_at_once(tmp_path: Path) -> None:
    made = program(tmp_path, BEGIN + "time.sleep(60)").make()
    made.begin("stonehenge", {})
    assert len(_running) == 1
    kill_all()
    assert not _running


def serve(*argv: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "archipel", "bot", *argv]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=120, check=False)


def test_archipel_bot_over_a_pipe() -> None:
    state = first()
    world, seed = wire.a_world(state.view(0), np.random.default_rng(0))
    question = wire.question(1, state.view(0), world, seed, Budget(simulations=10), 10.0)
    said = serve("greedy:20", typed=(wire.line(wire.hello("stonehenge", {})) + wire.line(question)).decode())
    greeting, answer = map(json.loads, said.stdout.splitlines())
    assert greeting == {"protocol": 1, "name": "greedy:20"}
    chosen = bot("greedy").choose(state.view(0), np.random.default_rng(seed), Budget(simulations=10))
    assert answer == {"id": 1, "action": chosen}
    assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.parametrize(
    ("argv", "typed", "sentence"),
    [
        ([], "", "Choose a bot"),
        (["deep"], "", "There is no bot 'deep'"),
        (["greedy:0"], "", "A budget must be more than nothing."),
        (["random"], "hello\n", "That is no JSON: "),
        (["random"], '{"do": "dance"}\n', "That is nothing that a host says: KeyError: 'budget'."),
        (["random"], "7\n", "That is nothing that a host says: TypeError: "),
    ],
)
def test_archipel_bot_refuses_in_one_sentence(argv: list[str], typed: str, sentence: str) -> None:
    said = serve(*argv, typed=typed)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.startswith(sentence)
    assert said.stderr.count("\n") == 1


def test_both_examples_of_the_page_play(tmp_path: Path) -> None:
    file, script = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for example in (file, script):
        assert len(example.splitlines()) <= 20
    entrants = Entrants.of([written(tmp_path / "my_bot.py", file)], [program(tmp_path, script)])
    result = play(small(("my_bot", "mine")).match(0, 0), entrants)
    assert result.forfeits == (0, 0)
    assert result.returns[0] > 0


def test_the_page_shows_the_messages_of_the_schema() -> None:
    text = PAGE.read_text("utf-8")
    for name, kind in SCHEMA["$defs"].items():
        for key in kind["required"]:
            assert f'"{key}"' in text or f"`{key}`" in text, (name, key)
