"""The usual action with an object, by its shape.

Characters open leaves, carry or push blocks, sit on seats, and lean on tables, rails or walls.
"""

from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion.rotations import Array
from .collider import Collider
from .object_usage import find_usage
from .push_face import MIN_WIDTH_M
from .seat_detection import find_seat
from .voxels import Triangles

ACTIONS: Final = ("open", "push", "carry", "sit", "lean")
"""Actions to try for an object, in this order."""
MIN_BLOCK_RATIO: Final = 0.8
"""Volume, as a share of its bounding box, from which an object is a block, which is carried or pushed but not sat on.
"""
PUSHED_HEIGHTS_M: Final = (0.55, 1.4)
"""Range of heights of blocks to be pushed; lower blocks are seats, higher ones pillars or cupboards."""
MIN_PUSHED_VOLUME_M3: Final = 0.15
"""Volume from which a block is pushed even if two hands could carry it."""
MAX_SEAT_HEIGHT_M: Final = 0.66
"""Height of a level top above which a wide enough object is a table, and not a seat."""
MAX_PUSHED_WIDTH_M: Final = 1.5
"""Width above which a block is a wall or a counter, and is not pushed."""


def usual_action(name: str, vertices: Array, triangles: Triangles) -> str:
    """Return the action for which an object is usually used, by its shape: open, push, carry, sit or lean.

    Args:
        name: the user's name of the object.
        vertices: (V, 3) vertices, meters, Z up.
        triangles: (T, 3) indices of vertices.

    Raises:
        FootfallError: no action fits the object.
    """
    offered = [action for action in ACTIONS if _offers(name, vertices, triangles, action)]
    if not offered:
        raise no_use(name)
    if offered[:2] == ["carry", "sit"] and _filled_ratio(vertices, triangles) < MIN_BLOCK_RATIO:
        return "sit"
    if offered == ["sit", "lean"] and _seat_height(vertices, triangles) > MAX_SEAT_HEIGHT_M:
        return "lean"
    return offered[0]


def no_use(name: str) -> FootfallError:
    """Return the error for an object that no action fits."""
    return FootfallError(
        "'{name}' cannot be sat on, leaned on, carried, pushed or opened: click a seat, a table, a box or a door",
        name=name,
    )


def _offers(name: str, vertices: Array, triangles: Triangles, action: str) -> bool:
    """Return whether an object can be used for an action."""
    if action == "push":
        return _is_crate(vertices, triangles)
    try:
        find_usage(name, vertices, triangles, action)
    except FootfallError:
        return False
    return True


def _seat_height(vertices: Array, triangles: Triangles) -> float:
    """Return the height of the seat of an object with a seat, meters."""
    lowest = np.append(np.zeros(2), vertices[:, 2].min())
    seat = find_seat(Collider.from_mesh(vertices - lowest, triangles))
    assert seat is not None
    return float(seat.position[2])


def _is_crate(vertices: Array, triangles: Triangles) -> bool:
    """Return whether an object is a solid block of a size that can be pushed along the floor."""
    size = np.ptp(vertices, axis=0)
    if size[:2].min() < MIN_WIDTH_M or size[:2].max() > MAX_PUSHED_WIDTH_M or size.prod() < MIN_PUSHED_VOLUME_M3:
        return False
    lowest, highest = PUSHED_HEIGHTS_M
    return bool(lowest <= size[2] <= highest and _filled_ratio(vertices, triangles) >= MIN_BLOCK_RATIO)


def _filled_ratio(vertices: Array, triangles: Triangles) -> float:
    """Return the volume of a closed mesh as a share of its bounding box."""
    first, second, third = (vertices[triangles[:, corner]] for corner in range(3))
    volume = abs(float(np.einsum("ti,ti->", first, np.cross(second, third)))) / 6.0
    return volume / max(float(np.prod(np.ptp(vertices, axis=0))), 1e-12)
