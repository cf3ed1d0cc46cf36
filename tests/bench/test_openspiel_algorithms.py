"""OpenSpiel's algorithms on our games: the trials run, and the page lists them all."""

import pytest

from archipel.bench.openspiel_algorithms import ALGORITHMS, GAMES_TRIED, attempt
from tests.rules_table import ROOT


@pytest.mark.parametrize(
    ("name", "title", "said"),
    [
        ("`minimax.alpha_beta_search`, endgame", "Stonehenge", "value +1"),
        ("`minimax.alpha_beta_search`, endgame", "Kahuna", "refuses"),
        ("`minimax.expectiminimax`, endgame", "Kahuna", "value -1.00"),
        ("`get_all_states`, endgame", "Stonehenge", "5,481 states"),
        ("`cfr.CFRPlusSolver`, endgame", "Stonehenge, hidden", "NashConv 0.000"),
        ("`ismcts.ISMCTSBot`", "Stonehenge", "refuses"),
        ("`tabular_qlearner`", "Krakatoa", "6 games learned"),
        ("C++ `random_sim_test`", "Stonehenge, hidden", "passes"),
        ("C++ `MCTSBot`", "Stonehenge", "6 of 6 won"),
    ],
)
def test_an_algorithm_says_what_the_page_says(name: str, title: str, said: str) -> None:
    (algorithm,) = (algorithm for algorithm in ALGORITHMS if algorithm.name == name)
    assert attempt(algorithm, title).startswith(said)


def test_the_page_lists_all_of_them() -> None:
    page = (ROOT / "docs" / "adapters.md").read_text("utf-8")
    assert f"| | {' | '.join(GAMES_TRIED)} |" in page
    for algorithm in ALGORITHMS:
        assert f"\n| {algorithm.name} |" in page
