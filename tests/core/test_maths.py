"""Our own exp, log and tanh: how close they are to the truth, and that they are the same however they run."""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext

import numpy as np
import pytest

from archipel.core import maths
from archipel.core.compiled import compiled


@compiled
def exps(x: float) -> float:
    return maths.exp(x)


@compiled
def logs(x: float) -> float:
    return maths.log(x)


@compiled
def tanhs(x: float) -> float:
    return maths.tanh(x)


def exact(name: str, x: float) -> Decimal:
    with localcontext(prec=60):
        number = Decimal(x)
        if name == "exp":
            return number.exp()
        if name == "log":
            return number.ln()
        plus, minus = number.exp(), (-number).exp()
        return (plus - minus) / (plus + minus)


def error(name: str, x: float, found: float) -> float:
    """By how many units in the last place it is wrong."""
    truth = exact(name, x)
    with localcontext(prec=60):
        return float(abs(Decimal(found) - truth) / Decimal(math.ulp(float(truth))))


CASES: dict[str, tuple[Callable[[float], float], float, float, float]] = {
    "exp": (exps, -700.0, 700.0, 1.0),
    "log": (logs, 1e-300, 1e9, 1.1),
    "tanh": (tanhs, -21.0, 21.0, 2.4),
}


def numbers(name: str) -> list[float]:
    rng = np.random.default_rng(7)
    _, low, high, _ = CASES[name]
    spread: list[float] = rng.uniform(low, high, 1500).tolist()
    near: list[float] = (10.0 ** rng.uniform(-12, 0.5, 1500)).tolist()
    return spread + near + ([] if name == "log" else [-x for x in near])


@pytest.mark.parametrize("name", CASES)
def test_it_is_nearly_exact(name: str) -> None:
    function, *_, bound = CASES[name]
    assert max(error(name, x, function(x)) for x in numbers(name)) < bound


@pytest.mark.parametrize("name", CASES)
def test_compiled_and_plain_agree_to_the_last_bit(name: str) -> None:
    function = CASES[name][0]
    plain = getattr(maths, name)
    plain = getattr(plain, "py_func", plain)
    assert [function(x).hex() for x in numbers(name)] == [float(plain(x)).hex() for x in numbers(name)]


def test_the_edges() -> None:
    inf, nan = math.inf, math.nan
    assert [exps(x) for x in (0.0, inf, -inf, 710.0, -746.0)] == [1.0, inf, 0.0, inf, 0.0]
    assert [logs(x) for x in (1.0, 0.0, inf)] == [0.0, -inf, inf]
    assert [tanhs(x) for x in (0.0, inf, -inf)] == [0.0, 1.0, -1.0]
    assert math.isnan(exps(nan))
    assert math.isnan(logs(-1.0))
    assert math.isnan(tanhs(nan))
    assert exps(-745.0) == 5e-324
    assert logs(5e-324) == pytest.approx(-744.4400719213812, rel=1e-15)
