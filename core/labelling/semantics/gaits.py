"""Gaits by the mechanics of legs: stand, walk, jog, run, crouch, jump (the semantic variables of PFNN, section 4.3).

Walks and runs are distinguished not by detected contacts but by the motion of the body over its legs. The hips of a
walk are highest in mid-stance, when the feet pass each other (an inverted pendulum); those of a run are lowest there
and highest in flight, when the feet are farthest apart (a spring-loaded mass; Cavagna, Heglund and Taylor 1977). In
addition, a body with no foot on the ground falls with the acceleration g, unlike a brisk walk with uncertain contacts.
Speeds are compared as Froude numbers v^2 / (g leg) (Alexander 1989), so that children and giants have the same
thresholds.

Thresholds of time are for an adult and scale with the square root of the leg length, as for a pendulum. Speed ratios
are relative to sqrt(g leg), which is 2.87 m/s for an adult.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...motion.signals import runs_of, velocities

GAIT_NAMES: Final = ("stand", "walk", "jog", "run", "crouch", "jump")

GRAVITY_M_S2: Final = 9.81
"""Acceleration of gravity."""
SPEED_SMOOTHING_S: Final = 0.2
"""Standard deviation of the smoothing of speeds."""
GAIT_BLEND_S: Final = 0.08
"""Standard deviation of the smoothing between gaits."""

STEP_SPEED_RATIO: Final = 0.18
"""Speed of the faster foot above which it steps: 0.5 m/s for an adult."""
MAX_FOOT_TO_HIP_SPEED_RATIO: Final = 5.0
"""Largest speed of a stepping foot relative to the hips; a foot that swings under a seated body is faster."""
RUN_SPEED_RATIO: Final = 0.94
"""Speed above which a jog is a run: 2.7 m/s for an adult."""
JUMP_SPEED_RATIO: Final = 0.33
"""Vertical speed of a jump, mean of take-off and landing: 0.95 m/s, a flight of 0.19 s; runs have 0.4 to 0.9 m/s."""
HOP_SPEED_RATIO: Final = 0.25
"""Vertical speed of a hop, which begins and ends on the same feet, unlike a step of a run."""
DROP_SPEED_RATIO: Final = 0.6
"""Landing speed of a jump down: 1.7 m/s, from 0.15 m."""

RUN_LOGIT_WEIGHTS: Final = (6.0, 2.0, 2.0, 2.0, 2.5)
"""Weights of five measures in the log odds of running.

The measures are the bounce (-1 a pendulum, 1 a spring), the share of time in free fall, the share without a foot down,
the log of the Froude number over 0.6, and the log of the vertical acceleration over 0.28 g. The weights are rounded
from a logistic regression on recorded walks and runs, except for the third and the fourth, which decide for hips
without bounce.
"""
MIN_BOUNCE_RATIO: Final = 0.008
"""Least amplitude of the hips' bounce, relative to leg length, that counts as evidence."""

JUMP_RECOVERY_SHARE: Final = 0.7
"""Share of the rise after a landing, or of the sinking before a take-off, that belongs to the jump."""

CROUCH_HEIGHT_RATIO: Final = 0.78
"""Height of a crouch relative to the upright height, mean of hips and head."""
UPRIGHT_HEIGHT_RATIOS: Final = (0.94, 1.12)
"""Range of heights of an upright body, relative to the length of its bones."""
ANKLE_HEIGHT_RATIO: Final = 0.08
"""Height of the ankle, relative to the leg."""

TROT_FROUDE_NUMBER: Final = 0.5
"""Froude number above which quadrupeds trot (Alexander and Jayes 1983)."""
GALLOP_FROUDE_NUMBER: Final = 2.5
"""Froude number above which quadrupeds gallop."""
GALLOP_LOGIT_WEIGHT: Final = 6.0
"""Weight of the correlation of the hind feet in the log odds of a gallop."""

_MASS_SHARES: Final = {
    "hips": 0.25,
    "chest": 0.3,
    "head": 0.1,
    "forearm": 0.05,
    "shin": 0.08,
    "foot": 0.05,
}
"""Approximate share of the body's mass near each joint (Winter 2009, table 4.1); for limbs, per side."""


