"""Plots as SVG for the report page; light and dark colours come from the page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Any

from archipel.core.drawing import label, tag, token

from .intervals import Estimate
from .standings import Lengths

WIDTH = 720
NAMES = 190
"""Space at the left for names."""
RIGHT = 24
ROW = 40
MARGIN = 0.03
"""The margin of an axis on both sides, as a share of its range."""


@dataclass(frozen=True)
class Axis:
    """A number axis along the bottom of a plot."""

    low: float
    high: float
    step: float
    write: Callable[[float], str]

    @classmethod
    def over(cls, numbers: Iterable[float], write: Callable[[float], str], ticks: int = 6) -> "Axis":
        """An axis that covers these numbers, with round numbers at its ticks."""
        found = list(numbers)
        span = (max(found) - min(found)) or 1.0
        rough = span / ticks
        size = 10 ** floor(log10(rough))
        step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)
        return cls(min(found) - span * MARGIN, max(found) + span * MARGIN, step, write)

    def x(self, number: float) -> float:
        """The horizontal position of a number."""
        part = (number - self.low) / (self.high - self.low)
        return NAMES + max(0.0, min(1.0, part)) * (WIDTH - NAMES - RIGHT)

    def drawn(self, bottom: float) -> str:
        """The ticks, their lines and their numbers."""
        first, last = ceil(self.low / self.step), floor(self.high / self.step)
        return "".join(self._tick(self.step * k, bottom) for k in range(first, last + 1))

    def _tick(self, number: float, bottom: float) -> str:
        x = self.x(number)
        return tag("line", x1=x, x2=x, y1=8, y2=bottom, class_="grid") + label(
            x, bottom + 16, self.write(number), "soft", 13
        )


@dataclass(frozen=True)
class Dot:
    """A value with its interval; the seat determines its shape and colour."""

    estimate: Estimate
    seat: int
    text: str


def dots(title: str, rows: Sequence[tuple[str, Sequence[Dot]]], axis: Axis, even: float | None = None) -> str:
    """One row per name, with values and intervals, and a line at equality."""
    tops = _tops(rows)
    bottom = tops[-1]
    parts = [axis.drawn(bottom)]
    if even is not None:
        parts.append(tag("line", x1=axis.x(even), x2=axis.x(even), y1=8, y2=bottom, class_="even"))
    for (name, figures), top, end in zip(rows, tops, tops[1:], strict=False):
        parts.append(label(NAMES - 16, (top + end) / 2, _short(name), "ink right", 15))
        gap = (end - top) / (len(figures) + 1)
        parts += [_dot(dot, axis, top + gap * k) for k, dot in enumerate(figures, 1)]
    return picture(title, bottom + 32, parts)


def _tops(rows: Sequence[tuple[str, Sequence[Dot]]]) -> list[float]:
    tops = [8.0]
    for _, figures in rows:
        tops.append(tops[-1] + max(ROW, 20 * (len(figures) + 1)))
    return tops


def _dot(dot: Dot, axis: Axis, y: float) -> str:
    low, high = axis.x(dot.estimate.low), axis.x(dot.estimate.high)
    line = tag("line", x1=low, x2=high, y1=y, y2=y, class_=f"reach stroke{dot.seat}")
    ends = "".join(tag("line", x1=x, x2=x, y1=y - 5, y2=y + 5, class_=f"reach stroke{dot.seat}") for x in (low, high))
    return tag("g", _hint(dot.text) + line + ends + token(axis.x(dot.estimate.value), y, dot.seat, 6))


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    """One bar per name on a logarithmic scale, labelled with its value."""
    numbers = [number for _, number, _ in rows if number > 0] or [1.0]
    low = floor(log10(min(numbers))) - 0.3
    axis = Axis(low, ceil(log10(max(numbers)) + 0.6), 1, str)
    bottom = 8 + ROW * len(rows)
    parts = [_decade(axis, power, bottom) for power in range(ceil(low), floor(axis.high) + 1)]
    for k, (name, number, text) in enumerate(rows):
        y = 8 + ROW * (k + 0.5)
        x = axis.x(log10(number)) if number > 0 else float(NAMES)
        parts.append(label(NAMES - 16, y, _short(name), "ink right", 15))
        parts.append(tag("rect", x=NAMES, y=y - 11, width=x - NAMES, height=22, rx=4, class_="seat1"))
        parts.append(label(x + 8, y, text, "ink left", 14))
    return picture(title, bottom + 32, parts)


def _decade(axis: Axis, power: int, bottom: float) -> str:
    x = axis.x(power)
    return tag("line", x1=x, x2=x, y1=8, y2=bottom, class_="grid") + label(
        x, bottom + 16, f"{10.0**power:,g}", "soft", 13
    )


def histogram(title: str, lengths: Lengths) -> str:
    """A histogram of the lengths of games."""
    left, right, top, bottom = 48, WIDTH - RIGHT, 28, 208
    most = max(count for _, count in lengths.bins)
    wide = (right - left) / len(lengths.bins)
    parts = [tag("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="line")]
    for k, (start, count) in enumerate(lengths.bins):
        high = (bottom - top) * count / most
        text = f"{_span(start, lengths.width)} decisions: {count} games"
        bar = tag(
            "rect", _hint(text), x=left + wide * k + 1, y=bottom - high, width=max(1.0, wide - 2), height=high, rx=2
        )
        parts.append(tag("g", bar, class_="seat1") if count else "")
    every = max(1, ceil(len(lengths.bins) / 10))
    for k, (start, _) in list(enumerate(lengths.bins))[::every]:
        parts.append(label(left + wide * (k + 0.5), bottom + 16, _span(start, lengths.width), "soft", 13))
    middle = left + wide * ((lengths.median - lengths.bins[0][0]) / lengths.width + (0.5 if lengths.width == 1 else 0))
    parts.append(tag("line", x1=middle, x2=middle, y1=top - 6, y2=bottom, class_="even"))
    parts.append(label(middle, top - 16, f"median {lengths.median:g}", "ink", 14))
    parts.append(label(left - 8, top, f"{most}", "soft right", 13))
    parts.append(label(left - 8, bottom, "0", "soft right", 13))
    return picture(title, bottom + 32, parts)


def _span(start: int, width: int) -> str:
    return str(start) if width == 1 else f"{start}–{start + width - 1}" if width < 10 else f"{start}+"


def matrix(title: str, bots: Sequence[str], cell: Callable[[str, str], Estimate]) -> str:
    """All pairings: the row's share of the wins against the column."""
    size = min(120.0, (WIDTH - NAMES - RIGHT) / len(bots))
    high, top = min(size, 64.0), 40
    parts = [label(NAMES + size * (k + 0.5), 22, _short(bot, int(size // 8)), "ink", 14) for k, bot in enumerate(bots)]
    for row, a in enumerate(bots):
        y = top + high * row
        parts.append(label(NAMES - 16, y + high / 2, _short(a), "ink right", 15))
        for column, b in enumerate(bots):
            box = _Box(NAMES + size * column, y, size, high)
            parts.append(_cell(box, cell(a, b), f"{a} against {b}") if a != b else box.drawn("empty"))
    return picture(title, top + high * len(bots) + 12, parts)


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float
    height: float

    def drawn(self, colour: str, strength: float = 1.0) -> str:
        place: dict[str, Any] = {
            "x": self.x + 1.5,
            "y": self.y + 1.5,
            "width": self.width - 3,
            "height": self.height - 3,
        }
        return tag("rect", class_=colour, rx=6, style=f"fill-opacity:{strength:.2f}", **place)

    def written(self, down: float, text: str, class_: str, size: int) -> str:
        return label(self.x + self.width / 2, self.y + self.height / 2 + down, text, class_, size)


def _cell(box: _Box, found: Estimate, who: str) -> str:
    if not found.count:
        return box.drawn("empty")
    reach = f"{percent(found.low)} to {percent(found.high)}"
    drawn = box.drawn("seat1" if found.value >= 0.5 else "seat0", 0.08 + abs(found.value - 0.5) * 0.9)
    if box.width > 70:
        drawn += box.written(-9, percent(found.value), "ink", 17)
        drawn += box.written(12, reach.replace(" to ", "–").replace(" %", ""), "ink faded", 12)
    else:
        drawn += box.written(0, f"{100 * found.value:.0f}", "ink", 13)
    return tag("g", _hint(f"{who}: {percent(found.value)} ({reach}), {found.count} games") + drawn)


def picture(title: str, height: float, parts: Iterable[str]) -> str:
    """A plot with a title for screen readers."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def percent(part: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * part:.0f} %" if round(part, 3) in (0, 0.5, 1) else f"{100 * part:.1f} %"


def signed(number: float, digits: int = 0) -> str:
    """Format a number with its sign, using a real minus."""
    return f"{number:.{digits}f}".replace("-", "−")


def _hint(text: str) -> str:
    return tag("title", escape(text))


def _short(name: str, most: int = 22) -> str:
    return name if len(name) <= most else f"{name[: max(1, most - 1)]}…"
