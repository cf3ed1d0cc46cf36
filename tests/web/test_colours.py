"""What is written can be read: the contrasts of the client's colours, light and dark."""

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).parents[2] / "web" / "src" / "style" / "tokens.css").read_text(encoding="utf-8")
COLOURS = {name: pair for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", TOKENS)}
WRITTEN = [
    *(("on-seat", f"seat{seat}") for seat in range(5)),
    *((ink, ground) for ink in ("ink", "soft", "warn", "good") for ground in ("paper", "sheet")),
    *(("ink", ground) for ground in ("sea", "sea-deep", "sea-shallow", "grove")),
]
READABLE = 4.5


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("ink", "ground"), WRITTEN)
def test_contrast(ink: str, ground: str, dark: bool) -> None:
    low, high = sorted(brightness(COLOURS[name][dark]) for name in (ink, ground))
    assert (high + 0.05) / (low + 0.05) >= READABLE