def find_gaits(clip: Clip, down: NDArray[np.bool_], ground_heights: Array, quadruped: bool = False) -> Array:
    """Return the weights (F, 6) of the gaits in the order of :data:`GAIT_NAMES`, rows summing to 1.

    Weights change within about 0.25 s. Standing means that no foot steps, whatever the hips do; walking can have any
    direction; jogging is running slower than 2.7 m/s (of an adult). A jump lasts from the crouch before it until the
    landing has been absorbed, and is a flight higher than a run's, or one that begins and ends on the same feet.
    Crouching means hips and head low over the ground, including sitting and lying. A quadruped stands, walks, trots
    (jog), gallops (run) or jumps, according to its Froude number and the coordination of its hind feet; its front feet
    are not used, and a canter is classified by its speed.

    Args:
        clip: the motion; the feet of a quadruped are its hind feet.
        down: (F, 2) whether the left and the right foot is in contact.
        ground_heights: (F, 2) heights of the ground under both feet, meters.
        quadruped: whether the body has four feet.

    Raises:
        FootfallError: the skeleton has no hips, thighs, shins or feet.
    """
    body = _GaitMeasures.of(clip, ground_heights, quadruped)
    jump = _jump_share(body, down)
    moving = scipy.special.expit((body.step_speed - STEP_SPEED_RATIO * body.speed_unit) / (0.035 * body.speed_unit))
    froude = body.speed / body.speed_unit
    if quadruped:
        running = scipy.special.expit(
            4 * np.log(froude**2 / GALLOP_FROUDE_NUMBER + 1e-9)
            + GALLOP_LOGIT_WEIGHT * (_hind_feet_correlation(clip, body) + 0.3)
        )
        jogging = np.maximum(scipy.special.expit(4 * np.log(froude**2 / TROT_FROUDE_NUMBER + 1e-9)), running)
        low = np.zeros(len(clip))
    else:
        jogging = scipy.special.expit(_run_log_odds(body, down))
        running = scipy.special.expit((froude - RUN_SPEED_RATIO) / 0.05)
        low = body.smooth(scipy.special.expit((CROUCH_HEIGHT_RATIO - body.uprightness) / 0.02), GAIT_BLEND_S)
    rest = (1 - jump) * (1 - low)
    shares = (
        rest * (1 - moving),
        rest * moving * (1 - jogging),
        rest * moving * jogging * (1 - running),
        rest * moving * jogging * running,
        (1 - jump) * low,
        jump,
    )
    gaits = np.stack(shares, axis=1)
    return gaits / gaits.sum(axis=1, keepdims=True)


def centre_of_mass(clip: Clip) -> Array:
    """Return the center of mass (F, 3), meters, world, by the joints with roles; the hips if there are too few."""
    roles = clip.skeleton.roles
    joints = {
        roles[name]: mass
        for role, mass in _MASS_SHARES.items()
        for name in (role, f"{role}.L", f"{role}.R")
        if name in roles
    }
    if len(joints) < 3:
        return clip.positions[:, clip.skeleton.joint("hips")]
    masses = np.array(list(joints.values()))
    return np.einsum("fjk,j->fk", clip.positions[:, list(joints)], masses / masses.sum())


