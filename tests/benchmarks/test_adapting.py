"""What is said of an adapted clip is so: of limbs bent by known angles, of bones, of jumps."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.adapting import (
    HEAD,
    MOST,
    Source,
    adapted,
    beyond,
    jump,
    lengths,
    other_box,
    other_seat,
    row,
)
from footfall.benchmarks.fitted_props import fit_proxy_object
from footfall.core.evaluation.bending import flexion_angles, hinge_axes
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle
from footfall.core.scene.contact_points import find_contact_points
from footfall.core.scene.object_fitting import ObjectFit
from footfall.tests.support.walker import Walker

CLIP = Walker(seconds=2.0).clip()


def kneed(angles: np.ndarray) -> Clip:
    """The walker with left knees bent by so many degrees (F), about the axis that they do bend about."""
    axis = hinge_axes(CLIP)["knee"][0]
    turns = from_axis_angle(np.broadcast_to(axis, (len(angles), 3)), np.radians(angles))
    rotations = CLIP.rotations.copy()
    rotations[:, CLIP.skeleton.joint("shin.L")] = turns
    return replace(CLIP, rotations=rotations)


def test_frames_that_people_cannot_do_are_told() -> None:
    wanted = np.linspace(-40.0, 170.0, len(CLIP))
    bent = flexion_angles(kneed(wanted), hinge_axes(CLIP))
    np.testing.assert_array_equal(beyond(bent), (bent["knee"][:, 0] < 0) | (bent["knee"][:, 0] > MOST))
    assert not beyond(flexion_angles(CLIP, hinge_axes(CLIP))).any()


def test_a_jump_is_the_largest_change_of_velocity() -> None:
    roots = CLIP.root_positions.copy()
    roots[60:, 0] += 0.1
    shifted = replace(CLIP, root_positions=roots)
    assert jump(shifted) == pytest.approx(0.1 * CLIP.rate, rel=0.2) and jump(CLIP) < 0.05 * CLIP.rate


def test_bones_have_their_lengths() -> None:
    offsets = np.linalg.norm(CLIP.skeleton.offsets, axis=-1)[np.array(CLIP.skeleton.parents) >= 0]
    np.testing.assert_allclose(lengths(CLIP), np.broadcast_to(offsets, lengths(CLIP).shape), atol=1e-9)


def source(fit: ObjectFit) -> Source:
    moving = fit.animated_collider(CLIP)
    return Source(CLIP, fit, moving, find_contact_points(CLIP, moving))


def test_on_the_same_object_nothing_is_off() -> None:
    one = source(fit_proxy_object(CLIP, "sit", 60))
    outcome = adapted(one, (one.moving, {role: contact.point for role, contact in one.contacts.items()}))
    assert outcome.off.size and outcome.off.max() < 2e-3 and outcome.feet < 2e-3 and outcome.bones < 1e-9
    assert outcome.jerk == pytest.approx(1.0, abs=0.05) and outcome.milliseconds > 0 and outcome.alone > 0


def test_another_seat_is_on_the_floor_and_has_its_points_on_it_again_the_same() -> None:
    one = source(fit_proxy_object(CLIP, "sit", 60, floor_height=0.0))
    moving, points = other_seat(one, 4)
    assert 0.34 < moving.collider.bounds[1][2] - moving.collider.bounds[0][2] < 1.6
    assert points.keys() == one.contacts.keys()
    for point in points.values():
        assert moving.collider.distances(point[None])[0] == pytest.approx(0.0, abs=1e-6)
    again, _ = other_seat(one, 4)
    np.testing.assert_array_equal(again.positions, moving.positions)
    aside = (moving.positions - one.moving.positions)[:, :2]
    assert np.linalg.norm(aside, axis=-1).max() < 0.25


def test_another_box_goes_where_the_first_one_goes() -> None:
    one = source(fit_proxy_object(CLIP, "carry", 60, floor_height=0.0))
    moving, _ = other_box(one, 3)
    shift = moving.positions - one.moving.positions
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), atol=1e-9)
    assert np.linalg.norm(shift[0, :2]) <= 0.1


def test_a_row_is_as_wide_as_its_head() -> None:
    one = source(fit_proxy_object(CLIP, "sit", 60))
    outcome = adapted(one, (one.moving, {role: contact.point for role, contact in one.contacts.items()}))
    assert len(row("one", [outcome], 0)) == len(row("none", [], 3)) == len(HEAD)
