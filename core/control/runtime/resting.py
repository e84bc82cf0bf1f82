"""Rest: the phase stops where both feet stand, and the body gradually returns to the standing pose."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.rest import IDLE_RATE_HZ, REST_GAITS, REST_PHASES
from ...models.model_file import ControllerModel
from ...motion.roles import FOOT_CONTACTS, PAW_CONTACTS
from ...motion.rotations import Array, inverse, multiply, to_axis_pair
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class RestingTuning(Tuning):
    stance_pull: float = tuned(0.25, "s", 0.02, 5.0)
    """Time constant with which a resting character's fed-back pose, except its feet, returns to the standing pose.

    Without it, networks trained with a phase that advances during standing drift away within seconds.
    """
    slow_speed: float = tuned(0.9, "m/s", 0.1, 3.0)
    """Commanded speed, lower than in all captured walking, below which arms begin to return to the standing pose."""
    slowest_speed: float = tuned(0.7, "m/s", 0.0, 2.9)
    """Commanded speed below which arms return to the standing pose at the full rate."""
    arm_pull: float = tuned(0.35, "s", 0.02, 5.0)
    """Time constant with which arms return to the standing pose at the full rate."""
    rising_drop: float = tuned(0.15, "1", 0.0, 1.0)
    """Drop of the hips below the standing pose, as a share of the leg length, above which the network alone gets up.

    Applies to controllers that can sit or lie: the return to the standing pose would double their speed.
    """
    moving_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Weight of moving, as opposed to standing, below which a character comes to rest."""


TUNING: Final = RestingTuning()

REST_TOLERANCE: Final = 1e-9
"""Distance from one of the resting phases, cycles, up to which a phase counts as at rest."""


def phase_at_rest(phases: Array, next_phases: Array) -> Array:
    """Return the next phases (B) of characters that come to rest: they stop where both feet stand.

    A foot in the air is still put down, so a stop takes no longer than the current step.

    Args:
        phases: (B) phases before the frame, cycles.
        next_phases: (B) phases after the frame, cycles.
    """
    ahead = (REST_PHASES - phases[:, None]) % 1.0
    rest = np.where(ahead < REST_TOLERANCE, 0.0, ahead).min(axis=1)
    advance = (next_phases - phases) % 1.0
    return (phases + np.minimum(advance, rest)) % 1.0


def shares_at_rest(performers: Array, standing: Array) -> Array:
    """Return the performers' shares (B, K), blended toward the first performer as a character comes to stand.

    Few performers were captured standing, and a network without such training data would guess.

    Args:
        performers: (B, K) shares in motion.
        standing: (B) weight of standing, from 0 to 1.
    """
    still = standing[:, None]
    return (1 - still) * performers + still * np.eye(1, performers.shape[1])


class StandingPose:
    """The standing pose of a controller's character, and the idling motion in the controller's file."""

    def __init__(self, model: ControllerModel) -> None:
        self._pose = np.asarray(model.start["position"], dtype=float)
        self._idle = np.asarray(model.start.get("idle", np.zeros((0, *self._pose.shape))), dtype=float)
        self._axes = standing_axes(model)
        gets_up = any(name in REST_GAITS for name in model.gaits)
        self._lowest = -TUNING.rising_drop * model.skeleton.leg_length if gets_up else -np.inf
        self._above_feet = 1.0 - _joints_from(model, (*FOOT_CONTACTS, *PAW_CONTACTS))[:, None]
        self._arms = _joints_from(model, ("upper_arm.L", "upper_arm.R"))[:, None]

    @property
    def idle_seconds(self) -> float:
        """Duration of the idling motion, seconds."""
        return len(self._idle) / IDLE_RATE_HZ

    def settle(self, poses: Array, resting: NDArray[np.bool_], times: Array, dt: float) -> Array:
        """Return poses (B, P, 3), meters, moved by one frame toward standing, except for their feet.

        Args:
            poses: (B, P, 3) joint positions in the root's frame, meters.
            resting: (B) whether a character rests.
            times: (B) times, seconds into the idling motion.
            dt: seconds per frame.
        """
        if not resting.any():
            return poses
        above = (poses - self._pose)[..., 2] * self._above_feet[:, 0]
        risen = above.sum(axis=1) / self._above_feet.sum() > self._lowest
        pull = resting * risen * min(dt / TUNING.stance_pull, 1.0)
        return poses + pull[:, None, None] * self._above_feet * (self._poses_at(times) - poses)

    def settle_axes(self, axes: Array, resting: NDArray[np.bool_], dt: float) -> Array:
        """Return joint rotations (B, P, 6), as pairs of axes, moved by one frame toward standing, like :meth:`settle`.

        Args:
            axes: (B, P, 6) pairs of axes, relative to the reference rotations.
            resting: (B) whether a character rests.
            dt: seconds per frame.
        """
        if self._axes is None or not resting.any():
            return axes
        pull = resting * min(dt / TUNING.stance_pull, 1.0)
        return axes + pull[:, None, None] * self._above_feet * (self._axes - axes)

    def settle_arms(self, poses: Array, speeds: Array, dt: float) -> Array:
        """Return poses (B, P, 3), meters, with arms moved toward standing, faster at lower commanded speeds.

        Args:
            poses: (B, P, 3) joint positions in the root's frame, meters.
            speeds: (B) commanded speeds, m/s.
            dt: seconds per frame.
        """
        slow = np.minimum(
            np.maximum((TUNING.slow_speed - speeds) / (TUNING.slow_speed - TUNING.slowest_speed), 0.0), 1.0
        )
        if not slow.any():
            return poses
        return poses + (slow * dt / TUNING.arm_pull)[:, None, None] * self._arms * (self._pose - poses)

    def _poses_at(self, times: Array) -> Array:
        """Return the standing poses (B, P, 3), meters, at times (B) of the idling motion, seconds."""
        if not len(self._idle):
            return np.broadcast_to(self._pose, (len(times), *self._pose.shape))
        frames = times * IDLE_RATE_HZ % len(self._idle)
        index = frames.astype(np.intp)
        share = (frames - index)[:, None, None]
        following = self._idle[(index + 1) % len(self._idle)]
        return self._pose + (1 - share) * self._idle[index] + share * following


def standing_axes(model: ControllerModel) -> Array | None:
    """Return the joint rotations (P, 6) of a controller's standing pose, relative to its reference rotations.

    The result is ``None`` if the controller's file has no rotations of the pose.
    """
    if "rotation" not in model.start:
        return None
    standing = np.asarray(model.start["rotation"], dtype=float)
    return to_axis_pair(multiply(inverse(model.reference_rotations.astype(float)), standing))


def _joints_from(model: ControllerModel, roles: tuple[str, ...]) -> Array:
    """Return, for each pose joint (P), 1 if it has one of the roles or descends from such a joint, otherwise 0."""
    skeleton = model.skeleton
    first = {skeleton.roles[role] for role in roles if role in skeleton.roles}
    found: set[int] = set()
    for joint, parent in enumerate(skeleton.parents):
        if joint in first or parent in found:
            found.add(joint)
    return np.array([float(skeleton.names.index(name) in found) for name in model.joints])
