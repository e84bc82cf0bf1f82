"""A ball's features: what they are of a dribble in closed form."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.ball import (
    BALL_SENSORS,
    CONTROL_RADIUS_M,
    FULL_CONTROL_RADIUS_M,
    ball_conditions,
    ball_labels,
    control_weights,
)
from footfall.core.features.locomotion import ROOT_SMOOTHING_S, pose_joints
from footfall.core.features.phase_system import PhaseSystem, system_features
from footfall.core.features.sensor_phases import SensorSignals
from footfall.core.labelling import label_clip
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.dribbler import Dribbler
from footfall.tests.support.walker import Walker, person

DRIBBLER = Dribbler(Walker(seconds=6.0, turn=0.6))
CLIP, TRACK = DRIBBLER.clip(), DRIBBLER.ball()
WHOLE = np.array([[0, len(CLIP)]])
FRAMES = np.arange(2, len(CLIP) - 1)
SENSORS = (*FOOT_CONTACTS, *BALL_SENSORS)


def test_the_ball_of_a_frame_is_where_it_is_from_the_root() -> None:
    root = root_track(CLIP, ROOT_SMOOTHING_S)
    _, here = ball_conditions(CLIP, TRACK, WHOLE)["ball.position"]
    away = TRACK.positions[FRAMES, :2] - root.positions[FRAMES]
    yaw = root.yaws[FRAMES]
    right = np.stack([np.cos(yaw), np.sin(yaw)], axis=-1)
    np.testing.assert_allclose(here[:, 0], (away * right).sum(axis=1), atol=1e-9)
    np.testing.assert_allclose(here[:, 2], TRACK.positions[FRAMES, 2])
    assert (here[:, 0] > 0.1).all()  # the right hand's side


def test_inputs_have_the_ball_up_to_the_frame_before() -> None:
    past, _ = ball_conditions(CLIP, TRACK, WHOLE)["ball.position"]
    for column, frames_ago in enumerate(range(61, 0, -10)):
        heights = TRACK.positions[np.clip(FRAMES - frames_ago, 0, None), 2]
        np.testing.assert_allclose(past[:, column, 2], heights)


def test_a_free_ball_falls_as_balls_do() -> None:
    _, moving = ball_conditions(CLIP, TRACK, WHOLE)["ball.velocity"]
    flying = slice(20, 26)  # frames of the first fall: released at frame 17
    np.testing.assert_allclose(np.diff(moving[:, 2])[flying] * CLIP.rate, -9.81, rtol=1e-6)


def test_the_pivot_stays_beside_the_dribbling_hand() -> None:
    pivots, ahead = ball_conditions(CLIP, TRACK, WHOLE)["interaction.position"]
    middle = slice(120, -120)
    assert (np.ptp(pivots[middle, :, 2], axis=0) < 0.12).all() and np.ptp(TRACK.positions[120:-120, 2]) > 0.4
    assert (pivots[middle, :, 0] > 0.15).all()
    np.testing.assert_allclose(ahead[:-1, 0], pivots[1:, 6])


@pytest.mark.parametrize(
    ("distance", "weight"), [(0.3, 1.0), (FULL_CONTROL_RADIUS_M, 1.0), (2.0, 0.5), (CONTROL_RADIUS_M, 0.0), (9.0, 0.0)]
)
def test_control_fades_with_the_distance(distance: float, weight: float) -> None:
    assert control_weights(np.array([0.6 * distance, 0.8 * distance, 3.0])) == pytest.approx(weight)


def test_the_phases_of_hand_and_ball_are_as_far_apart_as_their_contacts() -> None:
    signals = SensorSignals.of(CLIP, ball_labels(label_clip(CLIP), TRACK), SENSORS)
    hand, ball = (np.arctan2(*signals.vectors[90:-90, column].T) for column in (5, 6))
    cycle = DRIBBLER.held_frames - 1 + DRIBBLER.free_frames
    bounce = np.flatnonzero(TRACK.positions[:cycle, 2] < 0.2).mean() - (DRIBBLER.held_frames - 1) / 2
    apart = np.angle(np.exp(1j * (hand - ball)).mean())
    assert apart == pytest.approx(2 * np.pi * bounce / cycle, abs=0.3)
    turns = np.ptp(np.unwrap(hand)) / (2 * np.pi)
    assert turns == pytest.approx((len(hand) - 1) / cycle, abs=0.3)


def test_samples_have_the_groups_of_interaction_and_ball() -> None:
    joints = pose_joints(person())
    reference = np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(joints), 1))
    labels, conditions = ball_labels(label_clip(CLIP), TRACK), ball_conditions(CLIP, TRACK, WHOLE)
    x, y, _ = system_features(CLIP, labels, joints, reference, SENSORS, conditions=conditions)
    system = PhaseSystem(
        joints, ("stand", "walk", "run", "crouch", "jump"), SENSORS, 0, frozenset({"interaction", "ball"})
    )
    np.testing.assert_allclose(
        system.input_layout().view(x, "ball.position"), conditions["ball.position"][0], atol=1e-6
    )
    np.testing.assert_allclose(system.output_layout().view(y, "ball.rotation"), 0.0)
    np.testing.assert_allclose(system.output_layout().view(y, "ball.weight"), 1.0)


def test_a_ball_that_rolls_turns_from_the_frame_before_in_the_root_s_frame() -> None:
    """It turns about the axis of the way that the character walks, by a twentieth of a radian a frame."""
    root = root_track(CLIP, ROOT_SMOOTHING_S)
    spins = from_axis_angle([0.0, 0.0, 1.0], 0.05 * np.arange(len(CLIP)))
    _, turns = ball_conditions(CLIP, replace(TRACK, rotations=spins), WHOLE)["ball.rotation"]
    np.testing.assert_allclose(turns, np.tile([0.0, 0.0, 0.05], (len(FRAMES), 1)), atol=1e-9)
    rolls = from_axis_angle([1.0, 0.0, 0.0], 0.05 * np.arange(len(CLIP)))
    _, turns = ball_conditions(CLIP, replace(TRACK, rotations=rolls), WHOLE)["ball.rotation"]
    yaw = root.yaws[FRAMES]
    np.testing.assert_allclose(turns, 0.05 * np.stack([np.cos(yaw), -np.sin(yaw), 0 * yaw], axis=-1), atol=1e-9)


def test_velocities_are_in_the_root_s_frame_of_the_sample() -> None:
    past, now = ball_conditions(CLIP, TRACK, WHOLE)["ball.velocity"]
    root = root_track(CLIP, ROOT_SMOOTHING_S)
    steps = np.diff(TRACK.positions, axis=0, prepend=TRACK.positions[:1]) * CLIP.rate
    yaw = root.yaws[FRAMES]
    right = np.stack([np.cos(yaw), np.sin(yaw)], axis=-1)
    np.testing.assert_allclose(now[:, 0], (steps[FRAMES, :2] * right).sum(axis=1), atol=1e-9)
    np.testing.assert_allclose(past[:, -1, 0], (steps[FRAMES - 1, :2] * right).sum(axis=1), atol=1e-9)


def test_pivots_swing_as_they_move() -> None:
    values = ball_conditions(CLIP, TRACK, WHOLE)
    pivots, swings = (values[f"interaction.{name}"][0][:, 6] for name in ("position", "velocity"))
    moved = (pivots[2:] - pivots[:-2]) * CLIP.rate / 2
    np.testing.assert_allclose(swings[1:-1], moved, atol=1e-9)
    ahead = values["interaction.velocity"][1]
    np.testing.assert_allclose(ahead[:-1, 0], swings[1:], atol=1e-12)
