"""Packages that bring a game and cannot: one sentence names each, and the other games are played as usual."""

from pathlib import Path

from .conftest import Run

MANIFEST = "from archipel.core.manifest import Manifest\nMANIFEST = Manifest(game='{package}.game:Tarot')\n"
RULES = """
import sys
import numpy as np
from archipel.core.rules import Rules, register
FACTS = np.dtype((np.record, [("{field}", "i1")]))
STATE = np.dtype((np.record, [("mover", "i1"), ("winners", "i1")]))
{hooks}
RULES = register(Rules(sys.modules[__name__], FACTS, STATE, 3))
"""
HOOKS = ("begin", "legal", "is_legal", "weights", "apply", "pick", "draw", "redeal", "label")
ALL = "\n".join(f"def {hook}(*_): pass" for hook in HOOKS)
GAME = """
from archipel.core.game import Game
from .rules import RULES
class Tarot(Game):
    name, title, OPTIONS, rules, action_count = "{name}", "Tarot", (), RULES, 3
    def set_up(self, facts): return 2
    {rest} = lambda *_: None
"""
METHODS = ("vocabulary", "why_not", "scores", "public", "private", "seen", "fill", "possible", "text", "svg")
REST = " = ".join(METHODS)
STONEHENGE_FACTS = RULES.replace('[("{field}", "i1")]', '[("hidden", "i1"), ("manual", "i1")]')


def package(folder: Path, name: str = "tarot", init: str = MANIFEST, rules: str = "", game: str = "") -> Path:
    """A package as pip would have installed it."""
    module = f"archipel_{name}"
    (folder / module).mkdir(parents=True)
    (folder / module / "__init__.py").write_text(init.replace("{package}", module), "utf-8")
    (folder / module / "rules.py").write_text(rules or RULES.format(field=name, hooks=ALL), "utf-8")
    (folder / module / "game.py").write_text(game or GAME.format(name=name, rest=REST), "utf-8")
    about = folder / f"{module}-2.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: archipel-{name}\nVersion: 2.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[archipel.games]\n{name} = {module}:MANIFEST\n", "utf-8")
    return folder


Parts = dict[str, str]
BROKEN: dict[str, tuple[Parts, str]] = {
    "raising": ({"init": "raise RuntimeError('no cards\\nin the box')"}, "RuntimeError: no cards in the box."),
    "exiting": ({"init": "import sys; sys.exit('bye')"}, "SystemExit: bye."),
    "empty": ({"init": ""}, "AttributeError: module 'archipel_empty' has no attribute 'MANIFEST'."),
    "other": ({"init": "MANIFEST = {}"}, "archipel_other:MANIFEST is no archipel.core.manifest.Manifest."),
    "hookless": (
        {"rules": RULES.format(field="hookless", hooks=ALL.replace("def redeal", "def deal_again"))},
        "archipel_hookless.rules lacks redeal.",
    ),
    "fieldless": (
        {"rules": RULES.format(field="fieldless", hooks=ALL).replace('("winners", "i1")', '("other", "i1")')},
        "archipel_fieldless.rules lacks the state's field winners.",
    ),
    "alike": (
        {"rules": STONEHENGE_FACTS.replace("{hooks}", ALL)},
        "archipel_alike.rules has the same type of facts as archipel.games.stonehenge.rules: "
        "name a field of it differently.",
    ),
    "methodless": (
        {"game": GAME.format(name="methodless", rest=" = ".join(METHODS[1:]))},
        "archipel_methodless.game:Tarot lacks vocabulary.",
    ),
    "misnamed": ({"game": GAME.format(name="taroc", rest=REST)}, "archipel_misnamed.game:Tarot is named 'taroc'."),
    "classless": (
        {"game": "class Tarot: pass"},
        "archipel_classless.game:Tarot is no subclass of archipel.core.game.Game.",
    ),
    "kahuna": ({}, "there is a game named 'kahuna' already."),
}
ASK = (
    "import archipel; from archipel.core import registry; archipel.game('stonehenge').new();"
    "print(archipel.GAMES); print(*registry.plug_ins().broken.values(), sep='\\n')"
)


def test_broken_packages_are_named_and_left_out(tmp_path: Path, python: Run) -> None:
    """A whole one beside them is a game: what they lack is all that they lack."""
    folders = [package(tmp_path / name, name, **parts) for name, (parts, _) in BROKEN.items()]
    said = python(ASK, *folders, package(tmp_path / "tarot"))
    assert said.returncode == 0, said.stderr
    games, *complaints = said.stdout.splitlines()
    assert games == "('kahuna', 'krakatoa', 'kula_kula', 'stonehenge', 'tarot')"
    told = {f"The package archipel-{name} 2.0 brings no game {name!r}: {why}" for name, (_, why) in BROKEN.items()}
    assert set(complaints) == told


def test_a_package_cannot_take_the_record_types_of_a_game(tmp_path: Path, terminal: Run) -> None:
    """Also where nobody has asked for that game before."""
    parts, why = BROKEN["alike"]
    listed = terminal("games", folders=(package(tmp_path, "alike", **parts),))
    assert listed.returncode == 0, listed.stderr
    assert "Stonehenge" in listed.stdout
    assert why in " ".join(listed.stderr.split())


def test_whoever_asks_for_a_broken_game_is_told_why(tmp_path: Path, terminal: Run) -> None:
    folder = package(tmp_path / "tarot", init="1 / 0")
    asked = terminal("play", "tarot", folders=(folder,))
    assert asked.returncode != 0
    assert "The package archipel-tarot 2.0 brings no game 'tarot': ZeroDivisionError: division by zero." in asked.stderr
    listed = terminal("games", folders=(folder,))
    assert listed.returncode == 0
    assert "Kula Kula" in listed.stdout
    assert "The package archipel-tarot 2.0 brings no game" in listed.stderr
