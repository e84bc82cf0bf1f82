"""Props with random sizes, for the training of controllers and for furnishing scenes.

Every prop is in object space: meters, the origin on the floor in its middle, +Y its front. Its mesh is made of closed
solids; where they touch, they overlap or share a face, which voxelization tolerates.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from ....core.tuning import Tuning, tuned
from .doors import Door, Wall
from .mesh_primitives import Mesh
from .seats import Bench, Chair, Sofa, Stool
from .tables import Box, Desk, Table


@dataclass(frozen=True, slots=True)
class PropSamplingTuning(Tuning):
    tilted_share: float = tuned(0.3, "1", 0.0, 1.0)
    """Share of chairs whose seat is tilted backward."""
    seat_tilts: tuple[float, float] = tuned((3.0, 10.0), "deg", 0.0, 30.0)
    """Range of the tilt of these seats; on steeper ones, the thighs of captured motion would sink into the front
    edge."""


TUNING: Final = PropSamplingTuning()


class Prop(Protocol):
    """A piece of furniture with a closed mesh."""

    def mesh(self) -> Mesh:
        """Return the prop's mesh: vertices (V, 3), m, and triangles (N, 3)."""
        ...


PropSampler = Callable[[np.random.Generator], Prop]
"""Function from a random generator to a prop."""


def sample_prop(kind: str, generator: np.random.Generator) -> Prop:
    """Return a prop of a kind in :data:`PROP_SAMPLERS` with plausible random sizes."""
    return PROP_SAMPLERS[kind](generator)


def _sample_seat_height(generator: np.random.Generator) -> float:
    """Return a seat height, m: mostly 0.38 to 0.52, often 0.25 to 0.85."""
    return float(generator.uniform(0.38, 0.52) if generator.random() < 0.6 else generator.uniform(0.25, 0.85))


def _sample_optional_size(
    generator: np.random.Generator, probability: float, min_size: float, max_size: float
) -> float:
    """Return, with a given probability, a random size between two limits, else 0."""
    size, there = generator.uniform(min_size, max_size), generator.random() < probability
    return float(size) if there else 0.0


def _sample_chair(generator: np.random.Generator) -> Chair:
    return Chair(
        seat_height=_sample_seat_height(generator),
        width=float(generator.uniform(0.40, 0.58)),
        depth=float(generator.uniform(0.38, 0.7)),
        back_height=_sample_optional_size(generator, 0.9, 0.25, 0.65),
        back_lean=float(generator.uniform(0.0, 0.3)),
        seat_tilt=_sample_optional_size(generator, TUNING.tilted_share, *TUNING.seat_tilts),
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
        seat_height=float(generator.uniform(0.3, 0.48)),
        seat_count=int(generator.integers(1, 4)),
        seat_width=float(generator.uniform(0.55, 0.72)),
        depth=float(generator.uniform(0.48, 0.9)),
        back_height=float(generator.uniform(0.3, 0.5)),
        arm_height=_sample_optional_size(generator, 0.8, 0.14, 0.26),
        thickness=float(generator.uniform(0.1, 0.2)),
    )


def _sample_bench(generator: np.random.Generator) -> Bench:
    return Bench(
        seat_height=_sample_seat_height(generator),
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
"""Samplers by kind of prop."""
