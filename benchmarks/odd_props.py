"""Odd objects made to measure: high, deep, tilted, long and round ones, each as a mesh with its use."""

from itertools import pairwise
from typing import Final

import numpy as np

from ..core.motion.rotations import Array, from_axis_angle, rotate
from ..training.interactions.props.doors import Door
from ..training.interactions.props.mesh_primitives import Mesh, box_mesh, merge_meshes, prism_mesh
from ..training.interactions.props.seats import Bench, Chair, Sofa, Stool

BALL_RADIUS_M: Final = 0.16
BALL_RINGS: Final = 12
TILT_RAD, SLIGHT_TILT_RAD = np.radians(15.0), np.radians(10.0)


def odd_seats() -> dict[str, Mesh]:
    """Return seats by name."""
    return {
        "stool 85 cm": Stool(seat_height=0.85, size=0.36).mesh(),
        "bar stool 75 cm": Stool(seat_height=0.75, size=0.36).mesh(),
        "counter stool 62 cm": Stool(seat_height=0.62, size=0.38, has_pedestal=True).mesh(),
        "bench": Bench(width=1.6, depth=0.4).mesh(),
        "sofa 55 cm deep": Sofa().mesh(),
        "sofa 85 cm deep": Sofa(depth=0.85, back_height=0.45).mesh(),
        "chair with armrests": Chair(width=0.56, arm_height=0.22).mesh(),
        "seat tilted 15 degrees back": _tilted_seat(TILT_RAD),
        "seat tilted 15 degrees ahead": _tilted_seat(-TILT_RAD),
        "seat tilted 10 degrees back": _tilted_seat(SLIGHT_TILT_RAD),
        "seat tilted 10 degrees aside": _tilted_seat(SLIGHT_TILT_RAD, (0.0, 1.0, 0.0)),
        "cube 44 cm": box_mesh((-0.22, -0.22, 0.0), (0.22, 0.22, 0.44)),
        "block 1.2 m": box_mesh((-0.6, -0.3, 0.0), (0.6, 0.3, 0.42)),
        "platform 2 m, 45 cm": box_mesh((-1.0, -1.0, 0.0), (1.0, 1.0, 0.45)),
        "platform 2 m, 20 cm": box_mesh((-1.0, -1.0, 0.0), (1.0, 1.0, 0.2)),
        "ball 60 cm": ball_mesh(0.3),
        "slab 8 cm": box_mesh((-0.3, -0.3, 0.0), (0.3, 0.3, 0.08)),
    }


def odd_loads() -> dict[str, Mesh]:
    """Return carried objects by name."""
    return {
        "ball 32 cm": ball_mesh(BALL_RADIUS_M),
        "suitcase": _suitcase(),
        "plank 2 m": box_mesh((-1.0, -0.1, 0.0), (1.0, 0.1, 0.03)),
        "plank 70 cm": box_mesh((-0.35, -0.1, 0.0), (0.35, 0.1, 0.03)),
        "crate 90 cm": box_mesh((-0.45, -0.45, 0.0), (0.45, 0.45, 0.9)),
        "column 1.4 m": prism_mesh((0.0, 0.0, 0.0), (0.15, 0.15), 1.4),
    }


def odd_doors() -> dict[str, Mesh]:
    """Return doors by name, with the hinge of the leaf at -X."""
    return {
        "leaf 60 cm": box_mesh((-0.3, -0.02, 0.0), (0.3, 0.02, 2.0)),
        "leaf 1.2 m": box_mesh((-0.6, -0.02, 0.0), (0.6, 0.02, 2.0)),
        "both leaves of a double door": box_mesh((-0.8, -0.02, 0.0), (0.8, 0.02, 2.0)),
        "leaf with its frame 60 cm deep": box_mesh((-0.45, -0.3, 0.0), (0.45, 0.3, 2.0)),
        "hatch 1 m": box_mesh((-0.4, -0.02, 0.0), (0.4, 0.02, 1.0)),
        "usual leaf": Door().leaf_mesh(),
    }


def ball_mesh(radius: float, rings: int = BALL_RINGS) -> Mesh:
    """Return a ball on the ground, meters."""
    parts = []
    angles = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    for low, high in pairwise(angles):
        base, top = radius * (1 + np.sin(low)), radius * (1 + np.sin(high))
        radii = max(radius * np.cos(low), 1e-4), max(radius * np.cos(high), 1e-4)
        parts.append(prism_mesh((0.0, 0.0, base), radii, top - base))
    return merge_meshes(parts)


def _tilted_seat(angle: float, axis: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> Mesh:
    """Return a block of a seat's size on a foot, tilted about an axis by an angle, radians; to its back."""
    vertices, triangles = box_mesh((-0.24, -0.22, -0.06), (0.24, 0.22, 0.0))
    tilted = rotate(from_axis_angle(np.array(axis), np.array(angle)), vertices)
    tilted[:, 2] += 0.46
    return merge_meshes([(tilted, triangles), box_mesh((-0.1, -0.1, 0.0), (0.1, 0.1, 0.4))])


def _suitcase() -> Mesh:
    """Return an upright suitcase with a handle on top."""
    handle: list[tuple[Array, Array]] = [
        (np.array([x - 0.01, -0.015, 0.5]), np.array([x + 0.01, 0.015, 0.56])) for x in (-0.07, 0.07)
    ]
    bars = [box_mesh(lower, upper) for lower, upper in handle]
    return merge_meshes(
        [box_mesh((-0.33, -0.11, 0.0), (0.33, 0.11, 0.5)), *bars, box_mesh((-0.08, -0.015, 0.54), (0.08, 0.015, 0.57))]
    )
