"""Steps between two motions: the body blends from one to the other, and each foot steps to its new position."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion import Clip, Skeleton
from ...motion.blending import smooth_falloff, smooth_step
from ...motion.inertialization import inertialized
from ...motion.limb_ik import (
    Leg,
    bend_knee_forward,
    solve_leg_ik,
    with_world_rotations,
    within_soft_reach,
)
from ...motion.rotations import Array, exp, inverse, log, multiply, slerp
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class GuardStepsTuning(Tuning):
    first_step: tuple[float, float] = tuned((0.05, 0.35), "s", 0.0, 2.0)
    """Beginning and end of the first foot's step, from the seam."""
    second_step: tuple[float, float] = tuned((0.38, 0.68), "s", 0.0, 2.0)
    """Beginning and end of the second foot's step, from the seam."""
    step_height: float = tuned(0.06, "m", 0.0, 0.3)
    """Height of a step that is at least ``long_step`` long."""
    long_step: float = tuned(0.25, "m", 0.05, 1.0)
    """Length from which a step has its full height."""
    transition: float = tuned(0.8, "s", 0.1, 3.0)
    """Time from the seam after which the second clip is unchanged; shorter transitions have quicker steps."""
    airborne: float = tuned(0.2, "m", 0.05, 1.0)
    """Height of a raised foot above its new position; it comes down with the body, without a step."""
    coasting: float = tuned(0.08, "s", 0.01, 0.5)
    """Time constant with which a body coasts to rest at the start of a transition."""


TUNING: Final = GuardStepsTuning()

WAY_DECIMALS: Final = 2
"""Number of decimals, meters, to which the lengths of both feet's steps are rounded before they are compared.

The foot with the longer step steps first; of equal steps, the right foot's comes first.
"""


def step_over(before: Clip, after: Clip) -> Clip:
    """Return two clips joined: the beginning of the second is changed so that feet step to it without a visible seam.

    Args:
        before: a clip that ends on both feet.
        after: a clip that begins nearby on both feet, of the same skeleton and rate.
    """
    count = min(round(TUNING.transition * after.rate), len(after))
    begun = _with_steps(before, after.cut(0, count), inertialized(before, after).cut(0, count))
    roots = np.concatenate([before.root_positions, begun.root_positions, after.root_positions[count:]])
    rotations = np.concatenate([before.rotations, begun.rotations, after.rotations[count:]])
    return Clip(after.skeleton, after.rate, roots, rotations, after.name)


def settle_into(before: Clip, after: Clip, seconds: float) -> Clip:
    """Return two clips joined: the body of the first coasts to rest while it blends into the second.

    Args:
        before: a clip that ends on both feet.
        after: a clip that begins on both feet at rest, of the same skeleton and rate.
        seconds: time after which the second clip is unchanged.
    """
    count = min(max(round(seconds * after.rate), 2), len(after))
    rest = _coasting(before, count)
    share = 1.0 - smooth_falloff((np.arange(count) + 1) / count)
    roots = rest.root_positions + share[:, None] * (after.root_positions[:count] - rest.root_positions)
    turned = slerp(rest.rotations, after.rotations[:count], np.broadcast_to(share[:, None], rest.rotations.shape[:2]))
    begun = _with_steps(before, after.cut(0, count), Clip(after.skeleton, after.rate, roots, turned))
    roots = np.concatenate([before.root_positions, begun.root_positions, after.root_positions[count:]])
    rotations = np.concatenate([before.rotations, begun.rotations, after.rotations[count:]])
    return Clip(after.skeleton, after.rate, roots, rotations, after.name)


def _coasting(before: Clip, frames: int) -> Clip:
    """Return the motion after the end of a clip, `frames` long, in which the body coasts to rest."""
    way = 1.0 - np.exp(-(np.arange(frames) + 1) / (TUNING.coasting * before.rate))
    way *= TUNING.coasting * before.rate
    last = before.cut(max(len(before) - 2, 0), len(before))
    roots = last.root_positions[-1] + way[:, None] * (last.root_positions[-1] - last.root_positions[0])
    spin = log(multiply(inverse(last.rotations[0]), last.rotations[-1]))
    rotations = multiply(
        np.broadcast_to(last.rotations[-1], (frames, *spin.shape[:1], 4)), exp(way[:, None, None] * spin)
    )
    return Clip(before.skeleton, before.rate, roots, rotations)


def _with_steps(before: Clip, after: Clip, blended: Clip) -> Clip:
    """Return the blended beginning of a clip in which each foot steps from where it was to its own path in `after`."""
    positions, rotations = (values.copy() for values in blended.world)
    own_positions, own_rotations = after.world
    legs = [Leg.of(after.skeleton, side) for side in "LR"]
    last = before.positions[-1], before.world[1][-1]
    ways = [float(np.linalg.norm((own_positions[-1, leg.foot] - last[0][leg.foot])[:2])) for leg in legs]
    seconds = np.arange(len(after)) * TUNING.transition / len(after)
    order = np.argsort(np.round(ways, WAY_DECIMALS), kind="stable")[::-1]
    for step, number in zip((TUNING.first_step, TUNING.second_step), order, strict=True):
        leg, way = legs[number], ways[number]
        if last[0][leg.foot][2] - own_positions[-1, leg.foot, 2] > TUNING.airborne:
            bend_knee_forward(after.skeleton, positions, rotations, leg)
            continue
        share = smooth_step((seconds - step[0]) / (step[1] - step[0]))
        lift = TUNING.step_height * min(way / TUNING.long_step, 1.0) * np.sin(np.pi * share) ** 2
        place = last[0][leg.foot] + share[:, None] * (own_positions[:, leg.foot] - last[0][leg.foot])
        place[:, 2] += lift
        turned = slerp(np.broadcast_to(last[1][leg.foot], (len(after), 4)), own_rotations[:, leg.foot], share)
        rotations[:, leg.foot] = turned
        bend_knee_forward(after.skeleton, positions, rotations, leg)
        reach = within_soft_reach(positions[:, leg.thigh], place, leg.length(after.skeleton))
        solve_leg_ik(after.skeleton, positions, rotations, leg, reach)
    made = with_world_rotations(blended, blended.root_positions, rotations)
    below = [joint for leg in legs for joint in joints_below(after.skeleton, leg.foot)]
    made.rotations[:, below] = blended.rotations[:, below]  # Toes turn with the foot.
    return _faded(Clip(made.skeleton, made.rate, made.root_positions, made.rotations, made.name), after)


def joints_below(skeleton: Skeleton, first: int) -> list[int]:
    """Return the indices of all joints below a joint in the skeleton's hierarchy."""
    below: list[int] = []
    for joint in range(first + 1, len(skeleton)):
        if skeleton.parents[joint] in (first, *below):
            below.append(joint)
    return below


def _faded(made: Clip, after: Clip) -> Clip:
    """Return a clip that blends into another over its last third."""
    share = smooth_step((np.arange(len(made)) / max(len(made) - 1, 1) - 2 / 3) * 3)
    roots = made.root_positions + share[:, None] * (after.root_positions - made.root_positions)
    turned: Array = slerp(made.rotations, after.rotations, np.broadcast_to(share[:, None], made.rotations.shape[:2]))
    return Clip(made.skeleton, made.rate, roots, turned, made.name)
