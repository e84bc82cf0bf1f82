"""Distance of a seated back from the rest behind it, which bodies on deep seats do not reach."""

from typing import Final

from ...motion import Clip
from ...scene.body_capsules import BodyCapsules
from ...scene.collider import Collider
from ...scene.interaction_object import InteractionObject

REST_RISE_M: Final = 0.15
"""Height over a seat from which its parts behind the body are its rest, of an adult."""


def back_gap(clip: Clip, frame: int, seat_object: InteractionObject, scale: float = 1.0) -> float | None:
    """Return the distance of the back from the rest of a seat, meters of the clip; 0 where it touches.

    Args:
        clip: the motion.
        frame: a frame at which the body sits.
        seat_object: the object that it sits on, in meters of the controller.
        scale: meters of the clip for one of the controller.

    Returns:
        ``None`` for a seat without a rest.
    """
    seat, collider = seat_object.seat, seat_object.collider
    if seat is None:
        return None
    behind = (collider.lower + collider.upper)[:, :2] @ seat.direction / 2 < seat.position[:2] @ seat.direction
    rests = behind & (collider.upper[:, 2] > seat.position[2] + REST_RISE_M)
    if not rests.any():
        return None
    body, posed = BodyCapsules.from_skeleton(clip.skeleton), seat_object.posed_collider
    spheres = body.sphere_indices(("spine", "chest"))
    centres = posed.to_local(body.sphere_centres(clip.cut(frame, frame + 1))[0, spheres] / scale)
    distances = Collider(collider.lower[rests], collider.upper[rests]).distances(centres)
    return max(float((scale * distances - body.radii[spheres]).min()), 0.0)