@dataclass(frozen=True, eq=False)
class _GaitMeasures:
    """Measures of a body over its F frames, in SI units."""

    leg_length: float
    """Length of the legs."""
    rate: float
    """Frames per second."""
    hips_height: Array
    """(F) height of the hips in the world."""
    speed: Array
    """(F) smoothed horizontal speed of the hips."""
    step_speed: Array
    """(F) smoothed speed of the faster foot, limited by that of the hips."""
    foot_spread: Array
    """(F) horizontal distance of the feet."""
    vertical_velocity: Array
    """(F) vertical velocity of the center of mass."""
    vertical_acceleration: Array
    """(F) vertical acceleration of the center of mass."""
    uprightness: Array
    """(F) height of hips and head over the ground, relative to their upright heights."""

    @staticmethod
    def of(clip: Clip, ground_heights: Array, quadruped: bool) -> "_GaitMeasures":
        """Measure the motion of a clip's hips and feet."""
        positions, rate, skeleton = clip.positions, clip.rate, clip.skeleton
        feet = positions[:, [skeleton.joint("foot.L"), skeleton.joint("foot.R")]]
        root, under = skeleton.joint("hips"), ground_heights.min(axis=1)
        leg = _quadruped_leg_height(clip, under) if quadruped else skeleton.leg_length
        window = SPEED_SMOOTHING_S * _time_scale(leg) * rate
        velocity = velocities(positions[:, root], rate)
        hips = _smooth(velocity[:, :2], window)
        lift = velocities(centre_of_mass(clip)[:, 2], rate)
        foot_speed = np.linalg.norm(velocities(feet, rate), axis=-1).max(axis=1)
        return _GaitMeasures(
            leg,
            rate,
            positions[:, root, 2],
            np.linalg.norm(hips, axis=-1),
            np.minimum(
                _smooth(foot_speed, window),
                MAX_FOOT_TO_HIP_SPEED_RATIO * _smooth(np.linalg.norm(velocity, axis=-1), window),
            ),
            np.linalg.norm(feet[:, 0, :2] - feet[:, 1, :2], axis=-1),
            lift,
            np.gradient(lift, 1 / rate) if len(lift) > 1 else np.zeros_like(lift),
            _uprightness(clip, _smooth(under, GAIT_BLEND_S * rate)),
        )

    @property
    def speed_unit(self) -> float:
        """Speed sqrt(g leg), m/s, the square root of gravity times leg length, at which the Froude number is 1."""
        return float(np.sqrt(GRAVITY_M_S2 * self.leg_length))

    def frames(self, seconds: float) -> int:
        """Return the number of frames, at least one, of a time in seconds of an adult, scaled to this body."""
        return max(round(seconds * _time_scale(self.leg_length) * self.rate), 1)

    def smooth(self, values: Array, seconds: float) -> Array:
        """Return values (F, ...) smoothed by a Gaussian; its deviation, seconds of an adult, is scaled to this body."""
        return _smooth(values, seconds * _time_scale(self.leg_length) * self.rate)

    def free_fall(self, down: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return a mask (F), true while no foot is down and the center of mass falls at more than half of g."""
        return ~down.any(axis=1) & (self.vertical_acceleration < -0.5 * GRAVITY_M_S2)


def _quadruped_leg_height(clip: Clip, ground_height: Array) -> float:
    """Return the height of a quadruped's thighs over the ground, meters: its leg length, since the legs stay bent."""
    thighs = [clip.skeleton.joint("thigh.L"), clip.skeleton.joint("thigh.R")]
    return max(float(np.percentile(clip.positions[:, thighs, 2].mean(axis=1) - ground_height, 80)), 1e-3)


def _hind_feet_correlation(clip: Clip, body: _GaitMeasures) -> Array:
    """Return the correlation (F) of the hind feet's motion under the hips: -1 if they alternate, 1 if they bound."""
    skeleton = clip.skeleton
    feet = clip.positions[:, [skeleton.joint("foot.L"), skeleton.joint("foot.R")]]
    left, right = np.moveaxis(velocities(feet - clip.positions[:, [skeleton.joint("hips")]], clip.rate), 1, 0)
    least = (0.05 * body.speed_unit) ** 2
    both, one, other = (
        body.smooth(np.sum(a * b, axis=-1), 0.3) for a, b in ((left, right), (left, left), (right, right))
    )
    return both / np.sqrt((one + least) * (other + least))


def _time_scale(leg_length: float) -> float:
    """Return the factor from an adult's times and speeds to those of a body with this leg length."""
    return float(np.sqrt(leg_length / ADULT_LEG_LENGTH_M))


def _smooth(values: Array, frames: float) -> Array:
    """Smooth values with a Gaussian whose standard deviation is given in frames."""
    return scipy.ndimage.gaussian_filter1d(values, max(min(frames, len(values) / 4), 1e-3), axis=0, mode="nearest")


def _run_log_odds(body: _GaitMeasures, down: NDArray[np.bool_]) -> Array:
    """Return the log odds (F) that a moving body runs rather than walks."""
    rise = body.hips_height - body.smooth(body.hips_height, 0.25)
    spread = body.foot_spread - body.smooth(body.foot_spread, 0.25)
    rises, spreads = body.smooth(rise**2, 0.25), body.smooth(spread**2, 0.25)
    still = (MIN_BOUNCE_RATIO * body.leg_length) ** 2
    bounce = body.smooth(rise * spread, 0.25) / np.sqrt((rises + still) * (spreads + still))
    falling = body.smooth(body.free_fall(down).astype(float), SPEED_SMOOTHING_S)
    airborne = body.smooth((~down.any(axis=1)).astype(float), SPEED_SMOOTHING_S)
    froude = 2 * np.log(body.speed / body.speed_unit + 0.1) - np.log(0.6)
    force = 0.5 * np.log(body.smooth(body.vertical_acceleration**2, 0.25) / GRAVITY_M_S2**2 + 0.02) - np.log(0.28)
    # Hips without bounce, as in keyframed clips, are no evidence: then the speed has a larger weight.
    reliability = rises / (rises + still)
    return np.stack([bounce, falling, airborne, froude * (2 - reliability), force * reliability], axis=1) @ np.array(
        RUN_LOGIT_WEIGHTS
    )


def _jump_share(body: _GaitMeasures, down: NDArray[np.bool_]) -> Array:
    """Return the weight (F) of *jump*: 1 in every jump, from crouch to landing, with soft ends."""
    inside = np.zeros(len(down))
    near = body.frames(0.1)
    standing: NDArray[np.bool_] = np.asarray(down.all(axis=1))
    for start, stop in runs_of(body.free_fall(down)):
        up = body.vertical_velocity[max(start - near, 0) : stop].max() / body.speed_unit
        sunk = -body.vertical_velocity[start : stop + near].min() / body.speed_unit
        took_off, landed = _feet_touching_near(down, start, -near), _feet_touching_near(down, stop, near)
        hop = took_off == landed and any(landed)
        if (up + sunk) / 2 < (HOP_SPEED_RATIO if hop else JUMP_SPEED_RATIO) and sunk < DROP_SPEED_RATIO:
            continue
        last = _recovery_frame(body, body.hips_height, standing, stop - 1)
        first = len(down) - 1 - _recovery_frame(body, body.hips_height[::-1], standing[::-1], len(down) - 1 - start)
        inside[max(first - near // 2, 0) : last + near // 2 + 1] = 1.0
    return body.smooth(inside, GAIT_BLEND_S)


def _recovery_frame(body: _GaitMeasures, hips_height: Array, standing: NDArray[np.bool_], frame: int) -> int:
    """Return the frame after a landing at which the hips have mostly risen, or on one foot are lowest."""
    bottom = frame + int(np.argmin(hips_height[frame : frame + body.frames(0.5)]))
    end = min(bottom + body.frames(0.6), len(hips_height))
    lifted = np.flatnonzero(~standing[bottom:end])
    end = bottom + int(lifted[0]) if len(lifted) else end
    rise = hips_height[bottom : max(end, bottom + 1)] - hips_height[bottom]
    return bottom + int(np.argmax(rise >= JUMP_RECOVERY_SHARE * rise.max()))


def _feet_touching_near(down: NDArray[np.bool_], frame: int, reach: int) -> tuple[bool, bool]:
    """Return whether left and right foot are down in the last contact before ``frame``, or the first after it."""
    side = down[:frame][::-1] if reach < 0 else down[frame:]
    touched = np.flatnonzero(side[: 5 * abs(reach)].any(axis=1))
    if len(touched) == 0:
        return False, False
    landing = side[touched[0] : touched[0] + max(abs(reach) // 2, 1)]
    return bool(landing[:, 0].any()), bool(landing[:, 1].any())


def _uprightness(clip: Clip, ground_height: Array) -> Array:
    """Return how upright the body is (F): heights of hips and head relative to their upright heights, averaged.

    The bones give the upright heights only to a few centimeters; they are corrected by the clip's upright frames, if
    any.
    """
    skeleton = clip.skeleton
    joints = [skeleton.joint("hips"), *([skeleton.roles["head"]] if "head" in skeleton.roles else [])]
    sole = ANKLE_HEIGHT_RATIO * skeleton.leg_length
    height = np.mean(
        [(clip.positions[:, j, 2] - ground_height) / (sole + _upright_height(clip, j)) for j in joints], axis=0
    )
    return height / np.clip(np.percentile(height, 90), *UPRIGHT_HEIGHT_RATIOS)


def _upright_height(clip: Clip, joint: int) -> float:
    """Return a joint's height over the ankles with straight legs and spine: the total length of the bones between."""
    skeleton = clip.skeleton
    height = skeleton.leg_length
    while joint not in (0, skeleton.joint("hips")):
        height += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = skeleton.parents[joint]
    return height
