"""The pool of seats for augmentation: furniture of many kinds, heights, widths and depths."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ....core.motion.root_frame import yaw_of
from ....core.motion.rotations import Array, rotate, rotation_about_up
from ....core.scene.affordances import Seat
from ....core.scene.collider import Collider
from ....core.scene.interaction_sensor import InteractionVolume
from ....core.tuning import Tuning, tuned
from ..takes import sit
from ..takes.sit import draw_seat, scale_seat


@dataclass(frozen=True, slots=True)
class ObjectPoolTuning(Tuning):
    pieces: int = tuned(48, "1", 1, 1000)
    """Number of pieces of furniture in a pool."""
    sizes_of_a_piece: int = tuned(6, "1", 1, 100)
    """Number of sizes of each piece in a pool."""


TUNING: Final = ObjectPoolTuning()

AHEAD: Final = np.array([0.0, 1.0])


@dataclass(frozen=True, eq=False)
class PooledSeat:
    """A piece of furniture with a seat.

    Attributes:
        collider: collider in object space, with the front toward +Y.
        seat: seat of the piece, which faces one of its four sides.
    """

    collider: Collider
    seat: Seat

    @cached_property
    def volume(self) -> InteractionVolume:
        """The piece as the interaction sensor sees it: a grid of cells with occupancies."""
        return InteractionVolume.from_collider(self.collider)

    def facing(self, direction: Array) -> "PooledSeat":
        """Return the piece turned in quarter turns so that its seat faces a direction (2) best; cached."""
        turn = yaw_of(direction) - yaw_of(self.seat.direction)
        quarters = round(float(turn) / (np.pi / 2)) % 4
        return self if quarters == 0 else self._turned[quarters - 1]

    @cached_property
    def _turned(self) -> "tuple[PooledSeat, PooledSeat, PooledSeat]":
        """The piece turned by one, two and three quarter turns."""
        return self._turn(1), self._turn(2), self._turn(3)

    def _turn(self, quarters: int) -> "PooledSeat":
        """Return the piece turned about the vertical by a number of quarter turns."""
        rotation = rotation_about_up(np.array(quarters * np.pi / 2))
        direction = np.round(rotate(rotation, np.append(self.seat.direction, 0.0))[:2])
        seat = Seat(rotate(rotation, self.seat.position), direction, self.seat.width, self.seat.depth)
        return PooledSeat(self.collider.rotate_quarter_turns(quarters), seat)

    def scaled(self, scale: Array) -> "PooledSeat":
        """Return the piece with its width, depth and height multiplied by ``scale`` (3)."""
        return PooledSeat(*scale_seat(self.collider, self.seat, scale))


class SeatPool:
    """Pieces of furniture in several sizes, sorted by the height of their seats; equal for equal seeds."""

    def __init__(self, seed: int) -> None:
        generator = np.random.default_rng([seed, 7])
        found = []
        for _ in range(TUNING.pieces):
            piece = PooledSeat(*draw_seat(generator, varied=True)).facing(AHEAD)
            found += [
                piece.scaled(generator.uniform(*sit.TUNING.resize_range, 3)) for _ in range(TUNING.sizes_of_a_piece)
            ]
        self.seats = sorted(found, key=lambda one: float(one.seat.position[2]))
        self._heights = np.array([one.seat.position[2] for one in self.seats])

    def draw(self, low: float, high: float, generator: np.random.Generator) -> PooledSeat | None:
        """Return a random piece of the pool whose seat is between two heights, m; ``None`` if there is none."""
        first, stop = np.searchsorted(self._heights, [low, high])
        return self.seats[int(generator.integers(first, stop))] if first < stop else None
