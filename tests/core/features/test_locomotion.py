"""PFNN's samples of walkers whose way is a closed form."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.locomotion import (
    FUTURE_OFFSETS_FRAMES,
    ROOT_SMOOTHING_S,
    SAMPLE_OFFSETS_FRAMES,
    clip_features,
    input_layout,
    network_gait_labels,
    network_gaits,
    output_layout,
    phase_channel_count,
    pose_joints,
    pose_rotations,
)
from footfall.core.labelling import Labels, label_clip
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, out_of_frame, root_track, rotations_in_root_frame
from footfall.core.motion.rotations import from_axis_angle, mean_rotation
from footfall.tests.support.walker import Walker, person

JOINTS = pose_joints(person())
# At rest the person looks along -Y, in the root's frame along +Y.
REFERENCE = np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(JOINTS), 1))
IN, OUT = input_layout(JOINTS, ("stand", "walk", "run", "crouch", "jump")), output_layout(JOINTS)


def features(clip: Clip, labels: Labels | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return clip_features(clip, labels or label_clip(clip), JOINTS, REFERENCE)


@pytest.fixture(scope="module")
def circling() -> tuple[Walker, Clip, np.ndarray, np.ndarray, np.ndarray]:
    """A walker that turns left at 0.8 rad/s: walker, clip, x, y and phase."""
    walker = Walker(turn=0.8, seconds=8.0, heading=-1.0)
    clip = walker.clip()
    return walker, clip, *features(clip)


def arc(seconds: np.ndarray, speed: float, turn: float) -> np.ndarray:
    """Positions (..., 2) in the present root frame after walking along a circle to the left."""
    radius = speed / turn
    return radius * np.stack([np.cos(turn * seconds) - 1, np.sin(turn * seconds)], axis=-1)


def test_markers_of_a_place_and_fingers_are_no_pose_joints() -> None:
    skeleton = person()
    names = ("hips", "lhipjoint", "lfemur", "ltibia", "lfoot", "lwrist", "lfingers", "lthumb")
    offsets = np.array(
        [[0, 0, 0], [0, 0, 0], [0.1, 0, -0.1], [0, 0, -0.4], [0, 0, -0.4], [1, 0, 1], [0.1, 0, 0], [0, 0, 0.1]]
    )
    skeleton = type(skeleton)(names, (-1, 0, 1, 2, 3, 0, 5, 5), offsets, np.zeros((8, 3)))
    assert pose_joints(skeleton) == ("hips", "lfemur", "ltibia", "lfoot", "lwrist")


def test_layouts_have_the_paper_s_groups() -> None:
    assert len(SAMPLE_OFFSETS_FRAMES) == 12
    assert (SAMPLE_OFFSETS_FRAMES[0], SAMPLE_OFFSETS_FRAMES[-1], FUTURE_OFFSETS_FRAMES) == (
        -60,
        50,
        (10, 20, 30, 40, 50),
    )
    count = len(JOINTS)
    assert IN.size == 12 * (2 + 2 + 5 + 3) + 6 * count
    assert OUT.size == 2 + 1 + 1 + 4 + 5 * 4 + 9 * count


def test_every_frame_but_the_first_two_and_the_last_is_a_sample(circling: tuple) -> None:
    _, clip, x, y, phase = circling
    assert x.shape == (len(clip) - 3, IN.size)
    assert y.shape == (len(clip) - 3, OUT.size)
    assert phase.shape == (len(clip) - 3,)
    assert x.dtype == y.dtype == phase.dtype == np.float32
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()


def test_the_trajectory_is_an_arc_in_the_root_s_frame(circling: tuple) -> None:
    _, _, x, _, _ = circling
    seconds = np.array(SAMPLE_OFFSETS_FRAMES) / 60
    inside = slice(120, -120)
    position, direction = IN.view(x, "trajectory.position")[inside], IN.view(x, "trajectory.direction")[inside]
    np.testing.assert_allclose(position, np.tile(arc(seconds, 1.1, 0.8), (len(position), 1, 1)), atol=6e-3)
    np.testing.assert_allclose(direction, np.tile(facing_direction(0.8 * seconds), (len(position), 1, 1)), atol=2e-3)


def test_the_arc_goes_on_where_the_clip_has_no_past_and_no_future(circling: tuple) -> None:
    _, _, x, _, _ = circling
    expected = arc(np.array(SAMPLE_OFFSETS_FRAMES) / 60, 1.1, 0.8)
    position = IN.view(x, "trajectory.position")
    # The facing is smoothed by frames that are not there, so the ends are a little off.
    np.testing.assert_allclose(position[0], expected, atol=0.1)
    np.testing.assert_allclose(position[-1], expected, atol=0.1)


def test_the_root_moves_by_its_speed_and_turn(circling: tuple) -> None:
    _, _, _, y, _ = circling
    inside = slice(120, -120)  # the root is smoothed over two seconds
    velocity, turn = OUT.view(y, "root.velocity")[inside], OUT.view(y, "root.angular_velocity")[inside]
    np.testing.assert_allclose(velocity, np.tile(arc(np.asarray(1 / 60), 1.1, 0.8) * 60, (len(velocity), 1)), atol=6e-3)
    np.testing.assert_allclose(turn, 0.8, atol=2e-3)


def test_the_next_trajectory_is_the_next_frame_s(circling: tuple) -> None:
    _, _, x, y, _ = circling
    future = len(SAMPLE_OFFSETS_FRAMES) - len(FUTURE_OFFSETS_FRAMES)
    for group in ("trajectory.position", "trajectory.direction"):
        np.testing.assert_allclose(OUT.view(y, group)[:-1], IN.view(x, group)[1:, future:], atol=1e-6)


def test_the_pose_that_goes_in_is_the_one_that_came_out(circling: tuple) -> None:
    _, _, x, y, _ = circling
    for group in ("pose.position", "pose.velocity"):
        np.testing.assert_array_equal(IN.view(x, group)[1:], OUT.view(y, group)[:-1])


def test_the_pose_is_the_clip_s_in_the_root_s_frame(circling: tuple) -> None:
    _, clip, _, y, _ = circling
    track = root_track(clip, ROOT_SMOOTHING_S)
    frames = np.arange(2, len(clip) - 1)
    ground = np.concatenate([track.positions, np.zeros((len(clip), 1))], axis=1)[frames, None]
    places = ground + out_of_frame(OUT.view(y, "pose.position").astype(float), track.yaws[frames, None])
    np.testing.assert_allclose(places, clip.positions[frames], atol=1e-5)
    moved = out_of_frame(OUT.view(y, "pose.velocity").astype(float), track.yaws[frames, None])
    np.testing.assert_allclose(moved, (clip.positions[frames] - clip.positions[frames - 1]) * 60, atol=1e-4)


def test_rotations_come_back_from_the_exponential_map(circling: tuple) -> None:
    _, clip, _, _, _ = circling
    labels = label_clip(clip)
    exact = rotations_in_root_frame(clip, JOINTS)[2:-1]
    for reference in (
        REFERENCE,
        mean_rotation(exact),
        np.tile(from_axis_angle([1.0, 0.0, 0.0], 1.0), (len(JOINTS), 1)),
    ):
        _, y, _ = clip_features(clip, labels, JOINTS, reference)
        found = pose_rotations(y, OUT, reference)
        np.testing.assert_allclose(np.abs(np.sum(found * exact, axis=-1)), 1.0, atol=1e-6)


def test_the_mean_rotation_as_reference_keeps_the_map_far_from_its_seam(circling: tuple) -> None:
    _, clip, _, _, _ = circling
    _, y, _ = clip_features(clip, label_clip(clip), JOINTS, mean_rotation(rotations_in_root_frame(clip, JOINTS)))
    assert np.linalg.norm(OUT.view(y, "pose.rotation"), axis=-1).max() < 2.0


def test_phase_and_contacts_are_the_labels(circling: tuple) -> None:
    walker, clip, _, y, phase = circling
    labels = label_clip(clip)
    np.testing.assert_allclose(phase, labels.phase[2:-1], atol=1e-6)
    # One cycle a second, also across the seam from 1 to 0.
    np.testing.assert_allclose(OUT.view(y, "phase.rate"), 1 / walker.cycle, atol=0.1)
    np.testing.assert_array_equal(OUT.view(y, "contact"), labels.contacts[2:-1] > 0.5)


def test_gaits_of_past_and_future_are_seen() -> None:
    walker = Walker(pause=2.0, seconds=9.0)
    clip = walker.clip()
    labels = label_clip(clip)
    gaits = IN.view(features(clip, labels)[0], "trajectory.gait")
    frame = 200
    # But for the traces of crouching that labels see in anybody.
    np.testing.assert_allclose(
        gaits[frame - 2], network_gait_labels(labels)[frame + np.array(SAMPLE_OFFSETS_FRAMES)], atol=1e-4
    )
    np.testing.assert_allclose(gaits[0, 0], network_gait_labels(labels)[0], atol=1e-4)


def test_samples_do_not_depend_on_where_and_whither_somebody_walks() -> None:
    here, there = (
        Walker(turn=0.5).clip(),
        Walker(turn=0.5).clip().transformed(from_axis_angle([0.0, 0.0, 1.0], 2.0), np.array([30.0, -20.0, 0.0])),
    )
    for one, other in zip(features(here), features(there), strict=True):
        np.testing.assert_allclose(one, other, atol=2e-4)


def test_samples_of_a_mirrored_walker_are_mirrored() -> None:
    clip = Walker(turn=0.5).clip()
    x, y, phase = features(clip)
    mx, my, mphase = features(clip.mirrored())
    np.testing.assert_allclose((mphase - phase) % 1.0, 0.5, atol=1e-5)
    pairs = list(clip.skeleton.mirror_pairs)
    for layout, a, b in ((IN, x, mx), (OUT, y, my)):
        for group in ("pose.position", "pose.velocity"):
            np.testing.assert_allclose(
                layout.view(b, group), layout.view(a, group)[:, pairs] * [-1.0, 1.0, 1.0], atol=1e-4, err_msg=group
            )
        for group in ("trajectory.position", "trajectory.direction"):
            np.testing.assert_allclose(
                layout.view(b, group), layout.view(a, group) * [-1.0, 1.0], atol=1e-4, err_msg=group
            )
    np.testing.assert_allclose(OUT.view(my, "root.angular_velocity"), -OUT.view(y, "root.angular_velocity"), atol=1e-3)
    np.testing.assert_array_equal(OUT.view(my, "contact"), OUT.view(y, "contact")[:, [2, 3, 0, 1]])


def test_phase_channels_and_performers_are_groups_of_their_own() -> None:
    layout = input_layout(JOINTS, ("stand", "walk"), channels=3, performers=2)
    shapes = {group.name: group.shape for group in layout}
    assert shapes["phase.vector"] == (12, 3, 2) and shapes["performer"] == (2,)
    assert layout.size == input_layout(JOINTS, ("stand", "walk")).size + 2 + 12 * 3 * 2
    answers = {group.name: group.shape for group in output_layout(JOINTS, 3)}
    assert answers["phase.frequency"] == (3,) and answers["phase.vector"] == (6, 3, 2)
    assert (phase_channel_count(layout), phase_channel_count(IN)) == (3, 0)
    assert phase_channel_count(output_layout(JOINTS, 3)) == 3


def test_jogging_is_learned_as_running_where_there_is_running() -> None:
    assert network_gaits(("stand", "jog", "run")) == ("stand", "run")
    assert network_gaits(("stand", "jog")) == ("stand", "jog")
    labels = label_clip(Walker(seconds=1.0).clip())
    gaits = np.tile([0.5, 0.3, 0.2], (len(labels), 1))
    merged = network_gait_labels(replace(labels, gait_names=("stand", "jog", "run"), gaits=gaits))
    np.testing.assert_allclose(merged, np.tile([0.5, 0.5], (len(labels), 1)))


def test_clips_of_another_rate_are_refused() -> None:
    clip = Walker(seconds=2.0).clip().resampled(30.0)
    with pytest.raises(ValueError, match="at 60 Hz, not 30: resample the clip first"):
        features(clip, label_clip(clip))
