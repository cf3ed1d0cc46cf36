"""The report as one self-contained HTML page: no scripts, fonts or pictures from elsewhere."""

import json
from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import inf, isfinite
from typing import Any

from archipel.core.drawing import STYLE, tag, token

from . import charts
from .charts import Axis, Dot, percent, signed
from .intervals import Estimate
from .standings import Lengths

Report = dict[str, Any]

# The plots' colours, for the whole page.
_COLOURS = STYLE.replace("svg{", ":root{")

_STYLE = """
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.5}
main{max-width:780px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:34px;margin:0 0 4px;font-weight:normal}h2{font-size:21px;margin:44px 0 2px;font-weight:normal}
p{margin:4px 0 12px}.note{color:var(--soft);font-size:15px}.wrong{color:var(--seat0)}
svg{width:100%;height:auto;display:block;margin:8px 0}
table{border-collapse:collapse;width:100%;font-size:15px;margin:12px 0;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
th,td{text-align:right;padding:6px 10px;border-bottom:1px solid var(--faint);white-space:nowrap}
th{font-weight:normal;color:var(--soft);vertical-align:bottom}th:first-child,td:first-child{text-align:left;padding-left:0}
td small{color:var(--soft);font-size:13px;margin-left:6px}
code{font-size:14px;overflow-wrap:anywhere}
pre{background:color-mix(in srgb,var(--faint) 45%,transparent);padding:12px 14px;border-radius:8px;
white-space:pre-wrap;margin:8px 0}
.grid{stroke:var(--faint);stroke-width:1}.even{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 4}
.reach{stroke-width:2.5;stroke-linecap:round}.empty{fill:var(--faint);fill-opacity:.35}
.stroke0{stroke:var(--seat0)}.stroke1{stroke:var(--seat1)}.stroke2{stroke:var(--seat2)}.stroke3{stroke:var(--seat3)}
.stroke4{stroke:var(--seat4)}.key{display:inline-flex;align-items:center;gap:6px;margin-right:18px}
.key svg{width:18px;height:18px;margin:0}.sure{font-weight:bold}.faded{fill-opacity:.75}
"""


def html(report: Report) -> str:
    """The whole page."""
    parts = _balance(report) if "findings" in report else _arena(report)
    title = f"{report['title']}: {'balance' if 'findings' in report else 'arena'}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{_COLOURS}{_STYLE}</style></head>\n<body><main>\n"
        + "\n".join([f"<h1>{escape(title)}</h1>", *parts, *_colophon(report)])
        + "\n</main></body></html>\n"
    )


# The arena.


def _arena(report: Report) -> list[str]:
    return [
        _summary(report),
        *([_paragraph(escape(report["sprt"]["said"]))] if "sprt" in report else []),
        *_forfeits(report),
        *_ratings(report),
        *_head_to_head(report),
        *_seats(report),
        *_length(report),
        *_speed(report),
    ]


def _summary(report: Report) -> str:
    names = [entry["bot"] for entry in report["standings"]]
    draws = f"; {percent(report['draws']['value'])} drawn" if report["draws"]["value"] else ""
    return _paragraph(f"{_counted(report)} between {_listed(names)}{_options(report)}{draws}.")


def _ratings(report: Report) -> list[str]:
    ratings = report["ratings"]
    rows = [
        (entry["bot"], [Dot(Estimate(entry["elo"], entry["low"], entry["high"], 0), 1, _elo_text(entry))])
        for entry in ratings
    ]
    axis = Axis.over([0, *(entry[end] for entry in ratings for end in ("low", "high"))], signed, 8)
    scores = {entry["bot"]: entry for entry in report["standings"]}
    table = [
        [
            escape(entry["bot"]),
            *_elo(entry, report["anchor"]),
            _share(scores[entry["bot"]]["score"]),
            _games(scores[entry["bot"]]),
        ]
        for entry in ratings
    ]
    return [
        _heading("Ratings"),
        _note(
            f"Elo points above {report['anchor']}, with 95 % intervals. "
            "Of two bots, the one with 100 more takes 64 % of their wins; with 400 more, 91 %."
        ),
        charts.dots("Ratings with 95 % intervals", rows, axis),
        _table(["bot", "Elo", "95 %", "score", "games" if len(report["seats"]) == 2 else "seats taken"], table),
    ]


