"""Furniture made to measure: what controllers are trained on, and what a scene can be furnished with.

Every piece is in object space: metres, the origin on the floor in its middle, +Y its front. Its mesh is made of closed
solids; where they touch, they overlap or share a face, which voxels do not mind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from ....core.scene.affordances import Handle
from .mesh_primitives import Mesh, box_mesh, merge_meshes, prism_mesh


class Prop(Protocol):
    """What is made to measure."""

    def mesh(self) -> Mesh:
        """Vertices (V, 3), metres, and triangles (N, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class Chair:
    """Four legs, a seat, and where their heights are not zero a back and arm rests.

    Attributes:
        seat: metres from the floor to the seat's top.
        width, depth: of the seat.
        back: how high the back rises over the seat; 0 is none.
        lean: by how much the back's top is behind its foot.
        arms: how high arm rests are over the seat; 0 is none.
        thickness: of seat, back and rests.
        legs: thickness of the legs.
    """

    seat_height: float = 0.46
    width: float = 0.46
    depth: float = 0.44
    back_height: float = 0.45
    back_lean: float = 0.06
    arm_height: float = 0.0
    thickness: float = 0.04
    leg_thickness: float = 0.04

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
        x, y, under = self.width / 2, self.depth / 2, self.seat_height - self.thickness
        parts = [box_mesh((-x, -y, under), (x, y, self.seat_height)), *_leg_meshes(x, y, under, self.leg_thickness)]
        if self.back_height > 0:
            parts.append(_back_mesh(x, y, self.seat_height, self.back_height, self.back_lean, self.thickness))
        if self.arm_height > 0:
            parts += _arm_meshes(x, y, self.seat_height, self.arm_height, self.thickness)
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Stool:
    """A seat without a back, round or square, on four legs or one foot.

    Attributes:
        seat: metres from the floor to its top.
        size: across the seat.
        round: whether the seat is; else it is square.
        foot: whether it stands on a column with a plate; else on four legs.
        thickness: of the seat.
    """

    seat_height: float = 0.46
    size: float = 0.36
    is_round: bool = True
    has_pedestal: bool = False
    thickness: float = 0.05

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
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
            parts += _leg_meshes(inner, inner, under, 0.035)
            if self.seat_height > 0.6:  # somebody's feet want a rung
                rung = 0.3 * self.seat_height
                parts += [
                    box_mesh((-inner, y - 0.012, rung), (inner, y + 0.012, rung + 0.024))
                    for y in (0.018 - inner, inner - 0.018)
                ]
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Sofa:
    """An upholstered seat for one or several, with a back and arms down to its plinth.

    Attributes:
        seat: metres from the floor to the cushions' top.
        places: how many sit on it.
        place: metres across for each.
        depth: of the seat, without the back.
        back: how high the back rises over the seat.
        arms: how high the arms rise over the seat; 0 is none.
        thickness: of back and arms.
    """

    seat_height: float = 0.43
    seat_count: int = 2
    seat_width: float = 0.6
    depth: float = 0.55
    back_height: float = 0.4
    arm_height: float = 0.2
    thickness: float = 0.16

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
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
        parts += _leg_meshes(outer - 0.02, front - 0.02, foot, 0.05)
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Bench:
    """A long seat on two side panels or four legs, perhaps with a back.

    Attributes:
        seat: metres from the floor to the seat's top.
        width, depth: of the seat.
        back: how high the back rises over the seat; 0 is none.
        panels: whether it stands on panels; else on legs.
        thickness: of the seat.
    """

    seat_height: float = 0.45
    width: float = 1.3
    depth: float = 0.38
    back_height: float = 0.0
    has_side_panels: bool = False
    thickness: float = 0.05

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
        x, y, under = self.width / 2, self.depth / 2, self.seat_height - self.thickness
        parts = [box_mesh((-x, -y, under), (x, y, self.seat_height))]
        if self.has_side_panels:
            parts += [box_mesh((at - 0.025, 0.03 - y, 0.0), (at + 0.025, y - 0.03, under)) for at in (0.1 - x, x - 0.1)]
        else:
            parts += _leg_meshes(x, y, under, 0.06)
        if self.back_height > 0:
            parts.append(_back_mesh(x, y, self.seat_height, self.back_height, 0.05, 0.035))
        return merge_meshes(parts)


@dataclass(frozen=True, slots=True)
class Desk:
    """A top on two side panels, open to its front, where one's knees go.

    Attributes:
        height, width, depth: metres.
        drawer_width: metres that drawers under the top take of the width; 0 is none.
        screen: whether its rear is closed.
    """

    height: float = 0.74
    width: float = 1.3
    depth: float = 0.65
    drawer_width: float = 0.0
    has_rear_panel: bool = True

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
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
    """A top on four legs, or a round one on a foot.

    Attributes:
        height, width, depth: metres; a round one is as wide as deep.
        round: whether it is.
        thickness: of the top.
    """

    height: float = 0.74
    width: float = 1.2
    depth: float = 0.8
    is_round: bool = False
    thickness: float = 0.035

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
        x, y, under = self.width / 2, self.depth / 2, self.height - self.thickness
        if self.is_round:
            foot = min(0.5 * x, 0.35)
            return merge_meshes([
                prism_mesh((0.0, 0.0, under), (x, x), self.thickness),
                prism_mesh((0.0, 0.0, 0.0), (0.05, 0.05), under),
                prism_mesh((0.0, 0.0, 0.0), (foot, 0.6 * foot), 0.04),
            ])  # fmt: skip
        return merge_meshes([box_mesh((-x, -y, under), (x, y, self.height)), *_leg_meshes(x, y, under, 0.055)])


@dataclass(frozen=True, slots=True)
class Box:
    """Something to carry: closed, or open above.

    Attributes:
        width, depth, height: metres.
        open: whether one looks into it.
    """

    width: float = 0.4
    depth: float = 0.32
    height: float = 0.3
    is_open: bool = False

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
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


@dataclass(frozen=True, slots=True)
class Door:
    """A leaf with a handle on both sides in a frame; the passage is along Y, the origin in the middle of its sill.

    The leaf turns about its hinge, which is at -X or +X, and opens towards -Y: who comes from the front pushes it.

    Attributes:
        width, height: of the passage, metres.
        thickness: of the leaf.
        frame: how wide the frame is about the passage.
        handle: how high the handle is.
        hinge: -1, at -X, or 1, at +X.
    """

    width: float = 0.86
    height: float = 2.02
    thickness: float = 0.045
    frame_width: float = 0.09
    handle_height: float = 1.03
    hinge_side: int = -1

    @property
    def pivot(self) -> np.ndarray:
        """(3) metres: a point of the axis about which the leaf turns."""
        return np.array([self.hinge_side * self.width / 2, 0.0, 0.0])

    def affordance(self, behind: bool = False) -> Handle:
        """Return the handle as who comes from the front takes it, who faces -Y; or from behind."""
        side = -1.0 if behind else 1.0
        place = np.array(
            [-self.hinge_side * (self.width / 2 - 0.07), side * (self.thickness / 2 + 0.05), self.handle_height]
        )
        return Handle(place, np.array([0.0, -side]), self.pivot)

    def frame_mesh(self) -> Mesh:
        """What stands still."""
        x, y, top = self.width / 2, 0.06, self.height
        sides = [
            box_mesh((at - self.frame_width / 2, -y, 0.0), (at + self.frame_width / 2, y, top + self.frame_width))
            for at in (-x - self.frame_width / 2, x + self.frame_width / 2)
        ]
        return merge_meshes([*sides, box_mesh((-x, -y, top), (x, y, top + self.frame_width))])

    def leaf_mesh(self) -> Mesh:
        """Return the leaf, shut, with its handles."""
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
        """Frame and leaf, shut."""
        return merge_meshes([self.frame_mesh(), self.leaf_mesh()])


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall along X with a hole that one goes through along Y.

    Attributes:
        width, height, thickness: metres.
        opening_size: the hole's width and height.
        sill_height: how high its lower edge is.
        at: where its middle is along X.
    """

    width: float = 3.0
    height: float = 2.4
    thickness: float = 0.12
    opening_size: tuple[float, float] = (0.9, 2.05)
    sill_height: float = 0.0
    opening_x: float = 0.0

    def mesh(self) -> Mesh:
        """See :class:`Prop`."""
        x, y = self.width / 2, self.thickness / 2
        left, right = self.opening_x - self.opening_size[0] / 2, self.opening_x + self.opening_size[0] / 2
        top = min(self.sill_height + self.opening_size[1], self.height)
        parts = [box_mesh((-x, -y, 0.0), (left, y, self.height)), box_mesh((right, -y, 0.0), (x, y, self.height))]
        if self.sill_height > 0:
            parts.append(box_mesh((left, -y, 0.0), (right, y, self.sill_height)))
        if top < self.height:
            parts.append(box_mesh((left, -y, top), (right, y, self.height)))
        return merge_meshes(parts)


def _leg_meshes(x: float, y: float, top: float, size: float) -> list[Mesh]:
    """Four legs in the corners of a rectangle of half-widths x and y."""
    return [
        box_mesh((min(a, a - np.sign(a) * size), min(b, b - np.sign(b) * size), 0.0),
            (max(a, a - np.sign(a) * size), max(b, b - np.sign(b) * size), top))
        for a in (-x, x)
        for b in (-y, y)
    ]  # fmt: skip


def _back_mesh(x: float, y: float, seat: float, height: float, lean: float, thickness: float) -> Mesh:
    """Two posts and a panel between them, at -y; a gap over the seat where it is a high back."""
    gap = 0.35 * height if height > 0.3 else 0.0
    post = min(0.05, x / 3)
    at = -y + thickness
    posts = [box_mesh((a, -y, seat), (b, at, seat + height), (0.0, -lean)) for a, b in ((-x, post - x), (x - post, x))]
    shift = -lean * gap / height
    panel = box_mesh((post - x, -y + shift, seat + gap), (x - post, at + shift, seat + height), (0.0, -lean - shift))
    return merge_meshes([*posts, panel])


def _arm_meshes(x: float, y: float, seat: float, height: float, thickness: float) -> list[Mesh]:
    """Return a rest on each side, from the back to almost the front, and the post that bears it."""
    width = max(thickness, 0.045)
    parts = []
    for a, b in ((-x, width - x), (x - width, x)):
        parts.append(box_mesh((a, -y, seat + height - 0.03), (b, 0.7 * y, seat + height)))
        parts.append(box_mesh((a, 0.7 * y - 0.045, seat), (b, 0.7 * y, seat + height - 0.03)))
    return parts


PropSampler = Callable[[np.random.Generator], Prop]


def sample_prop(kind: str, generator: np.random.Generator) -> Prop:
    """Return a piece of a kind of :data:`PROP_SAMPLERS` with plausible sizes, told by the generator's state alone."""
    return PROP_SAMPLERS[kind](generator)


def _sample_seat_height(generator: np.random.Generator) -> float:
    """Most seats are 0.40 to 0.50 m high, some anything from 0.30 to 0.80 m."""
    return float(generator.uniform(0.40, 0.50) if generator.random() < 0.7 else generator.uniform(0.30, 0.80))


def _sample_optional_size(
    generator: np.random.Generator, probability: float, min_size: float, max_size: float
) -> float:
    """Something between two sizes in a share of all cases, else 0."""
    size, there = generator.uniform(min_size, max_size), generator.random() < probability
    return float(size) if there else 0.0


def _sample_chair(generator: np.random.Generator) -> Chair:
    return Chair(
        seat_height=_sample_seat_height(generator),
        width=float(generator.uniform(0.40, 0.58)),
        depth=float(generator.uniform(0.38, 0.52)),
        back_height=_sample_optional_size(generator, 0.9, 0.25, 0.65),
        back_lean=float(generator.uniform(0.0, 0.12)),
        arm_height=_sample_optional_size(generator, 0.35, 0.17, 0.25),
        thickness=float(generator.uniform(0.025, 0.07)),
        leg_thickness=float(generator.uniform(0.03, 0.055)),
    )


def _sample_stool(generator: np.random.Generator) -> Stool:
    return Stool(
        seat_height=_sample_seat_height(generator),
        size=float(generator.uniform(0.30, 0.45)),
        is_round=bool(generator.random() < 0.5),
        has_pedestal=bool(generator.random() < 0.3),
        thickness=float(generator.uniform(0.03, 0.09)),
    )


def _sample_sofa(generator: np.random.Generator) -> Sofa:
    return Sofa(
        seat_height=float(generator.uniform(0.36, 0.48)),
        seat_count=int(generator.integers(1, 4)),
        seat_width=float(generator.uniform(0.55, 0.72)),
        depth=float(generator.uniform(0.48, 0.64)),
        back_height=float(generator.uniform(0.3, 0.5)),
        arm_height=_sample_optional_size(generator, 0.8, 0.14, 0.26),
        thickness=float(generator.uniform(0.1, 0.2)),
    )


def _sample_bench(generator: np.random.Generator) -> Bench:
    return Bench(
        seat_height=float(generator.uniform(0.38, 0.52)),
        width=float(generator.uniform(0.9, 1.8)),
        depth=float(generator.uniform(0.30, 0.46)),
        back_height=_sample_optional_size(generator, 0.4, 0.3, 0.5),
        has_side_panels=bool(generator.random() < 0.5),
        thickness=float(generator.uniform(0.03, 0.08)),
    )


def _sample_desk(generator: np.random.Generator) -> Desk:
    return Desk(
        height=float(generator.uniform(0.68, 0.80)),
        width=float(generator.uniform(1.0, 1.8)),
        depth=float(generator.uniform(0.55, 0.85)),
        drawer_width=_sample_optional_size(generator, 0.4, 0.28, 0.42),
        has_rear_panel=bool(generator.random() < 0.5),
    )


def _sample_table(generator: np.random.Generator) -> Table:
    height = float(generator.uniform(0.4, 1.1))
    round_one = bool(generator.random() < 0.3)
    width = float(generator.uniform(0.6, 1.2) if round_one else generator.uniform(0.6, 1.8))
    depth = width if round_one else float(generator.uniform(0.45, min(width, 0.95)))
    return Table(height, width, depth, round_one, float(generator.uniform(0.025, 0.05)))


def _sample_box(generator: np.random.Generator) -> Box:
    width, depth, height = generator.uniform(0.2, 0.6, 3)
    return Box(float(width), float(depth), float(height), bool(generator.random() < 0.3))


def _sample_door(generator: np.random.Generator) -> Door:
    return Door(
        width=float(generator.uniform(0.75, 1.0)),
        height=float(generator.uniform(1.95, 2.15)),
        thickness=float(generator.uniform(0.035, 0.06)),
        frame_width=float(generator.uniform(0.06, 0.12)),
        handle_height=float(generator.uniform(0.95, 1.1)),
        hinge_side=int(generator.choice([-1, 1])),
    )


def _sample_wall(generator: np.random.Generator) -> Wall:
    width = float(generator.uniform(2.0, 4.0))
    hole = (float(generator.uniform(0.7, 1.4)), float(generator.uniform(1.6, 2.2)))
    room = (width - hole[0]) / 2 - 0.3
    return Wall(
        width=width,
        height=float(generator.uniform(2.3, 2.7)),
        thickness=float(generator.uniform(0.08, 0.25)),
        opening_size=hole,
        sill_height=_sample_optional_size(generator, 0.2, 0.08, 0.25),
        opening_x=float(generator.uniform(-room, room)),
    )


PROP_SAMPLERS: Final[Mapping[str, PropSampler]] = {
    "chair": _sample_chair,
    "stool": _sample_stool,
    "sofa": _sample_sofa,
    "bench": _sample_bench,
    "desk": _sample_desk,
    "table": _sample_table,
    "box": _sample_box,
    "door": _sample_door,
    "wall": _sample_wall,
}
