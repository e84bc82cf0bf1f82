"""Hands of a person: a palm, four fingers and a thumb, relaxed."""

import itertools
from typing import Final

import numpy as np

from ..motion.rotations import Array, from_axis_angle, rotate
from .control_cage import ControlCage
from .design_pose import DesignPose
from .limbs import arm_frame, arm_loop
from .shape import LimbRing, Shape
from .skinned_mesh import Material

WRIST: Final = LimbRing(0.0, 0.020, 0.029, 0.027, 0.7)
PALM: Final = (
    LimbRing(0.022, 0.021, 0.035, 0.031, 1.0),
    LimbRing(0.052, 0.019, 0.043, 0.039, 1.0),
    LimbRing(0.090, 0.014, 0.042, 0.040, 1.0),
)
"""Rings of the hand, in meters from the wrist; the thumb begins between the first two."""
PALM_EXPONENT: Final = 3.0
FINGER_CORNERS: Final = ((7, 6, 9, 8), (6, 5, 0, 9), (5, 4, 1, 0), (4, 3, 2, 1))
"""Vertices of the last ring at the base of index, middle, ring and little finger: two on the back of the hand, two on
the palm."""
FINGER_LENGTHS_M: Final = (0.076, 0.084, 0.078, 0.062)
FINGER_WIDTH_M: Final = 0.0085
FINGER_SPREADS_RAD: Final = (0.10, 0.03, -0.05, -0.13)
FINGER_CURLS_RAD: Final = (0.22, 0.30, 0.28)
"""Bend of a finger's three joints toward the palm; each finger bends slightly more than the previous one."""
FINGER_SHARES: Final = (0.46, 0.30, 0.24)
THUMB_SHARES: Final = (0.50, 0.30, 0.20)
THUMB_LENGTH_M: Final = 0.078
THUMB_WIDTH_M: Final = 0.011


def add_hand(cage: ControlCage, pose: DesignPose, shape: Shape, side: str, rim: list[int]) -> None:
    """Add the hand of side ``"L"`` or ``"R"`` to the cage; ``rim`` is the loop of ten vertices above the wrist."""
    roles = pose.skeleton.roles
    hand, fore = roles[f"hand.{side}"], roles[f"forearm.{side}"]
    size, wrist = pose.scale * shape.hand, pose.at(f"hand.{side}")
    axis, out, thumb = arm_frame(pose, side, "forearm", "hand")
    rings = [rim]
    for number, ring in enumerate((WRIST, *PALM)):
        center = wrist + size * ring.along * axis
        points = arm_loop(center, out, thumb, ring, size, PALM_EXPONENT if number > 1 else 2.2)
        rings.append(cage.add_points(points, [{hand: ring.weight, fore: 1 - ring.weight}] * 10))
    builder = _Fingers(cage, hand, side == "L", size)
    for number, (first, second) in enumerate(itertools.pairwise(rings)):
        for corner in range(10):
            if (number, corner) != (2, 7):
                builder.face(first[corner], first[(corner + 1) % 10], second[(corner + 1) % 10], second[corner])
    for number, corners in enumerate(FINGER_CORNERS):
        turned = rotate(from_axis_angle(out, FINGER_SPREADS_RAD[number] * (1 if side == "L" else -1)), axis)
        base = [rings[-1][corner] for corner in corners]
        curls = (1 + 0.18 * number) * np.array(FINGER_CURLS_RAD)
        builder.add(base, turned, out, FINGER_LENGTHS_M[number], FINGER_WIDTH_M, curls, FINGER_SHARES)
    root = [rings[2][7], rings[3][7], rings[3][8], rings[2][8]]
    ahead = 0.80 * axis + 0.50 * thumb - 0.34 * out
    builder.add(root, ahead / np.linalg.norm(ahead), thumb - axis, THUMB_LENGTH_M, THUMB_WIDTH_M,
                np.array([0.0, 0.25, 0.25]), THUMB_SHARES)  # fmt: skip


class _Fingers:
    """Builder of a hand's fingers."""

    def __init__(self, cage: ControlCage, hand: int, is_left: bool, size: float) -> None:
        self.cage, self.hand, self.is_left, self.size = cage, hand, is_left, size

    def face(self, *corners: int) -> None:
        self.cage.add_face(corners if self.is_left else corners[::-1], Material.of_side("L" if self.is_left else "R"))

    def add(
        self, base: list[int], axis: Array, back: Array, length: float, width: float, curls: Array, shares: tuple
    ) -> None:
        """Add a finger of three segments that starts at the four vertices ``base``.

        Args:
            base: vertices of the hand from which the finger grows.
            axis: (3) direction of the straight finger.
            back: (3) direction out of the back of the finger.
            length: length of an adult's finger, meters.
            width: half thickness of an adult's finger, meters.
            curls: (3) bend of each joint toward the palm, radians.
            shares: length of each segment as a share of the finger's.
        """
        center = np.mean([self.cage.point(vertex) for vertex in base], axis=0)
        across = np.cross(axis, back)
        across = across / np.linalg.norm(across)
        corners = np.array([self.cage.point(vertex) for vertex in base]) - center
        signs = np.stack([np.sign(corners @ across), np.sign(corners @ back)], axis=1)
        ring, up = base, np.cross(across, axis)
        for segment, (curl, share) in enumerate(zip(curls, shares, strict=True)):
            turn = from_axis_angle(across, -curl if up @ rotate(from_axis_angle(across, 0.1), axis) > 0 else curl)
            axis, up = rotate(turn, axis), rotate(turn, up)
            for at in (0.3, 1.0) if segment == 0 else (1.0,):
                step = center + self.size * length * share * at * axis
                thick = self.size * width * (1.25 - 0.13 * (segment + (at == 1.0)))
                points = step + thick * 1.18 * (signs[:, :1] * across + 0.95 * signs[:, 1:] * up)
                added = self.cage.add_points(points, [{self.hand: 1.0}] * 4)
                for corner in range(4):
                    following = (corner + 1) % 4
                    self.face(ring[following], ring[corner], added[corner], added[following])
                ring = added
            center = center + self.size * length * share * axis
        self.face(*ring[::-1])
