"""What an audit says: advisories fail it, and that nobody could be asked does not pass for good news."""

import json

from tests.audit import Verdict, node, python, said

SKIPPED = {"name": "numpy", "skip_reason": "Dependency not found"}
CLEAN = {"name": "msgspec", "version": "1.0", "vulns": []}
BAD = {"name": "starlette", "version": "0.1", "vulns": [{"id": "GHSA-x"}]}


def test_pythons_report() -> None:
    assert python(json.dumps({"dependencies": [SKIPPED, CLEAN, BAD]})) == Verdict(["starlette 0.1: GHSA-x"], 2, 1)
    assert python("") is None
    assert python('{"error": "no network"}') is None


def test_npms_report() -> None:
    clean = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 202}}}
    assert node(json.dumps(clean)) == Verdict([], 202)
    assert node(json.dumps(clean | {"vulnerabilities": {"three": {"severity": "high"}}})) == Verdict(
        ["three: high"], 202
    )
    assert node('{"message": "request failed", "error": {}}') is None


def test_what_is_said() -> None:
    assert said("Python", None) == "Python: the advisories could not be reached, so nothing was audited."
    assert "nothing was audited" in said("Python", Verdict([], 0, 80))
    assert said("Python", Verdict([], 3, 1)) == "Python: nothing is known against 3 packages; 1 could not be looked up."
    assert said("Python", Verdict(["a: b"], 3)) == "Python: 1 advisories for 3 packages: a: b"
