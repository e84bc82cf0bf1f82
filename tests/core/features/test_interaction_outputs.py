"""What happens from a frame to the next and what is expected from there, by numbers worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.interaction import (
    ACTIONS,
    CONTACT_JOINTS,
    FUTURE_OFFSETS_FRAMES,
    GOAL_ACTIONS,
    SAMPLE_OFFSETS_FRAMES,
    ActionLabels,
    TimeSeries,
    output_layout,
    sample_frames,
)
from footfall.core.features.interaction_outputs import NsmOutcome, clip_outputs
from footfall.core.motion.root_frame import RootTrack, root_track
from footfall.core.motion.rotations import Array, from_axis_angle
from footfall.tests.support.walker import Walker, person

JOINTS = person().names
OUT = output_layout(JOINTS)
FUTURE, SAMPLES = len(FUTURE_OFFSETS_FRAMES), len(SAMPLE_OFFSETS_FRAMES)
WEST = np.pi / 2
CLIP = Walker(seconds=4.0).clip()
REFERENCE = np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(JOINTS), 1))


def root(x: float, y: float, yaw: float) -> RootTrack:
    return RootTrack(np.array([[x, y]]), np.array([yaw]))


def outcome() -> NsmOutcome:
    """A character that faces west, steps to the north and turns left; it is to go to a goal that faces south."""
    rng = np.random.default_rng(0)
    pose, velocity, rotation, future_pose = rng.normal(size=(4, 1, len(JOINTS), 3))
    ahead = np.arange(1.0, FUTURE + 1)
    future = RootTrack(np.stack([-ahead, 0.05 + 0 * ahead], axis=-1)[None], np.full((1, FUTURE), WEST + 0.25))
    goals = TimeSeries(
        np.tile([-2.0, 4.0, 0.5], (1, SAMPLES, 1)),
        np.tile([0.0, -1.0], (1, SAMPLES, 1)),
        rng.uniform(size=(1, SAMPLES, len(GOAL_ACTIONS))),
    )
    return NsmOutcome(
        now=root(0.0, 0.0, WEST - 0.01),
        following=root(0.0, 0.05, WEST),
        future=future,
        actions=rng.uniform(size=(1, 1 + FUTURE, len(ACTIONS))),
        goals=goals,
        contacts=np.array([[0.0, 0.49, 0.5, 0.51, 1.0, 0.2, 0.9]]),
        phase_rate=np.array([1.25]),
        pose=pose,
        velocity=velocity,
        rotation=rotation,
        future_pose=future_pose,
    )


def seen(name: str, given: NsmOutcome | None = None) -> Array:
    return OUT.view((given or outcome()).to_outputs(OUT), name)[0].astype(float)


def test_the_root_s_motion_is_per_second_and_in_its_own_frame() -> None:
    given = replace(outcome(), now=root(0.0, 0.0, WEST))
    np.testing.assert_allclose(seen("root.velocity", given), [3.0, 0.0], atol=1e-6)  # north is to the right
    np.testing.assert_allclose(seen("root.angular_velocity"), [0.6], rtol=1e-5)
    np.testing.assert_allclose(seen("phase.rate"), [1.25])


def test_the_way_ahead_is_from_the_next_root() -> None:
    """It leads west, where the character faces."""
    ahead = np.arange(1.0, FUTURE + 1)
    np.testing.assert_allclose(seen("trajectory.position"), np.stack([0 * ahead, ahead], axis=-1), atol=1e-6)
    np.testing.assert_allclose(
        seen("trajectory.direction"), np.tile([-np.sin(0.25), np.cos(0.25)], (FUTURE, 1)), atol=1e-6
    )


def test_the_goal_sees_the_same_way_from_its_own_place_and_side() -> None:
    """From a goal that faces south, west is to the right and north behind."""
    ahead = np.arange(1.0, FUTURE + 1)
    expected = np.stack([ahead - 2.0, np.full(FUTURE, 3.95)], axis=-1)
    np.testing.assert_allclose(seen("goal_trajectory.position"), expected, atol=1e-6)
    np.testing.assert_allclose(
        seen("goal_trajectory.direction"), np.tile([np.cos(0.25), np.sin(0.25)], (FUTURE, 1)), atol=1e-6
    )


def test_goals_are_from_the_next_root() -> None:
    np.testing.assert_allclose(seen("goal.position"), np.tile([3.95, 2.0, 0.5], (SAMPLES, 1)), atol=1e-6)
    np.testing.assert_allclose(seen("goal.direction"), np.tile([-1.0, 0.0], (SAMPLES, 1)), atol=1e-6)


def labels() -> ActionLabels:
    """Labels whose values tell the frame that they are of."""
    count = len(CLIP)
    frames = np.arange(count)
    actions, goal_actions = np.zeros((count, len(ACTIONS))), np.zeros((count, len(GOAL_ACTIONS)))
    actions[:, 1], goal_actions[:, 2] = frames, frames
    contacts = np.zeros((count, len(CONTACT_JOINTS)))
    contacts[100:, 1] = 1.0
    places = np.stack([0.0 * frames, 0.0 * frames, frames / 10], axis=-1)
    phase = 0.02 * frames % 1.0
    return ActionLabels(
        actions, goal_actions, places, np.tile([0.0, 1.0], (count, 1)), contacts, phase, np.full(count, count - 1)
    )


def outputs(name: str) -> Array:
    return OUT.view(clip_outputs(CLIP, labels(), JOINTS, REFERENCE, sample_frames(len(CLIP))), name).astype(float)


def test_actions_are_those_of_the_next_frame_and_of_the_samples_ahead_of_it() -> None:
    expected = np.minimum(sample_frames(len(CLIP))[:, None] + 1 + [0, *FUTURE_OFFSETS_FRAMES], len(CLIP) - 1)
    np.testing.assert_array_equal(outputs("trajectory.action")[..., 1], expected)


def test_goals_are_those_around_the_next_frame() -> None:
    expected = np.clip(sample_frames(len(CLIP))[:, None] + 1 + SAMPLE_OFFSETS_FRAMES, 0, len(CLIP) - 1)
    np.testing.assert_array_equal(outputs("goal.action")[..., 2], expected)
    np.testing.assert_allclose(outputs("goal.position")[..., 2], expected / 10, rtol=1e-6)


def test_contacts_and_pose_are_of_the_frame_itself() -> None:
    contacts = outputs("contact")
    np.testing.assert_array_equal(contacts[:, 1], sample_frames(len(CLIP)) >= 100)
    assert not contacts[:, [0, *range(2, 7)]].any()
    heights = CLIP.positions[sample_frames(len(CLIP)), :, 2]
    np.testing.assert_allclose(outputs("pose.position")[..., 2], heights, atol=1e-6)
    rises = (CLIP.positions[sample_frames(len(CLIP))] - CLIP.positions[sample_frames(len(CLIP)) - 1])[..., 2] * 60
    np.testing.assert_allclose(outputs("pose.velocity")[..., 2], rises, atol=1e-4)


def test_the_pose_ahead_is_a_second_after_the_next_frame_or_the_last_one() -> None:
    ahead = np.minimum(sample_frames(len(CLIP)) + 61, len(CLIP) - 1)
    np.testing.assert_allclose(outputs("future_pose.position")[..., 2], CLIP.positions[ahead, :, 2], atol=1e-6)


def test_the_root_goes_on_beyond_the_end_as_it_went() -> None:
    positions = outputs("trajectory.position")
    steps = np.linalg.norm(np.diff(positions, axis=1), axis=-1)[60:]
    np.testing.assert_allclose(steps, 1.1 / 6, atol=0.02)
    track = root_track(CLIP)
    moved = np.linalg.norm(np.diff(track.positions, axis=0), axis=-1)[sample_frames(len(CLIP))] * 60
    np.testing.assert_allclose(np.linalg.norm(outputs("root.velocity"), axis=-1), moved, rtol=1e-5)


def test_rotations_are_from_their_references() -> None:
    vectors = outputs("pose.rotation")
    assert np.linalg.norm(vectors[:, JOINTS.index("hips")], axis=-1).max() < 0.05, "the hips hardly turn in the root"
    turned = clip_outputs(CLIP, labels(), JOINTS, REFERENCE * [-1, 1, 1, 1], sample_frames(len(CLIP)))
    assert OUT.view(turned, "pose.rotation")[:, 0] == pytest.approx(vectors[:, 0], abs=1e-5)
