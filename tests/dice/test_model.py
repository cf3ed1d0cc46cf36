"""The fitted model: chances that add up, landings that the game takes, and what it says about physics."""

import numpy as np
import pytest

import archipel
from archipel.games.krakatoa.board import DICE
from archipel.games.krakatoa.dice import Aim, Model, Tray
from archipel.games.krakatoa.dice.aim import numbers
from archipel.games.krakatoa.dice.features import COUNT, features
from archipel.games.krakatoa.dice.fitting import auc, calibration, logistic
from archipel.games.krakatoa.dice.model import SUBSETS, Chances, chances, fit, fitted, subsets
from archipel.games.krakatoa.dice.recipe import ROW, row, turn
from archipel.games.krakatoa.dice.tray import APART, to_the_rim

from . import OPTIONS, landing, throws

LAID = Tray.laid("YRB RRB RBB")
TABLE = LAID.without(DICE[:3])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_whole_games_in_all_options(options: dict[str, object]) -> None:
    rng = np.random.default_rng(3)
    made = throws(Model(), archipel.game("krakatoa", **options).new(), rng)
    assert made[-1][0].after(made[-1][2].landing).winner is not None
    for before, _, throw in made:
        assert throw.tray
        assert throw.tray.written == before.decode(throw.landing)["faces"]
        assert min(to_the_rim(lie.x, lie.y) for lie in throw.tray.lies.values()) > 0
    assert {before.decode(throw.landing).get("touched") for before, _, throw in made} == {None, True, False}


def test_dice_never_lie_in_each_other() -> None:
    for _, _, throw in throws(Model(), archipel.game("krakatoa").new(), np.random.default_rng(4), 40):
        assert throw.tray
        places = throw.tray.poses[:, :2]
        gaps = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) + 9 * np.eye(len(places))
        assert gaps.min() > APART - 0.02


def test_a_scratch_leaves_the_table_as_it_was() -> None:
    state, aim = landing("steam>lava3"), Aim(10.0, -10.0, 315.0, 40.0)
    throws_ = [Model().throw(state, aim, np.random.default_rng(seed), LAID) for seed in range(20)]
    scratches = [throw for throw in throws_ if not state.decode(throw.landing)["touched"]]
    assert scratches
    assert all(throw.tray and throw.tray.without(DICE[:3]) == TABLE for throw in scratches)


def test_the_same_generator_gives_the_same_throw() -> None:
    state, aim = landing("steam>ash1"), Aim.at(LAID, "ash1", 10.0)
    one, two = (Model().throw(state, aim, np.random.default_rng(9), LAID) for _ in range(2))
    assert one == two


# Chances.


def test_subsets_are_numbered_by_their_dice() -> None:
    chances = np.array([0.9, 0.1, 0.2, 0.3, 0.4, 0.5])
    by_subset = subsets(chances)
    assert by_subset.sum() == pytest.approx(1)
    assert by_subset @ SUBSETS == pytest.approx(chances)
    assert by_subset[0b000101] == pytest.approx(0.9 * 0.9 * 0.2 * 0.7 * 0.6 * 0.5)


def test_scratch_and_what_turns_add_up() -> None:
    chances = Model().chances(TABLE, [Aim.at(TABLE, "ash2", 0.0), Aim.at(TABLE, "lava1", 200.0, 60.0, 4.0)])
    assert chances.turned().sum(-1) == pytest.approx(chances.touch)
    assert ((chances.touch > 0) & (chances.touch < 1)).all()


def test_the_die_aimed_at_turns_most_often_and_strength_tells() -> None:
    weak, usual, strong = (Aim.at(TABLE, "ash2", 45.0, strength) for strength in (60.0, 120.0, 180.0))
    chances = Model().chances(TABLE, [weak, usual, strong])
    assert (chances.turn.argmax(-1) == 1).all()
    assert (np.diff(chances.turn[:, 1]) > 0).all()
    assert (np.diff(chances.touch) > 0).all()


def test_it_does_not_matter_where_the_table_lies_or_how_it_is_turned() -> None:
    aim, places = numbers([Aim(0.5, -3.0, 30.0, 100.0, 3.0)]), TABLE.poses[:, :2]
    turned = aim + np.array([0, 0, 90, 0, 0])
    turned[0, :2] = -aim[0, 1] + 1, aim[0, 0] + 2
    moved = np.stack([-places[:, 1] + 1, places[:, 0] + 2], -1)
    assert features(aim, places) == pytest.approx(features(turned, moved))
    assert features(aim, places).shape == (1, 6, COUNT)


def test_no_chance_is_certain() -> None:
    far = Chances(np.full((1, 6), 1e-9), np.full((1, 6), 1e-9), np.array([1e-6]))
    assert far.turned().sum() == pytest.approx(1e-6)


# The fit.


def test_the_fit_says_how_good_it_is() -> None:
    held_out = fitted()["held_out"]
    assert held_out["turn"]["auc"] >= 0.9
    for part in ("turn", "touch"):
        for tenth in held_out[part]["calibration"]:
            error = 4 * np.sqrt(tenth["said"] * (1 - tenth["said"]) / tenth["cases"]) + 0.05
            assert abs(tenth["said"] - tenth["happened"]) < error
    assert fit().rings.sum() == pytest.approx(1, abs=1e-5)
    assert fit().turn.shape == (COUNT,)


def test_the_model_knows_throws_that_it_has_not_seen() -> None:
    rows = np.array([row(*made) for number in range(900_000, 900_012) for made in turn(number) if made[0].aim], ROW)
    said = chances(rows["aim"], rows["before"])
    assert auc(said.turn.ravel(), rows["turned"].ravel()) > 0.85


def test_log_odds_are_found() -> None:
    rng = np.random.default_rng(1)
    seen = np.stack([np.ones(20_000), rng.standard_normal(20_000)], -1)
    happened = rng.random(20_000) < 1 / (1 + np.exp(1 - 2 * seen[:, 1]))
    assert logistic(seen, happened, 0.0) == pytest.approx([-1, 2], abs=0.1)


def test_auc_and_calibration() -> None:
    chance = np.array([0.1, 0.15, 0.8, 0.9])
    assert auc(chance, np.array([False, True, False, True])) == 0.75
    assert calibration(chance, np.array([False, True, True, True])) == [
        {"said": 0.125, "happened": 0.5, "cases": 2},
        {"said": 0.8, "happened": 1.0, "cases": 1},
        {"said": 0.9, "happened": 1.0, "cases": 1},
    ]
