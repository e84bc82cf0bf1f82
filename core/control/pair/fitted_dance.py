"""Retargeting of a dance to two other bodies, on which it is refined afterward."""

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from ...jobs.steps import Stepwise
from ...motion.proportions import scale_between
from ...motion.rotations import IDENTITY
from ...retarget.calibration import Calibration
from ...retarget.retarget import retarget
from ...retarget.shared_space import retarget_into_space
from ...terrain.ground import Scene
from ..feet.foot_lock import lock_feet
from ..walk.finished_frames import LEVEL_GROUND
from ..walk.finished_walk import Walk
from .partner_dance import Dance


def pair_scale(calibrations: Sequence[Calibration]) -> float:
    """Return the mean scale of a pair's bodies, in world meters per meter at the controller's scale."""
    return float(np.mean([scale_between(calibration.source, calibration.target) for calibration in calibrations]))


@Stepwise
def fit_dance(
    dance: Dance, calibrations: tuple[Calibration, Calibration], rises: tuple[float, float] = (0.0, 0.0)
) -> Generator[None, None, Dance]:
    """Return a dance retargeted to two bodies of different sizes on one ground; held hands do not meet yet.

    Args:
        dance: dance on the controller's skeleton.
        calibrations: calibrations from the controller's skeleton to the leader's and to the follower's.
        rises: for each body, the height of its feet above the ground less the usual height for its size, meters.
    """
    scale = pair_scale(calibrations)
    leader = yield from fit_walk.steps(dance.leader, calibrations[0], scale, rises[0])
    follower = yield from fit_walk.steps(dance.follower, calibrations[1], scale, rises[1])
    return Dance(leader, follower, dance.holds, dance.centers * scale)


@Stepwise
def fit_walk(
    walk: Walk, calibration: Calibration, scale: float, rise: float, ground: Scene = LEVEL_GROUND
) -> Generator[None, None, Walk]:
    """Return the motion of one character retargeted to another body, with locked feet.

    Args:
        walk: motion on the controller's skeleton.
        calibration: calibration from the controller's skeleton to the body's.
        scale: world meters per meter at the controller's scale.
        rise: height of the body's feet above the ground less the usual height for its size, meters.
        ground: the ground, in world meters.
    """
    up = np.array([0.0, 0.0, rise])
    standing = walk.standing_clip and retarget(walk.standing_clip, calibration).transformed(IDENTITY, up)
    clip = (yield from retarget_into_space.steps(walk.clip, calibration, scale)).transformed(IDENTITY, up)
    locked = yield from lock_feet.steps(clip, walk.contacts, ground, standing)
    return replace(walk, clip=locked, standing_clip=standing)