def _elo_text(entry: dict[str, Any]) -> str:
    return f"{entry['bot']}: {signed(entry['elo'])} ({signed(entry['low'])} to {signed(entry['high'])})"


def _elo(entry: dict[str, Any], anchor: str) -> list[str]:
    if entry["bot"] == anchor:
        return ["0", "anchor"]
    return [signed(entry["elo"]), f"{signed(entry['low'])} to {signed(entry['high'])}"]


def _head_to_head(report: Report) -> list[str]:
    bots = [entry["bot"] for entry in report["ratings"]]
    cells = {(entry["bot"], entry["against"]): _estimate(entry) for entry in report["head_to_head"]}
    many = len(report["seats"]) > 2
    note = "The row's part of the wins that fell to one of the two." if many else "The row's score against the column."
    return [
        _heading("Head to head"),
        _note(f"{note} Blue is ahead, red is behind; below stands the 95 % interval."),
        charts.matrix("Head to head", bots, lambda a, b: cells[a, b]),
    ]


def _seats(report: Report) -> list[str]:
    rows = [("everybody", [_seat_dot("everybody", entry) for entry in report["seats"]])]
    for bot in (entry["bot"] for entry in report["ratings"]):
        rows.append((bot, [_seat_dot(bot, entry) for entry in report["bot_at_seat"] if entry["bot"] == bot]))
    even = 1 / len(report["seats"])
    axis = Axis.over([0, 1], _whole_percent, 5)
    return [
        _heading("Does the seat matter?"),
        _note(f"The score at each seat; the dashed line is an even share. {_seat_sentence(report)}"),
        _key(len(report["seats"])),
        charts.dots("Score by seat", rows, axis, even),
    ]


def _seat_dot(who: str, entry: dict[str, Any]) -> Dot:
    found = _estimate(entry)
    text = f"{who} at seat {entry['seat']}: {percent(found.value)} ({percent(found.low)} to {percent(found.high)})"
    return Dot(found, entry["seat"], text)


def _seat_sentence(report: Report) -> str:
    first = _estimate(report["seats"][0]).plus(-1 / len(report["seats"]))
    return f"The first seat has {_points(first)} {_verdict(first, 'an advantage', 'a disadvantage')}."


def _verdict(found: Estimate, more: str, less: str) -> str:
    if not found.is_off_zero:
        return "beyond its share, which may be chance"
    return f"beyond its share: {more if found.value > 0 else less}"


def _length(report: Report) -> list[str]:
    found = report["length"]
    text = (
        f"Between {found['shortest']} and {found['longest']} decisions; "
        f"nine games in ten take {found['p5']:.0f} to {found['p95']:.0f}."
    )
    return [_heading("How long is a game?"), _note(text), charts.histogram("Decisions in a game", _lengths(found))]


def _lengths(found: dict[str, Any]) -> Lengths:
    bins = tuple((start, count) for start, count in found["bins"])
    return Lengths(
        found["shortest"], found["p5"], found["median"], found["p95"], found["longest"], bins, found["bin_width"]
    )


def _speed(report: Report) -> list[str]:
    rows = [
        (entry["bot"], entry["decisions_a_second"], f"{_pace(entry['decisions_a_second'])} a second")
        for entry in report["standings"]
    ]
    return [
        _heading("Decisions a second"),
        _note("On one core, the reading of the view included."),
        charts.bars("Decisions a second", rows),
    ]


def _pace(pace: float) -> str:
    return f"{pace:,.0f}" if pace >= 10 else f"{pace:.2g}"


