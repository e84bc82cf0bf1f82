"""The use of an object's mesh by a character: origin, front, seat, grips or handle, or why it cannot be used.

Meshes are in meters, level, with any origin; a usable object is put on the plane z = 0 with its front along +Y.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..actions import ACTION_TABLE, motion_of
from ..errors import FootfallError
from ..motion.root_frame import yaw_of
from ..motion.rotations import Array
from .affordances import Grips, Handle, find_grips
from .carry_handle import HANDLE_VOXEL_BUDGET, HANDLE_VOXEL_M, find_carry_handle
from .collider import Collider, ColliderCache
from .interaction_object import InteractionObject
from .lean_place import lean_sides, no_lean_place
from .mesh_surface import MeshSurface
from .seat_detection import SeatSlope, find_seat, seat_slope, snap_seat_to_mesh
from .voxels import Triangles

KIND_BY_ACTION: Final = {name: one.object_kind for name, one in ACTION_TABLE.items() if one.object_kind}
"""Kind of object that each action uses."""
OPENING_DIRECTIONS: Final = {"front": (0.0, 1.0), "back": (0.0, -1.0)}
"""Horizontal directions in which a one-way leaf opens, in the frame whose +Y is the door's front."""
DOOR_HANDLE_POSITION: Final = (0.93, 1.0)
"""Position of a door's handle: share of the leaf's width from its hinge, and meters over the floor."""
LEAF_WIDTH_RANGE_M: Final = (0.45, 1.35)
"""Least and largest width of a leaf."""
MIN_LEAF_HEIGHT_M: Final = 1.5
"""Least height of a leaf that a character walks through."""
MAX_LEAF_THICKNESS_RATIO: Final = 0.5
"""Thickness of a leaf with its handles, as a share of its width, above which an object is not a leaf."""
MAX_CARRIED_DEPTH_M: Final = 0.75
"""Largest size of a carried object along the character's facing; a longer one would reach into the body."""
MAX_CARRIED_HEIGHT_M: Final = 0.9
"""Largest height of a carried object that its bearer can see over."""

MAX_SEAT_SLOPE_RAD: Final = np.radians(10.05)
"""Largest slope of a seat in any direction; on a seat that rises to its front, thighs lift the hips off its middle."""
MAX_SLOPE_AHEAD_RAD: Final = np.radians(15.05)
"""Largest slope of a seat that falls to its front, along which thighs can lie."""
SEAT_VOXEL_M: Final = 0.02
"""Edge length of the voxels in which a seat is searched."""
SEAT_VOXEL_BUDGET: Final = 300_000
"""Largest number of voxels in the bounding box of a seat."""


@dataclass(frozen=True, slots=True, eq=False)
class UsageFrame:
    """The frame in which a character uses an object: origin and front in the space of the object's mesh.

    Attributes:
        origin: (3) middle of the seat, grips or leaf, at the height of the object's lowest point, meters.
        yaw: yaw of the front, radians; zero is +Y.
        handle: the handle of a door, in this frame; ``None`` for other objects.
    """

    origin: Array
    yaw: float
    handle: Handle | None = None


class _ColliderStore:
    """Cache of the colliders of meshes."""

    colliders = ColliderCache()


def find_usage(name: str, vertices: Array, triangles: Triangles, action: str) -> UsageFrame:
    """Return the frame in which an object is used for an action; without an action the object is an obstacle.

    Args:
        name: the user's name of the object.
        vertices: (V, 3) vertices, meters.
        triangles: (T, 3) indices of vertices.
        action: action with the object; empty for none.

    Raises:
        FootfallError: the object cannot be used for the action; the message gives the reason.
    """
    action = motion_of(action)
    lower, upper = vertices.min(axis=0), vertices.max(axis=0)
    middle = np.append((lower + upper)[:2] / 2, lower[2])
    if action == "sit":
        seat = find_seat(_collider(vertices - [0.0, 0.0, lower[2]], triangles, True))
        if seat is None:
            raise FootfallError(
                "'{name}' has no seat: it needs a level area about 30 cm wide, 20 cm to 1 m above the floor", name=name
            )
        _require_level(name, seat_slope(seat, vertices - [0.0, 0.0, lower[2]], triangles))
        return UsageFrame(np.append(seat.position[:2], lower[2]), float(yaw_of(seat.direction)))
    if action == "carry":
        handle = _carry_handle(vertices - [0.0, 0.0, lower[2]], triangles)
        if handle is not None:
            # The character stands to the left of the bar, facing along it.
            return UsageFrame(middle, float(yaw_of(np.array([-handle.direction[1], handle.direction[0]]))))
        grips = find_grips(_collider(vertices - [0.0, 0.0, lower[2]], triangles))
        if grips is None:
            raise FootfallError("'{name}' is too wide to hold between two hands: choose a narrower object", name=name)
        _require_portable(name, upper - lower, grips)
        return UsageFrame(middle, float(yaw_of(-grips.direction)))
    if action == "lean" and not lean_sides(_collider(vertices - [0.0, 0.0, lower[2]], triangles)):
        raise no_lean_place(name)
    if action == "open":
        _require_leaf(name, upper - lower)
        return UsageFrame(middle, *_door_frame(lower, upper, middle))
    return UsageFrame(middle, 0.0)


