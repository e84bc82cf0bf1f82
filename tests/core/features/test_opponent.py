"""The other character as features: closed forms of two walkers, and the edge of the radius."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.locomotion import ROOT_SMOOTHING_S, pose_joints
from footfall.core.features.opponent import (
    GROUPS,
    SampledRoots,
    clip_opponent_features,
    opponent_features,
)
from footfall.core.features.phase_system import SAMPLE_OFFSETS_FRAMES, PhaseSystem
from footfall.core.motion import Clip
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.root_frame import into_frame, root_track
from footfall.tests.support.walker import Walker, person

JOINTS = pose_joints(person())
COUNT, NOW = len(SAMPLE_OFFSETS_FRAMES), SAMPLE_OFFSETS_FRAMES.index(0)
SPEED = 1.1
HANDS = np.array([[0.8, 0.3, 1.0], [1.2, 0.0, 0.9]])


def beside(clip: Clip, shift: tuple[float, float]) -> Clip:
    """Return the same motion at another place."""
    return replace(clip, root_positions=clip.root_positions + np.array([*shift, 0.0]))


def test_the_groups_and_shapes_are_those_of_the_layout() -> None:
    clip = Walker(seconds=3.0).clip()
    values = clip_opponent_features(clip, beside(clip, (1.0, 0.0)), JOINTS)
    layout = PhaseSystem(JOINTS, ("stand", "walk"), FOOT_CONTACTS, parts=frozenset({"opponent"})).input_layout()
    groups = {group.name: group.shape for group in layout if group.name.startswith("opponent.")}
    assert {name: array.shape[1:] for name, array in values.items()} == groups
    assert tuple(values) == GROUPS
    assert all(len(array) == len(clip) - 3 for array in values.values())


def test_a_twin_a_meter_to_the_right_is_just_there() -> None:
    clip = Walker(seconds=4.0).clip()
    yaw_free = clip_opponent_features(clip, beside(clip, (1.0, 0.0)), JOINTS)
    facing = yaw_free["opponent.direction"][:, NOW]
    np.testing.assert_allclose(facing, np.tile([0.0, 1.0], (len(facing), 1)), atol=1e-9)
    np.testing.assert_allclose(yaw_free["opponent.distance"], 1.0, atol=1e-9)
    np.testing.assert_array_equal(yaw_free["opponent.weight"], 1.0)
    lengths = np.linalg.norm(yaw_free["opponent.position"], axis=-1)
    np.testing.assert_allclose(lengths, 1.0, atol=1e-9)
    speeds = np.linalg.norm(yaw_free["opponent.velocity"][60:-60], axis=-1)
    np.testing.assert_allclose(speeds, SPEED, atol=0.05)


def test_positions_are_between_the_samples_of_both_and_in_the_frame_of_now() -> None:
    """A character at the origin faces west and stands; the other one walks north at 1 m/s, one meter east of it."""
    times = np.array(SAMPLE_OFFSETS_FRAMES) / 60.0
    own, joints = np.zeros((COUNT, 2)), np.zeros((2, 3))
    other = SampledRoots(np.stack([np.ones(COUNT), times], axis=-1), np.zeros(COUNT), np.tile([0.0, 1.0], (COUNT, 1)))
    west = np.array(np.pi / 2)
    values = opponent_features(np.zeros(2), west, own, other, joints, joints + np.array([3.0, 4.0, 0.0]), HANDS)
    # Facing west, north is to the right (+X) and east is behind (-Y).
    np.testing.assert_allclose(values["opponent.position"], np.stack([times, -np.ones(COUNT)], axis=-1), atol=1e-12)
    np.testing.assert_allclose(values["opponent.direction"], np.tile([1.0, 0.0], (COUNT, 1)), atol=1e-12)
    np.testing.assert_allclose(values["opponent.velocity"], np.tile([1.0, 0.0], (COUNT, 1)), atol=1e-12)
    np.testing.assert_allclose(values["opponent.distance"], [5.0, 5.0])
    np.testing.assert_allclose(values["opponent.hands"], [[0.3, -0.8, 1.0], [0.0, -1.2, 0.9]], atol=1e-12)


def test_each_is_the_other_s_opponent() -> None:
    clip = Walker(turn=0.5, seconds=3.0).clip()
    other = beside(Walker(turn=0.5, seconds=3.0, speed=0.8).clip(), (0.5, 0.7))
    mine, theirs = clip_opponent_features(clip, other, JOINTS), clip_opponent_features(other, clip, JOINTS)
    np.testing.assert_allclose(mine["opponent.distance"], theirs["opponent.distance"])
    lengths = [np.linalg.norm(values["opponent.position"], axis=-1) for values in (mine, theirs)]
    np.testing.assert_allclose(*lengths)


def test_clips_of_unequal_length_are_no_pair() -> None:
    clip = Walker(seconds=2.0).clip()
    with pytest.raises(ValueError, match="one rate and length"):
        clip_opponent_features(clip, clip.cut(0, 50), JOINTS)


def test_poses_are_those_of_the_frame_before_and_places_those_of_now() -> None:
    clip = Walker(seconds=3.0).clip()
    other = beside(Walker(seconds=3.0, speed=0.6).clip(), (1.0, 0.0))
    values = clip_opponent_features(clip, other, JOINTS)
    frames = np.arange(1, len(clip) - 2)
    apart = np.linalg.norm(other.positions[frames] - clip.positions[frames], axis=-1)
    np.testing.assert_allclose(
        values["opponent.distance"], apart[:, [clip.skeleton.names.index(one) for one in JOINTS]]
    )
    root = root_track(clip, ROOT_SMOOTHING_S)
    ground = np.column_stack([root.positions, np.zeros(len(clip))])[frames + 1, None]
    hands = other.positions[frames][:, [other.skeleton.roles["hand.L"], other.skeleton.roles["hand.R"]]]
    seen = into_frame(hands - ground, root.yaws[frames + 1, None])
    np.testing.assert_allclose(values["opponent.hands"], seen, atol=1e-9)
    theirs = root_track(other, ROOT_SMOOTHING_S).positions
    places = into_frame((theirs - root.positions)[frames + 1], root.yaws[frames + 1])
    np.testing.assert_allclose(values["opponent.position"][:, NOW], places, atol=1e-9)


@pytest.mark.parametrize("away", [4.95, 5.05])
def test_beyond_five_meters_there_is_nobody(away: float) -> None:
    """The other one walks away: a sample counts by its own distance, joints and hands by the distance of now."""
    far = away + np.array(SAMPLE_OFFSETS_FRAMES) / 60.0
    other = SampledRoots(np.stack([0 * far, far], axis=-1), 0 * far, np.tile([0.0, 1.0], (COUNT, 1)))
    joints = np.zeros((2, 3))
    values = opponent_features(np.zeros(2), np.array(0.0), np.zeros((COUNT, 2)), other, joints, joints + away, HANDS)
    np.testing.assert_array_equal(values["opponent.weight"], far < 5.0)
    for name in ("position", "direction", "velocity"):
        np.testing.assert_array_equal(values[f"opponent.{name}"].any(axis=-1), far < 5.0)
    assert values["opponent.distance"].any() == values["opponent.hands"].any() == (away < 5.0)
