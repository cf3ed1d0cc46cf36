"""`python -m tests.simulator`: play seeds until the time is up; `--seed N` plays one and writes down what happened."""

import argparse
import gc
import itertools
import sys
import time
from collections import Counter
from pathlib import Path

from .mistakes import MISTAKES
from .world import simulate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--seed", type=int, help="play this one alone")
    parser.add_argument("--first", type=int, default=0, help="the first of many seeds; default: 0")
    parser.add_argument("--count", type=int, help="how many seeds; default: as many as fit")
    parser.add_argument("--minutes", type=float, default=60.0, help="for how long; default: 60")
    parser.add_argument("--trace", type=Path, help="where to write what happened, with --seed")
    parser.add_argument("--mistakes", action="store_true", help="after how many seeds is each known mistake found?")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first failure")
    asked = parser.parse_args()
    if asked.seed is not None:
        return _one(asked.seed, asked.trace)
    if asked.mistakes:
        return max([_found(name, asked.first, asked.count or 200) for name in MISTAKES])
    return _many(asked.first, asked.count, asked.minutes, asked.keep_going)


def _one(seed: int, trace: Path | None) -> int:
    outcome = simulate(seed)
    if trace:
        trace.write_text("\n".join(outcome.trace) + "\n", encoding="utf-8")
    print(f"Seed {seed}: {outcome.seconds:.0f} simulated seconds, {outcome.entries} entries, trace {outcome.digest}")
    print(outcome.failure or "Everything holds.")
    return int(bool(outcome.failure))


def _found(name: str, first: int, most: int) -> int:
    """Say after how many seeds a mistake is found; 1 if it is not."""
    with MISTAKES[name]():
        for number in range(1, most + 1):
            if failure := simulate(first + number - 1).failure:
                print(f"{name}: after {number}. {failure.splitlines()[0][:100]}", flush=True)
                return 0
    print(f"{name}: not in {most}", flush=True)
    return 1


def _many(first: int, count: int | None, minutes: float, keep_going: bool) -> int:
    began, worked, faults, failed = time.monotonic(), time.process_time(), Counter[str](), 0
    acknowledged = moves = entries = seeds = 0
    simulated = 0.0
    for seed in itertools.count(first):
        if (count is not None and seeds >= count) or time.monotonic() - began > 60 * minutes:
            break
        outcome = simulate(seed)
        seeds += 1
        faults += outcome.faults
        acknowledged, moves, entries = (
            acknowledged + outcome.acknowledged,
            moves + outcome.moves,
            entries + outcome.entries,
        )
        simulated += outcome.seconds
        if seeds % 20 == 0:
            gc.collect()
        if outcome.failure:
            failed += 1
            print(f"Seed {seed} fails: {outcome.failure}\nReplay: python -m tests.simulator --seed {seed}", flush=True)
            if not keep_going:
                break
    took = time.process_time() - worked
    print(f"{seeds} schedules in {took:.0f} s of one core: {3600 * seeds / took:.0f} an hour; ", end="")
    print(f"{simulated:.0f} simulated seconds, {simulated / took:.0f} times as fast as real time")
    print(f"{moves} moves and {acknowledged} commands acknowledged, {entries} entries; {failed} schedules failed")
    print("Faults: " + ", ".join(f"{name} {n}" for name, n in sorted(faults.items())))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
