"""A writer of BVH files as other programs write them: any axes and unit, roots above the hips, OFFSETs of all kinds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from footfall.core.motion.axes import UpAxis, rotations_to_file, to_file, to_world
from footfall.core.motion.clip import Clip
from footfall.core.motion.rotations import IDENTITY, Array, from_matrix, inverse, multiply, rotate, to_euler

ORDER = "ZXY"


@dataclass(frozen=True)
class RootAbove:
    """A joint above the hips: its track relative to the one above, in the file's unit and axes."""

    name: str
    positions: Array | None = None
    """(F, 3); none if it has no position channels."""
    rotation: Array | Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    offset: Sequence[float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Dialect:
    """How a program writes.

    Attributes:
        up: up axis of the motion.
        rest_up: up axis of the OFFSETs, if another one.
        unit: meters in one unit.
        above: joints above the hips, from the root down.
        hips_offset: OFFSET of the hips; the first frame's place if it is ``"first frame"``.
        is_relative: whether position channels are relative to OFFSET.
        all_travel: whether all joints have position channels.
        names: new names of joints.
    """

    up: UpAxis = "Y"
    rest_up: UpAxis | None = None
    unit: float = 0.01
    above: Sequence[RootAbove] = ()
    hips_offset: Sequence[float] | str = (0.0, 0.0, 0.0)
    is_relative: bool = False
    all_travel: bool = False
    names: Mapping[str, str] | None = None

    def write(self, path: Path, clip: Clip) -> Path:
        """Write a clip, whose joints come depth first; its root ends where the clip's is."""
        rest = self.rest_up or self.up
        bones = to_file(clip.skeleton.offsets, rest) / self.unit
        turns = rotations_to_file(clip.rotations, rest)
        standing = from_matrix(to_file(to_world(np.eye(3), rest), self.up).T)
        turns[:, 0] = multiply(standing, turns[:, 0])
        place, turn = to_file(clip.root_positions, self.up) / self.unit, turns[:, 0]
        at, turned = np.zeros_like(place), np.tile(IDENTITY, (len(clip), 1))
        lines, rows, tail = ["HIERARCHY"], [], []
        for number, root in enumerate(self.above):
            local = np.tile(root.offset, (len(clip), 1)) if root.positions is None else root.positions
            at, turned = at + rotate(turned, local), multiply(turned, np.broadcast_to(root.rotation, turned.shape))
            channels = local - np.array(root.offset) * self.is_relative
            kind = "JOINT" if number else "ROOT"
            lines += self._opening(kind, root.name, root.offset, root.positions is not None)
            rows += [] if root.positions is None else [channels]
            rows.append(np.rad2deg(to_euler(np.broadcast_to(root.rotation, turned.shape), ORDER)))
            tail.append("}")
        turns[:, 0] = multiply(inverse(turned), turn)
        hips = rotate(inverse(turned), place - at)
        offset = hips[0] if isinstance(self.hips_offset, str) else np.array(self.hips_offset)
        open_joints: list[int] = []
        for joint, (name, parent) in enumerate(zip(clip.skeleton.names, clip.skeleton.parents, strict=True)):
            while open_joints and open_joints[-1] != parent:
                open_joints.pop()
                lines.append("}")
            own = offset if joint == 0 else bones[joint]
            travels = joint == 0 or self.all_travel
            kind = "JOINT" if joint or self.above else "ROOT"
            lines += self._opening(kind, (self.names or {}).get(name, name), own, travels)
            if travels:
                rows.append((hips if joint == 0 else np.tile(own, (len(clip), 1))) - own * self.is_relative)
            rows.append(np.rad2deg(to_euler(turns[:, joint], ORDER)))
            open_joints.append(joint)
        lines += ["}"] * len(open_joints) + tail
        table = np.concatenate(rows, axis=1)
        lines += ["MOTION", f"Frames: {len(clip)}", f"Frame Time: {1 / clip.rate:.8f}"]
        lines += [" ".join(f"{value:.7f}" for value in row) for row in table]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def _opening(self, kind: str, name: str, offset: Sequence[float] | Array, travels: bool) -> list[str]:
        """Return the first lines of a joint."""
        positions = "6 Xposition Yposition Zposition" if travels else "3"
        return [
            f"{kind} {name}",
            "{",
            "OFFSET " + " ".join(f"{value:.7f}" for value in offset),
            f"CHANNELS {positions} " + " ".join(f"{axis}rotation" for axis in ORDER),
        ]
