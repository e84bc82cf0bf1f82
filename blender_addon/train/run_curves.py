"""The curves of a run from its reports: losses and roll-out measures over the minutes of training."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Final

RESUME_GAP_S: Final = 300.0
"""Seconds between two reports that mean an interruption: the run was stopped and resumed."""
UNIT_OF_SUFFIX: Final = {
    "cm_s": "cm/s",
    "m_s": "m/s",
    "deg_s": "°/s",
    "cm": "cm",
    "mm": "mm",
    "m": "m",
    "deg": "°",
    "s": "s",
}
"""Units of measures by the endings of their names; longer ends first."""
MEASURE_TITLES: Final = {
    "loss": "training",
    "validation_loss": "validation",
    "path_error_cm": "path deviation",
    "skate_cm_s": "foot sliding",
    "alive_s": "survived",
    "score": "score",
    "closeness": "closeness",
    "liveliness": "motion amount",
}
"""Titles of measures, the most important first."""
ROLLOUT_KEY: Final = "rollout"


@dataclass
class RunCurve:
    """One curve: ``values`` at ``minutes``."""

    minutes: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    @property
    def last(self) -> float:
        """Latest value of the curve."""
        return self.values[-1]


@dataclass
class RunCurves:
    """All curves of a run so far.

    Attributes:
        minutes: duration of the training so far.
        losses: losses by their names in reports.
        measures: measures of roll-outs, by name.
        stages: start, minutes, and name of each stage of the training.
        ended: result of the last roll-out, in a word; empty if unknown.
        revision: changes with every report.
    """

    minutes: float = 0.0
    losses: dict[str, RunCurve] = field(default_factory=dict)
    measures: dict[str, RunCurve] = field(default_factory=dict)
    stages: list[tuple[float, str]] = field(default_factory=list)
    ended: str = ""
    revision: int = 0
    _last_report_time: float | None = None

    def add(self, report: Mapping[str, Any]) -> None:
        """Add the values of a report to the curves; missing and non-finite values are skipped."""
        trains, rollout = "loss" in report, report.get(ROLLOUT_KEY)
        if not trains and not isinstance(rollout, Mapping):
            return
        time = _number(report.get("time"))
        if time is not None:
            passed = time - self._last_report_time if self._last_report_time is not None else 0.0
            self.minutes += passed / 60 if 0 <= passed < RESUME_GAP_S else 0.0
            self._last_report_time = time
        self._append(self.losses, "loss", report.get("loss"))
        held_out, known = report.get("validation_loss"), self.losses.get("validation_loss")
        if known is None or held_out != known.last:  # reports repeat it until there is a new one
            self._append(self.losses, "validation_loss", held_out)
        if isinstance(rollout, Mapping):
            for name, value in _rollout_measures(rollout):
                self._append(self.measures, name, value)
            self.ended = rollout["ended"] if isinstance(rollout.get("ended"), str) else ""
        stage = report.get("stage")
        if isinstance(stage, str) and trains and (not self.stages or self.stages[-1][1] != stage):
            self.stages.append((self.minutes, stage))
        self.revision += 1

    def _append(self, curves: dict[str, RunCurve], name: str, value: Any) -> None:
        number = _number(value)
        if number is not None:
            curve = curves.setdefault(name, RunCurve())
            curve.minutes.append(self.minutes)
            curve.values.append(number)

    def ordered_measures(self) -> list[str]:
        """Return the names of the measures, most important first; those of single parts come last."""
        order = list(MEASURE_TITLES)
        return sorted(self.measures, key=lambda name: (" " in name, order.index(name) if name in order else len(order)))

    def rollout_summary(self) -> str:
        """Return one line with the measures of the last roll-out; empty if there was none."""
        said = [
            f"{measure_title(name)} {format_measure(name, self.measures[name].last)}"
            for name in self.ordered_measures()
        ]
        return ", ".join([*said, self.ended] if self.ended else said)


def _rollout_measures(rollout: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield name and value of each measure of a roll-out; names of parts are prefixed to the measures'."""
    for name, value in rollout.items():
        if isinstance(value, Mapping):
            yield from _rollout_measures(value, f"{before}{name} ")
        elif isinstance(value, Real) and not isinstance(value, bool):
            yield f"{before}{name}", value


def _number(value: Any) -> float | None:
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def measure_unit(name: str) -> str:
    """Return the unit that ends a measure's name; empty if there is none.

    >>> unit_of("skate_cm_s"), unit_of("alive_s"), unit_of("loss") ('cm/s', 's', '')
    """
    return next((unit for end, unit in UNIT_OF_SUFFIX.items() if name.endswith(f"_{end}")), "")


def measure_title(name: str) -> str:
    """Return the name to display for a measure.

    >>> measure_title("skate_cm_s"), title_of("circle toe_lift_cm") ('foot sliding', 'circle toe lift')
    """
    if name in MEASURE_TITLES:
        return MEASURE_TITLES[name]
    ending = next((f"_{end}" for end in UNIT_OF_SUFFIX if name.endswith(f"_{end}")), "")
    return name.removesuffix(ending).replace("_", " ")


def format_measure(name: str, value: float) -> str:
    """Return the value of a measure as text with its unit.

    >>> format_measure("alive_s", 60.0), format_measure("skate_cm_s", 0.8312) ('60 s', '0.83 cm/s')
    """
    return f"{value:.3g} {measure_unit(name)}".strip()
