"""Findings: sentences that report where a motion is unlike people's, with the measured value and a remedy."""

from collections.abc import Mapping
from math import isfinite
from typing import Final

from ..message import Message
from .likeness import LikenessFigure

_TOO_LOW: Final[Mapping[str, Message]] = {
    "side_lean_deg": Message(
        "Leans to the left by {value}° on straight paths (people: at most {high}°). Try another Performer or Seed"
    ),
    "step_width_cm": Message(
        "Steps are only {value} cm wide (people: {low} to {high} cm). Try another Performer or Seed"
    ),
    "arm_swing_deg": Message(
        "The arms swing by only {value}° (people: at least {low}°). Try another Performer or Seed"
    ),
    "cadence_steps_min": Message(
        "Takes {value} steps a minute at {speed} m/s (people: {low} to {high}). Try another Speed, Performer or Seed"
    ),
}
_TOO_HIGH: Final[Mapping[str, Message]] = {
    "standing_knee_deg": Message(
        "Stands with knees bent by {value}° (people: at most {high}°). Try another Performer or Seed"
    ),
    "standing_head_cm_s": Message(
        "Rocks while standing: the head moves at {value} cm/s (people: at most {high}). Try another Performer or Seed"
    ),
    "step_time_asymmetry_percent": Message(
        "Limps: left and right steps differ by {value} % in timing (people: at most {high} %). Try another "
        "Performer or Seed"
    ),
    "side_lean_deg": Message(
        "Leans to the right by {value}° on straight paths (people: at most {high}°). Try another Performer or Seed"
    ),
    "step_width_cm": Message(
        "Steps are as wide as {value} cm (people: {low} to {high} cm). Try another Performer or Seed"
    ),
    "turn_lean_deg": Message(
        "Leans by {value}° in turns (people: at most {high}°). Lower the Speed, or round the corners of the path"
    ),
    "turn_sink_cm": Message(
        "The hips sink by {value} cm in turns (people: at most {high} cm). Lower the Speed, or round the "
        "corners of the path"
    ),
    "joint_speed_max_rad_s": Message(
        "A joint turns at {value} rad/s (people: at most {high}). Give the walk more room for corners and stops"
    ),
    "cadence_steps_min": _TOO_LOW["cadence_steps_min"],
}
"""Sentences for values above people's range, by measure; they show the absolute value."""
FAULT_TEMPLATES: Final = frozenset({*_TOO_LOW.values(), *_TOO_HIGH.values()})
"""Templates of all sentences about values outside people's range."""


def find_faults(figures: Mapping[str, LikenessFigure]) -> list[Message]:
    """Return one sentence for each measure whose value looks wrong; the list is empty for human-like motion."""
    return [describe_fault(figure) for figure in figures.values() if figure.is_fault]


def describe_fault(figure: LikenessFigure) -> Message:
    """Return the sentence that reports a measured value outside people's range, with the value and the range."""
    usual = figure.usual
    template = (_TOO_LOW if figure.value < usual.low else _TOO_HIGH)[figure.measure]
    fields = {"value": abs(figure.value), "low": usual.low, "high": usual.high}
    texts = {name: f"{value:.0f}" for name, value in fields.items() if isfinite(value)}
    speed = {} if figure.speed_m_s is None else {"speed": f"{figure.speed_m_s:.1f}"}
    return Message(template, **texts, **speed)
