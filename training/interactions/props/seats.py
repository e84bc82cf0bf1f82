"""Seats of given dimensions: chairs, stools, sofas and benches."""

from dataclasses import dataclass

import numpy as np

from .mesh_primitives import Mesh, box_mesh, leg_meshes, merge_meshes, prism_mesh


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair: four legs, a seat, and optional back and arm rests. Lengths in m, angles in degrees.

    Attributes:
        seat_height: height of the middle of the seat's top above the floor.
        width, depth: size of the seat.
        back_height: height of the back rest over the seat; 0 for none.
        back_lean: horizontal distance of the back rest's top behind its lower end.
        arm_height: height of the arm rests over the seat; 0 for none.
        thickness: thickness of seat, back and rests.
        leg_thickness: thickness of the legs.
        seat_tilt: upward tilt of the seat's front, degrees; 0 is level.
    """

    seat_height: float = 0.46
    width: float = 0.46
    depth: float = 0.44
    back_height: float = 0.45
    back_lean: float = 0.06
    arm_height: float = 0.0
    thickness: float = 0.04
    leg_thickness: float = 0.04
    seat_tilt: float = 0.0

    def mesh(self) -> Mesh:
        """Return the mesh of the chair: vertices (V, 3), m, and triangles (N, 3)."""
        x, y, under = self.width / 2, self.depth / 2, self.seat_height - self.thickness
        level = [box_mesh((-x, -y, under), (x, y, self.seat_height)), *leg_meshes(x, y, under, self.leg_thickness)]
        parts = [_tilt(part, self.seat_tilt) for part in level]
        if self.back_height > 0:
            parts.append(_back_mesh(x, y, self.seat_height, self.back_height, self.back_lean, self.thickness))
        if self.arm_height > 0:
            parts += _arm_meshes(x, y, self.seat_height, self.arm_height, self.thickness)
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Stool:
    """A stool, round or square, on four legs or a pedestal. Lengths in m.

    Attributes:
        seat_height: height of the seat's top above the floor.
        size: diameter or side of the seat.
        is_round: whether the seat is round; else it is square.
        has_pedestal: whether it stands on a pedestal; otherwise on four legs.
        thickness: thickness of the seat.
    """

    seat_height: float = 0.46
    size: float = 0.36
    is_round: bool = True
    has_pedestal: bool = False
    thickness: float = 0.05

    def mesh(self) -> Mesh:
        """Return the mesh of the stool: vertices (V, 3), m, and triangles (N, 3)."""
        half, under = self.size / 2, self.seat_height - self.thickness
        if self.is_round:
            parts = [prism_mesh((0.0, 0.0, under), (half, half), self.thickness)]
        else:
            parts = [box_mesh((-half, -half, under), (half, half, self.seat_height))]
        if self.has_pedestal:
            parts += [
                prism_mesh((0.0, 0.0, 0.0), (half, half), 0.025),
                prism_mesh((0.0, 0.0, 0.0), (0.03, 0.03), under),
            ]
        else:
            inner = half * (0.68 if self.is_round else 1.0)
            parts += leg_meshes(inner, inner, under, 0.035)
            if self.seat_height > 0.6:  # A rung for the feet.
                rung = 0.3 * self.seat_height
                parts += [
                    box_mesh((-inner, y - 0.012, rung), (inner, y + 0.012, rung + 0.024))
                    for y in (0.018 - inner, inner - 0.018)
                ]
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Sofa:
    """An upholstered sofa for one or several people, with a back and optional arms. Lengths in m.

    Attributes:
        seat_height: height of the cushions' top above the floor.
        seat_count: number of seats.
        seat_width: width of each seat.
        depth: depth of the seat, without the back.
        back_height: height of the back over the seat.
        arm_height: height of the arms over the seat; 0 is none.
        thickness: thickness of back and arms.
    """

    seat_height: float = 0.43
    seat_count: int = 2
    seat_width: float = 0.6
    depth: float = 0.55
    back_height: float = 0.4
    arm_height: float = 0.2
    thickness: float = 0.16

    def mesh(self) -> Mesh:
        """Return the mesh of the sofa: vertices (V, 3), m, and triangles (N, 3)."""
        half, wall, foot = self.seat_count * self.seat_width / 2, self.thickness, 0.06
        rear, front = -(self.depth + wall) / 2, (self.depth + wall) / 2
        outer = half + (wall if self.arm_height > 0 else 0.0)
        plinth = self.seat_height - min(0.16, self.seat_height / 2)
        parts = [
            box_mesh((-outer, rear, foot), (outer, front, plinth)),
            box_mesh((-outer, rear, plinth), (outer, rear + wall, self.seat_height + self.back_height)),
        ]
        for number in range(self.seat_count):
            left = -half + number * self.seat_width
            parts.append(
                box_mesh(
                    (left + 0.004, rear + wall, plinth),
                    (left + self.seat_width - 0.004, front + 0.01, self.seat_height),
                )
            )
        if self.arm_height > 0:
            parts += [
                box_mesh((x - wall / 2, rear, plinth), (x + wall / 2, front, self.seat_height + self.arm_height))
                for x in (-half - wall / 2, half + wall / 2)
            ]
        parts += leg_meshes(outer - 0.02, front - 0.02, foot, 0.05)
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Bench:
    """A long seat on two side panels or four legs, with an optional back. Lengths in m.

    Attributes:
        seat_height: height of the seat's top above the floor.
        width, depth: size of the seat.
        back_height: height of the back rest over the seat; 0 for none.
        has_side_panels: whether it stands on side panels; otherwise on four legs.
        thickness: thickness of the seat.
    """

    seat_height: float = 0.45
    width: float = 1.3
    depth: float = 0.38
    back_height: float = 0.0
    has_side_panels: bool = False
    thickness: float = 0.05

    def mesh(self) -> Mesh:
        """Return the mesh of the bench: vertices (V, 3), m, and triangles (N, 3)."""
        x, y, under = self.width / 2, self.depth / 2, self.seat_height - self.thickness
        parts = [box_mesh((-x, -y, under), (x, y, self.seat_height))]
        if self.has_side_panels:
            parts += [box_mesh((at - 0.025, 0.03 - y, 0.0), (at + 0.025, y - 0.03, under)) for at in (0.1 - x, x - 0.1)]
        else:
            parts += leg_meshes(x, y, under, 0.06)
        if self.back_height > 0:
            parts.append(_back_mesh(x, y, self.seat_height, self.back_height, 0.05, 0.035))
        return merge_meshes(parts)


def _tilt(mesh: Mesh, degrees: float) -> Mesh:
    """Return a mesh with all vertices above the floor tilted so that the front (+Y) rises by an angle."""
    vertices, triangles = mesh
    rises = np.tan(np.radians(degrees)) * vertices[:, 1] * (vertices[:, 2] > 0.0)
    return vertices + rises[:, None] * [0.0, 0.0, 1.0], triangles


def _back_mesh(x: float, y: float, seat: float, height: float, lean: float, thickness: float) -> Mesh:
    """Return the back rest at -y: two posts and a panel between them; a high back leaves a gap over the seat."""
    gap = 0.35 * height if height > 0.3 else 0.0
    post = min(0.05, x / 3)
    at = -y + thickness
    posts = [box_mesh((a, -y, seat), (b, at, seat + height), (0.0, -lean)) for a, b in ((-x, post - x), (x - post, x))]
    shift = -lean * gap / height
    panel = box_mesh((post - x, -y + shift, seat + gap), (x - post, at + shift, seat + height), (0.0, -lean - shift))
    return merge_meshes([*posts, panel])


def _arm_meshes(x: float, y: float, seat: float, height: float, thickness: float) -> list[Mesh]:
    """Return an arm rest and its supporting post for each side."""
    width = max(thickness, 0.045)
    parts = []
    for a, b in ((-x, width - x), (x - width, x)):
        parts.append(box_mesh((a, -y, seat + height - 0.03), (b, 0.7 * y, seat + height)))
        parts.append(box_mesh((a, 0.7 * y - 0.045, seat), (b, 0.7 * y, seat + height - 0.03)))
    return parts
