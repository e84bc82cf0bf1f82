"""Samples of the system of local motion phases: its groups, and what they are on a closed-form walk."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features.locomotion import clip_features, input_layout, pose_joints, pose_rotations
from footfall.core.features.phase_system import (
    AHEAD_OFFSETS_FRAMES,
    DELTA_GROUP,
    PAST_OFFSETS_FRAMES,
    SAMPLE_OFFSETS_FRAMES,
    PhaseSystem,
    is_phase_system,
    sensor_contacts,
    system_features,
)
from footfall.core.labelling import label_clip
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.rotations import exp, from_axis_angle, log, multiply
from footfall.tests.support.walker import Walker, person

GAITS = ("stand", "walk", "run", "crouch", "jump")
JOINTS = pose_joints(person())
REFERENCE = np.tile(from_axis_angle([0.0, 0.0, 1.0], np.pi), (len(JOINTS), 1))
SENSORS = (*FOOT_CONTACTS, "hand.R")
SYSTEM = PhaseSystem(JOINTS, GAITS, SENSORS)
IN, OUT = SYSTEM.input_layout(), SYSTEM.output_layout()
SPEED, TURN = 1.1, 0.8


@pytest.fixture(scope="module")
def circling() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, y and phase of a walker that turns left."""
    clip = Walker(turn=TURN, seconds=8.0).clip()
    return system_features(clip, label_clip(clip), JOINTS, REFERENCE, SENSORS)


def test_the_groups_are_those_of_section_4() -> None:
    assert len(SAMPLE_OFFSETS_FRAMES) == 13
    assert (len(PAST_OFFSETS_FRAMES), len(AHEAD_OFFSETS_FRAMES)) == (7, 7)
    sizes = {group.name: group.shape for group in IN}
    count = len(JOINTS)
    assert sizes["trajectory.velocity"] == (13, 2)
    assert sizes["pose.rotation"] == (count, 6)
    assert sizes["contact.past"] == (7, 5)
    assert sizes["phase.vector"] == (13, 5, 2)
    out = {group.name: group.shape for group in OUT}
    assert out["phase.vector"] == out[DELTA_GROUP] == (7, 5, 2)
    assert out["contact.other"] == (1,)
    assert is_phase_system(IN)
    assert not is_phase_system(input_layout(JOINTS, GAITS, 4))


def test_what_a_controller_has_not_is_left_out() -> None:
    player = replace(SYSTEM, parts=frozenset({"ball", "opponent", "interaction"}))
    names = {group.name for group in player.input_layout()} - {group.name for group in IN}
    assert {name.partition(".")[0] for name in names} == {"ball", "opponent", "interaction"}
    assert player.input_layout().view(np.zeros(player.input_layout().size), "opponent.distance").shape == (len(JOINTS),)
    answers = {group.name for group in player.output_layout()} - {group.name for group in OUT}
    assert {name.partition(".")[0] for name in answers} == {"ball", "interaction"}
    assert PhaseSystem.of(player.input_layout(), JOINTS, GAITS, SENSORS) == player
    assert PhaseSystem.of(IN, JOINTS, GAITS, SENSORS) == SYSTEM


def test_conditions_are_written_into_their_groups() -> None:
    clip = Walker(seconds=2.0).clip()
    labels, count = label_clip(clip), len(clip) - 3
    x_ball, y_ball = np.full((count, 7, 3), 0.5), np.full((count, 3), 0.25)
    weights = np.ones((count, 7)), np.ones((count, 1))
    conditions = {"ball.position": (x_ball, y_ball), "ball.velocity": (x_ball, y_ball), "ball.weight": weights}
    x, y, _ = system_features(clip, labels, JOINTS, REFERENCE, SENSORS, conditions=conditions)
    player = replace(SYSTEM, parts=frozenset({"ball"}))
    np.testing.assert_array_equal(player.input_layout().view(x, "ball.position"), x_ball)
    np.testing.assert_array_equal(player.output_layout().view(y, "ball.velocity"), y_ball)


def test_what_it_shares_with_pfnn_is_the_same(circling: tuple) -> None:
    clip = Walker(turn=TURN, seconds=8.0).clip()
    labels = label_clip(clip)
    x, y, phase = clip_features(clip, labels, JOINTS, REFERENCE)
    own_x, own_y, own_phase = circling
    plain = input_layout(JOINTS, GAITS)
    np.testing.assert_array_equal(phase, own_phase)
    np.testing.assert_array_equal(plain.view(x, "pose.velocity"), IN.view(own_x, "pose.velocity"))
    np.testing.assert_array_equal(plain.view(x, "trajectory.position"), IN.view(own_x, "trajectory.position")[:, :12])
    assert len(y) == len(own_y)


