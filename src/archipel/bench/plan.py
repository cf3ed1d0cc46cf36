"""All measurements, in the order in which they are printed."""

from dataclasses import dataclass, field

import archipel

from . import fresh, kernel, native, objects, openspiel, search
from .measuring import QUICK, Effort, Step


@dataclass(frozen=True)
class Plan:
    """Measurements to run, and sentences about what is left out."""

    steps: list[Step]
    notes: list[str] = field(default_factory=list)


def plan(names: list[str] | None = None, effort: Effort = QUICK) -> Plan:
    """What can be measured of these games, or of all, on this machine."""
    names = names or list(archipel.GAMES)
    steps = kernel.steps(names, effort)
    notes = []
    if not native.compiler():
        notes.append("There is no C compiler (cc) here: the plain C loops are left out.")
    if openspiel.is_there():
        steps += openspiel.steps(names, effort)
    else:
        notes.append("OpenSpiel is not installed (pip install 'archipel[openspiel]'): its games are left out.")
    if openspiel.is_there() and not effort.patient:
        notes.append("OpenSpiel's search takes minutes: it is measured without --quick only.")
    steps += search.steps(names, effort)
    steps += objects.steps(names, effort)
    steps += fresh.steps(names, effort)
    return Plan(steps, notes)
