"""Lifted feet: dragged feet are made to step, and kicks are kept above the ground."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations, within_soft_reach
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import UP, Array, length
from ...motion.signals import runs_of
from ...terrain.ground import Plane
from ...tuning import Tuning, tuned
from ..feet import sole_solver
from ..feet.foot_pose import SoleContacts
from ..feet.sole_solver import SoleSolver
from . import guard_steps

# Lengths and speeds in meters are those of an adult; they are multiplied by the body's scale.


@dataclass(frozen=True, slots=True)
class LiftedFeetTuning(Tuning):
    rest_speed: float = tuned(0.15, "m/s", 0.01, 1.0)
    """Horizontal speed of the ball of a foot below which the foot counts as at rest."""
    shortest_drag: float = tuned(0.05, "m", 0.005, 0.3)
    """Length of a drag from which it is turned into a step."""
    drag_height_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of a step's usual height below which a moving foot counts as dragged."""
    speed_smoothing: float = tuned(0.03, "s", 0.005, 0.2)
    """Standard deviation of the Gaussian that smooths feet's speeds."""


TUNING: Final = LiftedFeetTuning()


def with_lifted_feet(clip: Clip) -> Clip:
    """Return the clip with dragged feet raised, so that they step.

    A network that learned only attacks slides from standing into its guard, since none of its clips shows a step. A
    foot that moves to another resting position without leaving the ground is raised as high as in a step of that
    length.

    Args:
        clip: a motion of a person, on level ground.
    """
    scale, legs = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M, [Leg.of(clip.skeleton, side) for side in "LR"]
    lifts = [_lift(clip.positions[:, leg.foot if leg.toe is None else leg.toe], clip.rate, scale) for leg in legs]
    return _raised(clip, legs, lifts)


def above_ground(clip: Clip, floor: float) -> Clip:
    """Return the clip with feet raised to the ground in frames in which they are below it.

    In a kick retargeted to a lower target, the foot would sink as soon as it leaves the ground.

    Args:
        clip: a motion of a person.
        floor: height of the ground, meters, world.
    """
    scale, legs = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M, [Leg.of(clip.skeleton, side) for side in "LR"]
    lifts = []
    for leg in legs:
        free = np.zeros(len(clip), dtype=bool)
        foot = SoleSolver(clip, leg, SoleContacts(free, free), Plane(), clip, scale)
        ends = zip((foot.original.heel, foot.original.ball), foot.sole_heights, strict=True)
        depths = np.max([floor + above - points[:, 2] for points, above in ends], axis=0)
        lifts.append(np.where(depths > sole_solver.TUNING.sunk_depth * scale, depths, 0.0))
    return _raised(clip, legs, lifts)


def _raised(clip: Clip, legs: Sequence[Leg], lifts: Sequence[Array]) -> Clip:
    """Return the clip with each leg's ankle raised by its heights (F), meters; feet keep their rotations."""
    if not np.any(lifts):
        return clip
    positions, rotations = (values.copy() for values in clip.world)
    for leg, lift in zip(legs, lifts, strict=True):
        raised = positions[:, leg.foot] + lift[:, None] * UP
        reach = within_soft_reach(positions[:, leg.thigh], raised, leg.length(clip.skeleton))
        solve_leg_ik(clip.skeleton, positions, rotations, leg, np.where(lift[:, None] > 0.0, reach, raised))
    return with_world_rotations(clip, clip.root_positions, rotations)


def _lift(ball: Array, rate: float, scale: float) -> Array:
    """Return how high (F), meters, a foot is lifted to step where it is dragged, from the track (F, 3) of its ball."""
    lift = np.zeros(len(ball))
    speeds = length(np.diff(ball[:, :2], axis=0, append=ball[-1:, :2])) * rate
    moves = scipy.ndimage.gaussian_filter1d(speeds, TUNING.speed_smoothing * rate) > TUNING.rest_speed * scale
    for start, stop in runs_of(moves):
        if start == 0 or stop == len(ball):
            continue  # The drag has no rest before it or none after it.
        way = float(length(ball[stop, :2] - ball[start - 1, :2]))
        height = guard_steps.TUNING.step_height * scale * min(way / (guard_steps.TUNING.long_step * scale), 1.0)
        gained = float(ball[start:stop, 2].max() - max(ball[start - 1, 2], ball[stop, 2]))
        if way >= TUNING.shortest_drag * scale and gained < TUNING.drag_height_share * height:
            done = np.cumsum(speeds[start:stop])
            lift[start:stop] = (height - max(gained, 0.0)) * np.sin(np.pi * done / done[-1]) ** 2
    return lift
