"""The grounds of whole clips."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from footfall.core.terrain.clip_terrain import (
    NO_PATCH_INDEX,
    SegmentTerrain,
    find_best_patches,
    fit_clip_terrain,
    mesh_edit_clip_terrain,
)
from footfall.core.terrain.fitting import fit_terms
from footfall.core.terrain.foot_points import FootTracks
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.ground_from_contacts import ground_from_contacts
from footfall.core.terrain.refinement import FittedGround
from footfall.tests.support.grounds import STAIRS, SomePatches, hills, procedural


@cache
def patches() -> SomePatches:
    """Hills, and stairs of several sizes and directions, the true ones among them at number 300."""
    x = 0.08 * (np.arange(63) - 31)
    rises = np.linspace(0.08, 0.26, 12)

    def stairs(rise: float, tread: float, turn: float, shift: float) -> np.ndarray:
        along = np.sin(turn) * x + np.cos(turn) * x[:, None]
        return rise * np.floor((along + shift) / tread)

    steps = [stairs(rise, 0.29, turn, 0.1) for rise in rises for turn in (0.0, 1.0, 2.5)]
    true = [stairs(STAIRS["rise"], STAIRS["tread"], 0.0, shift) for shift in np.linspace(0.0, 0.28, 29)]
    return SomePatches.of(np.concatenate([hills(300, 63, 0.08), true, steps]), 0.08)


@cache
def fitted(name: str) -> list[SegmentTerrain]:
    return fit_clip_terrain(*procedural(name), patches(), count=4)


def test_every_frame_has_as_many_grounds():
    parts = fitted("stairs up")
    assert parts[0].start == 0 and parts[-1].stop == len(procedural("stairs up")[0])
    assert all(one.stop == other.start for one, other in pairwise(parts))
    assert {len(part.grounds) for part in parts} == {5}
    assert {len(part.errors) for part in parts} == {5} == {len(part.patch_indices) for part in parts}
    assert all((np.diff(part.errors[:4]) >= 0).all() for part in parts)
    assert all(part.patch_indices[-1] == NO_PATCH_INDEX for part in parts)


def test_stairs_are_found_under_who_climbs_stairs():
    """Where all steps in sight are stairs."""
    best = [part.patch_indices[0] for part in fitted("stairs up")[2:4]]
    assert all(300 <= number < 329 for number in best), best


def test_feet_stand_on_every_ground():
    feet = FootTracks.of(*procedural("stairs up"))
    for part in fitted("stairs up"):
        points = feet.points(part.start, part.stop)
        for ground in part.grounds:
            residual = np.abs(ground.heights(points.contacts) - points.contacts[:, 2])
            assert residual.max() <= 0.001


def test_who_walks_on_level_ground_keeps_it():
    (part,) = fitted("walk")
    (ground,) = part.grounds
    assert (part.start, part.stop) == (0, len(procedural("walk")[0]))
    assert isinstance(ground, Plane) and abs(ground.height) < 0.01
    assert part.errors.tolist() == [0.0] and part.patch_indices.tolist() == [NO_PATCH_INDEX]


def test_who_never_stands_has_level_ground_as_low_as_the_feet():
    clip, labels = procedural("walk")
    flying = replace(labels, contacts=np.zeros_like(labels.contacts))
    (part,) = fit_clip_terrain(clip, flying, patches())
    assert part.grounds == (Plane(float(FootTracks.of(clip, flying).sole_points[..., 2].min())),)


@pytest.mark.parametrize("kind", ["rough", "beam"])
def test_what_the_user_says_a_clip_is_it_is(kind: str):
    parts = fit_clip_terrain(*procedural("walk"), patches(), count=2, kind=kind, include_captured=False)
    assert len(parts) > 3 and all(len(part.grounds) == 2 for part in parts)
    assert len(fit_clip_terrain(*procedural("stairs up"), patches(), kind="flat")) == 1


def test_a_beam_is_chosen_for_who_balances():
    """Hills, level ground, and a ridge along the way; who walks could walk on either of these."""
    x = 0.08 * (np.arange(63) - 31)
    ridge = np.where(np.abs(x) < 0.25, 0.0, -1.0) * np.ones((63, 1))
    some = SomePatches.of(np.stack([*0.1 * hills(20, 63, 0.08), np.zeros_like(ridge), ridge]), 0.08)
    for kind, number in (("beam", 21), ("rough", 20)):
        parts = fit_clip_terrain(*procedural("walk"), some, 1, kind, include_captured=False)
        assert {part.patch_indices[0] for part in parts} == {number}


def test_simple_mesh_editing_makes_ramps_of_stairs():
    feet = FootTracks.of(*procedural("stairs up"))
    for part, patch in zip(mesh_edit_clip_terrain(*procedural("stairs up")), fitted("stairs up"), strict=True):
        assert (part.start, part.stop, len(part.grounds)) == (patch.start, patch.stop, 1)
        points = feet.points(part.start, part.stop)
        residual = part.grounds[0].heights(points.contacts) - points.contacts[:, 2]
        assert np.abs(residual).max() <= 0.001


def test_patches_are_where_they_fit_with_their_middle_under_the_contacts() -> None:
    feet = FootTracks.of(*procedural("stairs up"))
    points = feet.points(200, 260)
    grounds, errors, numbers = find_best_patches(points, patches(), 3)
    assert len(grounds) == len(errors) == len(numbers) == 3 and (np.diff(errors) >= 0.0).all()
    for ground, error, number in zip(grounds, errors, numbers, strict=True):
        np.testing.assert_array_equal(ground.centre[:2], points.centre[:2])
        np.testing.assert_allclose(ground.patch.grid, patches().patch(int(number)).grid)
        assert fit_terms(points, ground).error() == pytest.approx(error, rel=1e-3)


def test_the_captured_ground_is_the_last_and_has_its_own_error() -> None:
    clip, labels = procedural("stairs up")
    feet = FootTracks.of(clip, labels)
    part = fitted("stairs up")[2]
    captured = FittedGround(ground_from_contacts(feet), np.zeros(3))
    assert part.errors[-1] == pytest.approx(fit_terms(feet.points(part.start, part.stop), captured).error())
    without = fit_clip_terrain(clip, labels, patches(), count=4, include_captured=False)[2]
    np.testing.assert_array_equal(without.patch_indices, part.patch_indices[:-1])
    np.testing.assert_allclose(without.centre, feet.points(part.start, part.stop).centre)


def test_simple_mesh_editing_tells_the_error_of_a_level_plane() -> None:
    clip, labels = procedural("stairs up")
    feet = FootTracks.of(clip, labels)
    for part in mesh_edit_clip_terrain(clip, labels)[1:3]:
        points = feet.points(part.start, part.stop)
        assert part.errors.tolist() == [pytest.approx(fit_terms(points, Plane(float(points.centre[2]))).error())]
        assert part.patch_indices.tolist() == [NO_PATCH_INDEX]
    (level,) = mesh_edit_clip_terrain(clip, labels, "flat")
    assert level.grounds == (Plane(pytest.approx(float(np.median(feet.contact_points[:, 2])))),)
    assert (level.start, level.stop) == (0, len(clip))
    np.testing.assert_allclose(level.centre[:2], feet.sole_points[..., :2].mean(axis=(0, 1)))
    assert len(mesh_edit_clip_terrain(*procedural("walk"), "rough")) > 3
