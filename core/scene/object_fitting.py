"""Objects fitted to a captured motion (NSM section 5.2, step 1, static frame).

At one frame in which the body rests on an object or holds it, the object is placed to match. Captured motions have no
objects, so that frame and pose are first guesses that users can change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..errors import FootfallError
from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.root_frame import facing_direction, yaw_of
from ..motion.rotations import Array, multiply, normalize, rotate, rotation_about_up
from ..motion.signals import runs_of
from .affordances import Grips, Handle, Seat, find_grips
from .body_capsules import LIMB_CAPSULES
from .collider import Collider
from .collider_pose import AnimatedCollider, PosedCollider
from .seat_detection import find_seat

OBJECT_ACTIONS: Final = ("sit", "carry", "open")
"""Actions that use an object."""
PALM_OFFSET_M: Final = 0.075
"""Distance from an adult's wrist to the middle of the palm."""
PALM_FLESH_M: Final = 0.02
"""Distance from the middle of an adult's palm to its skin."""
SEAT_COMPRESSION_M: Final = 0.01
"""Depth by which a seat compresses the flesh of an adult's thighs."""
SPEED_SMOOTHING_S: Final = 0.15
"""Standard deviation of the Gaussian that smooths speeds in the search for a frame at rest."""
GRASP_TOLERANCE_M: Final = 0.05
"""Largest change of the distance between an adult's two hands that hold an object."""

Affordance = Seat | Grips | Handle


@dataclass(frozen=True, eq=False)
class ObjectFit:
    """An object fitted to a captured motion.

    Attributes:
        action: one of :data:`OBJECT_ACTIONS`.
        frame: frame at which the object was fitted.
        posed_collider: the object at that frame.
        affordance: the seat, grips or handle in use, in object space.
        grasp_frames: half-open range of frames in which the object moves with the hands; empty if it never does.
    """

    action: str
    frame: int
    posed_collider: PosedCollider
    affordance: Affordance
    grasp_frames: tuple[int, int] = (0, 0)

    def animated_collider(self, clip: Clip) -> AnimatedCollider:
        """Return the object at each frame of the clip: it moves with the hands that hold it, else it rests."""
        start, stop = self.grasp_frames
        if stop <= start:
            return AnimatedCollider.static(self.posed_collider, len(clip))
        middle, yaw = palm_center_and_yaw(clip)
        frames = np.clip(np.arange(len(clip)), start, stop - 1)
        turns = rotation_about_up(yaw[frames] - yaw[self.frame])
        offset = self.posed_collider.position - middle[self.frame]
        rotations = multiply(turns, np.broadcast_to(self.posed_collider.rotation, turns.shape))
        return AnimatedCollider(
            self.posed_collider.collider, middle[frames] + rotate(turns, np.tile(offset, (len(clip), 1))), rotations
        )


def find_static_frame(clip: Clip, action_weights: Array, action: str) -> int:
    """Return the frame of an action at which the body is stillest relative to the object in use.

    The object is unknown, so that only the body is measured: in sitting, the speed of the hips; in opening a door, the
    speed of the hand; in carrying, the change of the distance between the hands.

    Args:
        clip: the motion.
        action_weights: (F) weight of the action in each frame, from 0 to 1.
        action: one of :data:`OBJECT_ACTIONS`.

    Raises:
        FootfallError: the action does not occur in the clip.
    """
    runs = runs_of(np.asarray(action_weights) > 0.5)
    if not len(runs):
        raise FootfallError(
            "No frames of the clip '{name}' show how to {action}: label such frames", action=action, name=clip.name
        )
    if action == "sit":
        unrest = _smoothed_speed(clip, clip.positions[:, clip.skeleton.joint("hips")])
    elif action == "carry":
        left, right = palm_positions(clip)
        unrest = _smoothed_speed(clip, np.linalg.norm(left - right, axis=-1)[:, None])
    else:
        unrest = _smoothed_speed(clip, palm_positions(clip)["LR".index(opening_hand(clip, action_weights))])
    start, stop = max(runs, key=lambda run: int(run[1] - run[0]))
    # At the start and the end of an action the body is not at rest.
    inset = (stop - start) // 5
    return int(start + inset + np.argmin(unrest[start + inset : stop - inset]))


def fit_object(
    clip: Clip, collider: Collider, action: str, frame: int, affordance: Affordance | None = None
) -> ObjectFit:
    """Fit an object to the body: its seat under the hips, its grips between the hands, or its handle at a hand.

    The object is upright and keeps its size, so that a chair may float above the floor or sink into it.

    Args:
        clip: the motion.
        collider: the object.
        action: one of :data:`OBJECT_ACTIONS`.
        frame: frame at which the body rests on the object or holds it.
        affordance: the seat, grips or handle in use; seats and grips are found by default, but a handle must be given.

    Raises:
        FootfallError: the object has no affordance for the action.
    """
    if affordance is None:
        affordance = find_seat(collider) if action == "sit" else find_grips(collider) if action == "carry" else None
    if affordance is None:
        raise FootfallError("This object has no contact points to {action}: add them", action=action)
    if isinstance(affordance, Seat):
        place, yaw = seat_position(clip, frame), hips_yaw(clip, frame)
        return ObjectFit(
            action, frame, place_collider(collider, affordance.position, affordance.direction, place, yaw), affordance
        )
    if isinstance(affordance, Grips):
        middles, yaws = palm_center_and_yaw(clip)
        own = affordance.hands.mean(axis=0)
        placed = place_collider(collider, own, affordance.direction, middles[frame], float(yaws[frame]))
        return ObjectFit(action, frame, placed, affordance, find_grasp_frames(clip, frame))
    side = leading_hand(clip, frame)
    place, yaw = palm_positions(clip)["LR".index(side)][frame], hips_yaw(clip, frame)
    return ObjectFit(
        action, frame, place_collider(collider, affordance.position, affordance.direction, place, yaw), affordance
    )


