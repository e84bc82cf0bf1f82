"""Clips that are not as they should be: gaps, the spot, legs without feet, no size."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling import add_local_phases, label_clip
from footfall.core.labelling.clean_up.foot_completion import add_missing_feet
from footfall.core.labelling.clean_up.gap_filling import fill_gaps, find_outlier_frames
from footfall.core.labelling.presets import BIPED_PRESET
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.walker import Walker


def test_frames_without_numbers_are_bridged_and_nothing_is_known_of_them() -> None:
    clip = Walker().clip()
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    roots[50:54] = np.nan
    rotations[200, 3] = np.inf
    labels = label_clip(replace(clip, root_positions=roots, rotations=rotations))
    whole = label_clip(clip)
    assert (labels.confidence[[50, 51, 52, 53, 200]] == 0).all()
    assert ((labels.contacts > 0.5) == (whole.contacts > 0.5)).mean() > 0.99
    assert np.isfinite(labels.phase).all()


def test_a_clip_that_is_mostly_gaps_is_refused() -> None:
    clip = Walker().clip()
    roots = clip.root_positions.copy()
    roots[: len(clip) * 2 // 3] = np.nan
    with pytest.raises(FootfallError, match="240 of the 361 frames of procedural are not numbers"):
        fill_gaps(replace(clip, root_positions=roots))


@pytest.mark.parametrize("rate", [30.0, 120.0])
def test_a_rest_pose_before_the_motion_is_none_of_it(rate: float) -> None:
    clip = Walker(rate=rate).clip()
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    roots[0] += 2.0
    rotations[0] = [1.0, 0.0, 0.0, 0.0]
    posed = replace(clip, root_positions=roots, rotations=rotations)
    assert np.flatnonzero(find_outlier_frames(posed)).tolist() == [0]
    backwards = replace(posed, root_positions=roots[::-1], rotations=rotations[::-1])
    assert np.flatnonzero(find_outlier_frames(backwards)).tolist() == [len(clip) - 1]
    found, expected = label_clip(posed), label_clip(clip)
    np.testing.assert_array_equal(found.right_strikes, expected.right_strikes)
    np.testing.assert_allclose(found.gaits[5:], expected.gaits[5:], atol=0.05)
    assert (found.confidence[0] == 0).all()


def test_a_leg_that_flips_for_a_moment_takes_no_step() -> None:
    clip = Walker().clip()
    rotations = clip.rotations.copy()
    shin = clip.skeleton.joint("shin.L")
    rotations[100:104, shin] = multiply(from_axis_angle(np.array([1.0, 0.0, 0.0]), 2.0), rotations[100:104, shin])
    flipped = replace(clip, rotations=rotations)
    assert np.flatnonzero(find_outlier_frames(flipped)).tolist() == [100, 101, 102, 103]
    found, expected = label_clip(flipped), label_clip(clip)
    np.testing.assert_array_equal(found.left_strikes, expected.left_strikes)
    assert ((found.contacts > 0.5) == (expected.contacts > 0.5)).mean() > 0.99


def test_a_walk_on_the_spot_has_the_contacts_of_a_travelling_walk() -> None:
    walker = Walker(speed=1.2)
    clip = walker.clip()
    way = np.outer(np.arange(len(clip)) / clip.rate, [0.0, 1.2 * 1.0, 0.0])
    on_the_spot = label_clip(replace(clip, root_positions=clip.root_positions - way))
    assert np.abs(on_the_spot.left_strikes - label_clip(clip).left_strikes).max() <= 2
    assert on_the_spot.gaits[:, on_the_spot.gait_names.index("walk")].mean() > 0.9


def test_a_leg_that_ends_in_the_shin_has_its_foot_at_the_end() -> None:
    clip = Walker().clip()
    kept = [joint for joint, name in enumerate(clip.skeleton.names) if not name.endswith(("foot", "toes"))]
    parents = tuple(kept.index(clip.skeleton.parents[joint]) if joint else -1 for joint in kept)
    tips = clip.skeleton.tips[kept]
    names = tuple(clip.skeleton.names[joint] for joint in kept)
    for shin in ("ltibia", "rtibia"):
        tips[names.index(shin)] = 0.0, 0.0, -0.42
    footless = Clip(
        Skeleton(names, parents, clip.skeleton.offsets[kept], tips), 60.0, clip.root_positions, clip.rotations[:, kept]
    )
    feet = add_missing_feet(footless)
    for side in "LR":
        expected = clip.positions[:, clip.skeleton.joint(f"foot.{side}")]
        np.testing.assert_allclose(feet.positions[:, feet.skeleton.joint(f"foot.{side}")], expected, atol=1e-9)
    assert add_missing_feet(clip) is clip
    assert len(label_clip(footless).left_strikes) == len(label_clip(clip).left_strikes)


def test_local_phases_are_of_the_sensors_that_the_preset_names() -> None:
    clip = Walker().clip()
    labels = add_local_phases(clip, label_clip(clip), BIPED_PRESET)
    assert labels.local_phase_joints == ("foot.L", "foot.R")
    angles = np.unwrap(np.arctan2(labels.local_phases[..., 0], labels.local_phases[..., 1]), axis=0) / (2 * np.pi)
    # Both go round once a step of their own foot, half a cycle apart.
    middle = slice(60, 300)
    assert np.polyfit(np.arange(240) / 60, angles[middle, 0], 1)[0] == pytest.approx(1.0, abs=0.03)
    apart = (angles[middle, 0] - angles[middle, 1]) % 1.0
    assert np.abs(apart - 0.5).max() < 0.1
    nothing = replace(BIPED_PRESET, local_phases=())
    assert add_local_phases(clip, labels, nothing) is labels
