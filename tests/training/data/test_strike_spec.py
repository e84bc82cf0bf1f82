"""Data sets of attacks with weapons: the bone is on the network's body, moves as in the clip, and fits all clips."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.locomotion import pose_rotations
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.rotations import exp, inverse, log, multiply
from footfall.core.motion.weapons import without_weapons
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
        "Its skeleton has no bone of a weapon, and most clips have the bone of weapon.R: train them apart, or choose "
        "the weapon's bone in the bone map."
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
