"""Heads that look at something: exactly where they can, as far as they can elsewhere."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.refine.gaze import MAX_YAW_RAD, face_of, look_at
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import root_track, yaw_of
from footfall.core.motion.rotations import Array, rotate, wrap_angle
from footfall.tests.support.walker import Walker, person

HEAD = person().joint("head")


def standing() -> Clip:
    """Return a person that stands still for two seconds."""
    clip = Walker().clip()
    roots, rotations = (np.repeat(array[:1], 120, axis=0) for array in (clip.root_positions, clip.rotations))
    return replace(clip, root_positions=roots, rotations=rotations)


def face(clip: Clip) -> Array:
    """Return the directions of the face (F, 3): a person's rest pose looks along -Y."""
    return rotate(clip.world[1][:, HEAD], np.broadcast_to([0.0, -1.0, 0.0], (len(clip), 3)))


def seen_at(clip: Clip, yaw: float, rise: float = 0.0) -> Array:
    """Return points two meters away, to the left of where the body faces by an angle, and higher than the head."""
    there = root_track(clip).yaws + yaw
    away = np.stack([-np.sin(there), np.cos(there), np.full(len(clip), rise / 2.0)], axis=-1)
    return clip.positions[:, HEAD] + 2.0 * away


@pytest.mark.parametrize(("yaw", "rise"), [(0.0, 0.0), (0.8, 0.3), (-1.0, -0.4)])
def test_the_face_points_where_it_looks(yaw: float, rise: float) -> None:
    clip = standing()
    targets = seen_at(clip, yaw, rise)
    looks = look_at(clip, targets)
    wanted = targets - looks.positions[:, HEAD]
    wanted /= np.linalg.norm(wanted, axis=-1, keepdims=True)
    assert np.sum(face(looks) * wanted, axis=-1).min() > np.cos(0.05)
    feet = [person().joint("foot.L"), person().joint("hand.L")]
    np.testing.assert_allclose(looks.positions[:, feet], clip.positions[:, feet], atol=1e-9)


def test_what_is_behind_is_looked_at_as_far_as_a_neck_turns() -> None:
    clip = standing()
    looks = look_at(clip, seen_at(clip, 2.6))
    turned = wrap_angle(yaw_of(face(looks)[:, :2]) - root_track(clip).yaws)
    np.testing.assert_allclose(turned, MAX_YAW_RAD, atol=0.01)


def test_others_look_at_the_head() -> None:
    clip = standing()
    np.testing.assert_array_equal(face_of(clip), clip.positions[:, HEAD])
