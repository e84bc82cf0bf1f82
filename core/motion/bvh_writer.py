"""Clips as BVH text in the manner of the CMU files."""

import os
import re
from pathlib import Path
from typing import Final

import numpy as np

from ..jobs.atomic import write_atomically
from ..message import Message
from .bvh_parser import MotionFileError
from .clip import Clip
from .conventions import CENTIMETER_M
from .decimals import format_table
from .rotations import Array, to_euler
from .skeleton import Skeleton

WRITTEN_DECIMALS: Final = 6
"""Decimal places in written files, of centimeters and degrees."""


def write_bvh(path: str | os.PathLike[str], clip: Clip) -> None:
    """Write a clip as the CMU files are: centimeters, Y up, channels Z Y X, OFFSET zero at the root.

    Joints come depth first, as the format demands. The file appears whole or not at all.

    Raises:
        MotionFileError: the file cannot be written.
    """
    path = Path(path)
    order = _depth_first_order(clip.skeleton)
    roots = _to_y_up(clip.root_positions) / CENTIMETER_M
    rotations = clip.rotations[:, order]
    rotations = rotations[..., [0, 1, 3, 2]] * np.array([1.0, 1.0, 1.0, -1.0])
    angles = np.unwrap(to_euler(rotations, "ZYX"), axis=0)
    table = np.concatenate([roots, np.rad2deg(angles).reshape(len(roots), 3 * len(order))], axis=1)
    head = f"{_hierarchy_text(clip.skeleton)}MOTION\nFrames: {len(clip)}\nFrame Time: {1 / clip.rate:.10f}\n"
    try:
        write_atomically(path, head.encode() + format_table(table, WRITTEN_DECIMALS))
    except OSError as error:
        raise MotionFileError(
            path, None, Message("it cannot be written ({strerror})", strerror=error.strerror)
        ) from error


def _to_y_up(vectors: Array) -> Array:
    """Return vectors (..., 3) of Blender's world in a Y-up file: (x, y, z) becomes (x, z, -y)."""
    return vectors[..., [0, 2, 1]] * np.array([1.0, 1.0, -1.0])


def _depth_first_order(skeleton: Skeleton) -> list[int]:
    """Return the joints' indices in depth-first order."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(skeleton.children[joint]))
    return order


def _hierarchy_text(skeleton: Skeleton) -> str:
    """Return the HIERARCHY section."""
    offsets, tips = _to_y_up(skeleton.offsets) / CENTIMETER_M, _to_y_up(skeleton.tips) / CENTIMETER_M
    offsets[0] = 0.0
    lines = ["HIERARCHY"]
    open_joints: list[int] = []
    for joint in _depth_first_order(skeleton):
        while open_joints and open_joints[-1] != skeleton.parents[joint]:
            open_joints.pop()
            lines.append("  " * len(open_joints) + "}")
        indent = "  " * len(open_joints)
        name = re.sub(r"[\s{}]+", "_", skeleton.names[joint]) or "joint"
        positions = "" if joint else "Xposition Yposition Zposition "
        lines += [
            f"{indent}{'JOINT' if joint else 'ROOT'} {name}",
            f"{indent}{{",
            f"{indent}  OFFSET {_vector_text(offsets[joint])}",
            f"{indent}  CHANNELS {3 if joint else 6} {positions}Zrotation Yrotation Xrotation",
        ]
        if not skeleton.children[joint]:
            lines += [
                f"{indent}  End Site",
                f"{indent}  {{",
                f"{indent}    OFFSET {_vector_text(tips[joint])}",
                f"{indent}  }}",
            ]
        open_joints.append(joint)
    while open_joints:
        open_joints.pop()
        lines.append("  " * len(open_joints) + "}")
    return "\n".join(lines) + "\n"


def _vector_text(vector: Array) -> str:
    """Return a vector's numbers, separated by spaces."""
    return " ".join(f"{value:.{WRITTEN_DECIMALS}f}" for value in vector)
