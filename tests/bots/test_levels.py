"""The levels: five for each game, named in both languages, of a version, each as its figures say."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER
from archipel.bots import bot, levels
from archipel.bots.levels import NAMES, VERSIONS, LevelBot, Pace, level, title
from archipel.games.krakatoa.bot import hands
from archipel.games.krakatoa.bot.exact.player import points, whole_game
from archipel.games.krakatoa.dice import Tray
from archipel.games.krakatoa.dice.aim import NARROWEST, USUAL
from archipel.games.krakatoa.dice.aiming import Hand
from archipel.games.krakatoa.dice.model import chances
from archipel.games.krakatoa.rules import KEEP


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("game", archipel.GAMES)
def test_five_for_each_game(game: str, version: int) -> None:
    found = [level(name, game, version) for name in NAMES]
    assert len(found) == 5
    for entry in found:
        assert bot(entry.bot)
        assert 0 <= entry.slip < 1
        assert 0 < entry.pace.forced < entry.pace.most
    slips = [entry.slip for entry in found]
    assert slips[-1] == 0


def test_names_in_both_languages() -> None:
    assert [title(name) for name in NAMES] == ["Beachcomber", "Fisher", "Sailor", "Navigator", "Chief"]
    assert [title(name, "fr") for name in NAMES] == ["Glaneur", "Pêcheur", "Marin", "Navigateur", "Chef"]


def test_a_level_is_chosen_by_the_game_of_the_view() -> None:
    player = bot("beachcomber")
    assert isinstance(player, LevelBot)
    for name in archipel.GAMES:
        state = archipel.game(name).new()
        rng = np.random.default_rng(1)
        while state.mover < 0:
            state = state.after(state.sample(rng))
        assert player.choose(state.view(state.mover), rng) in state.actions()
        assert player.level(name).game == name


def test_a_version_is_asked_for() -> None:
    made = bot(f"sailor@{VERSIONS[0]}")
    assert isinstance(made, LevelBot)
    assert made.version == VERSIONS[0]
    newest = bot("sailor")
    assert isinstance(newest, LevelBot)
    assert newest.version == max(VERSIONS)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("sailor@999", "There is no version 999 of sailor; there are "),
        ("sailor@", "A version is a number, as in sailor@1, not ''."),
        ("sailor@two", "A version is a number, as in sailor@1, not 'two'."),
        ("sailor:1s", "sailor is a level and has a budget of its own: write sailor."),
        ("admiral", "There is no bot 'admiral'; the bots are random, "),
    ],
)
def test_what_there_is_not(spec: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        bot(spec)
    with pytest.raises(ValueError, match="There is no level 'admiral'; the levels are beachcomber, "):
        level("admiral", "kahuna")
    with pytest.raises(ValueError, match="There is no game 'chess'"):
        level("sailor", "chess")


def test_slips_are_as_frequent_as_the_figures_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a bot that always takes the first action, everything else is a slip."""

    class First:
        def choose(self, view: object, rng: object, budget: object = None) -> int:
            return state.actions()[0]

    state = archipel.game("stonehenge").new()
    player = LevelBot("beachcomber")
    slip = player.level("stonehenge").slip
    player._bots[player.level("stonehenge").bot] = First()
    rng = np.random.default_rng(1)
    taken = [player.choose(state.view(0), rng) for _ in range(600)]
    others = sum(action != state.actions()[0] for action in taken) / len(taken)
    assert abs(others - slip * (1 - 1 / len(state.actions()))) < 0.08


def test_a_pace_grows_with_the_choices_and_has_an_end() -> None:
    pace = Pace(forced=0.5, doubling=0.5, most=3.0)
    assert [pace.seconds(choices) for choices in (1, 2, 4, 1000)] == [0.5, 1.0, 1.5, 3.0]


def test_figures_tell_their_versions_apart() -> None:
    assert levels.digest("sailor") == levels.digest(f"sailor@{max(VERSIONS)}")
    assert levels.digest("sailor") != levels.digest("chief")


def throwing(name: str, version: int, rng: np.random.Generator, **options: Any) -> list[int]:
    """The scores of a game of Krakatoa among players of one level."""
    state, player = archipel.game("krakatoa", **options).new(), LevelBot(name, version)
    while state.mover != OVER:
        action = state.sample(rng) if state.mover == CHANCE else player.choose(state.view(state.mover), rng)
        state = state.after(action)
    return state.scores


@pytest.mark.parametrize("options", [{}, {"game": "basic", "players": 4}])
def test_a_level_with_an_ambition_comes_near_it(options: dict[str, Any]) -> None:
    """Nobody gets none, and near the best luck is too great; between them totals are about what is striven for."""
    rng = np.random.default_rng(9)
    best = whole_game(archipel.game("krakatoa", **options).new())
    totals = {name: np.array([throwing(name, 1, rng, **options) for _ in range(12)]) for name in NAMES[:-1]}
    for name in NAMES[1:3]:
        ambition = level(name, "krakatoa", 1).ambition
        assert ambition is not None
        assert abs(totals[name].mean() - ambition * best) < 0.1 * best
    for lower, higher in pairwise(NAMES[:-1]):
        assert totals[lower].mean() < totals[higher].mean()


