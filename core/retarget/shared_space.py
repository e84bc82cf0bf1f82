"""Retargeting of several characters that share one space: horizontal positions use one scale for all of them.

Retargeting scales the ground by the ratio of leg lengths, so that steps keep their proportions. Two characters that
touch each other share one ground: each keeps its own pose and height, but its steps use the shared scale.
"""

from collections.abc import Generator

import numpy as np

from ..jobs.steps import Stepwise
from ..motion import Clip
from ..motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ..motion.proportions import scale_between
from ..motion.rotations import Array
from .calibration import Calibration
from .contacts import hips_drop
from .retarget import hip_center, retarget


@Stepwise
def retarget_into_space(clip: Clip, calibration: Calibration, scale: float) -> Generator[None, None, Clip]:
    """Retarget a clip to the calibration's target, placing hips and ankles on the ground by a shared scale.

    Args:
        clip: motion of the calibration's source.
        calibration: calibration of the clip's skeleton to the target.
        scale: horizontal meters at the shared scale per meter at the source's scale; heights scale with leg length.
    """
    source, target = clip.skeleton, calibration.target
    fitted = yield from retarget.steps(clip, calibration)
    excess = scale - scale_between(source, target)
    yield
    if abs(excess) < 1e-6:
        return fitted
    skeleton, rotations = fitted.skeleton, fitted.world[1].copy()
    shift = _level(hip_center(source, clip.positions)) * excess
    legs = [(Leg.of(source, side), Leg.of(skeleton, side)) for side in "LR"]
    ankles: list[Array] = [
        fitted.positions[:, mine.foot] + _level(clip.positions[:, theirs.foot]) * excess for theirs, mine in legs
    ]
    moved = with_world_rotations(fitted, fitted.root_positions + shift, rotations)
    shift[:, 2] -= hips_drop(moved, [mine for _, mine in legs], ankles)
    positions = fitted.positions + shift[:, None]
    for (_, mine), ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(skeleton, positions, rotations, mine, ankle)
    return with_world_rotations(fitted, fitted.root_positions + shift, rotations)


def _level(points: Array) -> Array:
    """Return points (F, 3) projected onto the ground plane."""
    return points * np.array([1.0, 1.0, 0.0])
