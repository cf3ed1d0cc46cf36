"""A page judges a server's records as the server does: sealed shares, sound or forged."""

import json
import subprocess
from pathlib import Path

import msgspec
import pytest

from archipel.bench import pages as node
from archipel.table.play.judging import verdict_on
from tests.local.test_engine import WASM, needs_wasm
from tests.table.test_shares import ended
from tests.table.test_shares import kept as kept_by
from tests.web.test_verifier import forged


@needs_wasm
@pytest.mark.parametrize("name", ["kahuna", "kula_kula"])
def test_a_page_judges_records_as_a_server_does(name: str, modules: Path, tmp_path: Path) -> None:
    sealed = kept_by(ended(name)).json()
    records = [json.loads(json.dumps(sealed)) for _ in range(4)]
    records[1]["fair"]["seeds"][0] = "00" * 32
    records[2]["fair"]["seed"] = "00" * 32
    records[3]["actions"][3] = {"do": "nothing"}
    records += [one.json() for one in forged().values()] if name == "kahuna" else []
    (tmp_path / "records.json").write_text(json.dumps({"game": name, "records": records}))
    script = Path(__file__).with_name("verify.mts")
    command = [node.node(), script, tmp_path / "records.json", WASM, modules / f"{name}.js"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = [json.loads(msgspec.json.encode(verdict_on(one))) for one in records]
    assert json.loads(done.stdout) == expected
    assert [one["fair"] for one in expected[:4]] == [True, False, False, False]
    assert expected[0]["shares"] == ["player"] * len(sealed["players"])
