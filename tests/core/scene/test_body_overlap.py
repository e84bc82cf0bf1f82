"""Overlap of two bodies: twins at known distances."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.hand_holds import HAND_PAIRS
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.body_overlap import TAKING_S, body_overlaps, deepest_overlap
from footfall.tests.core.motion.test_hand_holds import facing_pair
from footfall.tests.support.walker import Walker, person


def twins(distance: float, frames: int = 3) -> tuple[Clip, Clip]:
    """A standing figure and its twin so far behind or in front of it."""
    clip = Walker(seconds=6.0).clip().cut(0, frames)
    ahead = clip.positions[0, person().joint("toe.L")] - clip.positions[0, person().joint("foot.L")]
    ahead[2] = 0.0
    return clip, replace(clip, root_positions=clip.root_positions + distance * ahead / np.linalg.norm(ahead))


def test_bodies_that_are_apart_do_not_overlap() -> None:
    assert not deepest_overlap(*twins(2.0)).any()


def test_of_twins_as_near_as_their_hips_are_thick_the_trunks_are_that_deep() -> None:
    """The thickest capsules of an adult, those of the chest, have a radius of 11.5 cm."""
    first, second = twins(0.15)
    body = BodyCapsules.from_skeleton(person())
    overlap, other = body_overlaps(first, second)
    trunk = body.sphere_indices(("hips", "spine", "chest"))
    expected = 2 * body.radii[trunk] - 0.15
    assert (overlap.depths[:, trunk] >= expected - 1e-6).all()
    assert overlap.depths.max() == pytest.approx(other.depths.max())


def test_the_way_out_is_away_from_the_other() -> None:
    first, second = twins(0.15)
    overlap, other = body_overlaps(first, second)
    apart = second.root_positions[0] - first.root_positions[0]
    deepest = overlap.depths[0].argmax()
    assert overlap.directions[0, deepest] @ apart < -0.1
    assert other.directions[0, other.depths[0].argmax()] @ apart > 0.1


def test_only_frames_in_which_bodies_touch_have_depths() -> None:
    """A twin that comes nearer frame by frame: its depth grows by as much as it comes nearer."""
    first, second = twins(0.15, frames=1)
    gaps = np.linspace(0.0, 1.5, 31)
    back = second.root_positions[0] - first.root_positions[0]
    still = [np.repeat(one, len(gaps), axis=0) for one in (first.root_positions, first.rotations)]
    near = replace(first, root_positions=still[0], rotations=still[1])
    away = replace(near, root_positions=still[0] + back + np.outer(gaps, back / np.linalg.norm(back)))
    depths = deepest_overlap(near, away)
    assert (np.diff(depths) <= 0.0).all() and depths[0] > 0.05 and depths[-1] == 0.0


def test_hands_that_hold_may_touch() -> None:
    """Wrists at one place: the forearms are in each other, unless their hands hold each other or are about to."""
    pair = facing_pair(np.zeros(8))
    taking = round(TAKING_S * pair[0].rate)
    holds = np.zeros((8, 4), dtype=bool)
    holds[: 4 - taking, HAND_PAIRS.index(("L", "R"))] = True
    body = BodyCapsules.from_skeleton(person())
    arm = body.sphere_indices(("forearm.L",))[-1:]
    overlap = body_overlaps(*pair, holds)[0]
    into = [np.unique(body.sphere_capsules[overlap.others[rows][:, arm]]) for rows in (slice(0, 4), slice(4, 8))]
    roles = [{body.roles[capsule] for capsule in capsules} for capsules in into]
    assert "forearm.R" not in roles[0] and roles[1] == {"forearm.R"}
    assert (overlap.depths[:4, arm] < overlap.depths[4:, arm]).all()


def test_depths_directions_and_others_are_those_of_the_deepest_pair_of_spheres() -> None:
    """All pairs of spheres of two bodies, one by one."""
    first, second = twins(0.12, frames=1)
    body = BodyCapsules.from_skeleton(person())
    overlap, other = body_overlaps(first, second)
    own, theirs = (body.sphere_centres(clip)[0] for clip in (first, second))
    away = own[:, None] - theirs
    depths = body.radii[:, None] + body.radii - np.linalg.norm(away, axis=-1)
    for found, table, ways in ((overlap, depths, away), (other, depths.T, -np.swapaxes(away, 0, 1))):
        np.testing.assert_allclose(found.depths[0], np.maximum(table.max(axis=1), 0.0), atol=1e-9)
        deep = np.flatnonzero(found.depths[0] > 1e-9)
        assert len(deep) > 10
        nearest = table[deep].argmax(axis=1)
        np.testing.assert_allclose(table[deep, found.others[0, deep]], table[deep].max(axis=1), atol=1e-9)
        chosen = ways[deep, found.others[0, deep]]
        np.testing.assert_allclose(
            found.directions[0, deep], chosen / np.linalg.norm(chosen, axis=1, keepdims=True), atol=1e-9
        )
        assert (nearest == found.others[0, deep]).mean() > 0.9
        shallow = found.depths[0] == 0.0
        assert not found.directions[0, shallow].any() and not found.others[0, shallow].any()
    assert deepest_overlap(first, second)[0] == pytest.approx(depths.max())


def test_hands_may_touch_for_two_frames_before_and_after_a_hold() -> None:
    """At 60 Hz, 35 ms are two frames; only the two hands that hold are left out."""
    pair = facing_pair(np.zeros(20))
    holds = np.zeros((20, 4), dtype=bool)
    holds[8:10, HAND_PAIRS.index(("L", "R"))] = True
    body = BodyCapsules.from_skeleton(person())
    arm = body.sphere_indices(("forearm.L",))[-1:]
    depths = body_overlaps(*pair, holds)[0].depths[:, arm].max(axis=1)
    usual = body_overlaps(*pair)[0].depths[:, arm].max(axis=1)
    less = np.flatnonzero(depths < usual - 1e-9)
    assert round(TAKING_S * pair[0].rate) == 2 and less.tolist() == list(range(6, 12))
    crossed = np.zeros((20, 4), dtype=bool)
    crossed[8:10, HAND_PAIRS.index(("L", "L"))] = True
    np.testing.assert_allclose(body_overlaps(*pair, crossed)[0].depths[:, arm].max(axis=1), usual)
