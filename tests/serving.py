"""`python tests/serving.py …` is `archipel …` whose random numbers come from the seed that `tests.chance` tells it."""

import os
import random
from multiprocessing import current_process
from pathlib import Path

from archipel.table import entropy


class Told(random.Random):
    """Draws from what was last told; every process draws something else, and draws it again in every run."""

    def __init__(self) -> None:
        self._told = ""
        super().__init__(0)

    def randbytes(self, count: int) -> bytes:
        file = os.environ.get("ARCHIPEL_TEST_SEEDS")
        told = Path(file).read_text("utf-8") if file else os.environ["ARCHIPEL_TEST_CHANCE"]
        if told != self._told:
            self._told = told
            self.seed(f"{told} {os.environ['ARCHIPEL_TEST_LIFE']} {current_process().name}")
        return super().randbytes(count)


entropy.use(Told())

if __name__ == "__main__":
    from archipel.cli import main

    os.environ.setdefault("ARCHIPEL_VERIFY_SECONDS", "600")  # a busy machine must not fail a test
    raise SystemExit(main())
