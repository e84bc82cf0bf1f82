"""Captured sitting on other seats: hips follow the seat, feet stay, and nothing gets jerky."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.fitted_props import fit_proxy_object, transfer_contact_points
from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import find_preset
from footfall.core.labelling.semantics.actions import ACTION_NAMES
from footfall.core.motion import Clip
from footfall.core.rig.clip_file import read_clip
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.contact_points import ContactPoint, find_contact_points
from footfall.core.scene.object_fitting import ObjectFit, find_static_frame
from footfall.core.scene.object_retargeting import mean_jerk, retarget_to_object
from footfall.tests.support.walker import Walker


@pytest.fixture(scope="module")
def sat(shared_data: Path) -> tuple[Clip, ObjectFit, dict[str, ContactPoint]]:
    clip = read_clip(shared_data / "mocap/cmu_asfamc/sit/14_31.bvh").resampled(60)
    labels = label_clip(clip, find_preset("interaction"))
    frame = find_static_frame(clip, labels.actions[:, ACTION_NAMES.index("sit")], "sit")
    fit = fit_proxy_object(clip, "sit", frame)
    return clip, fit, find_contact_points(clip, fit.posed_collider)


def on(
    fit: ObjectFit, scale: tuple[float, float, float], moved: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> PosedCollider:
    collider = fit.posed_collider.collider
    other = type(collider)(collider.lower * scale, collider.upper * scale)
    return PosedCollider(other, fit.posed_collider.position + moved, fit.posed_collider.rotation)


@pytest.mark.parametrize(("tall", "aside"), [(0.8, 0.0), (1.2, 0.0), (1.0, 0.15)])
def test_hips_follow_the_seat_and_feet_stay(
    sat: tuple[Clip, ObjectFit, dict[str, ContactPoint]], tall: float, aside: float
) -> None:
    clip, fit, contacts = sat
    now = on(fit, (1.0, 1.0, tall), (aside, 0.0, 0.0))
    points = transfer_contact_points(contacts, fit.posed_collider.collider, now.collider)
    made = retarget_to_object(clip, contacts, points, now)
    hips, feet = clip.skeleton.joint("hips"), [clip.skeleton.joint(f"foot.{side}") for side in "LR"]
    seat = float(fit.posed_collider.collider.bounds[1][2])
    moved = made.positions[fit.frame] - clip.positions[fit.frame]
    np.testing.assert_allclose(moved[hips], [aside, 0.0, (tall - 1) * seat], atol=0.02)
    assert np.abs(made.positions[:, feet] - clip.positions[:, feet]).max() < 0.01
    np.testing.assert_array_equal(made.skeleton.offsets, clip.skeleton.offsets)
    np.testing.assert_allclose(made.positions[0], clip.positions[0], atol=1e-3)
    assert mean_jerk(made) < 1.25 * mean_jerk(clip)


def test_a_hand_goes_with_its_point_and_one_without_a_point_stays() -> None:
    """The right hand touches a box that is put 10 cm higher; the left one touches it where no point is known now."""
    clip = Walker(seconds=1.0).clip()
    box = PosedCollider(Collider(np.full((1, 3), -0.1), np.full((1, 3), 0.1)), np.zeros(3), np.array([1.0, 0, 0, 0]))
    contacts = {}
    for side in "LR":
        track = clip.positions[:, clip.skeleton.joint(f"hand.{side}")]
        contacts[f"hand.{side}"] = ContactPoint(np.zeros(3), np.ones(len(clip), dtype=bool), track)
    made = retarget_to_object(clip, contacts, {"hand.R": np.array([0.0, 0.0, 0.1])}, box)
    hands = [clip.skeleton.joint(f"hand.{side}") for side in "LR"]
    moved = np.moveaxis((made.positions - clip.positions)[:, hands], 1, 0)
    np.testing.assert_allclose(moved[0], 0.0, atol=1e-3)
    np.testing.assert_allclose(moved[1], np.tile([0.0, 0.0, 0.1], (len(clip), 1)), atol=1e-3)
