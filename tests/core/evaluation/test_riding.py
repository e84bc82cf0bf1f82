from dataclasses import dataclass

import numpy as np

from footfall.core.evaluation.riding import steps_relative_to_ground, undo_ground_motion


@dataclass(frozen=True)
class Turntable:
    """A round floor about the origin, of a radius in meters, that turns by so many radians a frame."""

    step: float
    radius: float = 100.0
    is_static: bool = False

    def move_with_ground(self, points: np.ndarray, from_frame: float, to_frame: float) -> np.ndarray:
        angle = self.step * (to_frame - from_frame)
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        inside = np.linalg.norm(points[..., :2], axis=-1) < self.radius
        return np.where(inside[..., None], points @ turn.T, points)


def riding(step: float, way: np.ndarray) -> np.ndarray:
    """Roots (F, 3) of somebody who goes a way (F, 3) on a floor that has turned by a step more at each frame."""
    return np.stack([Turntable(step).move_with_ground(point[None], 0, frame)[0] for frame, point in enumerate(way)])


def test_feet_that_ride_stay_where_they_are() -> None:
    points = np.tile([[1.0, 0.0, 0.0], [0.0, 3.0, 0.1]], (20, 1, 1))
    table = Turntable(0.02)
    ridden = np.stack([table.move_with_ground(now, 0, frame) for frame, now in enumerate(points)])
    np.testing.assert_allclose(steps_relative_to_ground(table, ridden, 0.4), 0.0, atol=1e-12)
    steps = steps_relative_to_ground(table, points, 0.4)
    np.testing.assert_allclose(np.linalg.norm(steps[..., :2], axis=-1), [[0.02, 0.06]] * 19, rtol=1e-3)


def test_a_path_on_a_turntable_turns_with_it() -> None:
    way = np.stack([np.linspace(1.0, 2.0, 50), np.full(50, 0.5), np.full(50, 0.9)], axis=-1)
    np.testing.assert_allclose(undo_ground_motion(Turntable(0.01), riding(0.01, way)), way[:, :2], atol=1e-9)


def test_a_path_waits_until_somebody_steps_on() -> None:
    small = Turntable(0.01, radius=1.0)
    still = np.tile([5.0, 0.0, 0.9], (30, 1))
    np.testing.assert_allclose(undo_ground_motion(small, still), still[:, :2])