def test_the_root_s_velocity_turns_with_the_circle(circling: tuple) -> None:
    x, y, _ = circling
    middle = slice(150, -150)
    angle = TURN * np.array(SAMPLE_OFFSETS_FRAMES) / 60
    expected = SPEED * np.stack([-np.sin(angle), np.cos(angle)], axis=-1)
    velocity = IN.view(x, "trajectory.velocity")[middle]
    np.testing.assert_allclose(velocity, np.tile(expected, (len(velocity), 1, 1)), atol=0.03)
    ahead = OUT.view(y, "trajectory.velocity")[middle]
    np.testing.assert_allclose(ahead, np.tile(expected[6:], (len(ahead), 1, 1)), atol=0.03)


def test_a_frame_s_outputs_are_the_next_frame_s_inputs(circling: tuple) -> None:
    x, y, _ = circling
    for name in ("pose.position", "pose.velocity", "pose.rotation"):
        np.testing.assert_array_equal(OUT.view(y, name)[:-1], IN.view(x, name)[1:])
    np.testing.assert_allclose(OUT.view(y, "phase.vector")[:-1], IN.view(x, "phase.vector")[1:, 6:], atol=1e-6)
    np.testing.assert_allclose(OUT.view(y, "trajectory.gait")[:-1], IN.view(x, "trajectory.gait")[1:, 6:], atol=1e-6)
    np.testing.assert_array_equal(sensor_contacts(OUT, y)[:-1], IN.view(x, "contact.past")[1:, -1])


def test_updates_are_the_change_of_the_phases_from_frame_to_frame(circling: tuple) -> None:
    x, y, _ = circling
    now = IN.view(x, "phase.vector")[:, 6:]
    np.testing.assert_allclose(now + OUT.view(y, DELTA_GROUP), OUT.view(y, "phase.vector"), atol=1e-5)


def test_rotations_are_those_of_pfnn_s_outputs(circling: tuple) -> None:
    clip = Walker(turn=TURN, seconds=8.0).clip()
    _, plain, _ = clip_features(clip, label_clip(clip), JOINTS, REFERENCE)
    from footfall.core.features.locomotion import output_layout

    vectors = output_layout(JOINTS).view(plain, "pose.rotation")
    expected = multiply(REFERENCE, exp(vectors.astype(float)))
    found = pose_rotations(circling[1], OUT, REFERENCE)
    apart = log(multiply(expected * [1, -1, -1, -1], found))
    assert np.abs(apart).max() < 1e-5


def test_performers_are_told_by_their_shares() -> None:
    clip = Walker(seconds=2.0).clip()
    shares = np.array([0.25, 0.75])
    x, _, _ = system_features(clip, label_clip(clip), JOINTS, REFERENCE, SENSORS, shares)
    layout = replace(SYSTEM, performers=2).input_layout()
    np.testing.assert_array_equal(layout.view(x, "performer"), np.tile(shares, (len(x), 1)))


def test_past_contacts_end_with_the_frame_before_and_begin_with_the_clip(circling: tuple) -> None:
    clip = Walker(turn=TURN, seconds=8.0).clip()
    held = label_clip(clip).foot_contacts.held
    frames = np.arange(2, len(clip) - 1)
    at = np.maximum(frames[:, None] - 1 + np.array(PAST_OFFSETS_FRAMES), 0)
    np.testing.assert_array_equal(IN.view(circling[0], "contact.past")[..., :4], held[at])


def test_contacts_of_other_sensors_are_of_the_frame_itself() -> None:
    clip = Walker(seconds=3.0).clip()
    labels = label_clip(clip)
    touching = (np.arange(len(clip)) % 40 < 15).astype(float)[:, None]
    labels = replace(
        labels,
        contact_joints=(*labels.contact_joints, "hand.R"),
        contacts=np.concatenate([labels.contacts, touching], axis=1),
        confidence=np.concatenate([labels.confidence, np.ones_like(touching)], axis=1),
    )
    _, y, _ = system_features(clip, labels, JOINTS, REFERENCE, SENSORS)
    np.testing.assert_array_equal(OUT.view(y, "contact.other"), touching[2:-1])
