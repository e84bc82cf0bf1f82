"""Interpretation of a BVH file's position channels, of the joints down to the body's root and of the others.

Position channels hold the joint's position relative to its parent ("absolute"), as Blender's importer reads them, or
relative to OFFSET, as in the CMU clips on the CC_Base rig. OFFSET may be that of a rest pose or of the first frame.

- Bones do not stretch: below the body's root, the median of a joint's position channels becomes its bone's offset. A
  program writes one dialect: the one in which most of these joints keep their OFFSET.
- Every joint from the file's root to the body's root may travel. If the joints below show that positions are absolute,
  so are theirs. Otherwise they are read so that the lowest joint is closest to the ground plane on average; in doubt,
  as absolute.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from .bvh_parser import AXES, BvhJoint
from .rotations import Array, multiply, rotate

CLEAR_SHARE: Final = 0.25
"""Distance of a joint's median position from OFFSET (or from zero), as a share of OFFSET's length, within which its
channels are clearly absolute (or relative)."""
CLEAR_VOTES: Final = 3
"""Smallest majority of absolute joints below the body's root that makes the joints above absolute as well."""
MIN_GAIN_RATIO: Final = 0.2
"""Smallest gain for which an OFFSET is added to a joint's positions: the distance by which it brings the lowest joint
closer to the ground, relative to the root's height over that joint."""
MAX_FREE_JOINTS: Final = 6
"""Largest number of joints for which a missing OFFSET is decided joint by joint; for more, all together."""


@dataclass(frozen=True, eq=False)
class Places:
    """Positions of a file's joints relative to their parents, in its unit and axes."""

    joints: Sequence[BvhJoint]
    table: Array

    def median(self, joint: int) -> Array:
        """Return the median (3) of a joint's :meth:`track` over all frames; OFFSET if it has no position channels."""
        return np.array(self.joints[joint].offset) if not self.travels(joint) else np.median(self.track(joint), axis=0)

    def travels(self, joint: int) -> bool:
        """Return whether a joint has position channels."""
        return bool(self.joints[joint].columns("position"))

    def track(self, joint: int) -> Array:
        """Return the values (F, 3) of a joint's position channels, in the file's unit; OFFSET on axes without one."""
        positions = np.tile(np.array(self.joints[joint].offset), (len(self.table), 1))
        for axis, column in self.joints[joint].columns("position").items():
            positions[:, AXES.index(axis)] = self.table[:, column]
        return positions

    def span(self, joint: int) -> float:
        """Return the diagonal of the bounding box of a joint's :meth:`track`, in the file's unit."""
        return float(np.linalg.norm(np.ptp(self.track(joint), axis=0))) if self.travels(joint) else 0.0

    def missing_offset(self, joint: int) -> Array:
        """Return the vector (3) to add to position channels that are relative to OFFSET; zero on axes without one."""
        missing = np.zeros(3)
        for axis in self.joints[joint].columns("position"):
            missing[AXES.index(axis)] = self.joints[joint].offset[AXES.index(axis)]
        return missing

    def constant_offsets(self) -> Array:
        """Return each joint's constant offset (J, 3) from its parent, in the file's unit: the median of its track."""
        vote = self.absolute_votes(range(1, len(self.joints)))
        offsets = np.array([joint.offset for joint in self.joints])
        for joint in range(1, len(self.joints)):
            if self.travels(joint):
                given, missing = self.median(joint), self.missing_offset(joint)
                own = np.linalg.norm(given - offsets[joint]) - np.linalg.norm(given - offsets[joint] + missing)
                offsets[joint] = given if (-vote or own) <= 0 else given + missing
        return offsets

    def absolute_votes(self, joints: Sequence[int]) -> int:
        """Return the number of joints whose channels clearly include OFFSET, minus those that clearly exclude it."""
        votes = 0
        for joint in joints:
            missing = self.missing_offset(joint)
            size = float(np.linalg.norm(missing))
            if size > 0:
                axes = missing != 0
                given = self.median(joint)[axes]
                absolute = np.linalg.norm(given - missing[axes]) <= CLEAR_SHARE * size
                votes += int(absolute) - int(np.linalg.norm(given) <= CLEAR_SHARE * size)
        return votes


@dataclass(frozen=True, eq=False)
class BodyRoot:
    """The motion of the body's root, in the file's unit and axes.

    Attributes:
        positions: (F, 3) positions, if all position channels are taken as absolute.
        rotations: (F, 4) world rotations.
        lacking: (C) joints above the root whose channels may lack their OFFSET.
        missing: (C, F, 3) OFFSETs of these joints, in the file's unit and axes.
    """

    positions: Array
    rotations: Array
    lacking: tuple[int, ...]
    missing: Array

    def is_missing(self, up: Array, lowest: Array, frames: slice) -> list[bool]:
        """Return for each joint in ``lacking`` whether its OFFSET must be added to bring the body to the ground.

        Args:
            up: (3) up direction, in the file's axes.
            lowest: (F') height of the lowest joint relative to the root in ``frames``; below 0.
            frames: the frames to judge, F' in number.
        """
        ground = float((self.positions[frames] @ up + lowest).mean())
        rises = (self.missing[:, frames] @ up).mean(axis=1)
        gain = MIN_GAIN_RATIO * float(np.abs(lowest).mean())
        if len(rises) > MAX_FREE_JOINTS:
            return [bool(abs(ground + rises.sum()) < abs(ground) - gain)] * len(rises)
        # Of equal options the first adds the fewest offsets.
        options = sorted(product((False, True), repeat=len(rises)), key=sum)
        return list(min(options, key=lambda option: abs(ground + rises[list(option)].sum()) + gain * sum(option)))


def body_root(places: Places, offsets: Array, rotations: Array, chain: Sequence[int]) -> BodyRoot:
    """Return the motion of the body's root: the last joint of a chain that begins at the file's root.

    Args:
        places: positions of the file's joints.
        offsets: (J, 3) constant positions of the joints that do not travel, relative to their parents.
        rotations: (F, J, 4) rotations, each relative to the joint's parent.
        chain: joints, each the parent of the next.
    """
    below = [joint for joint in range(1, len(places.joints)) if joint not in chain]
    absolute = places.absolute_votes(below) >= CLEAR_VOTES
    positions, turned = places.track(chain[0]), rotations[:, chain[0]]
    lacking: list[int] = []
    missing: list[Array] = []
    for number, joint in enumerate(chain):
        lacks = places.missing_offset(joint)
        if number:
            local = places.track(joint) if places.travels(joint) else offsets[joint]
            positions = positions + rotate(turned, local)
        if lacks.any() and not absolute:
            lacking.append(joint)
            missing.append(rotate(turned, lacks) if number else np.tile(lacks, (len(positions), 1)))
        if number:
            turned = multiply(turned, rotations[:, joint])
    return BodyRoot(positions, turned, tuple(lacking), np.array(missing).reshape(len(missing), len(positions), 3))
