"""Which library of kernels is used: only one that fits, and what is said of the others."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from archipel.core import compiled, native, sources

THESE = {"rules.py": b"these"}
SOUND: dict[str, Any] = {
    "format": native.FORMAT,
    "sources": sources.digests(THESE),
    "platform": native.here(),
    "modules": [],
    "types": [],
}


def written(folder: Path, code: bytes = b"no library at all", **changes: Any) -> Path:
    """A folder with a library and its manifest."""
    (folder / "_tiny.abi3.so").write_bytes(code)
    manifest = SOUND | {"files": {"_tiny.abi3.so": hashlib.sha256(code).hexdigest()}} | changes
    (folder / "tiny.json").write_text(json.dumps(manifest))
    return folder


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"format": 0}, "it was made for another version of Archipel."),
        ({"sources": sources.digests({"rules.py": b"others"})}, "it was built from other sources."),
        ({"platform": "amiga-68000"}, f"it was built for amiga-68000, and this is {native.here()}."),
        ({"files": {"_tiny.abi3.so": "another"}}, "_tiny.abi3.so is damaged."),
        ({"files": {"missing.abi3.so": ""}}, "missing.abi3.so cannot be read."),
    ],
)
def test_a_library_that_does_not_fit_is_not_loaded(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    folder = written(tmp_path, **changes)
    with pytest.warns(RuntimeWarning, match="is not used") as said:
        assert native.find("tiny", THESE, folder) is None
    assert str(said[0].message) == f"The library of compiled rules of tiny in {folder} is not used: {why}"


@pytest.mark.parametrize(
    "broken",
    [
        {"files": {}},
        {"files": 7},
        {"modules": None},
        {"sources": 7},
        {"sources": {"rules.py": 7}},
        {"types": 7},
        {"platform": [1]},
    ],
)
def test_a_manifest_that_makes_no_sense_is_told(tmp_path: Path, broken: dict[str, Any]) -> None:
    with pytest.warns(RuntimeWarning, match="is not used: "):
        assert native.find("tiny", THESE, written(tmp_path, **broken)) is None


def test_a_manifest_that_lacks_something_is_told(tmp_path: Path) -> None:
    (tmp_path / "tiny.json").write_text(json.dumps({"format": native.FORMAT}))
    with pytest.warns(RuntimeWarning, match=r"is not used: tiny\.json is damaged\."):
        assert native.find("tiny", THESE, tmp_path) is None


def test_a_manifest_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (written(tmp_path) / "tiny.json").write_text("{")
    with pytest.warns(RuntimeWarning, match=r"tiny\.json cannot be read"):
        assert native.find("tiny", THESE, tmp_path) is None


@pytest.mark.skipif(sys.platform == "win32", reason="libraries have another name there")
def test_what_is_no_library_is_told_in_the_systems_words(tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match="is not used: .*_tiny"):
        assert native.find("tiny", THESE, written(tmp_path)) is None


def test_without_a_library_nothing_is_said(tmp_path: Path) -> None:
    assert native.find("tiny", THESE, tmp_path) is None
    assert native.find("tiny", THESE, tmp_path / "missing") is None


def test_types_are_written_alike_wherever_they_are_alike() -> None:
    fields = [("a", "i4"), ("b", "f8", (2, 3))]
    assert native.written(np.dtype(fields)) == native.written(np.dtype((np.record, fields)))
    assert native.written(np.dtype("i8")) == native.written(np.dtype(np.int64)) == "<i8"


@pytest.mark.needs(compiled.LIBRARIES, "libraries of these sources: make kernels")
def test_a_kernel_refuses_what_is_not_its_own() -> None:
    import archipel
    from archipel.core import rules

    game = archipel.game("kahuna")
    raw, out = game.new()._raw, np.empty(100, np.int64)
    assert rules.actions(game.facts, raw, out) == game.new().actions().__len__()
    for wrong in (out[::2], np.empty(100), np.empty((10, 10), np.int64), None):
        with pytest.raises(TypeError, match="actions: argument 3"):
            rules.actions(game.facts, raw, wrong)  # type: ignore[arg-type]
    frozen = raw.copy()
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="writeable"):
        rules.step(game.facts, frozen, 0)
    with pytest.raises(TypeError, match="actions takes 3 arguments, not 2"):
        rules.actions(game.facts, raw)  # type: ignore[call-arg]
