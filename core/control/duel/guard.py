"""The guard of a duel: the most typical starting pose of captured attacks, held by a body that breathes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.rotations import Array, exp, multiply, rotation_about_up
from ...tuning import Tuning, tuned
from ..strike.guard_steps import joints_below
from ..strike.strike_takes import StrikeTake


@dataclass(frozen=True, slots=True)
class GuardTuning(Tuning):
    sway: tuple[float, float, float] = tuned((0.010, 0.014, 0.008), "m", 0.0, 0.1)
    """Amplitudes of the hips' sway: sideways, forward, and downward."""
    sway_rates: tuple[float, float, float] = tuned((0.37, 0.53, 0.9), "Hz", 0.05, 3.0)
    """Frequencies of the sway along each axis, chosen to have no common period."""
    breath: float = tuned(0.025, "rad", 0.0, 0.2)
    """Amplitude of the trunk's bend in breathing."""
    breath_rate: float = tuned(0.3, "Hz", 0.05, 2.0)
    """Frequency of breathing."""
    sway_begins: float = tuned(0.8, "s", 0.05, 5.0)
    """Time over which the sway fades in after a body has come to rest."""


TUNING: Final = GuardTuning()


def guard_pose(takes: Sequence[StrikeTake]) -> Clip:
    """Return the unarmed guard, as a clip of one frame with the hips over the origin, facing +Y.

    It is the medoid of the starting poses of captured one-handed attacks, that is, the pose nearest to all others. If
    there are no one-handed attacks, all attacks count.

    Args:
        takes: captured attacks without mirror images, at least one.
    """
    hands = [take for take in takes if take.blow.effector.startswith("hand") and not take.both_hands]
    return _medoid(hands or takes)


def weapon_guard(takes: Sequence[StrikeTake], hand: str) -> Clip:
    """Return the guard with a weapon, as a clip of one frame with the hips over the origin, facing +Y.

    It is the medoid of the starting poses of captured attacks with both hands.

    Args:
        takes: captured attacks without mirror images.
        hand: role of the upper hand on the weapon.

    Raises:
        FootfallError: no attack uses both hands.
    """
    cuts = [take for take in takes if take.both_hands and take.blow.effector == hand]
    if not cuts:
        raise FootfallError("This controller cannot use a two-handed weapon: choose one trained on two-handed cuts")
    return _medoid(cuts)


def _medoid(takes: Sequence[StrikeTake]) -> Clip:
    """Return, over the origin, the starting pose of the attack whose starting pose is nearest to all others."""
    poses = [_over_origin(take.clip.cut(0, 1)) for take in takes]
    places = np.stack([pose.positions[0] for pose in poses])
    apart = np.linalg.norm(places[:, None] - places, axis=-1).mean(axis=-1)
    return poses[int(np.argmin(np.median(apart, axis=1)))]


def hold_guard(pose: Clip, place: Array, yaw: float, frames: int) -> Clip:
    """Return a clip of the guard held for `frames` frames at `place` (2), meters, world, facing `yaw`, radians.

    The first frame is the pose itself; then the body begins to breathe and to sway over its feet.
    """
    skeleton, seconds = pose.skeleton, np.arange(frames) / pose.rate
    turn = rotation_about_up(yaw)
    still = pose.transformed(turn, np.append(place, 0.0))
    grown = smooth_step(seconds / TUNING.sway_begins)[:, None]
    waves = np.sin(2 * np.pi * np.outer(seconds, TUNING.sway_rates))
    waves[:, 2] = waves[:, 2] ** 2 * -1.0
    sway = grown * waves * TUNING.sway
    roots = still.root_positions + sway
    positions, rotations = (np.repeat(values, frames, axis=0) for values in still.world)
    bend = TUNING.breath * grown[:, 0] * np.sin(2 * np.pi * TUNING.breath_rate * seconds)
    right = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    legs = [Leg.of(skeleton, side) for side in "LR"]
    ankles = [positions[:, leg.foot].copy() for leg in legs]
    positions = positions + sway[:, None]
    for leg, ankle in zip(legs, ankles, strict=True):
        solve_leg_ik(skeleton, positions, rotations, leg, ankle)
    spine = skeleton.joint("spine")
    upper = [spine, *joints_below(skeleton, spine)]
    rotations[:, upper] = multiply(exp(bend[:, None] * right)[:, None], rotations[:, upper])
    return with_world_rotations(
        Clip(skeleton, pose.rate, roots, still.rotations.repeat(frames, axis=0)), roots, rotations
    )


def guard_distance(pose: Clip, guard: Clip) -> float:
    """Return the mean distance, meters, between the joints of a pose and of the guard when both are over the origin."""
    return float(np.linalg.norm(_over_origin(pose).positions[0] - guard.positions[0], axis=-1).mean())


def _over_origin(pose: Clip) -> Clip:
    """Return a one-frame clip moved so that its hips are over the origin."""
    hips = pose.positions[0, pose.skeleton.joint("hips")]
    return pose.transformed(np.array([1.0, 0.0, 0.0, 0.0]), -hips * np.array([1.0, 1.0, 0.0]))
