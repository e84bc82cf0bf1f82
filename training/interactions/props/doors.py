"""Doors, and walls with an opening, of given dimensions."""

from dataclasses import dataclass

import numpy as np

from ....core.scene.affordances import Handle
from .mesh_primitives import Mesh, box_mesh, merge_meshes


@dataclass(frozen=True, slots=True)
class Door:
    """A door leaf with handles on both sides, in a frame; passage is along Y, the origin is the middle of the sill.

    The leaf turns about its hinge at -X or +X and opens toward -Y, pushed from the front (+Y). Lengths in m.

    Attributes:
        width, height: size of the passage.
        thickness: thickness of the leaf.
        frame_width: width of the frame's posts and lintel.
        handle_height: height of the handle over the floor.
        hinge_side: -1 for a hinge at -X, 1 for one at +X.
    """

    width: float = 0.86
    height: float = 2.02
    thickness: float = 0.045
    frame_width: float = 0.09
    handle_height: float = 1.03
    hinge_side: int = -1

    @property
    def pivot(self) -> np.ndarray:
        """A point (3), m, on the axis about which the leaf turns."""
        return np.array([self.hinge_side * self.width / 2, 0.0, 0.0])

    def affordance(self, behind: bool = False) -> Handle:
        """Return the handle on the front (+Y), which is pushed toward -Y, or with ``behind`` that on the rear."""
        side = -1.0 if behind else 1.0
        place = np.array(
            [-self.hinge_side * (self.width / 2 - 0.07), side * (self.thickness / 2 + 0.05), self.handle_height]
        )
        return Handle(place, np.array([0.0, -side]), self.pivot)

    def frame_mesh(self) -> Mesh:
        x, y, top = self.width / 2, 0.06, self.height
        sides = [
            box_mesh((at - self.frame_width / 2, -y, 0.0), (at + self.frame_width / 2, y, top + self.frame_width))
            for at in (-x - self.frame_width / 2, x + self.frame_width / 2)
        ]
        return merge_meshes([*sides, box_mesh((-x, -y, top), (x, y, top + self.frame_width))])

    def leaf_mesh(self) -> Mesh:
        """Return the mesh of the closed leaf with its handles: vertices (V, 3), m, and triangles (N, 3)."""
        x, y, gap = self.width / 2 - 0.004, self.thickness / 2, 0.006
        at = -self.hinge_side * (self.width / 2 - 0.07)
        parts = [box_mesh((-x, -y, gap), (x, y, self.height - gap))]
        for side in (-1.0, 1.0):
            ends = sorted((side * y, side * (y + 0.05)))
            parts.append(
                box_mesh(
                    (at - 0.012, ends[0], self.handle_height - 0.012), (at + 0.012, ends[1], self.handle_height + 0.012)
                )
            )
            bar = sorted((at + 0.012, at + self.hinge_side * 0.12))
            outer = sorted((side * (y + 0.03), side * (y + 0.05)))
            parts.append(
                box_mesh((bar[0], outer[0], self.handle_height - 0.012), (bar[1], outer[1], self.handle_height + 0.012))
            )
        return merge_meshes(parts)

    def mesh(self) -> Mesh:
        """Return the mesh of the frame with the closed leaf: vertices (V, 3), m, and triangles (N, 3)."""
        return merge_meshes([self.frame_mesh(), self.leaf_mesh()])


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall along X with an opening that is passed through along Y. Lengths in m.

    Attributes:
        width, height, thickness: size of the wall.
        opening_size: width and height of the opening.
        sill_height: height of the opening's lower edge above the floor.
        opening_x: x of the opening's middle.
    """

    width: float = 3.0
    height: float = 2.4
    thickness: float = 0.12
    opening_size: tuple[float, float] = (0.9, 2.05)
    sill_height: float = 0.0
    opening_x: float = 0.0

    def mesh(self) -> Mesh:
        """Return the mesh of the wall: vertices (V, 3), m, and triangles (N, 3)."""
        x, y = self.width / 2, self.thickness / 2
        left, right = self.opening_x - self.opening_size[0] / 2, self.opening_x + self.opening_size[0] / 2
        top = min(self.sill_height + self.opening_size[1], self.height)
        parts = [box_mesh((-x, -y, 0.0), (left, y, self.height)), box_mesh((right, -y, 0.0), (x, y, self.height))]
        if self.sill_height > 0:
            parts.append(box_mesh((left, -y, 0.0), (right, y, self.sill_height)))
        if top < self.height:
            parts.append(box_mesh((left, -y, top), (right, y, self.height)))
        return merge_meshes(parts)
