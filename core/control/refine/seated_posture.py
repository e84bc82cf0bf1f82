"""Seated posture: the trunk leans against the backrest, or is upright if it reaches none; the head is level."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...evaluation.posture import directed_lean, trunk_vectors
from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.limb_ik import Leg, rotate_joint, solve_leg_ik, with_world_rotations
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array, exp, inverse, multiply, rotate
from ...motion.signals import low_pass
from ...retarget.retarget import hip_center
from ...scene.collider_pose import AnimatedCollider, PosedCollider
from ...tuning import Tuning, tuned
from .back_rest import back_clearances


@dataclass(frozen=True, slots=True)
class SeatedPosture(Tuning):
    """Tuned numbers of seated posture."""

    max_lean: float = tuned(np.radians(42.0), "rad", 0.0, 1.2)
    """Largest backward lean of the trunk to reach a backrest."""
    upright: float = tuned(np.radians(4.0), "rad", -0.3, 0.3)
    """Forward lean of the trunk without a backrest."""
    own_motion: float = tuned(0.7, "Hz", 0.05, 5.0)
    """Frequency below which the motion of trunk and head is replaced by the posture; faster motion is kept."""
    look_down: float = tuned(np.radians(6.0), "rad", -0.5, 0.5)
    """Downward pitch of a head at rest that looks ahead."""
    max_nod: float = tuned(np.radians(50.0), "rad", 0.0, 1.2)
    """Largest rotation of neck and head toward ``look_down``."""
    pelvis_share: float = tuned(0.3, "1", 0.0, 1.0)
    """Share of a lean against a backrest that the pelvis makes by rolling back on the seat."""
    max_slide: float = tuned(0.06, "m", 0.0, 0.3)
    """Largest distance by which an adult's hips slide back on a deep seat."""
    easy_lean: float = tuned(np.radians(30.0), "rad", 0.0, 1.2)
    """Backward lean beyond which the hips slide back to reduce it."""
    slide_delay: float = tuned(0.7, "s", 0.0, 3.0)
    """Time from sitting down to the slide."""
    neck_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of a rotation of the head that the neck makes."""


TUNING: Final = SeatedPosture()
LEAN_STEP_RAD: Final = np.radians(1.0)
"""Step between the backward leans that are tested for contact with the backrest, radians."""
TRUNK_SHARES: Final = {"spine": 0.6, "chest": 0.4}
"""Share of the trunk's rotation that each bone takes."""
SLIDES: Final = 4
"""Number of backward slides of the hips to test, from none to the longest."""


@Stepwise
def settle_trunk(clip: Clip, weights: Array, settled: int, seat: AnimatedCollider) -> Generator[None, None, Clip]:
    """Return a motion with the trunk leaning against the seat's backrest, or upright if it reaches none.

    On a deep seat the hips slide back a little, a while after sitting down.

    Args:
        clip: the motion, F frames.
        weights: (F) weights from 0, trunk unchanged, to 1, trunk settled.
        settled: frame at which the body has settled on the seat.
        seat: the seat, in meters at the clip's scale.
    """
    own = low_pass(_trunk_pitch(clip), clip.rate, TUNING.own_motion)
    pitch, slide = yield from _rest_pose(clip.cut(settled, settled + 1), seat.at_frame(settled))
    delay = round(TUNING.slide_delay * clip.rate)
    late = np.minimum(weights, np.concatenate([np.full(delay, weights[0]), weights])[: len(clip)])
    return _leaning(clip, weights * (pitch - own), slide * late)


def level_head(clip: Clip, weights: Array, standing: Clip) -> Clip:
    """Return a motion in which the head, on average over time, looks ahead instead of down.

    Args:
        clip: the motion, F frames.
        weights: (F) weights from 0, head unchanged, to 1, head level.
        standing: standing pose of the same skeleton, which looks ahead.
    """
    head = clip.skeleton.joint("head")
    level = np.append(facing_direction(root_track(standing).yaws[0]), 0.0)
    nose = rotate(inverse(standing.world[1][0, head]), level)
    gaze = rotate(clip.world[1][:, head], np.broadcast_to(nose, (len(clip), 3)))
    down = low_pass(np.arctan2(-gaze[:, 2], np.linalg.norm(gaze[:, :2], axis=1)), clip.rate, TUNING.own_motion)
    nod = weights * np.clip(TUNING.look_down - down, -TUNING.max_nod, TUNING.max_nod)
    axes = turn_axes(clip)[0]
    for role, share in (("neck", TUNING.neck_share), ("head", 1.0 - TUNING.neck_share)):
        clip = rotate_joint(clip, clip.skeleton.joint(role), exp(share * nod[:, None] * axes))
    return clip