# Balance.


def _balance(report: Report) -> list[str]:
    bot = report["bots"][0]
    base = report["findings"][0]
    seats = len(base["seats"])
    return [
        _paragraph(f"{_counted(report)} with {escape(bot)} at every seat{_options(report)}."),
        *_forfeits(report),
        _heading("Does the seat matter?"),
        _note(f"The score of each seat in the game as it is. {_first(base)}"),
        _key(seats),
        charts.dots("Score by seat", [("as it is", _all_seats(base))], Axis.over([0, 1], _whole_percent, 5), 1 / seats),
        _heading("How long is a game?"),
        _note(f"{_length_text(base)}"),
        charts.histogram("Decisions in a game", _lengths(base["length"])),
        *(_effects(report) if len(report["findings"]) > 1 else []),
    ]


def _first(finding: dict[str, Any]) -> str:
    found = _estimate(finding["first_seat_advantage"])
    return f"The first seat has {_points(found)} {_verdict(found, 'an advantage', 'a disadvantage')}."


def _length_text(finding: dict[str, Any]) -> str:
    found = finding["length"]
    drawn = _estimate(finding["draws"])
    return (
        f"{found['value']:.1f} decisions on average, nine games in ten take {found['p5']:.0f} to {found['p95']:.0f}; "
        f"{percent(drawn.value)} of the games are drawn ({percent(drawn.low)} to {percent(drawn.high)})."
    )


def _all_seats(finding: dict[str, Any]) -> list[Dot]:
    return [_seat_dot("as it is", entry | {"seat": seat}) for seat, entry in enumerate(finding["seats"])]


def _effects(report: Report) -> list[str]:
    return [
        _heading("What each option changes"),
        _note(
            "Each row is the game with one option changed; figures that surely differ from the game as it is are bold. "
            "With many options expect one in twenty to look sure by chance."
        ),
        _table(
            ["game", "first seat's advantage", "change", "decisions", "change", "drawn", "change"],
            [_effect_row(finding) for finding in report["findings"]],
        ),
        _heading("First seat's advantage"),
        _note("Its score beyond an even share, in points of a hundred."),
        _effect_dots(report, "first_seat_advantage", _signed, 0.0),
        _heading("Decisions in a game"),
        _note("The mean; the dashed line is the game as it is."),
        _effect_dots(report, "length", lambda number: f"{number:.0f}", report["findings"][0]["length"]["value"]),
        *_drawn(report),
    ]


def _drawn(report: Report) -> list[str]:
    if not any(finding["draws"]["value"] for finding in report["findings"]):
        return []
    return [
        _heading("Draws"),
        _note("The part of the games that nobody won alone; the dashed line is the game as it is."),
        _effect_dots(report, "draws", percent, report["findings"][0]["draws"]["value"]),
    ]


def _effect_row(finding: dict[str, Any]) -> list[str]:
    effect = {name: _estimate(found) for name, found in finding["effect"].items()}
    advantage, drawn = _estimate(finding["first_seat_advantage"]), _estimate(finding["draws"])
    return [
        escape(_condition(finding)),
        _signed(advantage.value),
        _change(effect.get("first_seat_advantage"), _signed),
        f"{finding['length']['value']:.1f}",
        _change(effect.get("length"), lambda number: f"{number:+.1f}".replace("-", "−")),
        percent(drawn.value),
        _change(effect.get("draws"), _signed),
    ]


def _change(found: Estimate | None, write: Callable[[float], str]) -> str:
    if found is None:
        return ""
    value = f'<span class="sure">{write(found.value)}</span>' if found.is_off_zero else write(found.value)
    if not isfinite(found.low):
        return value
    return f"{value}<small>{write(found.low)} to {write(found.high)}</small>"


