"""Warping of a motion so that it passes through key poses, while feet keep their contacts.

Motion warping (Witkin and Popovic 1995): the difference between a pose and the motion is added to the motion around the
pose. Feet are placed separately: a standing foot whose leg is posed is displaced for its whole contact, and all other
contacts stay in place.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...message import Message
from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.contacts import FootContacts
from ...motion.roles import is_quadruped
from ...motion.rotations import Array, exp, length, multiply, normalize, turns_between
from ...tuning import Tuning, tuned
from .body_response import BodyResponse
from .foot import Foot, feet_of
from .foot_placement import place_feet
from .ground_root import GroundRoot
from .key_pose import KeyPose, key_weights


@dataclass(frozen=True, slots=True)
class PoseWarpingTuning(Tuning):
    swing_blend: float = tuned(1.0, "s", 0.1, 5.0)
    """Longest time in which a foot moves to its position in a key pose, or back; at most the length of its swing."""
    reach_tolerance: float = tuned(0.01, "m", 0.0, 0.2)
    """Distance of a foot from its target above which it is reported as out of reach."""


TUNING: Final = PoseWarpingTuning()

MAX_SPEEDS_M_S: Final = {"hips": 4.0, "hand": 12.0, "foot": 12.0}
"""Speed of each body part, m/s, above which a key pose counts as impossible to reach."""


def warp_through_poses(
    clip: Clip, contacts: FootContacts, keys: Sequence[KeyPose], root: GroundRoot, response: BodyResponse | None = None
) -> Clip:
    """Return a motion that passes through key poses and keeps its contacts and its travel.

    Args:
        clip: the motion, F frames.
        contacts: contacts of the feet, which are already locked.
        keys: the key poses, at different frames.
        root: the root of the motion over the ground.
        response: response of the joints that are not kept; if ``None``, and for quadrupeds, these follow their parents.

    Raises:
        FootfallError: a pose is outside the motion, or two poses are at one frame.
    """
    if not keys:
        return clip
    if is_quadruped(clip.skeleton.roles):
        response = None
    keys = sorted(keys, key=lambda key: key.frame)
    outside = next((key.frame for key in keys if not 0 <= key.frame < len(clip)), None)
    if outside is not None:
        raise FootfallError(
            "The key pose at frame {frame} is outside the motion of {count} frames: move the pose, or remove it",
            frame=outside,
            count=len(clip),
        )
    if any(key.frame == later.frame for key, later in itertools.pairwise(keys)):
        raise FootfallError("Two key poses share a frame: move or remove one of them")
    poses = [_whole_pose(clip, key, root, response) for key in keys]
    frames = [key.frame for key in keys]
    weights = key_weights(keys, len(clip), clip.rate)
    turns = np.stack([pose.rotations[0] for pose in poses])
    turned = np.tensordot(weights, turns_between(turns, clip.rotations[frames]), axes=1)
    shifts = np.concatenate([pose.root_positions for pose in poses]) - clip.root_positions[frames]
    warped = replace(
        clip,
        root_positions=clip.root_positions + weights @ shifts,
        rotations=normalize(multiply(exp(turned), clip.rotations)),
    )
    return _place_feet(clip, warped, contacts, keys, poses, weights)


def _whole_pose(clip: Clip, key: KeyPose, root: GroundRoot, response: BodyResponse | None) -> Clip:
    """Return a key pose in the world (one frame); joints that are not kept follow the motion or the response."""
    pose, now = root.pose_to_world(key.pose, key.frame), clip.cut(key.frame, key.frame + 1)
    kept = replace(pose, rotations=np.where(key.joints[None, :, None], pose.rotations, now.rotations))
    return kept if response is None else response.answer(now, kept, key.joints)


def _place_feet(
    clip: Clip, warped: Clip, contacts: FootContacts, keys: Sequence[KeyPose], poses: Sequence[Clip], weights: Array
) -> Clip:
    """Return the warped motion with each foot at its position in the original motion, or in the key poses."""
    places, turns = list[Array](), list[Array]()
    for foot in feet_of(clip.skeleton):
        posed = [(key, pose) for key, pose in zip(keys, poses, strict=True) if key.keeps(foot.joint)]
        shift = _foot_shift(clip, foot, foot.runs(contacts), posed)
        places.append(foot.places(clip) + shift[:, :3])
        turns.append(multiply(exp(shift[:, 3:]), foot.turns(clip)))
    # At a key pose the hips stay as posed, even if a leg is then too short.
    return place_feet(warped, places, turns, contacts, 1.0 - weights.max(axis=1))


def _foot_shift(clip: Clip, foot: Foot, runs: NDArray[np.intp], posed: Sequence[tuple[KeyPose, Clip]]) -> Array:
    """Return the displacements, meters, and rotation vectors, radians, (F, 6) that move a foot to its key poses.

    Args:
        clip: the motion.
        foot: the foot.
        runs: (R, 2) first frame and frame after the last of each contact of the foot.
        posed: the key poses that keep the foot, with their whole poses in the world.
    """
    result, spans = np.zeros((len(clip), 6)), list[tuple[int, int]]()
    places, turns = foot.places(clip), foot.turns(clip)
    standing = {key.frame: span for key, _ in posed for span in runs if span[0] <= key.frame < span[1]}
    for key, pose in posed:
        start, stop = standing.get(key.frame, (key.frame, key.frame + 1))
        # A foot that is posed twice during one contact moves between both positions.
        others = [other.frame for other, _ in posed if other.frame != key.frame and start <= other.frame < stop]
        start = max([start, *(key.frame for other in others if other < key.frame)])
        stop = min([stop, *(key.frame + 1 for other in others if other > key.frame)])
        result[start:stop, :3] = foot.places(pose)[0] - places[key.frame]
        result[start:stop, 3:] = turns_between(foot.turns(pose)[0], turns[key.frame])
        spans.append((start, stop))
    if not spans:
        return result
    taken = {span[0] for span in standing.values()}
    spans += [(int(start), int(stop)) for start, stop in runs if start not in taken]
    return blend_corrections(result, np.array(sorted(spans)), round(TUNING.swing_blend * clip.rate))


def impossible_poses(before: Clip, after: Clip, keys: Sequence[KeyPose], root: GroundRoot) -> Iterator[Message]:
    """Yield a message for each key pose that a body cannot reach in time, with the excess speed."""
    skeleton = after.skeleton
    for key in keys:
        span = slice(
            max(key.frame - round(key.blend_in * after.rate), 0), key.frame + round(key.blend_out * after.rate) + 1
        )
        placed = root.pose_to_world(key.pose, key.frame)
        for role, joint in skeleton.roles.items():
            limit = MAX_SPEEDS_M_S.get(role.partition(".")[0])
            if limit is None:
                continue
            off = float(length(placed.positions[0, joint] - after.positions[key.frame, joint]))
            if key.keeps(joint) and off > TUNING.reach_tolerance:
                yield Message(
                    "The key pose at frame {frame} puts {role} {distance} cm out of reach",
                    frame=key.frame,
                    role=role,
                    distance=f"{100 * off:.0f}",
                )
            speed = length(np.diff(after.positions[span, joint], axis=0)).max(initial=0.0) * after.rate
            usual = length(np.diff(before.positions[span, joint], axis=0)).max(initial=0.0) * after.rate
            if speed > max(limit, usual):
                yield Message(
                    "To reach the key pose at frame {frame}, {role} must move at {speed} m/s, {excess} m/s "
                    "faster than a body can",
                    frame=key.frame,
                    role=role,
                    speed=f"{speed:.1f}",
                    excess=f"{speed - limit:.1f}",
                )
