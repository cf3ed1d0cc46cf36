"""The report of an arena: all figures as JSON, and an HTML page."""

import json
from collections.abc import Sequence
from itertools import permutations
from math import isfinite
from pathlib import Path
from typing import Any

from archipel.core import registry

from . import balance, page
from .match import Result
from .plan import Plan
from .ratings import rate
from .sprt import Finding
from .standings import at_seat, by_table, draws, head_to_head, lengths, standing

JSON, HTML = "report.json", "report.html"


def write(
    folder: Path,
    plan: Plan,
    results: Sequence[Result],
    command: str,
    anchor: str | None = None,
    finding: Finding | None = None,
) -> None:
    """Write both files atomically."""
    report = figures(plan, results, anchor) | {"command": command}
    if finding:
        report["sprt"] = _finite(finding.json()) | {"said": str(finding)}
    _replace(folder / JSON, json.dumps(report, indent=1, allow_nan=False) + "\n")
    _replace(folder / HTML, page.html(report))


def _replace(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, "utf-8")
    new.replace(path)


def figures(plan: Plan, results: Sequence[Result], anchor: str | None = None) -> dict[str, Any]:
    """All figures about the games played."""
    results = sorted(results, key=lambda result: result.key)
    heading = plan.header() | {
        "chosen": _chosen(plan),
        "title": registry.kind(plan.game).title,
        "games": len(results),
        "planned": plan.total,
        "standings": [standing(bot, results).json() for bot in plan.distinct],
    }
    describe = _balance if plan.kind == "balance" else _arena
    found: dict[str, Any] = _finite(heading | describe(plan, results, anchor))
    return found


def _chosen(plan: Plan) -> dict[str, Any]:
    """The options that differ from their defaults."""
    usual = {option.name: option.default for option in registry.kind(plan.game).OPTIONS}
    return {name: value for name, value in plan.options.items() if value != usual[name]}


def _arena(plan: Plan, results: Sequence[Result], anchor: str | None) -> dict[str, Any]:
    at = by_table(results)
    seats = len(plan.tables[0].bots)
    ratings = rate(plan.distinct, results, anchor)
    order = [rating.bot for rating in ratings]
    return {
        "ratings": [rating.json() for rating in ratings],
        "anchor": anchor or order[-1],
        "standings": [standing(bot, results).json() for bot in order],
        "head_to_head": [
            {"bot": a, "against": b} | head_to_head(a, b, results).json() for a, b in permutations(order, 2)
        ],
        "seats": [{"seat": seat} | at_seat(seat, results).json() for seat in range(seats)],
        "bot_at_seat": [
            {"bot": bot, "seat": seat} | at_seat(seat, results, bot).json() for bot in order for seat in range(seats)
        ],
        "draws": draws(results).json(),
        "length": lengths(results).json(),
        "tables": [
            {"bots": list(table.bots), "games": len(at(number)), "length": lengths(at(number)).json()}
            for number, table in enumerate(plan.tables)
            if at(number)
        ],
    }


def _balance(plan: Plan, results: Sequence[Result], anchor: str | None) -> dict[str, Any]:
    game = registry.game(plan.game, **plan.options)
    return {"findings": [finding.json() for finding in balance.findings(game, results)]}


def _finite(value: Any) -> Any:
    """The same value with infinities, which JSON does not have, replaced by null."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    if isinstance(value, float):
        return round(value, 6) if isfinite(value) else None
    return value
