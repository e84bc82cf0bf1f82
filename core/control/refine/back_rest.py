"""Distance between a seated body's back and the backrest; on deep seats, backs do not reach it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...scene.body_capsules import BodyCapsules
from ...scene.collider import Collider
from ...scene.collider_pose import PosedCollider
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class BackRest(Tuning):
    """Tuned numbers of the distance of a back from its backrest."""

    rest_rise: float = tuned(0.15, "m", 0.0, 0.5)
    """Height above a seat from which parts behind the body count as its backrest, for an adult."""
    back_half_depth: float = tuned(0.108, "m", 0.05, 0.25)
    """Distance from the bones of an adult's trunk to the skin of the back."""
    blades_share: float = tuned(0.75, "1", 0.0, 1.0)
    """Share of the chest bone, up to the shoulder blades, along which the back is ``back_half_depth`` behind the bone.
    """


TUNING: Final = BackRest()


def back_gap(clip: Clip, frame: int, seat_object: InteractionObject, scale: float = 1.0) -> float | None:
    """Return the distance between the back and a seat's backrest, in clip meters; ``None`` without a backrest.

    Args:
        clip: the motion.
        frame: a frame at which the body sits.
        seat_object: the seat, in meters at the controller's scale.
        scale: clip meters per meter at the controller's scale.
    """
    seat, collider = seat_object.seat, seat_object.collider
    if seat is None:
        return None
    behind = (collider.lower + collider.upper)[:, :2] @ seat.direction / 2 < seat.position[:2] @ seat.direction
    rests = behind & (collider.upper[:, 2] > seat.position[2] + TUNING.rest_rise)
    if not rests.any():
        return None
    rest = Collider(collider.lower[rests], collider.upper[rests])
    return max(float(back_clearances(clip.cut(frame, frame + 1), rest, seat_object.posed_collider, scale)[0]), 0.0)


def back_clearances(clip: Clip, rest: Collider, posed: PosedCollider, scale: float = 1.0) -> Array:
    """Return the distances (F) between the back and a backrest, meters at the clip's scale; negative inside it.

    Args:
        clip: F frames of a sitting body.
        rest: the cuboids of the seat that form the backrest, in object space.
        posed: the whole seat's collider at its pose in the world, in meters at the controller's scale.
        scale: clip meters per meter at the controller's scale.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = body.sphere_indices(("spine", "chest"))
    # The capsule of the chest tapers to the neck; a back does not.
    low = (body.bone_fractions[spheres] <= TUNING.blades_share) | np.isin(spheres, body.sphere_indices(("spine",)))
    centres = body.sphere_centres(clip)[:, spheres[low]]
    distances = rest.distances(posed.to_local(centres.reshape(-1, 3) / scale)).reshape(centres.shape[:2])
    half_depth = TUNING.back_half_depth * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    return scale * distances.min(axis=1) - half_depth
