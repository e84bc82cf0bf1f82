"""The planned motion of a bake in compact form: joint positions, upright directions of bones, ground under soles.

It is stored with the bake, so that the rig can be checked against it later, even after its keys were edited.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..motion import Clip
from ..motion.contacts import FootContacts
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.roles import contact_names, is_quadruped
from ..motion.rotations import IDENTITY, UP, Array, inverse, rotate
from ..retarget.calibration import Calibration
from ..retarget.rest_pose import is_standing
from ..retarget.retarget import map_rotations
from ..terrain.ground import Scene, ground_heights_at
from .footing import RAY_START_ABOVE_M
from .standing import resting_frames

MAX_PLAN_FRAMES: Final = 160
"""Largest number of sampled frames of a plan."""
PLACED_ROLES: Final = (
    *("hips", "head", "hand.L", "hand.R", "foot.L", "foot.R"),
    *("front_foot.L", "front_foot.R"),
)
"""Roles of the joints with stored positions."""
UPRIGHT_ROLES: Final = ("hips", "chest", "head")
"""Roles of the bones with stored uprightness."""
UNITS_PER_METER: Final = 1000
"""Scale of stored values: positions in whole millimeters, directions in whole thousandths."""

LEVEL_COSINE: Final = 0.999
"""Cosine of the largest slope of level ground."""

Triples = list[list[list[int]]]


@dataclass(frozen=True, slots=True)
class PlannedMotion:
    """Positions and directions of a body at N sampled frames of a motion.

    Attributes:
        rate: frame rate of the motion, frames per second.
        frames: number of frames of the motion.
        step: frames of the motion between two samples.
        placed: (P) roles of the joints in ``places``.
        places: (N, P, 3) joint positions, world, millimeters.
        upright: (U) roles of the bones in ``directions``.
        directions: (N, U, 3) world direction, in thousandths, of the bone axis that points up while the body stands.
        floors: (N, 2) height of the ground under the left and the right foot, millimeters; ``None`` unless the foot
            rests flat on it.
        speed: largest speed of the hips, m/s.
    """

    rate: float
    frames: int
    step: int
    placed: list[str]
    places: Triples
    upright: list[str]
    directions: Triples
    floors: list[list[int | None]]
    speed: float

    def is_consistent(self) -> bool:
        """Return whether the shapes of all arrays agree in frames and joints, as they may not in a damaged file."""
        count = len(self.places)
        tables = ((self.places, len(self.placed)), (self.directions, len(self.upright)))
        return (
            count > 0
            and self.step > 0
            and self.rate > 0
            and len(self.directions) == len(self.floors) == count
            and all(len(row) == width and all(len(one) == 3 for one in row) for table, width in tables for row in table)
            and all(len(row) == 2 for row in self.floors)
            and "hips" in self.placed
        )

    def cut(self, begin: int, end: int) -> "PlannedMotion":
        """Return the part of the plan for the motion's frames from ``begin`` up to ``end``."""
        parts = {name: getattr(self, name)[begin:end] for name in ("places", "directions", "floors")}
        return replace(self, **parts)

    @property
    def rows(self) -> list[int]:
        """Numbers (N) of the sampled frames, counted from the motion's first frame."""
        return [self.step * row for row in range(len(self.places))]


def plan_motion(clip: Clip, neutral: Array, floors: Array) -> PlannedMotion:
    """Return the compact plan of a motion: joint positions, bone directions and ground heights at sampled frames.

    Args:
        clip: the motion on the rig's body, world.
        neutral: (J, 3) direction in each bone's axes that points up while the body stands; NaN where unknown.
        floors: (F, 2) heights of the ground under the feet, meters; NaN where a foot is not flat on it.
    """
    step = max(math.ceil(len(clip) / MAX_PLAN_FRAMES), 1)
    roles = clip.skeleton.roles
    placed = [role for role in PLACED_ROLES if role in roles]
    upright = [role for role in UPRIGHT_ROLES if role in roles and np.isfinite(neutral[roles[role]]).all()]
    positions, rotations = (track[::step] for track in clip.world)
    joints = [roles[role] for role in upright]
    up = rotate(rotations[:, joints], np.broadcast_to(neutral[joints], (len(rotations), len(joints), 3)))
    flat = [[None if np.isnan(z) else round(UNITS_PER_METER * float(z)) for z in row] for row in floors[::step]]
    places = _whole(positions[:, [roles[role] for role in placed]])
    speed = float(travel_speeds(positions[:, roles["hips"]], clip.rate / step).max())
    return PlannedMotion(clip.rate, len(clip), step, placed, places, upright, _whole(up), flat, speed)


def neutral_directions(calibration: Calibration, stance: Array | None) -> Array:
    """Return the direction (J, 3), in each target bone's axes, that points up in the standing pose; NaN if unknown.

    Args:
        calibration: calibration of the source skeleton (K joints) to the target skeleton (J joints).
        stance: (K, 4) world rotations of the source in its standing pose, used if neither calibration nor rest pose
            gives one; ``None`` if unknown.
    """
    source = calibration.source
    if calibration.standing is not None:
        stance = calibration.standing
    elif is_standing(source) or is_quadruped(source.roles):
        stance = np.tile(IDENTITY, (len(source), 1))
    elif stance is None:
        return np.full((len(calibration.target), 3), np.nan)
    standing = map_rotations(calibration, stance[None])[0]
    return rotate(inverse(standing), np.broadcast_to(UP, (len(standing), 3)))


def flat_floors(clip: Clip, contacts: FootContacts, ground: Scene) -> Array:
    """Return the heights (F, 2), meters, of the ground under feet that rest flat on it; NaN for other feet.

    Only frames with the body at rest on level, unmoving ground count.

    Args:
        clip: the motion, world.
        contacts: contacts of heels and balls at the clip's frames.
        ground: the scene of the walk.
    """
    roles, floors = clip.skeleton.roles, np.full((len(clip), 2), np.nan)
    if is_quadruped(roles) or not ground.is_static:
        return floors
    names, resting = contact_names(roles), resting_frames(clip)
    above = RAY_START_ABOVE_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M * UP
    for column, side in enumerate("LR"):
        own = [number for number, name in enumerate(names) if name in (f"foot.{side}", f"toe.{side}")]
        points = clip.positions[:, clip.skeleton.joint(f"foot.{side}")] + above
        flat = resting & contacts.held[:, own].all(axis=1) & (ground.normals(points)[:, 2] > LEVEL_COSINE)
        floors[flat, column] = ground_heights_at(ground, points)[flat]
    return floors


def travel_speeds(places: Array, rate: float) -> Array:
    """Return the speed (F), m/s, of a joint at positions (F, 3), meters, from the previous frame; 0 at the first."""
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1) * rate
    return np.concatenate([[0.0], steps])


def _whole(values: Array) -> Triples:
    """Return values (N, K, 3) as whole numbers of the stored unit."""
    return np.rint(UNITS_PER_METER * values).astype(int).tolist()
