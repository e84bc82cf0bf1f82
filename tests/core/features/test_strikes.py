"""Features of attacks: what x and y hold of a punch with an exact beginning, apex and end."""

import numpy as np
import pytest

from footfall.core.features.locomotion import ClipTracks, output_layout, pose_joints, pose_rotations
from footfall.core.features.strikes import (
    EFFECTORS,
    StrikeTracks,
    clip_blows,
    effector_phase_vectors,
    has_targets,
    holds_weapon,
    input_layout,
    phase_rates,
    rotation_vectors,
    strike_features,
    strike_joints,
    strike_targets,
    target_from_root,
)
from footfall.core.labelling import label_clip
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
from footfall.core.motion.root_frame import out_of_frame
from footfall.core.motion.rotations import exp, from_axis_angle, inverse, multiply, rotate
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.boxer import boxer
from footfall.tests.support.poses import puncher
from footfall.tests.support.swordsman import SNAP_AXIS, snap_angles, swordsman

PUNCH = puncher(0.18)
LABELS = label_clip(PUNCH)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
JOINTS = pose_joints(PUNCH.skeleton)
REFERENCE = np.tile([1.0, 0.0, 0.0, 0.0], (len(JOINTS), 1))


def test_the_layout_has_the_groups_of_the_thesis() -> None:
    layout = input_layout(JOINTS)
    assert {group.name: group.shape for group in layout} == {
        "trajectory.position": (12, 2),
        "trajectory.direction": (12, 2),
        "root.velocity": (2,),
        "root.angular_velocity": (1,),
        "pose.position": (len(JOINTS), 3),
        "pose.velocity": (len(JOINTS), 3),
        "pose.rotation": (len(JOINTS), 3),
        "target.position": (3,),
        "strike.effector": (4,),
        "strike.weapon": (1,),
        "strike.command": (1,),
    }
    assert has_targets(layout)
    assert not has_targets(output_layout(JOINTS))


def test_the_next_target_enters_after_the_apex_and_the_command_leads() -> None:
    later = Blow("hand.L", 260, 280, 300)
    told = StrikeTracks.of(PUNCH, [BLOW, later], np.array([0.1, 0.0]))
    own, following = blow_targets(PUNCH, [BLOW, later])
    np.testing.assert_allclose(told.targets[BLOW.apex], own)
    np.testing.assert_allclose(told.targets[BLOW.apex + 1], following)
    np.testing.assert_allclose(told.targets[-1], following)
    assert [EFFECTORS[row.argmax()] for row in told.effectors[[BLOW.apex, BLOW.apex + 1]]] == ["hand.R", "hand.L"]
    commanded = np.flatnonzero(told.command)
    assert commanded[0] == BLOW.start - 6, "a tenth of a second before it begins"
    assert told.command[BLOW.apex] == 1.0
    assert told.command[BLOW.apex + 1] == 0.0
    assert told.phase[BLOW.apex] == pytest.approx(0.5)


def test_frame_i_sees_the_target_from_its_own_root_and_answers_with_its_pose() -> None:
    x, y, phase = strike_features(PUNCH, LABELS, [BLOW], JOINTS, REFERENCE, np.zeros(1))
    inputs, outputs = input_layout(JOINTS), output_layout(JOINTS)
    assert len(x) == len(y) == len(phase) == len(PUNCH) - 3
    tracks = ClipTracks.of(PUNCH, LABELS, JOINTS, REFERENCE)
    row = BLOW.apex - 2
    hand = JOINTS.index(PUNCH.skeleton.names[PUNCH.skeleton.joint("hand.R")])
    seen = inputs.view(x, "target.position")[row]
    np.testing.assert_allclose(seen, outputs.view(y, "pose.position")[row, hand], atol=1e-5)
    assert seen[1] > 0.4, "the target of a punch is ahead"
    np.testing.assert_allclose(inputs.view(x, "pose.position")[row + 1], outputs.view(y, "pose.position")[row])
    np.testing.assert_allclose(inputs.view(x, "pose.rotation")[row + 1], outputs.view(y, "pose.rotation")[row])
    np.testing.assert_allclose(inputs.view(x, "root.velocity")[row + 1], outputs.view(y, "root.velocity")[row])
    assert phase[row] == pytest.approx(tracks.frames[row] == BLOW.apex and 0.5)


def test_the_phase_advances_from_an_end_to_the_next_beginning_without_a_step_back() -> None:
    phase = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 0.0, 0.0, 0.5])
    np.testing.assert_allclose(phase_rates(phase), 60 * np.array([0.25, 0.25, 0.25, 0.25, 0.0, 0.0, 0.5, 0.0]))
    np.testing.assert_allclose(phase_rates(np.array([0.9, 0.1])), [60 * 0.2, 0.0], atol=1e-9)


def test_a_target_to_the_left_is_ahead_of_a_character_that_faces_left() -> None:
    seen = target_from_root(np.array([-2.0, 1.0, 1.5]), np.array([0.0, 1.0]), np.array(np.pi / 2))
    np.testing.assert_allclose(seen, [0.0, 2.0, 1.5], atol=1e-12)


def test_only_the_end_effector_that_strikes_has_a_phase_vector() -> None:
    phase = np.concatenate([np.zeros(40), np.linspace(0, 1, 61), np.zeros(40)])
    told = np.zeros((len(phase), 4))
    told[:71, 1], told[71:, 2] = 1.0, 1.0  # from the apex on, the next attack's
    vectors = effector_phase_vectors(phase, told)
    lengths = np.linalg.norm(vectors, axis=-1)
    assert lengths[:, [0, 2, 3]].max() == 0.0
    assert lengths[70, 1] > 0.9
    assert lengths[[0, -1], 1].max() < 1e-6
    np.testing.assert_allclose(vectors[70, 1] / lengths[70, 1], [0.0, -1.0], atol=0.05)


