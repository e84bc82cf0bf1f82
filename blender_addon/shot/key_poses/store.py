"""Key poses in a file, as text beside their settings, and the root of the bake, their reference."""

import json
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ....core.control.edit.ground_root import GroundRoot
from ....core.control.edit.key_pose import KeyPose, kept_joints, usual_window
from ....core.errors import FootfallError
from ....core.jobs.bounded_files import ContentError, parse_json
from ....core.motion import Clip, Skeleton
from ....core.motion.kinematics import local_rotations
from ....core.motion.rotations import Array, inverse, multiply, normalize

ROOT_PROPERTY = "footfall_root"
"""Custom property of a baked action: position (3), meters, and yaw, radians, of the root at each frame of the scene."""
START_PROPERTY = "footfall_root_start"
"""Custom property of a baked action: scene frame of the root's first value."""
MAX_POSE_BYTES = 200_000


def object_turn(armature: bpy.types.Object) -> Array:
    """Return the rotation (4) of an armature object, by which the body's rest pose is turned."""
    return np.array(armature.matrix_world.to_quaternion()[:], dtype=float)


def store_root(action: bpy.types.Action, root: GroundRoot, start_frame: int) -> None:
    """Store the root motion of a bake with its action."""
    action[ROOT_PROPERTY] = np.column_stack([root.positions, root.yaws]).ravel().tolist()
    action[START_PROPERTY] = start_frame


def stored_root(action: bpy.types.Action | None) -> tuple[GroundRoot, int] | None:
    """Return the stored root motion of a bake and the scene frame of its first value; ``None`` if there is none."""
    if action is None or ROOT_PROPERTY not in action or START_PROPERTY not in action:
        return None
    rows = np.array(action[ROOT_PROPERTY], dtype=float).reshape(-1, 4)
    return GroundRoot(rows[:, :3], rows[:, 3]), int(action[START_PROPERTY])


def encode_pose(pose: Clip, turn: Array, chosen: Sequence[str]) -> str:
    """Encode a pose as text that does not depend on the rotation of the armature object.

    Args:
        pose: a clip of one frame, relative to the root.
        turn: (4) rotation of the object.
        chosen: names of the posed joints.
    """
    rotations = multiply(pose.world[1][0], turn)
    return json.dumps(
        {
            "joints": list(pose.skeleton.names),
            "rotations": rotations.tolist(),
            "root": pose.root_positions[0].tolist(),
            "chosen": list(chosen),
        }
    )


def decode_pose(text: str, skeleton: Skeleton, turn: Array, number: int) -> tuple[Clip, list[int]]:
    """Decode a text made by :func:`encode_pose`; return the pose on a body (one frame) and the posed joints.

    Args:
        text: the pose.
        skeleton: the body.
        turn: (4) rotation of the armature's object.
        number: number of the key pose, for messages.

    Raises:
        FootfallError: the text is damaged, or names other bones.
    """
    try:
        stored: Any = parse_json(text, MAX_POSE_BYTES)
        names, chosen = list(map(str, stored["joints"])), list(map(str, stored["chosen"]))
        rotations = np.array(stored["rotations"], dtype=float).reshape(len(names), 4)
        place = np.array(stored["root"], dtype=float).reshape(3)
        if not np.isfinite(rotations).all() or not np.isfinite(place).all():
            raise ValueError
    except (ContentError, KeyError, TypeError, ValueError) as error:
        raise FootfallError("Key pose {number} is damaged: keep the pose again, or remove it", number=number) from error
    missing = set(skeleton.names) - set(names)
    if missing:
        raise FootfallError(
            "Key pose {number} was made with another bone map and has no bone '{name}': keep the pose again, "
            "or remove it",
            number=number,
            name=min(missing),
        )
    rows = [names.index(name) for name in skeleton.names]
    world = multiply(normalize(rotations[rows]), inverse(turn))
    pose = Clip(skeleton, 1.0, place[None], normalize(local_rotations(skeleton, world[None])))
    return pose, [skeleton.names.index(name) for name in chosen if name in skeleton.names]


def read_key_poses(
    armature: bpy.types.Object, motion: Clip, root: GroundRoot, start_frame: int, rate: float
) -> dict[int, KeyPose]:
    """Return the key poses that are in use, by index in the list.

    Args:
        armature: the character.
        motion: the character's bake, at any rate.
        root: the root motion of the bake.
        start_frame: scene frame of the bake's first frame.
        rate: the scene's frames per second.

    Raises:
        FootfallError: a pose is damaged, or names other bones.
    """
    result = dict[int, KeyPose]()
    for index, item in enumerate(armature.footfall.key_poses):
        if not item.is_used:
            continue
        pose, chosen = decode_pose(item.pose, motion.skeleton, object_turn(armature), index + 1)
        joints = kept_joints(motion.skeleton, chosen)
        at_frame = round((item.frame - start_frame) * motion.rate / rate)
        frame = at_frame if item.anchor == "FRAME" else root.frame_at(item.distance)
        windows = item.blend_in / rate, item.blend_out / rate
        if item.automatic_blend and 0 <= frame < len(motion):
            windows = (usual_window(motion, root.pose_to_world(pose, frame), joints, frame),) * 2
        result[index] = KeyPose(frame, pose, joints, *windows)
    return result
