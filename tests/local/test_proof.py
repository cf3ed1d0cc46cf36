"""A page proves what Python proves: certificates part by part, and the winners of positions."""

import json
import subprocess
from pathlib import Path
from typing import Any

from archipel.bench import pages as node
from archipel.games.stonehenge.bot.solver.page import Check, Task
from tests.bots.test_solver import certificate
from tests.local.test_engine import ROOT, WASM, needs_wasm

POSITIONS = [
    "",
    "2@L",
    "2@L 6@A",
    "2@L 6@A 3@D 5@G 1@C 4@H",
    "2@L 6@A 3@D 5@G 1@C 4@H 5@F 1@Q",
    "2@L 2@L",
]


def outcome(work: Any) -> Any:
    try:
        return work()
    except ValueError as error:
        return {"error": str(error)}


def checked(claimed: Any, quick: bool) -> list[list[str]]:
    check, found = Check(claimed, quick), []
    for part in range(check.parts()):
        found.append(check.part(part))
        for name in found[-1]:
            check.try_out(name)
    return found


def solved(moves: str) -> list[Any]:
    task = Task(moves)
    assert all(step.share <= 1 for step in task.steps())
    return [task.winner(), task.move()]


@needs_wasm
def test_a_page_proves_what_python_proves(modules: Path, tmp_path: Path) -> None:
    right = json.loads(json.dumps(certificate(8, 1)))
    wrong = right | {"winner": 1 - right["winner"]}
    claims = [(right, False), (right, True), (wrong, True)]
    task = {"certificates": [{"certificate": claim, "quick": quick} for claim, quick in claims], "positions": POSITIONS}
    (tmp_path / "task.json").write_text(json.dumps(task))
    script = ROOT / "web" / "tests" / "local" / "proof.ts"
    command = [node.node(), script, tmp_path / "task.json", WASM, modules / "stonehenge.js"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["checks"] == [
        outcome(lambda claim=claim, quick=quick: checked(claim, quick)) for claim, quick in claims
    ]
    assert "error" in said["checks"][2]
    assert any(said["checks"][0])
    assert said["winners"] == [outcome(lambda moves=moves: solved(moves)) for moves in POSITIONS]
    assert said["winners"][0] == [0, "2@L"]
    assert "error" in said["winners"][-1]
