"""Heads that look at something: exactly where they can, as far as they can elsewhere, and along paths for a while."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.passes import gaze
from footfall.core.control.passes.gaze import look_along, look_at
from footfall.core.control.path.path_events import CueSpan
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


def test_targets_behind_are_looked_at_within_the_range_of_the_neck() -> None:
    clip = standing()
    looks = look_at(clip, seen_at(clip, 2.6))
    turned = wrap_angle(yaw_of(face(looks)[:, :2]) - root_track(clip).yaws)
    np.testing.assert_allclose(turned, gaze.TUNING.max_yaw, atol=0.01)


def turned(clip: Clip) -> Array:
    """Return the angles (F) of the face from where the standing body faces, positive to the left, radians."""
    return wrap_angle(yaw_of(face(clip)[:, :2]) - root_track(standing()).yaws)


def test_an_event_s_gaze_comes_and_goes_smoothly() -> None:
    clip = standing()
    event = CueSpan(0.4, 1.6, "seconds", gaze=seen_at(clip, 0.8)[:1])
    looks = look_along(clip, [event], np.zeros(len(clip)))
    angles, at_rest = turned(looks), turned(clip)
    assert abs(angles[60] - 0.8) < 0.05 and abs(angles[0] - at_rest[0]) < 0.1
    fastest = np.abs(np.diff(angles)).max() * clip.rate
    assert fastest < 0.8 / 0.5, f"a head turns within more than half a second: {fastest:.2f} rad/s"
    legs = [joint for role, joint in clip.skeleton.roles.items() if role.split(".")[0] in ("hips", "thigh", "foot")]
    np.testing.assert_allclose(looks.positions[:, legs], clip.positions[:, legs], atol=1e-9)


def test_the_trunk_turns_by_a_part_of_it() -> None:
    clip = standing()
    looks = look_along(clip, [CueSpan(-1.0, 9.0, gaze=seen_at(clip, 0.8)[:1])], np.zeros(len(clip)))
    chest = clip.skeleton.roles["chest"]
    before, after = (yaw_of(rotate(one.world[1][60, chest], np.array([0.0, -1.0, 0.0]))[:2]) for one in (clip, looks))
    assert abs(wrap_angle(after - before) - 0.2 * 0.8) < 0.03


def yaw_change(before: Clip, after: Clip, role: str, frame: int = 60) -> float:
    """The angle, radians, by which a joint is turned to the left about the vertical."""
    joint = before.skeleton.roles[role]
    own, other = (yaw_of(rotate(one.world[1][frame, joint], np.array([0.0, -1.0, 0.0]))[:2]) for one in (before, after))
    return float(wrap_angle(other - own))


@pytest.mark.parametrize(("behind", "share"), [(1.95, 1.0), (2.35, 0.5), (-2.35, -0.5), (2.75, 0.0)])
def test_a_walking_character_gives_a_target_up_as_it_comes_behind(behind: float, share: float) -> None:
    """All of it up to 2.0 rad, half of it at 2.35, nothing from 2.7 on; a neck turns by 1.2 rad."""
    clip = standing()
    looks = look_along(clip, [CueSpan(-1.0, 9.0, gaze=seen_at(clip, behind)[:1])], np.zeros(len(clip)))
    assert yaw_change(clip, looks, "head") == pytest.approx(1.2 * share, abs=0.02)


def test_targets_are_scaled_with_the_body_and_without_any_nothing_is_changed() -> None:
    clip = standing()
    assert look_along(clip, [], np.zeros(len(clip))) is clip
    one, other = (
        look_along(clip, [CueSpan(-1.0, 9.0, gaze=seen_at(clip, 0.8)[:1] / scale)], np.zeros(len(clip)), scale)
        for scale in (1.0, 2.0)
    )
    np.testing.assert_allclose(one.rotations, other.rotations, atol=1e-9)
