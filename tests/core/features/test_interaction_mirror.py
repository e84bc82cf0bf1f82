"""Mirrored inputs and outputs of interaction networks, against the features of mirrored motion."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from footfall.core.features.interaction import (
    CONTACT_JOINTS,
    ActionLabels,
    NsmState,
    input_layout,
    output_layout,
    pose_rotation_vectors,
    time_series_at,
)
from footfall.core.features.interaction_mirror import InteractionMirror
from footfall.core.features.interaction_outputs import clip_outputs
from footfall.core.features.locomotion import pose_features
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array, exp
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.environment_sensor import sense_environment
from footfall.core.scene.interaction_sensor import InteractionVolume
from footfall.tests.core.features.test_interaction import JOINTS, REFERENCE, going
from footfall.tests.support.walker import Walker, person

IN, OUT = input_layout(JOINTS), output_layout(JOINTS)
MIRROR = InteractionMirror(IN, OUT, person().mirror_pairs, REFERENCE)
FLIP = np.array([-1.0, 1.0, 1.0])
AT = np.arange(100, 160)
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
OTHER_SIDE = [CONTACT_JOINTS.index(name.translate(str.maketrans("LR", "RL"))) for name in CONTACT_JOINTS]


@pytest.fixture(scope="module")
def clip() -> Clip:
    return Walker(turn=0.4, seconds=5.0, heading=0.3).clip()


def mirrored(labels: ActionLabels) -> ActionLabels:
    """Return the labels of the mirrored clip."""
    return ActionLabels(
        labels.actions,
        labels.goal_actions,
        labels.goal_positions * FLIP,
        labels.goal_directions * FLIP[:2],
        labels.contacts[:, OTHER_SIDE],
        labels.phase,
        labels.known_goal_frames,
    )


def inputs(clip: Clip, labels: ActionLabels, block: Collider, place: Array) -> NDArray[np.float32]:
    """Return the inputs of a clip's frames among a block, whose cells are the goal's."""
    track = root_track(clip)
    pose, velocity = pose_features(clip, JOINTS, track)
    roots = np.column_stack([track.positions[AT], np.zeros(len(AT))])
    trajectory, goals = time_series_at(clip, labels, AT)
    return NsmState(
        track.positions[AT],
        track.yaws[AT],
        trajectory,
        goals,
        pose[AT - 1],
        velocity[AT - 1],
        pose_rotation_vectors(clip, JOINTS, REFERENCE, track)[AT - 1],
        sense_environment(roots, track.yaws[AT], [PosedCollider(block, place, UPRIGHT)]),
        InteractionVolume.from_collider(block).sense(place, UPRIGHT, roots, track.yaws[AT]),
        labels.phase[AT],
    ).to_inputs(IN)


def test_mirrored_outputs_are_those_of_mirrored_motion(clip: Clip) -> None:
    here = clip_outputs(clip, going(clip), JOINTS, REFERENCE, AT)
    there = clip_outputs(clip.mirrored(), mirrored(going(clip)), JOINTS, REFERENCE, AT)
    np.testing.assert_allclose(MIRROR.outputs(here), there, atol=1e-4)


def test_mirrored_inputs_are_those_of_a_mirrored_scene(clip: Clip) -> None:
    lower, upper, place = np.array([[-0.3, -0.2, 0.0]]), np.array([[0.1, 0.4, 0.9]]), np.array([0.5, 2.5, 0.0])
    here = inputs(clip, going(clip), Collider(lower, upper), place)
    block = Collider(np.array([[-0.1, -0.2, 0.0]]), np.array([[0.3, 0.4, 0.9]]))
    there = inputs(clip.mirrored(), mirrored(going(clip)), block, place * FLIP)
    np.testing.assert_allclose(MIRROR.inputs(here), there, atol=1e-4)


def test_contacts_of_left_and_right_are_exchanged(clip: Clip) -> None:
    left = np.tile([name.endswith(".L") for name in CONTACT_JOINTS], (len(clip), 1)).astype(float)
    labels = replace(going(clip), contacts=left)
    here = clip_outputs(clip, labels, JOINTS, REFERENCE, AT)
    there = clip_outputs(clip.mirrored(), mirrored(labels), JOINTS, REFERENCE, AT)
    np.testing.assert_allclose(OUT.view(MIRROR.outputs(here), "contact"), OUT.view(there, "contact"))
    assert not np.array_equal(OUT.view(here, "contact"), OUT.view(there, "contact"))


def test_rotations_are_mirrored_about_references_of_their_own(clip: Clip) -> None:
    references = exp(np.random.default_rng(0).normal(scale=0.5, size=(len(JOINTS), 3)))
    mirror = InteractionMirror(IN, OUT, person().mirror_pairs, references)
    here = clip_outputs(clip, going(clip), JOINTS, references, AT)
    there = clip_outputs(clip.mirrored(), mirrored(going(clip)), JOINTS, references, AT)
    turns, expected = (exp(OUT.view(y, "pose.rotation").astype(float)) for y in (mirror.outputs(here), there))
    np.testing.assert_allclose(np.abs(np.sum(turns * expected, axis=-1)), 1.0, atol=1e-5)


def test_mirroring_twice_changes_nothing(clip: Clip) -> None:
    y = clip_outputs(clip, going(clip), JOINTS, REFERENCE, AT)
    np.testing.assert_allclose(MIRROR.outputs(MIRROR.outputs(y)), y, atol=1e-5)
