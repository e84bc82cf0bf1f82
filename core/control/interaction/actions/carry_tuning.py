"""Tuned numbers of carrying: where hands grasp, and where an object may be put down."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class CarryTuning(Tuning):
    start_distance: float = tuned(0.42, "m", 0.2, 1.0)
    """Distance of the root from the middle of the object, or of its destination, at which grasping or placing begins.
    """
    turn_choice: float = tuned(1.2, "m", 0.3, 3.0)
    """Distance of the root from where grasping begins at which the side is chosen to which the body turns."""
    far: float = tuned(0.6, "m", 0.2, 2.0)
    """Distance of the root from where grasping begins beyond which empty hands do not carry."""
    grasp_distance: float = tuned(0.35, "m", 0.1, 1.0)
    """Largest distance from the midpoint of the hands to the midpoint of an object's grips at which it can be grasped.
    """
    bent_grasp_distance: float = tuned(0.65, "m", 0.1, 1.0)
    """Limit in place of ``grasp_distance`` for a bent body, which refinement then moves to the object."""
    bent_weight: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight of the action *carry* from which the body counts as bent over."""
    bent_hips: float = tuned(0.08, "m", 0.02, 0.5)
    """Descent of the hips from which the body counts as bent over, whatever the weight of the action."""
    touching_stall: float = tuned(0.2, "s", 0.0, 2.0)
    """Time without progress after which a bent body grasps an object, hands grasp one that they touch, or release one
    that is low enough.
    """
    touching_distance: float = tuned(0.2, "m", 0.05, 0.5)
    """Largest distance from the midpoint of the hands to that of the grips at which hands count as touching the object.

    It applies even if the network predicts no contact.
    """
    lateral_offset: float = tuned(0.2, "m", 0.05, 1.0)
    """Largest lateral offset from the destination at which an arriving character puts an object down."""
    max_lateral_offset: float = tuned(0.45, "m", 0.1, 2.0)
    """Limit in place of ``lateral_offset`` for a character that no longer comes nearer."""
    max_facing_error: float = tuned(0.8, "rad", 0.1, np.pi)
    """Largest angle between the character's facing and the destination at which it puts an object down."""
    release_distance: float = tuned(0.45, "m", 0.1, 1.5)
    """Largest distance of the object from its destination at which it may be put down."""
    release_height: float = tuned(0.1, "m", 0.01, 0.5)
    """Height above its destination below which an object counts as low enough to be released."""
    bending: float = tuned(2.0, "s", 0.2, 10.0)
    """Time over which a character bends down to put an object down."""
    lowered: float = tuned(0.1, "m", 0.01, 0.5)
    """Descent of a held object from which its bearer counts as having bent down."""
    risen: float = tuned(0.02, "m", 0.001, 0.2)
    """Rise of a held object from its lowest point from which its bearer counts as straightening again."""
    lowest_height: float = tuned(0.3, "m", 0.05, 1.0)
    """Largest height above its destination of an object's lowest point so far at which a straightening bearer releases
    it.
    """
    stalled_release_distance: float = tuned(0.55, "m", 0.1, 2.0)
    """Largest distance from its destination at which a stalled or straightening character puts an object down.

    A character is stalled if it has come no nearer for ``long_stall``.
    """
    long_stall: float = tuned(3.0, "s", 0.5, 20.0)
    """Time without progress after which ``stalled_release_distance`` applies."""
    max_grip_height: float = tuned(1.43, "m", 0.8, 2.2)
    """Greatest height of the hands at which an object can be taken from a shelf or put on it."""
    too_near: float = tuned(0.9, "m", 0.3, 2.0)
    """Distance from a lifted object to its destination below which the bearer first steps away."""
    step_away: float = tuned(1.0, "m", 0.3, 3.0)
    """Distance by which a bearer walks past a destination that is too near to its feet."""
    facing_timeout: float = tuned(4.0, "s", 0.5, 30.0)
    """Time at the destination after which an object is put down even if the character does not face it."""
    drop_directions: tuple[float, ...] = tuned(tuple(np.radians((0.0, 45.0, -45.0, 90.0, -90.0))), "rad", -np.pi, np.pi)
    """Directions from the facing, positive to the left, in which a free spot is searched for an object that is given
    up.
    """


TUNING: Final = CarryTuning()
