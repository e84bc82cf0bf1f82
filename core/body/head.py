"""Neck and head of a person; jaw, brow and nose show which way it faces."""

from typing import Final, NamedTuple

import numpy as np

from .control_cage import ControlCage
from .design_pose import DesignPose
from .shape import Shape
from .skinned_mesh import Material
from .trunk import COLUMN_ANGLES, COLUMN_COUNT, level_ring


class HeadRing(NamedTuple):
    """A cross-section of the head.

    Attributes:
        rise: height above the chin, as a share of the head's height.
        side: half width, meters.
        front: depth in front of the middle of the head, meters.
        back: depth behind the middle, meters.
        tilt: half of the height by which the ring's back is above its front, meters.
        nose: protrusion of the middle of the face, meters.
        eyes: protrusion of the face on both sides of the nose, meters.
        exponent: exponent of the superellipse.
    """

    rise: float
    side: float
    front: float
    back: float
    tilt: float = 0.0
    nose: float = 0.0
    eyes: float = 0.0
    exponent: float = 2.3


RINGS: Final = (
    HeadRing(0.06, 0.055, 0.083, 0.076, 0.032, exponent=2.0),
    HeadRing(0.14, 0.062, 0.093, 0.086, 0.020, 0.002),
    HeadRing(0.24, 0.066, 0.093, 0.092, 0.010, 0.004),
    HeadRing(0.31, 0.069, 0.091, 0.096, 0.004, 0.030, -0.002),
    HeadRing(0.42, 0.074, 0.091, 0.101, 0.0, 0.018, -0.006),
    HeadRing(0.56, 0.078, 0.096, 0.104, 0.0, 0.003, 0.001),
    HeadRing(0.70, 0.079, 0.094, 0.103, 0.0, 0.0, 0.0, 2.1),
    HeadRing(0.85, 0.069, 0.080, 0.089, 0.0, 0.0, 0.0, 2.0),
    HeadRing(0.96, 0.042, 0.048, 0.054, 0.0, 0.0, 0.0, 2.0),
)
"""Cross-sections from the chin to the top of the head."""
HEAD_HEIGHT_M: Final = 0.232
HEAD_FORWARD_M: Final = 0.012
"""Distance of the middle of the head ahead of its joint."""
VISOR_ROW: Final = 5
"""Index of the ring at the brow, the upper edge of the visor."""
VISOR_COLUMNS: Final = (13, 14, 15, 0, 1, 2)


def add_head(cage: ControlCage, pose: DesignPose, shape: Shape, rim: list[int]) -> None:
    """Add neck and head to the cage; ``rim`` is the loop of sixteen vertices around the base of the neck."""
    scale, neck, joint = pose.scale, pose.at("neck"), pose.skeleton.joint("head")
    chin = pose.head_top - HEAD_HEIGHT_M * scale
    middle = np.array([0.5 * (neck[0] + pose.at("head")[0]), pose.at("head")[1] - HEAD_FORWARD_M * scale, 0.0])
    base = np.mean([cage.point(vertex) for vertex in rim], axis=0)
    under = np.array([middle[0], middle[1] + 0.022 * scale, chin + 0.012 * scale])
    rows = []
    for share, width in ((0.45, 0.96), (0.90, 0.90)):
        center = base + share * (under - base)
        points = level_ring(center, scale * shape.neck * width, scale * 0.054, scale * 0.054, 2.0)
        points[:, 2] -= scale * 0.016 * np.cos(COLUMN_ANGLES)
        rows.append(cage.add_points(points, [pose.spine_weights(point[2]) for point in points]))
    for number, ring in enumerate(RINGS):
        center = middle + np.array([0.0, 0.0, chin + ring.rise * HEAD_HEIGHT_M * scale])
        narrow = 1 - (1 - shape.jaw) * max(1 - ring.rise / 0.45, 0.0)
        front = ring.front + (shape.brow if number == VISOR_ROW else 0.0)
        points = level_ring(center, scale * ring.side * narrow, scale * front, scale * ring.back, ring.exponent)
        points[:, 2] -= scale * ring.tilt * np.cos(COLUMN_ANGLES)
        points[0, 1] -= scale * ring.nose
        points[[1, -1], 1] -= scale * ring.eyes
        rows.append(cage.add_points(points, [{joint: 1.0}] * COLUMN_COUNT))
    for row, (low, high) in enumerate(zip([rim, *rows], rows, strict=False)):
        for column in range(COLUMN_COUNT):
            following = (column + 1) % COLUMN_COUNT
            is_visor = row - 2 == VISOR_ROW and column in VISOR_COLUMNS
            corners = (low[column], low[following], high[following], high[column])
            cage.add_face(corners, Material.VISOR if is_visor else Material.TRUNK)
    top = cage.add_points(np.array([[middle[0], middle[1], pose.head_top]]), [{joint: 1.0}])[0]
    for column in range(0, COLUMN_COUNT, 2):
        last = rows[-1]
        cage.add_face((last[column], last[column + 1], last[(column + 2) % COLUMN_COUNT], top), Material.TRUNK)
