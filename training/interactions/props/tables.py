"""Desks, tables and boxes of given dimensions."""

from dataclasses import dataclass

from .mesh_primitives import Mesh, box_mesh, leg_meshes, merge_meshes, prism_mesh


@dataclass(frozen=True, slots=True)
class Desk:
    """A top on two side panels, open at its front for the knees. Lengths in m.

    Attributes:
        height, width, depth: size of the desk.
        drawer_width: width of the drawers under the top; 0 for none.
        has_rear_panel: whether its rear is closed.
    """

    height: float = 0.74
    width: float = 1.3
    depth: float = 0.65
    drawer_width: float = 0.0
    has_rear_panel: bool = True

    def mesh(self) -> Mesh:
        """Return the mesh of the desk: vertices (V, 3), m, and triangles (N, 3)."""
        x, y, under = self.width / 2, self.depth / 2, self.height - 0.035
        parts = [box_mesh((-x, -y, under), (x, y, self.height))]
        parts += [box_mesh((at - 0.015, -y, 0.0), (at + 0.015, y, under)) for at in (0.015 - x, x - 0.015)]
        if self.has_rear_panel:
            parts.append(box_mesh((-x, -y, 0.3 * under), (x, 0.02 - y, under)))
        if self.drawer_width > 0:
            parts.append(box_mesh((x - self.drawer_width, 0.02 - y, 0.08), (x - 0.02, y - 0.02, under)))
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Table:
    """A top on four legs, or a round one on a pedestal. Lengths in m.

    Attributes:
        height, width, depth: size of the table; a round one is as wide as deep.
        is_round: whether the top is round and stands on a pedestal.
        thickness: thickness of the top.
    """

    height: float = 0.74
    width: float = 1.2
    depth: float = 0.8
    is_round: bool = False
    thickness: float = 0.035

    def mesh(self) -> Mesh:
        """Return the mesh of the table: vertices (V, 3), m, and triangles (N, 3)."""
        x, y, under = self.width / 2, self.depth / 2, self.height - self.thickness
        if self.is_round:
            foot = min(0.5 * x, 0.35)
            return merge_meshes([
                prism_mesh((0.0, 0.0, under), (x, x), self.thickness),
                prism_mesh((0.0, 0.0, 0.0), (0.05, 0.05), under),
                prism_mesh((0.0, 0.0, 0.0), (foot, 0.6 * foot), 0.04),
            ])  # fmt: skip
        return merge_meshes([box_mesh((-x, -y, under), (x, y, self.height)), *leg_meshes(x, y, under, 0.055)])


@dataclass(frozen=True, slots=True)
class Box:
    """A box to carry, closed or open at the top. Lengths in m.

    Attributes:
        width, depth, height: size of the box.
        is_open: whether it is open at the top.
    """

    width: float = 0.4
    depth: float = 0.32
    height: float = 0.3
    is_open: bool = False

    def mesh(self) -> Mesh:
        """Return the mesh of the box: vertices (V, 3), m, and triangles (N, 3)."""
        x, y, wall = self.width / 2, self.depth / 2, 0.012
        if not self.is_open:
            return box_mesh((-x, -y, 0.0), (x, y, self.height))
        sides = [
            box_mesh((at - wall / 2, -y, 0.0), (at + wall / 2, y, self.height)) for at in (wall / 2 - x, x - wall / 2)
        ]
        ends = [
            box_mesh((-x, at - wall / 2, 0.0), (x, at + wall / 2, self.height)) for at in (wall / 2 - y, y - wall / 2)
        ]
        return merge_meshes([box_mesh((-x, -y, 0.0), (x, y, wall)), *sides, *ends])
