"""Legs of captures that are too long."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling import label_clip
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.retarget.knee_bias import (
    MAX_SHORTENING,
    PEOPLE_FLEXION_DEG,
    flexion_of,
    leg_scale,
    shorten_legs,
    stance_extensions,
)
from footfall.tests.support.walker import Walker


@pytest.fixture(scope="module")
def walker() -> Clip:
    return Walker(speed=1.2).clip()


def test_shorter_legs_leave_hips_and_feet_where_they_are(walker: Clip) -> None:
    shorter = shorten_legs(walker, 0.99)
    for side in "LR":
        leg = Leg.of(walker.skeleton, side)
        np.testing.assert_allclose(shorter.positions[:, leg.thigh], walker.positions[:, leg.thigh], atol=1e-9)
        reach = np.linalg.norm(walker.positions[:, leg.thigh] - walker.positions[:, leg.foot], axis=-1)
        within = reach < 0.997 * leg.length(shorter.skeleton)
        np.testing.assert_allclose(shorter.positions[within, leg.foot], walker.positions[within, leg.foot], atol=1e-6)
        assert leg.length(shorter.skeleton) == pytest.approx(0.99 * leg.length(walker.skeleton))


def test_legs_of_the_right_length_stay_as_they_are(walker: Clip) -> None:
    assert shorten_legs(walker, 1.0) is walker


@given(st.floats(0.9, 0.99))
def test_the_straightest_stances_become_as_straight_as_those_of_people(extension: float) -> None:
    scale = leg_scale(np.full(200, extension))
    if scale > 1.0 - MAX_SHORTENING:
        assert flexion_of(extension / scale) == pytest.approx(min(PEOPLE_FLEXION_DEG, flexion_of(extension)), abs=0.01)


def test_knees_that_come_straight_are_left_alone() -> None:
    assert leg_scale(np.linspace(0.99, 1.0, 500)) == 1.0


def test_too_few_stances_change_nothing() -> None:
    assert leg_scale(np.full(10, 0.95)) == 1.0


def test_a_squat_is_not_taken_for_long_legs() -> None:
    assert leg_scale(np.full(500, 0.8)) == 1.0 - MAX_SHORTENING


def test_legs_that_stand_in_walking_are_measured(walker: Clip) -> None:
    labels = label_clip(walker)
    extensions = stance_extensions(walker, labels)
    assert len(extensions) > 60
    assert ((extensions > 0.8) & (extensions <= 1.0001)).all()


def test_long_legs_are_found_again(walker: Clip) -> None:
    """Legs a percent too long for where hips and feet are never come straight: what the correction is for."""
    labels = label_clip(walker)
    own, longer = stance_extensions(walker, labels), stance_extensions(shorten_legs(walker, 1.01), labels)
    assert np.percentile(longer, 95) == pytest.approx(np.percentile(own, 95) / 1.01, abs=1e-4)


def test_a_clip_of_one_frame_has_no_stances(walker: Clip) -> None:
    frame = walker.cut(0, 1)
    assert len(stance_extensions(frame, label_clip(walker))) == 0


@pytest.mark.parametrize(("speed", "counts"), [(0.7, False), (0.9, True), (1.7, True), (1.95, False)])
def test_stances_count_in_walks_of_people_s_speeds(speed: float, counts: bool) -> None:
    clip = Walker(speed=speed, cycle=0.7, seconds=3.0).clip()
    labels = label_clip(clip)
    free = replace(labels, gait_names=tuple(f"gait {number}" for number in range(len(labels.gait_names))))
    held = labels.foot_contacts.held
    found = stance_extensions(clip, free)
    assert len(found) == (held[:, :2].any(axis=1).sum() + held[:, 2:].any(axis=1).sum() if counts else 0)


def test_stances_of_other_gaits_do_not_count(walker: Clip) -> None:
    labels = label_clip(walker)
    walk = labels.gait_names.index("walk")
    other = (walk + 1) % len(labels.gait_names)
    gaits = np.zeros_like(labels.gaits)
    gaits[:, other] = 1.0
    assert len(stance_extensions(walker, replace(labels, gaits=gaits))) == 0
    gaits[100:150, [other, walk]] = 0.4, 0.6
    held = labels.foot_contacts.held[100:150]
    found = stance_extensions(walker, replace(labels, gaits=gaits))
    leg = Leg.of(walker.skeleton, "L")
    assert len(found) == held[:, :2].any(axis=1).sum() + held[:, 2:].any(axis=1).sum()
    reach = np.linalg.norm(walker.positions[:, leg.thigh] - walker.positions[:, leg.foot], axis=-1)[100:150]
    np.testing.assert_allclose(found[: held[:, :2].any(axis=1).sum()], reach[held[:, :2].any(axis=1)] / 0.84)


def test_thighs_and_shins_become_shorter_and_feet_stay_as_long(walker: Clip) -> None:
    shorter = shorten_legs(walker, 0.98).skeleton
    for joint, name in enumerate(walker.skeleton.names):
        factor = 0.98 if name.endswith(("tibia", "foot")) else 1.0
        np.testing.assert_allclose(shorter.offsets[joint], factor * walker.skeleton.offsets[joint], err_msg=name)
