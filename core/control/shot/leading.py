"""Shape of a walk's path at its ends: it starts in the direction of motion or past a partner, and never turns back."""

from collections.abc import Sequence

import numpy as np

from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, length, wrap_angle
from ..runtime.body_state import BodyState
from .activity import TUNING


def has_come(goal: Array, points: Sequence[Array], near: float) -> bool:
    """Return whether a path has passed or reached its goal, so that going on to the goal would lead back.

    Args:
        goal: (2) the goal, meters.
        points: points (2) of the path so far, meters.
        near: largest distance from the path's last point to the goal, meters.
    """
    if len(points) < 2:
        return False
    way, on = points[-1] - points[-2], goal - points[-1]
    return float(length(on)) < near and float(way @ on) <= 0.0


def led_out(points: list[Array], state: BodyState, scale: float, partner: Array | None) -> list[Array]:
    """Return a path with a point added after its start, so that it begins in the body's direction of motion.

    Args:
        points: points (2) of the path, meters, world.
        state: state of the body at the start.
        scale: world meters per meter at the controllers' scale.
        partner: (2) position of a partner in front of the body, meters, world, to be passed instead; ``None`` for none.
    """
    speed = float(length(state.velocity))
    ahead = state.velocity / speed if speed > TUNING.heading_speed else facing_direction(np.array(state.yaw))
    if partner is not None:
        ahead = _past(partner - points[0], points[1] - points[0])
    lead = min(TUNING.lead * scale, TUNING.lead_share * float(length(points[1] - points[0])))
    return [points[0], points[0] + lead * ahead, *points[1:]]


def _past(partner: Array, goal: Array) -> Array:
    """Return the direction (2) in which a character leaves past a partner for a goal, given the ways (2) to both."""
    there, turn = float(yaw_of(partner)), float(wrap_angle(yaw_of(goal) - yaw_of(partner)))
    angle = there + np.copysign(max(abs(turn), TUNING.past_partner), turn)
    return facing_direction(np.array(angle))
