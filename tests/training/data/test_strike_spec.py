"""Data sets of attacks: fingers and weapons are on the network's body, move as in the clips, and fit all clips."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.locomotion import pose_rotations
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.fingers import finger_name, finger_roles, with_finger_roles, without_hand_bones
from footfall.core.motion.rotations import exp, inverse, log, multiply
from footfall.core.motion.weapons import without_weapons
from footfall.core.rig.clip_file import read_clip
from footfall.tests.support.boxer import ROLES, boxer, fist_angles
from footfall.tests.support.poses import puncher
from footfall.tests.support.swordsman import BLADE_M, snap_angles, swordsman
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings
from footfall.training.data.network_skeleton import NetworkSkeleton

SETTINGS = DatasetSettings(features="strikes", other_targets=1, validation_share=0.0)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Two cuts with a blade, and a punch without one."""
    folder = tmp_path_factory.mktemp("weapons")
    clips = [folder / name for name in ("cut_1.bvh", "cut_2.bvh", "punch.bvh")]
    for path, clip in zip(clips, (swordsman(0.05), swordsman(0.08), puncher(0.18)), strict=True):
        write_bvh(path, clip)
    return build_dataset(clips, folder / "dataset", SETTINGS, workers=1)


def test_the_body_that_walks_gets_the_blade_behind_its_joints(dataset: Dataset) -> None:
    body = NetworkSkeleton.of_walking()
    assert dataset.joints == (*body.joints, "weapon_R")
    assert without_weapons(dataset.skeleton).matches(body.skeleton)
    scale = dataset.skeleton.leg_length / swordsman().skeleton.leg_length
    assert np.linalg.norm(dataset.skeleton.tips[-1]) == pytest.approx(BLADE_M * scale, rel=0.01)


def test_a_clip_without_the_bone_is_skipped_with_its_reason(dataset: Dataset) -> None:
    assert [one["file"] for one in dataset.manifest["skipped"]] == ["punch.bvh"]
    assert dataset.manifest["skipped"][0]["reason"] == (
        "Its skeleton has no weapon bone, but most clips have a bone for weapon.R: train them in separate runs, or "
        "choose the weapon bone in the bone map."
    )


def test_the_blade_turns_against_the_hand_as_in_the_clip_and_has_no_mirror_image(dataset: Dataset) -> None:
    clip = dataset.clips[0]
    assert [one.variant.partition("bend 0")[2] for one in clip.sequences] == ["", ", targets 1"]
    _, y, _ = dataset.samples(clip)
    own = y[: clip.sequences[0].stop]
    turns = pose_rotations(own, dataset.output_layout, dataset.reference_rotations)
    skeleton = dataset.skeleton
    hand, blade = (dataset.joints.index(skeleton.names[skeleton.joint(role)]) for role in ("hand.R", "weapon.R"))
    held = multiply(inverse(turns[:, hand]), turns[:, blade])
    angles = snap_angles(np.arange(2, 2 + len(own)) / 60.0, 0.05)
    np.testing.assert_allclose(np.linalg.norm(log(held), axis=-1), np.abs(angles), atol=1e-3)
    middle = exp(dataset.output_layout.view(own, "pose.rotation")[:, blade].astype(float))
    assert np.abs(middle[:, 0]).min() > 0.2, "far from half a turn"


def test_clips_with_a_weapon_beside_more_without_one_are_skipped(tmp_path: Path) -> None:
    clips = [tmp_path / name for name in ("cut.bvh", "punch_1.bvh", "punch_2.bvh")]
    for path, clip in zip(clips, (swordsman(), puncher(0.18), puncher(0.2)), strict=True):
        write_bvh(path, clip)
    made = build_dataset(clips, tmp_path / "dataset", SETTINGS, workers=1)
    assert [one["file"] for one in made.manifest["skipped"]] == ["cut.bvh"]
    assert made.joints == NetworkSkeleton.of_walking().joints


@pytest.fixture(scope="module")
def fists(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A punch with a hand that closes, and one by a body without fingers."""
    folder = tmp_path_factory.mktemp("fingers")
    clips = [folder / name for name in ("fist.bvh", "punch.bvh")]
    for path, clip in zip(clips, (boxer(), puncher(0.2)), strict=True):
        write_bvh(path, clip)
    return build_dataset(clips, folder / "dataset", SETTINGS, workers=1)


def local_turns(dataset: Dataset, file: str, variant: str, role: str) -> np.ndarray:
    """Rotations (N, 4) of a finger's joint against the one above it, in the samples of a clip's variant."""
    clip = next(one for one in dataset.clips if one.file == file)
    part = next(one for one in clip.sequences if one.variant.partition("bend 0")[2] == variant)
    _, y, _ = dataset.samples(clip)
    turns = pose_rotations(y[part.start : part.stop], dataset.output_layout, dataset.reference_rotations)
    skeleton = dataset.skeleton
    joint = skeleton.joint(role)
    own, above = (dataset.joints.index(skeleton.names[each]) for each in (joint, skeleton.parents[joint]))
    return multiply(inverse(turns[:, above]), turns[:, own])


def test_the_body_that_walks_gets_the_fingers_at_its_size(fists: Dataset) -> None:
    body, own = NetworkSkeleton.of_walking(), boxer().skeleton
    assert fists.joints == (*body.joints, *(finger_name(role) for role in ROLES))
    assert without_hand_bones(fists.skeleton).matches(body.skeleton)
    scale = fists.skeleton.leg_length / own.leg_length
    for role in ROLES:
        joint, other = fists.skeleton.joint(role), own.joint(role)
        np.testing.assert_allclose(fists.skeleton.offsets[joint], scale * own.offsets[other], atol=2e-3)


@pytest.mark.parametrize(("variant", "closing", "still"), [("", "R", "L"), (", mirrored", "L", "R")])
def test_the_hand_closes_as_in_the_clip_and_the_other_one_in_its_mirror_image(
    fists: Dataset, variant: str, closing: str, still: str
) -> None:
    for finger in ("index", "index_2", "pinky_3", "thumb"):
        turns = local_turns(fists, "fist.bvh", variant, f"{finger}.{closing}")
        angles = np.linalg.norm(log(turns), axis=-1)
        np.testing.assert_allclose(angles, fist_angles(np.arange(2, 2 + len(turns)) / 60.0), atol=5e-3)
        open_hand = local_turns(fists, "fist.bvh", variant, f"{finger}.{still}")
        np.testing.assert_allclose(np.linalg.norm(log(open_hand), axis=-1), 0.0, atol=5e-3)


def test_captured_fingers_of_a_pass_bend_on_the_network_as_in_the_clip(tmp_path: Path, shared_data: Path) -> None:
    path = shared_data / "mocap" / "skillmimic_ballplay" / "basketball" / "016pickle_pass_001.bvh"
    made = build_dataset([path], tmp_path / "dataset", replace(SETTINGS, other_targets=0), workers=1)
    clip = read_clip(path).resampled(60.0)
    roles = finger_roles(made.skeleton)
    assert len(roles) == 30
    fingered = with_finger_roles(clip.skeleton)
    for role in roles:
        joint = fingered.joint(role)
        own = np.linalg.norm(log(multiply(inverse(clip.rotations[2, joint]), clip.rotations[2:-1, joint])), axis=-1)
        turns = local_turns(made, path.name, "", role)
        angles = np.linalg.norm(log(multiply(inverse(turns[0]), turns)), axis=-1)
        np.testing.assert_allclose(angles, own, atol=0.02)