def _effect_dots(report: Report, key: str, write: Callable[[float], str], even: float) -> str:
    found = [(_condition(finding), _estimate(finding[key])) for finding in report["findings"]]
    ends = [
        number for _, estimate in found for number in (estimate.low, estimate.high, estimate.value) if isfinite(number)
    ]
    rows = [(name, [Dot(estimate, 1, _dot_text(name, estimate, write))]) for name, estimate in found]
    return charts.dots(key.replace("_", " "), rows, Axis.over([*ends, even], write), even)


def _dot_text(name: str, found: Estimate, write: Callable[[float], str]) -> str:
    return f"{name}: {write(found.value)}" + (
        f" ({write(found.low)} to {write(found.high)})" if isfinite(found.low) else ""
    )


def _condition(finding: dict[str, Any]) -> str:
    if finding["option"] is None:
        return "as it is"
    value = finding["value"]
    return f"{finding['option']}={value if isinstance(value, str) else json.dumps(value)}"


# Common to both.


def _colophon(report: Report) -> list[str]:
    deals = "Every deal is played once from each seat, with the same chance. " if report["archipel"] == "arena" else ""
    made = f"{report['made_by']}, seed {report['seed']}. {deals}"
    return [
        _heading("How this was made"),
        f"<pre><code>{escape(report['command'])}</code></pre>",
        _note(f"{made}All figures are in report.json, all games in games.jsonl."),
    ]


def _forfeits(report: Report) -> list[str]:
    return [_forfeited(entry) for entry in report["standings"] if entry["forfeits"]]


def _forfeited(entry: dict[str, Any]) -> str:
    text = f"{entry['bot']} forfeited {entry['forfeits']:,} of its {entry['decisions']:,} moves to random ones; "
    first = tag("p", escape(f"{text}the first time: {entry['why']}"), class_="wrong")
    return first + (tag("pre", escape("\n".join(entry["traceback"]))) if entry["traceback"] else "")


def _counted(report: Report) -> str:
    left = report["planned"] - report["games"]
    return f"{report['games']:,} games" + (f" (of {report['planned']:,} planned)" if left else "")


def _options(report: Report) -> str:
    text = ", ".join(f"{name}={json.dumps(value)}" for name, value in report["chosen"].items())
    return f" <small>({escape(text)})</small>" if text else ""


def _key(seats: int) -> str:
    return _paragraph("".join(map(_key_of, range(seats))))


def _key_of(seat: int) -> str:
    sign = f'<svg viewBox="0 0 18 18" aria-hidden="true">{token(9, 9, seat, 6)}</svg>'
    return f'<span class="key">{sign}seat {seat}</span>'


def _estimate(entry: dict[str, Any]) -> Estimate:
    low, high = entry["low"], entry["high"]
    return Estimate(entry["value"], -inf if low is None else low, inf if high is None else high, entry["count"])


def _share(entry: dict[str, Any]) -> str:
    found = _estimate(entry)
    return f"{percent(found.value)}<small>{percent(found.low)} to {percent(found.high)}</small>"


def _games(entry: dict[str, Any]) -> str:
    return f"{entry['score']['count']:,}"


def _signed(part: float) -> str:
    return f"{100 * part:+.1f}".replace("-", "−") if round(part, 3) else "0"


def _whole_percent(part: float) -> str:
    return f"{100 * part:.0f} %"


def _points(found: Estimate) -> str:
    return f"{_signed(found.value)} points ({_signed(found.low)} to {_signed(found.high)})"


def _listed(names: Sequence[str]) -> str:
    return escape(" and ".join([", ".join(names[:-1]), names[-1]] if names[:-1] else names))


def _heading(text: str) -> str:
    return tag("h2", escape(text))


def _paragraph(text: str) -> str:
    return tag("p", text)


def _note(text: str) -> str:
    return tag("p", escape(text), class_="note")


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(tag("th", escape(text)) for text in heads)
    body = "".join(tag("tr", "".join(f"<td>{cell}</td>" for cell in row)) for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