def test_attacks_are_found_where_labels_have_none_and_fists_apart_hold_no_weapon() -> None:
    assert clip_blows(PUNCH, LABELS) == [BLOW]
    assert not holds_weapon(PUNCH, BLOW)


CUT = swordsman(0.08)
(SWING,) = LimbMotion.of(CUT, 0.0).blows
ARMED = strike_joints(pose_joints(CUT.skeleton), CUT.skeleton)


def test_the_blade_is_a_joint_of_attacks_and_its_tip_is_what_strikes() -> None:
    assert (*pose_joints(CUT.skeleton), "weapon_R") == ARMED
    assert "weapon_R" not in pose_joints(CUT.skeleton), "locomotion goes without weapons"
    (target,) = strike_targets(CUT, [SWING])
    np.testing.assert_array_equal(target, striking_places(CUT, "hand.R")[SWING.apex])
    assert np.linalg.norm(target - blow_targets(CUT, [SWING])[0]) > 0.7, "a blade away from the wrist"


def test_the_blade_comes_back_out_of_the_features_with_its_angles_and_its_tip() -> None:
    reference = from_axis_angle([0.0, 0.0, 1.0], np.linspace(0.1, 0.9, len(ARMED)))
    x, y, _ = strike_features(CUT, label_clip(CUT), [SWING], ARMED, reference, np.zeros(1))
    layout, tracks = output_layout(ARMED), ClipTracks.of(CUT, label_clip(CUT), ARMED, reference)
    hand, blade = ARMED.index("rwrist"), ARMED.index("weapon_R")
    turns, places = pose_rotations(y, layout, reference), layout.view(y, "pose.position").astype(float)
    snapped = from_axis_angle(SNAP_AXIS, snap_angles(np.arange(len(CUT)) / CUT.rate, 0.08)[tracks.frames])
    held = multiply(inverse(turns[:, hand]), turns[:, blade])
    np.testing.assert_allclose(np.abs(np.sum(held * snapped, axis=-1)), 1.0, atol=1e-6)
    ends = places[:, blade] + rotate(turns[:, blade], np.tile(CUT.skeleton.tips[-1], (len(y), 1)))
    tips = out_of_frame(ends, tracks.root.yaws[tracks.frames])
    tips[:, :2] += tracks.root.positions[tracks.frames]
    np.testing.assert_allclose(tips, striking_places(CUT, "hand.R")[tracks.frames], atol=1e-5)
    before = input_layout(ARMED).view(x, "pose.rotation")[1:, blade]
    np.testing.assert_allclose(exp(before), exp(layout.view(y, "pose.rotation")[:-1, blade]), atol=1e-5)
    speed = np.linalg.norm(layout.view(y, "pose.velocity")[:, blade], axis=-1)
    assert tracks.frames[speed.argmax()] == pytest.approx(SWING.apex, abs=6)


def test_a_fist_turns_beyond_half_a_turn_without_a_seam() -> None:
    skeleton = boxer().skeleton
    joints = tuple(skeleton.names)
    bends = np.linspace(0.0, 1.4, 60)
    for arm in (0.0, 1.5, -1.5):
        rotations = np.tile(from_axis_angle([0.0, -1.0, 0.0], arm), (60, len(joints), 1))
        for number, name in enumerate(("index_R", "index_2_R", "index_3_R"), start=1):
            rotations[:, joints.index(name)] = from_axis_angle([0.0, -1.0, 0.0], arm + number * bends)
        vectors = rotation_vectors(rotations, joints, skeleton)
        last = vectors[:, joints.index("index_3_R")]
        np.testing.assert_allclose(last[:, 1], -(arm + 3 * bends), atol=1e-6)
        turned = np.sum(exp(last) * rotations[:, joints.index("index_3_R")], axis=-1)
        np.testing.assert_allclose(np.abs(turned), 1.0, atol=1e-9)


def test_the_target_is_seen_frame_by_frame_with_effector_weapon_and_command() -> None:
    x, y, _ = strike_features(PUNCH, LABELS, [BLOW], JOINTS, REFERENCE, np.array([0.1]))
    layout, frames = input_layout(JOINTS), np.arange(2, len(PUNCH) - 1)
    told = StrikeTracks.of(PUNCH, [BLOW], np.array([0.1]))
    np.testing.assert_array_equal(layout.view(x, "strike.effector"), told.effectors[frames])
    np.testing.assert_array_equal(layout.view(x, "strike.command")[:, 0], told.command[frames])
    assert not layout.view(x, "strike.weapon").any()
    rates = output_layout(JOINTS).view(y, "phase.rate")[:, 0]
    np.testing.assert_allclose(rates, phase_rates(told.phase)[frames], rtol=1e-6)
    tracks = ClipTracks.of(PUNCH, LABELS, JOINTS, REFERENCE)
    turned = (tracks.root.yaws[frames] - tracks.root.yaws[frames - 1]) * 60
    np.testing.assert_allclose(layout.view(x, "root.angular_velocity")[:, 0], turned, atol=1e-5)
    moved = np.linalg.norm(tracks.root.positions[frames] - tracks.root.positions[frames - 1], axis=-1) * 60
    np.testing.assert_allclose(np.linalg.norm(layout.view(x, "root.velocity"), axis=-1), moved, atol=1e-5)
