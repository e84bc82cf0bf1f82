"""A BVH file as a retargeting target: motion is written onto its own joints, in its own unit and axes."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .axes import UpAxis, rotations_to_file, to_file
from .bvh_parser import AXES, BvhJoint
from .bvh_writer import POSITION_CHANNELS, ROTATION_CHANNELS, write_joints
from .clip import Clip
from .rotations import Array, inverse, multiply, rotate, to_euler
from .skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class BvhTarget:
    """All joints of a BVH file, and how they relate to the skeleton of its clip.

    The body is the part from the clip's root downward. The joints above it, and other branches, keep the pose of the
    file's first frame; the body's root travels by its own position channels, or by those of the nearest joint above
    that has any.

    Attributes:
        clip: the file's motion, on the body's skeleton.
        joints: (J) the file's joints.
        places: (J, 3) positions of these joints relative to their parents, in the file's unit and axes; for traveling
            joints in the first frame.
        still_rotations: (J, 4) rotations of these joints in the first frame, relative to their parents.
        chain: the joints from the file's root to the body's root.
        body: the body's joints, in the order of the clip's skeleton.
        unit: meters per unit of the file.
        up: the file's up axis.
    """

    clip: Clip
    joints: tuple[BvhJoint, ...]
    places: Array
    still_rotations: Array
    chain: tuple[int, ...]
    body: tuple[int, ...]
    unit: float
    up: UpAxis

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton of the body, onto which motion is retargeted."""
        return self.clip.skeleton

    def write(self, path: str | os.PathLike[str], clip: Clip) -> None:
        """Write a motion of the body's skeleton to a file with all joints, the unit and the axes of this target.

        Raises:
            MotionFileError: the file cannot be written.
        """
        frames = len(clip)
        places = np.tile(self.places, (frames, 1, 1))
        rotations = np.tile(self.still_rotations, (frames, 1, 1))
        rotations[:, list(self.body)] = rotations_to_file(clip.rotations, self.up)
        self._place_root(places, rotations, to_file(clip.root_positions, self.up) / self.unit)
        joints = self._written_joints()
        columns: list[Array] = []
        for number, joint in enumerate(joints):
            order = "".join(joint.columns("rotation"))
            angles = to_euler(rotations[:, number], order + "".join(axis for axis in AXES if axis not in order))
            angles = np.rad2deg(np.unwrap(angles, axis=0))
            for axis, kind in joint.channels:
                turns = kind == "rotation"
                columns.append(angles[:, order.index(axis)] if turns else places[:, number, AXES.index(axis)])
        write_joints(path, joints, clip.rate, np.stack(columns, axis=1))

    @property
    def _carrier(self) -> int:
        """The joint that travels: the last one of the chain with position channels, else the file's root."""
        travelling = [joint for joint in self.chain if self.joints[joint].columns("position")]
        return travelling[-1] if travelling else 0

    def _place_root(self, places: Array, rotations: Array, roots: Array) -> None:
        """Turn and move the chain's joints, in `places` and `rotations`, to bring the body's root to `roots` (F, 3)."""
        first, *below = self.chain
        turned = rotations[:, first]
        above = [turned]
        for joint in below[:-1]:
            turned = multiply(turned, rotations[:, joint])
            above.append(turned)
        if len(self.chain) > 1:
            rotations[:, self.chain[-1]] = multiply(inverse(turned), rotations[:, self.chain[-1]])
        carrier = self.chain.index(self._carrier)
        at = roots
        for number in range(len(self.chain) - 1, carrier, -1):
            at = at - rotate(above[number - 1], places[:, self.chain[number]])
        origin = places[:, first].copy() if carrier else np.zeros_like(roots)
        for number in range(1, carrier):
            origin += rotate(above[number - 1], places[:, self.chain[number]])
        local = at - origin
        places[:, self._carrier] = rotate(inverse(above[carrier - 1]), local) if carrier else local

    def _written_joints(self) -> list[BvhJoint]:
        """Return the file's joints, with channels added where motion on the body needs them."""
        written = []
        for number, joint in enumerate(self.joints):
            channels = list(joint.channels)
            if number == self._carrier:
                channels = _with_all(channels, POSITION_CHANNELS, first=True)
            if number in self.body:
                channels = _with_all(channels, ROTATION_CHANNELS)
            written.append(replace(joint, offset=list(joint.offset), channels=channels))
        return written


def _with_all(
    channels: Sequence[tuple[str, str]], wanted: Sequence[tuple[str, str]], first: bool = False
) -> list[tuple[str, str]]:
    """Return a joint's channels with the missing ones of `wanted` added: in front if `first`, otherwise at the end."""
    missing = [channel for channel in wanted if channel not in channels]
    return [*missing, *channels] if first else [*channels, *missing]
