"""The process from which `tests.forked` forks workers."""

from tests.forked import loaded

loaded()