def test_an_ambition_is_put_off_while_it_is_ahead() -> None:
    """Behind it a level does what brings the most points, ahead of it what brings the fewest."""
    position = {"game": "krakatoa", "phase": "throw", "round": 3, "throw": 2, "order": [0, 1], "dice": "YYY RRB BBB"}
    rest: dict[str, Any] = {"marks": [["", ""]] * 2, "boxes_left": 3}
    rng = np.random.default_rng(1)
    for total, wanted in ((0, max), (300, min)):
        state = archipel.game("krakatoa").restore(position | rest | {"totals": [total, 0]})
        worths = points(state)
        assert worths[LevelBot("sailor", 1).choose(state.view(0), rng)] == wanted(worths.values())


def test_habits_score_more_the_higher_the_level() -> None:
    rng = np.random.default_rng(9)
    means = [np.mean([throwing(name, 2, rng) for _ in range(60)]) for name in NAMES[:-1]]
    assert means == sorted(means)


@pytest.mark.parametrize("name", NAMES[:-1])
def test_no_level_throws_good_dice_away(name: str) -> None:
    """The best nine dice are kept, far ahead or not."""
    position = {"game": "krakatoa", "phase": "decide", "round": 3, "throw": 1, "order": [0, 1], "dice": "BBB BBB BBB"}
    rest: dict[str, Any] = {"marks": [["", ""]] * 2, "boxes_left": 3}
    rng = np.random.default_rng(1)
    for total in (0, 300):
        state = archipel.game("krakatoa").restore(position | rest | {"totals": [total, 0]})
        assert LevelBot(name).choose(state.view(0), rng) == KEEP


def test_how_long_a_level_waits_tells_nothing_about_its_hand() -> None:
    """In worlds that a spectator cannot tell apart, a bot with few choices takes as long as one with many."""
    state, rng = archipel.game("kahuna").new(), np.random.default_rng(4)
    while state.mover < 0:
        state = state.after(state.sample(rng))
    worlds = [state.redealt(None, rng) for _ in range(40)]
    assert len({len(world.actions()) for world in worlds}) > 1
    assert len({LevelBot("sailor").pace(world) for world in worlds}) == 1


@pytest.mark.parametrize("version", hands.VERSIONS)
def test_hands_are_steadier_the_higher_the_level(version: int) -> None:
    found = [hands.aiming(name, version) for name in NAMES]
    for weaker, stronger in pairwise(found):
        assert weaker.error > stronger.error > 0
        assert weaker.slip > stronger.slip or weaker.slip == stronger.slip == 0
        assert weaker.aims < stronger.aims
        assert weaker.throws <= stronger.throws


def test_the_upper_levels_seldom_scratch_with_a_straight_throw() -> None:
    """A finger misses a die by about 3 mm, and scratches one throw of 25: a sailor's hand is not much worse."""
    missed = {name: _scratches(hands.aiming(name).error) for name in NAMES}
    assert missed["beachcomber"] > missed["fisher"] > missed["sailor"] > missed["chief"]
    assert missed["sailor"] < _scratches(0.3) + 0.02
    assert missed["navigator"] < _scratches(0.3) + 0.01


def _scratches(error: float) -> float:
    """The share of straight throws of the usual strength that scratch by the model, on dice that lie apart."""
    places = np.array([[4.0 * x, 4.0 * y] for x in (-1, 0, 1) for y in (0, 1)])
    rng = np.random.default_rng(8)
    straight = [[*places[n % 6], side, USUAL, NARROWEST] for n, side in enumerate(rng.uniform(0, 360, 600))]
    return float(1 - chances(Hand(error).shaken(np.array(straight), rng), places).touch.mean())


@pytest.mark.parametrize("name", ["beachcomber", "chief"])
def test_a_level_decides_about_dice_that_lie_in_a_tray(name: str) -> None:
    """Every level sees that there is no better throw than this one."""
    dice = "BBB BBB BBB"
    position = {"game": "krakatoa", "phase": "decide", "round": 3, "throw": 1, "order": [0, 1], "dice": dice}
    rest: dict[str, Any] = {"totals": [0, 0], "marks": [["", ""]] * 2, "boxes_left": 3}
    state = archipel.game("krakatoa").restore(position | rest)
    rng = np.random.default_rng(2)
    shots = [hands.shot(name, state.view(0), Tray.laid(dice), rng) for _ in range(20)]
    assert all(shot.aim is None for shot in shots)
    kept = [state.decode(shot.action) == {"do": "keep"} for shot in shots]
    assert all(kept)


@pytest.mark.parametrize("name", ["beachcomber", "sailor"])
def test_a_level_aims_as_its_hand_allows(name: str) -> None:
    """Every throw can be made; the steadier hand stays nearer to a die."""
    game = archipel.game("krakatoa")
    position = {"game": "krakatoa", "phase": "throw", "round": 3, "throw": 2, "order": [0, 1], "dice": "YYY RRB BBB"}
    state = game.restore(position | {"totals": [152, 120], "marks": [["", ""]] * 2, "boxes_left": 3})
    tray = Tray.laid("YYY RRB BBB")
    rng = np.random.default_rng(4)
    off = []
    for _ in range(12):
        action, aim = hands.shot(name, state.view(0), tray, rng)
        assert aim
        said = state.decode(action)
        assert action in state.actions()
        assert aim.target(tray, said["set"]) == said["at"]
        off.append(min(lie.distance(aim.x, aim.y) for lie in tray.lies.values()))
    assert len(set(off)) == 12
    assert np.mean(off) < (2.5 if name == "beachcomber" else 2.0)
