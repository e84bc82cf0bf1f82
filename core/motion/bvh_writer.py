"""Writer of BVH files in the conventions of the CMU clips."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..jobs.atomic import write_atomically
from ..message import Message
from .axes import rotations_to_file, to_file
from .bvh_parser import BvhJoint, MotionFileError
from .clip import Clip
from .conventions import CENTIMETER_M
from .decimals import format_table
from .rotations import Array, to_euler
from .skeleton import Skeleton

POSITION_CHANNELS: Final = (("X", "position"), ("Y", "position"), ("Z", "position"))
ROTATION_CHANNELS: Final = (("Z", "rotation"), ("Y", "rotation"), ("X", "rotation"))
WRITTEN_DECIMALS: Final = 6
"""Decimal places of centimeters and degrees in written files."""


def write_bvh(path: str | os.PathLike[str], clip: Clip) -> None:
    """Write a clip as the CMU files are: centimeters, Y up, channels Z Y X, OFFSET zero at the root.

    Joints come depth first, as the format demands. The file appears whole or not at all.

    Raises:
        MotionFileError: the file cannot be written.
    """
    skeleton = clip.skeleton
    order = _depth_first_order(skeleton)
    place = {joint: number for number, joint in enumerate(order)}
    offsets, tips = (to_file(vectors, "Y") / CENTIMETER_M for vectors in (skeleton.offsets, skeleton.tips))
    offsets[0] = 0.0
    joints = [
        BvhJoint(
            skeleton.names[joint],
            place.get(skeleton.parents[joint], -1),
            offsets[joint].tolist(),
            None if skeleton.children[joint] else tips[joint].tolist(),
            channels=[*(() if joint else POSITION_CHANNELS), *ROTATION_CHANNELS],
        )
        for joint in order
    ]
    roots = to_file(clip.root_positions, "Y") / CENTIMETER_M
    rotations = clip.rotations[:, order]
    angles = np.unwrap(to_euler(rotations_to_file(rotations, "Y"), "ZYX"), axis=0)
    table = np.concatenate([roots, np.rad2deg(angles).reshape(len(roots), 3 * len(order))], axis=1)
    write_joints(path, joints, clip.rate, table)


def write_joints(path: str | os.PathLike[str], joints: Sequence[BvhJoint], rate: float, table: Array) -> None:
    """Write a BVH file: a hierarchy and the values (F, C) of its channels; it appears whole or not at all.

    Raises:
        MotionFileError: the file cannot be written.
    """
    path = Path(path)
    head = f"{_hierarchy_text(joints)}MOTION\nFrames: {len(table)}\nFrame Time: {1 / rate:.10f}\n"
    try:
        write_atomically(
            path,
            head.encode("utf-8", "backslashreplace")
            + format_table(np.asarray(table, dtype=np.float64), WRITTEN_DECIMALS),
        )
    except OSError as error:
        raise MotionFileError(
            path, None, Message("the file cannot be written ({error})", error=error.strerror)
        ) from error


def _depth_first_order(skeleton: Skeleton) -> list[int]:
    """Return the joints' indices in depth-first order."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(skeleton.children[joint]))
    return order


def _hierarchy_text(joints: Sequence[BvhJoint]) -> str:
    """Return the HIERARCHY section of joints in depth-first order."""
    parents = {joint.parent for joint in joints}
    lines = ["HIERARCHY"]
    open_joints: list[int] = []
    for number, joint in enumerate(joints):
        while open_joints and open_joints[-1] != joint.parent:
            open_joints.pop()
            lines.append("  " * len(open_joints) + "}")
        indent = "  " * len(open_joints)
        channels = " ".join(f"{axis}{kind}" for axis, kind in joint.channels)
        lines += [
            f"{indent}{'JOINT' if number else 'ROOT'} {written_name(joint.name)}",
            f"{indent}{{",
            f"{indent}  OFFSET {_vector_text(joint.offset)}",
            f"{indent}  CHANNELS {len(joint.channels)} {channels}".rstrip(),
        ]
        if joint.tip is not None or number not in parents:
            lines += [
                f"{indent}  End Site",
                f"{indent}  {{",
                f"{indent}    OFFSET {_vector_text(joint.tip or (0.0, 0.0, 0.0))}",
                f"{indent}  }}",
            ]
        open_joints.append(number)
    while open_joints:
        open_joints.pop()
        lines.append("  " * len(open_joints) + "}")
    return "\n".join(lines) + "\n"


def written_name(name: str) -> str:
    """Return a joint's name as it is written to files, with underscores for braces and control characters.

    >>> written_name("Bip01 L Thigh"), written_name("左足"), written_name("a{b}")
    ('Bip01 L Thigh', '左足', 'a_b_')
    """
    return re.sub(r"[\x00-\x1f{}]+", "_", name).strip() or "joint"


def _vector_text(vector: Sequence[float]) -> str:
    """Return a vector's numbers, separated by spaces."""
    return " ".join(f"{value:.{WRITTEN_DECIMALS}f}" for value in vector)
