"""A stick figure whose motion is known in closed form."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.labelling import Labels
from footfall.core.motion import Clip, Skeleton

NAMES = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe", "RightUpLeg", "RightLeg", "RightFoot", "RightToe")
OFFSETS = np.array(
    [[0, 0, 0]]
    + [offset for side in (-0.1, 0.1) for offset in ([side, 0, 0], [0, 0, -0.42], [0, 0, -0.42], [0, 0.12, -0.06])],
    dtype=float,
)


@pytest.fixture
def stick_figure() -> Skeleton:
    """Hips and two legs; standing with the hips at 0.92 m puts the ankles at 8 cm and the toes at 2 cm."""
    return Skeleton(NAMES, (-1, 0, 1, 2, 3, 0, 5, 6, 7), OFFSETS, np.zeros((9, 3)))


@pytest.fixture
def gliding(stick_figure: Skeleton) -> Callable[..., Clip]:
    """Makes a clip of the stiff figure that glides along root positions (F, 2) at 60 Hz without moving a joint."""

    def glide(roots: np.ndarray, rate: float = 60.0, height: float = 0.92) -> Clip:
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(roots), len(NAMES), 1))
        return Clip(stick_figure, rate, np.column_stack([roots, np.full(len(roots), height)]), rotations, "glide")

    return glide


@pytest.fixture
def standing_labels() -> Callable[[int], Labels]:
    """Labels that say: all feet on the ground at height 0, standing, in every frame."""

    def labels(frames: int) -> Labels:
        none = np.zeros(0, dtype=np.intp)
        joints = ("foot.L", "toe.L", "foot.R", "toe.R")
        return Labels(
            60.0, joints, np.ones((frames, 4)), np.zeros(frames), ("stand",), np.ones((frames, 1)), none, none, 0.0
        )

    return labels
