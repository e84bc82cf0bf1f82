"""Eyes that look at something: within what eyes can do, and before the head."""

import numpy as np

from footfall.core.control.passes import eyes
from footfall.core.control.passes.gaze import look_along, look_at
from footfall.core.control.path.path_events import CueSpan
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array, rotate
from footfall.tests.support.walker import Walker, person


def with_eyes(skeleton: Skeleton) -> Skeleton:
    """Return a body with eyes 9 cm before and above the joint of its head."""
    head, roles = skeleton.joint("head"), dict(skeleton.roles)
    roles |= {"eye.L": len(skeleton.names), "eye.R": len(skeleton.names) + 1}
    return Skeleton(
        (*skeleton.names, "leye", "reye"),
        (*skeleton.parents, head, head),
        np.vstack([skeleton.offsets, [[0.03, -0.09, 0.09], [-0.03, -0.09, 0.09]]]),
        np.vstack([skeleton.tips, np.zeros((2, 3))]),
        roles,
    )


def standing(skeleton: Skeleton) -> Clip:
    """Return a person that stands still for two seconds."""
    clip = Walker().clip()
    rotations = np.repeat(clip.rotations[:1], 120, axis=0)
    more = len(skeleton.names) - rotations.shape[1]
    rotations = np.concatenate([rotations, np.tile([1.0, 0.0, 0.0, 0.0], (120, more, 1))], axis=1)
    return Clip(skeleton, clip.rate, np.repeat(clip.root_positions[:1], 120, axis=0), rotations, "standing")


def seen_at(clip: Clip, yaw: float) -> Array:
    """Return points (F, 3) two meters away, to the left of where the body faces by an angle."""
    there = root_track(clip).yaws + yaw
    away = np.stack([-np.sin(there), np.cos(there), np.zeros(len(clip))], axis=-1)
    return clip.positions[:, clip.skeleton.joint("head")] + 2.0 * away


def directions(clip: Clip, joint: str) -> Array:
    """Return where a joint of the head points (F, 3): a person's rest pose looks along -Y."""
    return rotate(clip.world[1][:, clip.skeleton.joint(joint)], np.broadcast_to([0.0, -1.0, 0.0], (len(clip), 3)))


def off(clip: Clip, joint: str, targets: Array) -> Array:
    """Return the angles (F) between where a joint of the head points and its target, radians."""
    there = targets - clip.positions[:, clip.skeleton.joint(joint)]
    there /= np.linalg.norm(there, axis=-1, keepdims=True)
    return np.arccos(np.clip(np.sum(directions(clip, joint) * there, axis=-1), -1.0, 1.0))


def test_eyes_are_there_before_the_head() -> None:
    clip = standing(with_eyes(person()))
    targets = seen_at(clip, 0.4)
    looks = look_along(clip, [CueSpan(0.8, 1.8, "seconds", gaze=targets[:1])], np.zeros(len(clip)))
    eyes, head = (int(np.argmax(off(looks, joint, targets) < 0.03)) for joint in ("eye.L", "head"))
    assert 0 < eyes < head - 0.15 * clip.rate, (eyes, head)
    turned = np.sum(directions(looks, "eye.L") * directions(looks, "head"), axis=-1)
    assert turned.min() < np.cos(0.12), "they turn on their own"
    assert off(looks, "eye.R", targets)[90] < 0.03, "and stay on it while the head comes up"


def test_eyes_turn_by_no_more_than_they_can() -> None:
    clip = standing(with_eyes(person()))
    looks = look_at(clip, seen_at(clip, 2.6))
    turned = np.arccos(np.clip(np.sum(directions(looks, "eye.R") * directions(looks, "head"), axis=-1), -1.0, 1.0))
    np.testing.assert_allclose(turned, eyes.TUNING.max_turn, atol=0.01)
