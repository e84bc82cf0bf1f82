"""Captured sitting on other seats: hips follow the seat, feet stay, and nothing gets jerky."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.actions import NAMES
from footfall.core.labelling.presets import find_preset
from footfall.core.motion import Clip
from footfall.core.retarget.clip_file import read_clip
from footfall.core.scene.augmentation import augmented, jerk
from footfall.core.scene.contact_points import ContactPoint, find_contact_points, moved_to
from footfall.core.scene.fitting import Fit, stand_in, static_frame
from footfall.core.scene.placed import Placed


@pytest.fixture(scope="module")
def sat(shared_data: Path) -> tuple[Clip, Fit, dict[str, ContactPoint]]:
    clip = read_clip(shared_data / "mocap/cmu_asfamc/sit/14_31.bvh").resampled(60)
    labels = label_clip(clip, find_preset("interaction"))
    frame = static_frame(clip, labels.actions[:, NAMES.index("sit")], "sit")
    fit = stand_in(clip, "sit", frame)
    return clip, fit, find_contact_points(clip, fit.placed)


def on(fit: Fit, scale: tuple[float, float, float], moved: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Placed:
    collider = fit.placed.collider
    other = type(collider)(collider.lower * scale, collider.upper * scale)
    return Placed(other, fit.placed.position + moved, fit.placed.rotation)


@pytest.mark.parametrize(("tall", "aside"), [(0.8, 0.0), (1.2, 0.0), (1.0, 0.15)])
def test_hips_follow_the_seat_and_feet_stay(
    sat: tuple[Clip, Fit, dict[str, ContactPoint]], tall: float, aside: float
) -> None:
    clip, fit, contacts = sat
    now = on(fit, (1.0, 1.0, tall), (aside, 0.0, 0.0))
    points = moved_to(contacts, fit.placed.collider, now.collider)
    made = augmented(clip, contacts, points, now)
    hips, feet = clip.skeleton.role("hips"), [clip.skeleton.role(f"foot.{side}") for side in "LR"]
    seat = float(fit.placed.collider.box[1][2])
    moved = made.positions[fit.frame] - clip.positions[fit.frame]
    np.testing.assert_allclose(moved[hips], [aside, 0.0, (tall - 1) * seat], atol=0.02)
    assert np.abs(made.positions[:, feet] - clip.positions[:, feet]).max() < 0.01
    np.testing.assert_array_equal(made.skeleton.offsets, clip.skeleton.offsets)
    np.testing.assert_allclose(made.positions[0], clip.positions[0], atol=1e-3)
    assert jerk(made) < 1.25 * jerk(clip)


def test_on_the_same_object_nothing_changes(sat: tuple[Clip, Fit, dict[str, ContactPoint]]) -> None:
    clip, fit, contacts = sat
    points = {role: contact.point for role, contact in contacts.items()}
    made = augmented(clip, contacts, points, fit.placed)
    np.testing.assert_allclose(made.positions, clip.positions, atol=2e-3)
