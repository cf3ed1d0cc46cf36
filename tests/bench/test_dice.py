"""The measurements of dice: that they run, and say what they should."""

import pytest

from archipel.bench import aiming, dice, throws


def test_dice_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    dice.main(18, 2)
    out = capsys.readouterr().out
    assert "First throws, all nine dice: 2 throws" in out
    assert "Fairness: 18 dice" in out
    assert "aims as in the recipe: 8 throws" in out
    assert out.count("not at rest 0, outside the tray 0") == 2
    assert out.count("after the tap 0") == 2
    assert "which table dice turn: AUC" in out


def test_levels_are_matched(capsys: pytest.CaptureFixture[str]) -> None:
    aiming.main(1, "model", "fisher", "beachcomber")
    out = capsys.readouterr().out
    assert out.startswith("A fisher against a beachcomber; dice by model\n1 games: won ")


def test_throws_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    throws.main(2)
    assert "until the spectator has it, milliseconds   p50" in capsys.readouterr().out


def test_a_match_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    aiming.match((), "model", 2)
    assert capsys.readouterr().out.startswith("2 games: won ")