def turn_trunk(clip: Clip, turns: Array) -> Clip:
    """Return a motion with the trunk turned at the spine and the chest.

    Args:
        clip: the motion, F frames.
        turns: (F, 3) forward pitch, roll and yaw, radians, each about an axis of :func:`turn_axes`.
    """
    turn = np.einsum("fk,kfi->fi", turns, turn_axes(clip))
    for role, share in TRUNK_SHARES.items():
        clip = rotate_joint(clip, clip.skeleton.joint(role), exp(share * turn))
    return clip


def turn_axes(clip: Clip) -> Array:
    """Return the unit vectors (3, F, 3), world, of the axes of a body's forward pitch, roll and yaw."""
    ahead = facing_direction(root_track(clip).yaws)
    level = np.zeros(len(clip))
    left = np.column_stack([-ahead[:, 1], ahead[:, 0], level])
    return np.stack([left, np.column_stack([ahead, level]), np.broadcast_to([0.0, 0.0, 1.0], left.shape)])


def _leaning(clip: Clip, angles: Array, slides: Array) -> Clip:
    """Return a motion with the trunk pitched forward, in part by the pelvis, which also slides back; feet stay.

    Args:
        clip: the motion, F frames.
        angles: (F) forward pitch, radians.
        slides: (F) distances that the pelvis slides back, meters.
    """
    pitch = angles[:, None] * np.array([1.0, 0.0, 0.0])
    return turn_trunk(_move_pelvis(clip, TUNING.pelvis_share * pitch, slides), (1.0 - TUNING.pelvis_share) * pitch)


def _move_pelvis(clip: Clip, turns: Array, slides: Array) -> Clip:
    """Return a motion with its pelvis turned about the hip joints and moved back; feet stay.

    Args:
        clip: the motion, F frames.
        turns: (F, 3) forward pitch, roll and yaw, radians, about the axes of :func:`turn_axes`.
        slides: (F) meters.
    """
    skeleton = clip.skeleton
    if skeleton.joint("hips") != 0:
        return clip
    legs = [Leg.of(skeleton, side) for side in "LR"]
    axes = turn_axes(clip)
    turn = exp(np.einsum("fk,kfi->fi", turns, axes))
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    pivot = hip_center(skeleton, clip.positions)
    roots = pivot + rotate(turn, clip.root_positions - pivot) - slides[:, None] * axes[1]
    rolled = replace(clip, rotations=rotations, root_positions=roots)
    for leg in legs:
        rolled = rotate_joint(rolled, leg.thigh, inverse(turn))
    positions, rotations = (values.copy() for values in rolled.world)
    for leg in legs:
        solve_leg_ik(skeleton, positions, rotations, leg, clip.positions[:, leg.foot])
    return with_world_rotations(rolled, rolled.root_positions, rotations)


def _trunk_pitch(clip: Clip) -> Array:
    """Return the forward lean (F) of the trunk, radians."""
    ahead, _ = directed_lean(trunk_vectors(clip), facing_direction(root_track(clip).yaws))
    return np.radians(ahead)


def _rest_pose(clip: Clip, seat: PosedCollider) -> Generator[None, None, tuple[float, float]]:
    """Return a body's resting pose (one frame) as its forward lean, radians, and its slide back, meters.

    It leans until its back meets a backrest, slides back if that lean would be large, and is upright without a
    backrest.
    """
    most = TUNING.max_slide * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    poses = list[tuple[float, float]]()
    for slide in np.linspace(0.0, most, SLIDES).tolist():
        pitch = _rest_pitch(clip, slide, seat)
        poses += [] if pitch is None else [(pitch, slide)]
        yield
    easy = [pose for pose in poses if pose[0] > -TUNING.easy_lean]
    return [*easy[:1], *poses[-1:], (float(TUNING.upright), 0.0)][0]


def _rest_pitch(clip: Clip, slide: float, seat: PosedCollider) -> float | None:
    """Return the forward lean, radians, at which a back first meets a backrest; ``None`` if it never does.

    Args:
        clip: one frame.
        slide: distance by which the hips are moved back, meters.
        seat: the seat.
    """
    pitches = np.arange(TUNING.upright, -TUNING.max_lean, -LEAN_STEP_RAD)
    frames = np.zeros(len(pitches), dtype=int)
    tried = replace(clip, root_positions=clip.root_positions[frames], rotations=clip.rotations[frames])
    leaning = _leaning(tried, pitches - _trunk_pitch(tried), np.full(len(pitches), slide))
    met = np.flatnonzero(back_clearances(leaning, seat.collider, seat) <= 0.0)
    return float(pitches[met[0]]) if len(met) else None
