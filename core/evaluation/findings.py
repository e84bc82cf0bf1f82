"""Findings: what is wrong with a motion beside people's, each in a sentence with the figure and what to do."""

from collections.abc import Mapping
from math import isfinite
from typing import Final

from ..message import Message
from .likeness import LikenessFigure

_TOO_LOW: Final[Mapping[str, Message]] = {
    "side_lean_deg": Message(
        "Leans to the left by {value}° on straights, people by {high}° at most: train with clips bent to both sides"
    ),
    "step_width_cm": Message(
        "Walks on a line with steps {value} cm wide, people's are {low} to {high} cm: train with more plain walks"
    ),
    "arm_swing_deg": Message(
        "The arms swing by {value}° only, people's by {low}° and more: leave out clips of carrying"
    ),
    "cadence_steps_min": Message(
        "At {speed} m/s it takes {value} steps a minute, people {low} to {high}: train with clips at this speed, or "
        "choose a speed that the clips have"
    ),
}
_TOO_HIGH: Final[Mapping[str, Message]] = {
    "standing_knee_deg": Message(
        "Stands in a squat with knees bent by {value}°, people by {high}° at most: train with clips of standing"
    ),
    "standing_head_cm_s": Message(
        "Rocks while it stands, the head moves by {value} cm/s, people's by {high} at most: train with clips of "
        "standing"
    ),
    "step_time_asymmetry_percent": Message(
        "Limps, left and right steps take times {value} % apart, people's {high} % at most: train with mirrored clips"
    ),
    "side_lean_deg": Message(
        "Leans to the right by {value}° on straights, people by {high}° at most: train with clips bent to both sides"
    ),
    "step_width_cm": Message(
        "Straddles with steps {value} cm wide, people's are {low} to {high} cm: train with more plain walks"
    ),
    "turn_lean_deg": Message(
        "Leans by {value}° in turns, people by {high}° at most: lower the speed, or give the corner a larger radius"
    ),
    "turn_sink_cm": Message(
        "The hips sink by {value} cm in turns, people's by {high} cm at most: lower the speed, or give the corner a "
        "larger radius"
    ),
    "joint_speed_max_rad_s": Message(
        "A joint turns by {value} rad/s, people's by {high} at most: look whether it pops, and give the corner or the "
        "stop more room"
    ),
    "cadence_steps_min": _TOO_LOW["cadence_steps_min"],
}
"""Sentences of faults by measure; values are those without a sign."""
FAULT_TEMPLATES: Final = frozenset({*_TOO_LOW.values(), *_TOO_HIGH.values()})
"""Templates of all sentences of faults."""


def find_faults(figures: Mapping[str, LikenessFigure]) -> list[Message]:
    """Return a sentence for each figure that is a fault; none for a motion like people's."""
    return [describe_fault(figure) for figure in figures.values() if figure.is_fault]


def describe_fault(figure: LikenessFigure) -> Message:
    """Return the sentence of a figure that is a fault."""
    usual = figure.usual
    template = (_TOO_LOW if figure.value < usual.low else _TOO_HIGH)[figure.measure]
    fields = {"value": abs(figure.value), "low": usual.low, "high": usual.high}
    texts = {name: f"{value:.0f}" for name, value in fields.items() if isfinite(value)}
    speed = {} if figure.speed_m_s is None else {"speed": f"{figure.speed_m_s:.1f}"}
    return Message(template, **texts, **speed)
