"""The clip: a skeleton's motion over time."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import scipy

from .kinematics import forward_kinematics, local_rotations, world_positions
from .reading_note import ReadingNote
from .rotations import Array, multiply, normalize, rotate, rotation_between, slerp, unroll
from .skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Clip:
    """Motion of one character.

    Attributes:
        skeleton: the character's skeleton, of J joints.
        rate: frames per second.
        root_positions: (F, 3) root positions, meters, Blender's world.
        rotations: (F, J, 4) rotations, each joint relative to its parent.
        name: the clip's name for the user.
        notes: repairs made, and doubts that arose, when its file was read.
    """

    skeleton: Skeleton
    rate: float
    root_positions: Array
    rotations: Array
    name: str = "clip"
    notes: tuple[ReadingNote, ...] = ()

    _world_rotations: ClassVar[Array | None] = None
    """World rotations (F, J, 4), if the clip was made from them."""

    def __post_init__(self) -> None:
        if self.rotations.shape != (len(self.root_positions), len(self.skeleton), 4):
            raise ValueError(
                f"rotations {self.rotations.shape} do not fit {len(self.root_positions)} frames "
                f"of {len(self.skeleton)} joints"
            )

    @staticmethod
    def from_world_rotations(
        skeleton: Skeleton, rate: float, root_positions: Array, rotations: Array, name: str = "clip"
    ) -> "Clip":
        """Build a clip from world rotations (F, J, 4), which need not be normalized.

        Args:
            skeleton: skeleton of J joints.
            rate: frames per second.
            root_positions: (F, 3) root positions, meters, world.
            rotations: (F, J, 4) world rotations, also kept as a cache.
            name: the clip's name.
        """
        rotations = normalize(rotations)
        clip = Clip(skeleton, rate, root_positions, normalize(local_rotations(skeleton, rotations)), name)
        object.__setattr__(clip, "_world_rotations", rotations)
        return clip

    def __len__(self) -> int:
        return len(self.root_positions)

    @property
    def duration(self) -> float:
        """Duration from the first frame to the last, seconds."""
        return max(len(self) - 1, 0) / self.rate

    @cached_property
    def world(self) -> tuple[Array, Array]:
        """World positions (F, J, 3), meters, and world rotations (F, J, 4) of all joints."""
        if self._world_rotations is not None:
            positions = world_positions(self.skeleton, self.root_positions, self._world_rotations)
            return positions, self._world_rotations
        return forward_kinematics(self.skeleton, self.root_positions, self.rotations)

    @property
    def positions(self) -> Array:
        """World positions of all joints (F, J, 3), meters."""
        return self.world[0]

    def cut(self, start: int, stop: int) -> "Clip":
        """Return the clip's frames from ``start`` up to but not including ``stop``."""
        return replace(self, root_positions=self.root_positions[start:stop], rotations=self.rotations[start:stop])

    def repeated(self, count: int) -> "Clip":
        """Return the clip with every frame repeated ``count`` times; a single pose becomes a still motion."""
        return replace(
            self,
            root_positions=np.repeat(self.root_positions, count, axis=0),
            rotations=np.repeat(self.rotations, count, axis=0),
        )

    def resampled(self, rate: float) -> "Clip":
        """Return the same motion at another frame rate, Hz: cubic root positions, spherically interpolated rotations.

        The first frame is kept; the last one is at the last whole step within the clip's duration.
        """
        if rate == self.rate or len(self) < 2:
            return replace(self, rate=rate)
        times = np.arange(int(np.floor(self.duration * rate + 1e-6)) + 1) / rate
        return replace(self.at(np.minimum(times * self.rate, len(self) - 1)), rate=rate)

    def at(self, times: Array) -> "Clip":
        """Return the motion sampled at ``times``: cubic root positions, spherically interpolated rotations.

        Args:
            times: (F') times in frames, from 0 (the first frame) to the last frame; the clip needs at least two frames.
        """
        whole = np.rint(times)
        if np.allclose(times, whole, atol=1e-6):
            index = whole.astype(int)
            return replace(self, root_positions=self.root_positions[index], rotations=self.rotations[index])
        index = np.minimum(times.astype(int), len(self) - 2)
        share = np.broadcast_to((times - index)[:, None], (len(times), len(self.skeleton)))
        roots = scipy.interpolate.CubicSpline(np.arange(len(self)), self.root_positions, axis=0)(times)
        rotations = slerp(self.rotations[index], self.rotations[index + 1], share)
        return replace(self, root_positions=roots, rotations=rotations)

    def mirrored(self) -> "Clip":
        """Return the mirror image of the motion: left and right are exchanged.

        The mirror's plane is the skeleton's own plane of symmetry at rest. Where the two sides' rest offsets differ,
        each bone is turned to the mirrored direction of its counterpart.
        """
        pairs = list(self.skeleton.mirror_pairs)
        axis = lateral_axis(self.skeleton)
        flip = np.ones(3)
        flip[axis] = -1.0
        mirror = np.concatenate([[1.0], -flip[[0, 1, 2]]])
        bones = self.skeleton.bone_vectors
        align = rotation_between(bones, (bones * flip)[pairs])
        world = multiply((self.world[1] * mirror)[:, pairs], align)
        rotations = unroll(normalize(local_rotations(self.skeleton, world)))
        return replace(
            self, root_positions=self.root_positions * flip, rotations=rotations, name=f"{self.name} (mirrored)"
        )

    def transformed(self, rotation: Array, translation: Array) -> "Clip":
        """Return the motion rotated by a quaternion (4) about the world's origin, then translated (3), meters."""
        rotations = self.rotations.copy()
        rotations[:, 0] = multiply(rotation, rotations[:, 0])
        return replace(self, root_positions=rotate(rotation, self.root_positions) + translation, rotations=rotations)


def lateral_axis(skeleton: Skeleton) -> int:
    """Return the world axis, 0 (X) or 1 (Y), that is nearer to the left-right direction of the skeleton at rest."""
    positions = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        positions[joint] = positions[parent] + skeleton.offsets[joint]
    across = np.zeros(3)
    for joint, other in enumerate(skeleton.mirror_pairs):
        if other > joint:
            across += np.abs(positions[joint] - positions[other])
    return int(np.argmax(across[:2]))
