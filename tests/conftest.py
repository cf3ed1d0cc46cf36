"""How the tests run: the same every time, unless ARCHIPEL_TEST_SEED or HYPOTHESIS_PROFILE=search say otherwise."""

import os
import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from . import chance
from .forked import fork_workers

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background deaf to Ctrl-C, and every process that a test starts would be too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A server in a test builds no library beside itself: what is compiled is compiled before the tests, or by Numba.
os.environ.setdefault("ARCHIPEL_KERNELS", "")

settings.register_profile(
    "same",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search",
    max_examples=2000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
fork_workers()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    chance.draw_from(item.nodeid)
    for mark in item.iter_markers("needs"):
        there, what = mark.args
        if not there:
            (pytest.fail if os.environ.get("ARCHIPEL_ALL_THERE") else pytest.skip)(f"This test needs {what}.")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.append(("to play it again", chance.replay(item.nodeid)))
    return report
