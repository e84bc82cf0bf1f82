"""Synthesis of steps between two standing poses: turns, side steps, backward steps.

No clip shows all of them, so steps are synthesized, timed like those before captured sit-downs.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.motion import Clip
from ...core.motion.blending import smooth_falloff
from ...core.motion.root_frame import out_of_frame, yaw_of
from ...core.motion.rotations import (
    Array,
    exp,
    from_axis_angle,
    inverse,
    log,
    multiply,
    rotate,
    rotation_about_up,
    slerp,
    wrap_angle,
)
from ...core.tuning import Tuning, tuned
from .clip_stitching import ContactClip, FootPoses, move_feet_to


@dataclass(frozen=True, slots=True)
class StepSynthesisTuning(Tuning):
    swing: int = tuned(25, "frames", 5, 120)
    """Duration of a foot's swing."""
    double_support: int = tuned(6, "frames", 0, 60)
    """Duration of double support between two steps."""
    max_step_turn: float = tuned(np.radians(62.0), "rad", 0.1, np.pi)
    """Largest turn of the body per step."""
    max_step_length: float = tuned(0.42, "m", 0.05, 1.0)
    """Largest distance between consecutive steps of both feet."""
    foot_lift: float = tuned(0.05, "m", 0.0, 0.3)
    """Lift of a foot in a step of length 0."""
    foot_lift_ratio: float = tuned(0.08, "1", 0.0, 1.0)
    """Additional lift of a foot per meter of step length."""
    heel_off_pitch: float = tuned(0.42, "rad", 0.0, 1.5)
    """Pitch of the foot at heel-off, for a step of full length."""
    heel_strike_pitch: float = tuned(0.12, "rad", 0.0, 1.0)
    """Upward pitch of the toes at heel strike."""
    stance_weight_share: float = tuned(0.66, "1", 0.0, 1.0)
    """Share of the body's weight on the stance foot at mid-step."""
    body_smoothing: float = tuned(5.5, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that smooths the motion of the body over its feet."""
    head_lead: int = tuned(9, "frames", 0, 60)
    """Lead of the head's turn before the hips, frames; the chest leads by half as many."""
    lead_in: int = tuned(8, "frames", 0, 120)
    """Frames of standing before the first step."""
    lead_out: int = tuned(10, "frames", 0, 120)
    """Frames of standing after the last step."""


TUNING: Final = StepSynthesisTuning()


@dataclass(frozen=True, slots=True, eq=False)
class StandingPose:
    """A standing pose: a clip of one frame, the poses of its feet, and their mean yaw."""

    clip: Clip
    feet: FootPoses
    yaw: float

    @staticmethod
    def of(clip: Clip, frame: int) -> "StandingPose":
        frame %= len(clip)
        one = clip.cut(frame, frame + 1)
        feet = FootPoses.of(one)
        return StandingPose(one, feet, yaw_of_feet(feet))

    @property
    def feet_center(self) -> Array:
        """Midpoint (2) of the ankles on the ground, m, world."""
        return self.feet.ankles[0, :, :2].mean(axis=0)


def yaw_of_feet(feet: FootPoses) -> float:
    """Return the yaw of the mean direction of both feet at the first frame, rad, world."""
    ahead = feet.balls[0, :, :2] - feet.ankles[0, :, :2]
    ahead = (ahead / np.linalg.norm(ahead, axis=-1, keepdims=True)).sum(axis=0)
    return float(yaw_of(ahead))


def place_by_feet(motion: ContactClip, frame: int, feet_center: Array, yaw: float) -> ContactClip:
    """Return a clip moved and turned on the ground so that its feet are at a given place at a given frame.

    Args:
        motion: the clip.
        frame: frame at which the feet are placed.
        feet_center: (2) midpoint of the ankles, m, world.
        yaw: yaw of the mean direction of the feet, rad, world.
    """
    stance = StandingPose.of(motion.clip, frame)
    turn = rotation_about_up(np.array(yaw - stance.yaw))
    there = rotate(turn, np.append(stance.feet_center, 0.0))[:2]
    return motion.placed(turn, np.append(feet_center - there, 0.0))


def synthesize_steps(start: StandingPose, end: StandingPose) -> ContactClip | None:
    """Return steps that lead from one standing pose to another; ``None`` if the feet need not move.

    Feet swing along minimum-jerk curves (Flash and Hogan 1985; cf. van de Panne 1997, "From footprints to animation").
    """
    turn = float(wrap_angle(end.yaw - start.yaw))
    way = end.feet_center - start.feet_center
    far = float(np.linalg.norm(way))
    if far < 0.04 and abs(turn) < 0.12:
        return None
    count = max(int(np.ceil(max(abs(turn) / TUNING.max_step_turn, far / TUNING.max_step_length) - 1e-6)) + 1, 2)
    first = _choose_first_foot(start, turn, way)
    lifts = TUNING.lead_in + np.arange(count) * (TUNING.swing + TUNING.double_support)
    frames = int(lifts[-1]) + TUNING.swing + TUNING.lead_out
    whole = _minimum_jerk((np.arange(frames) - TUNING.lead_in / 2) / (lifts[-1] + TUNING.swing - TUNING.lead_in))
    feet, held = _foot_trajectories(start, end, turn, count, first, lifts, frames)
    return ContactClip(_body_motion(start, end, turn, whole, feet, held), held)


def _choose_first_foot(start: StandingPose, turn: float, displacement: Array) -> int:
    """Return the index of the foot that steps first: the one on the side of the turn or of the displacement."""
    across = float(displacement @ np.array([np.cos(start.yaw), np.sin(start.yaw)]))
    if abs(turn) > 0.35:
        return 0 if turn > 0 else 1
    return 0 if across < 0 else 1


def _minimum_jerk(t: Array) -> Array:
    """Return the minimum-jerk curve from 0 to 1 at times t (Flash and Hogan 1985)."""
    return 1 - smooth_falloff(t)


def _foot_trajectories(
    start: StandingPose,
    end: StandingPose,
    turn: float,
    count: int,
    first_foot: int,
    lift_frames: NDArray[np.int_],
    frames: int,
) -> tuple[FootPoses, NDArray[np.bool_]]:
    """Return the trajectories of the feet during the steps, and their contacts (frames, 4)."""
    shares = np.minimum(np.arange(1, count + 1) / max(count - 1, 1), 1.0)
    ankles, balls, turns = (
        np.repeat(array, frames, axis=0) for array in (start.feet.ankles, start.feet.balls, start.feet.rotations)
    )
    held = np.ones((frames, 4), dtype=bool)
    for number, (share, lift) in enumerate(zip(shares, lift_frames, strict=True)):
        side = (first_foot + number) % 2
        before = FootPoses(*(array[lift : lift + 1] for array in (ankles, balls, turns)))
        ball, turned = _foothold(start, end, turn, float(share), side)
        t = np.clip((np.arange(frames - lift) + 1) / (TUNING.swing + 1), 0.0, 1.0)
        arm = rotate(inverse(before.rotations[0, side]), before.ankles[0, side] - before.balls[0, side])
        going = _minimum_jerk(np.clip((t - 0.12) / 0.84, 0.0, 1.0))
        far = float(np.linalg.norm((ball - before.balls[0, side])[:2]))
        track = before.balls[0, side] + going[:, None] * (ball - before.balls[0, side])
        track[:, 2] += (TUNING.foot_lift + TUNING.foot_lift_ratio * min(far, 0.8)) * np.sin(
            np.pi * np.clip((t - 0.1) / 0.9, 0.0, 1.0)
        ) ** 2
        way = log(multiply(turned, inverse(before.rotations[0, side])))
        turning = multiply(exp(going[:, None] * way), before.rotations[0, side])
        pitch = min(0.35 + far / TUNING.max_step_length, 1.0) * (
            TUNING.heel_off_pitch * _bump(t, 0.3) - TUNING.heel_strike_pitch * _bump(t, 0.82)
        )
        ahead = (track + rotate(turning, arm)) - track
        across = np.cross(np.array([0.0, 0.0, 1.0]), -ahead * [1.0, 1.0, 0.0])
        across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
        turning = multiply(from_axis_angle(across, pitch), turning)
        balls[lift:, side], turns[lift:, side] = track, turning
        ankles[lift:, side] = track + rotate(turning, arm)
        held[lift : lift + TUNING.swing, 2 * side : 2 * side + 2] = False
    return FootPoses(ankles, balls, turns), held


def _bump(t: Array, peak: float) -> Array:
    """Return a smooth curve that rises from 0 to 1 at the peak and falls back to 0."""
    up, down = _minimum_jerk(t / peak), 1 - _minimum_jerk((t - peak) / (1 - peak))
    return np.where(t < peak, up, down)


def _foothold(start: StandingPose, end: StandingPose, turn: float, share: float, side: int) -> tuple[Array, Array]:
    """Return where a foot stands after a share of the displacement: position of its ball (3) and rotation (4)."""
    if share >= 1.0:
        return end.feet.balls[0, side], end.feet.rotations[0, side]
    yaw = start.yaw + share * turn
    middle = start.feet_center + share * (end.feet_center - start.feet_center)
    own = [
        (rotate(rotation_about_up(np.array(-one.yaw)), one.feet.balls[0, side] - np.append(one.feet_center, 0.0)),
         multiply(rotation_about_up(np.array(-one.yaw)), one.feet.rotations[0, side]))
        for one in (start, end)
    ]  # fmt: skip
    ball = own[0][0] + share * (own[1][0] - own[0][0])
    turned = slerp(own[0][1], own[1][1], np.array(share))
    about = rotation_about_up(np.array(yaw))
    return rotate(about, ball) + np.append(middle, 0.0), multiply(about, turned)


def _body_motion(
    start: StandingPose, end: StandingPose, turn: float, progress: Array, feet: FootPoses, contacts: NDArray[np.bool_]
) -> Clip:
    """Return the motion of the body over its feet: weight shifts between them, head and chest lead the turn."""
    frames, skeleton = len(progress), start.clip.skeleton
    weight = np.full((frames, 2), 0.5)
    for side in range(2):
        up = ~contacts[:, 2 * side + 1]
        weight[up, side], weight[up, 1 - side] = 1 - TUNING.stance_weight_share, TUNING.stance_weight_share
    weight = gaussian_filter1d(weight, TUNING.body_smoothing, axis=0, mode="nearest")
    center = (weight[:, :, None] * feet.ankles[..., :2]).sum(axis=1)
    yaws = start.yaw + gaussian_filter1d(_mean_foot_rotation(feet, start, turn), TUNING.body_smoothing, mode="nearest")
    yaws += _blend_end_corrections(start.yaw - yaws[0], start.yaw + turn - yaws[-1], progress)
    own = np.stack(
        [out_of_frame(one.clip.root_positions[0, :2] - one.feet_center, np.array(-one.yaw)) for one in (start, end)]
    )
    roots = np.zeros((frames, 3))
    roots[:, :2] = gaussian_filter1d(center, TUNING.body_smoothing, axis=0, mode="nearest")
    roots[:, :2] += out_of_frame(own[0] + progress[:, None] * (own[1] - own[0]), yaws)
    roots[:, 2] = start.clip.root_positions[0, 2] + progress * (
        end.clip.root_positions[0, 2] - start.clip.root_positions[0, 2]
    )
    miss = [one.clip.root_positions[0, :2] - roots[at, :2] for one, at in ((start, 0), (end, -1))]
    roots[:, :2] += _blend_end_corrections(miss[0], miss[1], progress)
    rotations = slerp(
        np.repeat(_rotations_facing_forward(start), frames, axis=0),
        np.repeat(_rotations_facing_forward(end), frames, axis=0),
        progress[:, None],
    )
    rotations[:, 0] = multiply(rotation_about_up(yaws), rotations[:, 0])
    for role, share in (("chest", 0.4), ("neck", 0.6)):
        if role in skeleton.roles:
            lead = TUNING.head_lead
            early = np.concatenate([yaws[lead:], np.repeat(yaws[-1:], lead)])
            extra = np.clip(gaussian_filter1d(share * (early - yaws), 4.0, mode="nearest"), -0.5, 0.5)
            extra *= np.minimum(1.0, np.minimum(np.arange(frames), np.arange(frames)[::-1]) / 12.0)
            joint = skeleton.joint(role)
            rotations[:, joint] = multiply(rotations[:, joint], rotation_about_up(extra))
    clip = Clip(skeleton, start.clip.rate, roots, rotations, "steps")
    return move_feet_to(clip, feet.ankles, feet.rotations)


def _rotations_facing_forward(pose: StandingPose) -> Array:
    """Return the rotations (1, J, 4) of a pose turned to face +Y."""
    rotations = pose.clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_up(np.array(-pose.yaw)), rotations[:, 0])
    return rotations


def _mean_foot_rotation(feet: FootPoses, start: StandingPose, turn: float) -> Array:
    """Return the mean angle (F), rad, by which the feet have turned since the first frame, unwrapped."""
    ahead = feet.balls[..., :2] - feet.ankles[..., :2]
    yaws = np.unwrap(np.arctan2(-ahead[..., 0], ahead[..., 1]), axis=0)
    return np.mean(yaws - yaws[0], axis=1)


def _blend_end_corrections(first: Array | float, last: Array | float, share: Array) -> Array:
    """Return a blend of the corrections at the start and at the end, by a share (F)."""
    first, last = np.asarray(first), np.asarray(last)
    share = share.reshape(-1, *[1] * first.ndim)
    return first * (1 - share) + last * share