def floor_gap(fit: ObjectFit, floor_height: float) -> float:
    """Return the height of a fitted object's bottom over the floor, meters; negative if it sinks into the floor."""
    return float(fit.posed_collider.position[2] + fit.posed_collider.collider.lower[:, 2].min()) - floor_height


def place_collider(
    collider: Collider, point: Array, direction: Array, target_position: Array, target_yaw: float
) -> PosedCollider:
    """Return an object placed upright with a given point at a target position and a direction at a target yaw.

    Args:
        collider: the object.
        point: (3) point in object space, meters.
        direction: (2) direction in object space.
        target_position: (3) target position of the point in the world, meters.
        target_yaw: yaw of the direction in the world, radians.
    """
    rotation = rotation_about_up(np.array(target_yaw - float(yaw_of(np.asarray(direction)))))
    return PosedCollider(collider, target_position - rotate(rotation, np.asarray(point, dtype=float)), rotation)


def seat_position(clip: Clip, frame: int) -> Array:
    """Return the position (3), meters, world, of the seat at a frame: under the hips, at the skin of the thighs."""
    roles, scale = clip.skeleton.roles, clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    joints = [clip.skeleton.joint(f"thigh.{side}") for side in "LR"]
    skin = float(clip.positions[frame, joints, 2].min()) - scale * (LIMB_CAPSULES["thigh"][1] - SEAT_COMPRESSION_M)
    return np.array([*clip.positions[frame, roles["hips"], :2], skin])


def hips_yaw(clip: Clip, frame: int) -> float:
    """Return the yaw, radians, world, that the hips face at a frame."""
    thighs = [clip.positions[frame, clip.skeleton.joint(f"thigh.{side}"), :2] for side in "LR"]
    across = thighs[0] - thighs[1]
    return float(yaw_of(np.array([across[1], -across[0]])))


def palm_positions(clip: Clip) -> tuple[Array, Array]:
    """Return the middles (F, 3) of the left and the right palm in the world, meters."""
    reach = PALM_OFFSET_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    positions, rotations = clip.world
    found = []
    for side in "LR":
        hand, elbow = clip.skeleton.joint(f"hand.{side}"), clip.skeleton.joint(f"forearm.{side}")
        aim = normalize(clip.skeleton.bone_vectors[hand])
        direction = rotate(rotations[:, hand], np.broadcast_to(aim, (len(clip), 3)))
        if not aim.any():
            direction = normalize(positions[:, hand] - positions[:, elbow])
        found.append(positions[:, hand] + reach * direction)
    return found[0], found[1]


def find_grasp_frames(clip: Clip, frame: int) -> tuple[int, int]:
    """Return the range of frames around ``frame``, end exclusive, with a constant distance between the palms."""
    left, right = palm_positions(clip)
    apart = np.linalg.norm(left - right, axis=-1)
    limit = GRASP_TOLERANCE_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    steady = (
        np.abs(scipy.ndimage.gaussian_filter1d(apart, SPEED_SMOOTHING_S * clip.rate, mode="nearest") - apart[frame])
        < limit
    )
    for start, stop in runs_of(steady):
        if start <= frame < stop:
            return int(start), int(stop)
    return frame, frame + 1


def opening_hand(clip: Clip, action_weights: Array) -> str:
    """Return the hand, ``"L"`` or ``"R"``, that is farther ahead of the body while it opens a door.

    ``action_weights`` (F) are the weights of the action *open*, 0 to 1.
    """
    frames = np.flatnonzero(np.asarray(action_weights) > 0.5)
    return leading_hand(clip, int(frames[len(frames) // 2])) if len(frames) else "R"


def leading_hand(clip: Clip, frame: int) -> str:
    """Return the hand, ``"L"`` or ``"R"``, that is farther ahead of the hips at a frame."""
    hips = clip.positions[frame, clip.skeleton.joint("hips"), :2]
    ahead = facing_direction(np.array(hips_yaw(clip, frame)))
    reach: Mapping[str, float] = {
        side: float((palm[frame, :2] - hips) @ ahead) for side, palm in zip("LR", palm_positions(clip), strict=True)
    }
    return max(reach, key=lambda side: reach[side])


def palm_center_and_yaw(clip: Clip) -> tuple[Array, Array]:
    """Return the midpoint (F, 3) of both palms, m, world, and the yaw (F), rad, of the normal to the line across them.

    The yaw is unwrapped.
    """
    left, right = palm_positions(clip)
    across = (left - right)[:, :2]
    return (left + right) / 2, np.unwrap(yaw_of(np.column_stack([across[:, 1], -across[:, 0]])))


def _smoothed_speed(clip: Clip, trajectory: Array) -> Array:
    """Return the speed (F) of a trajectory (F, N) after smoothing, in its unit per frame."""
    smooth = scipy.ndimage.gaussian_filter1d(trajectory, SPEED_SMOOTHING_S * clip.rate, axis=0, mode="nearest")
    return np.linalg.norm(np.gradient(smooth, axis=0), axis=-1)