def use_object(
    name: str, vertices: Array, triangles: Triangles, action: str, handle: Handle | None
) -> InteractionObject:
    """Make an interaction object, placed at the origin, from a mesh already in its :class:`UsageFrame`.

    Args:
        name: the user's name of the object.
        vertices: (V, 3) vertices in the usage frame, meters.
        triangles: (T, 3) indices of vertices.
        action: action with the object; empty for none.
        handle: the handle of a door, in the usage frame; ``None`` for other objects.
    """
    collider = _collider(vertices, triangles, action == "sit")
    seat = find_seat(collider) if action == "sit" else None
    return InteractionObject(
        name,
        KIND_BY_ACTION.get(action, "obstacle"),
        collider,
        np.zeros(3),
        np.array([1.0, 0.0, 0.0, 0.0]),
        grips_override=_carry_handle(vertices, triangles) if motion_of(action) == "carry" else None,
        seat_override=snap_seat_to_mesh(seat, vertices, triangles) if seat else None,
        handle=handle,
        surface=MeshSurface(vertices, triangles) if action != "sit" else None,
    )


def _door_frame(lower: Array, upper: Array, middle: Array) -> tuple[float, Handle]:
    """Return the yaw of a door's front, across the leaf, and the handle, on the side away from the mesh's origin."""
    wide = int(np.argmax((upper - lower)[:2]))
    yaw = 0.0 if wide == 0 else np.pi / 2
    reach = float((upper - lower)[wide]) / 2
    # In the leaf's own frame, x runs along it. The mesh's origin is at the hinge; if it is in the middle, the hinge is
    # at -X.
    side = -1.0 if middle[wide] >= -1e-3 else 1.0
    across, height = DOOR_HANDLE_POSITION
    hinge = np.array([side * reach, 0.0, 0.0])
    # The handle is the part that protrudes farthest from the leaf, or the leaf's surface.
    out = float((upper - lower)[1 - wide]) / 2
    position = np.array([side * reach * (1 - 2 * across), out, min(height, 0.6 * float(upper[2] - lower[2]))])
    return yaw, Handle(position, np.array([0.0, -1.0]), hinge)


def _require_level(name: str, slope: SeatSlope) -> None:
    """Check that a seat is level enough for a body to rest on.

    Raises:
        FootfallError: the seat is too steep.
    """
    falls_ahead = slope.ahead > 0.9 * slope.steepest and slope.across < MAX_SEAT_SLOPE_RAD
    most = MAX_SLOPE_AHEAD_RAD if falls_ahead else MAX_SEAT_SLOPE_RAD
    if slope.steepest > most:
        raise FootfallError(
            "The seat of '{name}' slopes by {degrees} degrees, too steep to sit on: level it to {most} degrees",
            name=name,
            degrees=f"{np.degrees(slope.steepest):.1f}",
            most=f"{np.degrees(most):.0f}",
        )


def _require_leaf(name: str, size: Array) -> None:
    """Check that an object of a size (3), meters, can be the hinged leaf of a door.

    Raises:
        FootfallError: it is too wide, too narrow, too low or too thick.
    """
    width, thickness = max(size[:2]), min(size[:2])
    if width > LEAF_WIDTH_RANGE_M[1]:
        raise FootfallError(
            "'{name}' is {width} m wide, too wide for one leaf: separate a double door into its "
            "leaves, and choose the leaf to open",
            name=name,
            width=f"{width:.1f}",
        )
    if size[2] < MIN_LEAF_HEIGHT_M or width < LEAF_WIDTH_RANGE_M[0]:
        raise FootfallError(
            "'{name}' is too small for a door leaf: choose an upright leaf that a character walks through", name=name
        )
    if thickness > MAX_LEAF_THICKNESS_RATIO * width:
        raise FootfallError("'{name}' is too thick for a door leaf: choose the leaf without its frame", name=name)


def _require_portable(name: str, size: Array, grips: Grips) -> None:
    """Check that an object of a size (3), meters, leaves room for its bearer.

    Raises:
        FootfallError: the object is too long or too high.
    """
    depth = float(np.abs(size[:2]) @ np.abs(grips.direction))
    if depth > MAX_CARRIED_DEPTH_M:
        raise FootfallError(
            "'{name}' is {depth} m long, too long to be carried: choose an object shorter than 75 cm",
            name=name,
            depth=f"{depth:.1f}",
        )
    if size[2] > MAX_CARRIED_HEIGHT_M:
        raise FootfallError(
            "'{name}' is {height} m high, too high to be carried: choose an object lower than 90 cm",
            name=name,
            height=f"{size[2]:.1f}",
        )


def _carry_handle(vertices: Array, triangles: Triangles) -> Grips | None:
    """Return the grips on the handle on top of an object; ``None`` if it has no handle."""
    volume = float(np.prod(np.ptp(vertices, axis=0)))
    size = max(HANDLE_VOXEL_M, float(np.cbrt(volume / HANDLE_VOXEL_BUDGET)))
    return find_carry_handle(_ColliderStore.colliders.from_mesh(vertices, triangles, size))


def _collider(vertices: Array, triangles: Triangles, is_seat: bool = False) -> Collider:
    """Return a mesh's collider, cached; with ``is_seat``, it has the finer voxels that sitting requires."""
    size = None
    if is_seat:
        volume = float(np.prod(np.ptp(vertices, axis=0)))
        size = max(SEAT_VOXEL_M, float(np.cbrt(volume / SEAT_VOXEL_BUDGET)))
    return _ColliderStore.colliders.from_mesh(vertices, triangles, size)
