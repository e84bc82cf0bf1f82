"""Posed people whose hips, arms and elbows move as told, on feet that stay."""

from dataclasses import replace

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from footfall.core.motion.rotations import Array, from_axis_angle, multiply
from footfall.tests.support.walker import person

UPRIGHT = 0.98
APEX_S = 3.0


def eased(time: Array, start: float, stop: float) -> Array:
    """From 0 to 1 between two times."""
    share = np.clip((time - start) / (stop - start), 0, 1)
    return share * share * (3 - 2 * share)


def posed(roots: Array, arms: Array | None = None, bends: Array | None = None, rate: float = 60.0) -> Clip:
    """A body that faces -Y on feet that stay, its hips at ``roots`` (F, 3).

    ``arms``: (F, 2) angles by which the hanging upper arms are raised forward; ``bends``: (F, 2) of the elbows.
    """
    skeleton = person()
    frames = len(roots)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    zero = np.zeros((frames, 2))
    for column, (side, sign) in enumerate((("l", 1.0), ("r", -1.0))):
        hang = from_axis_angle([0.0, 1.0, 0.0], np.full(frames, sign * 1.45))
        raised = from_axis_angle([-1.0, 0.0, 0.0], (zero if arms is None else arms)[:, column])
        rotations[:, skeleton.names.index(f"{side}humerus")] = multiply(raised, hang)
        # The elbow's axis lies across the arm, which points to the side at rest.
        bend = from_axis_angle([0.0, 0.0, -sign], (zero if bends is None else bends)[:, column])
        rotations[:, skeleton.names.index(f"{side}radius")] = bend
    standing = Clip(skeleton, rate, np.tile([0.0, 0.0, UPRIGHT], (frames, 1)), rotations)
    ankles = {side: standing.positions[:, skeleton.joint(f"foot.{side}")].copy() for side in "LR"}
    clip = replace(standing, root_positions=roots)
    positions, world = (array.copy() for array in clip.world)
    for side in "LR":
        solve_leg_ik(skeleton, positions, world, Leg.of(skeleton, side), ankles[side])
    return with_world_rotations(clip, roots, world)


def hips_at(height: Array, back: Array | float = 0.0) -> Array:
    return np.stack([0 * height, 0 * height + back, height], axis=1)


def puncher(takes: float, rate: float = 60.0) -> Clip:
    """Stands for six seconds and punches once with the right: straight at 3 s, ``takes`` seconds out and back."""
    time = np.arange(round(6 * rate)) / rate
    out = eased(time, APEX_S - takes, APEX_S) - eased(time, APEX_S, APEX_S + takes)
    guard = np.full_like(time, 0.5)
    arms, bends = (np.stack([guard, right], axis=1) for right in (0.5 + 0.9 * out, 2.2 - 2.15 * out))
    bends[:, 0] = 2.2
    return posed(hips_at(0 * time + UPRIGHT), arms, bends, rate=rate)
