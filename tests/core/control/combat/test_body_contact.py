"""Contact of bodies: points at a surface, what is struck, and the ways that bring an end effector there."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from footfall.core.control.combat.beats import Beat
from footfall.core.control.combat.body_contact import (
    effector_gap,
    nearest_surfaces,
    require_point,
    require_seen,
    spheres_of,
    struck_places,
    surface_point,
    way_to_contact,
    way_to_point,
)
from footfall.core.control.combat.weapon import armed
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, inverse, multiply, rotation_about_up, rotation_between
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.tests.support.poses import posed
from footfall.tests.support.walker import person

PERSON = person()
STILL = posed(np.tile([0.0, 0.0, 0.98], (1, 1)))
"""A body that faces -Y, its head upright as at rest."""
UP = np.array([0.0, 0.0, 1.0])
BEHIND = np.array([0.0, -1.0, 0.0])
BEAT = Beat(0, "A", "B", "head", "hand.R")


def body_gap(clip: Clip, place: Array) -> float:
    body = BodyCapsules.from_skeleton(clip.skeleton)
    return float((np.linalg.norm(body.sphere_centres(clip)[0] - place, axis=-1) - body.radii).min())


def overhead(gap: float) -> Array:
    """The point over the head's joint that has a gap from the body."""
    joint = STILL.positions[0, PERSON.joint("head")]
    up = brentq(lambda up: body_gap(STILL, joint + up * UP) - gap, 0.1, 1.0, xtol=1e-12)
    return np.array([0.0, 0.0, float(up)])


@pytest.mark.parametrize("gap", [-0.0499, 0.0, 0.1499])
def test_points_near_the_surface_are_accepted(gap: float) -> None:
    require_point(PERSON, replace(BEAT, point=overhead(gap)))


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (-0.0601, "at frame 7 is 6.0 cm inside the body of B: move it to the surface"),
        (-0.0501, "at frame 7 is 5.0 cm inside the body of B"),
        (0.1501, "at frame 7 is 15.0 cm away from the body of B: move it"),
        (0.2601, "at frame 7 is 26.0 cm away from the body of B: move it"),
    ],
)
def test_points_elsewhere_are_told_by_how_much(gap: float, sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_point(PERSON, replace(BEAT, frame=7, point=overhead(gap)))
    require_point(PERSON, BEAT)


@pytest.mark.parametrize("turn", [0.0, 1.0])
def test_a_point_is_to_the_right_ahead_and_up_of_the_body(turn: float) -> None:
    clip = STILL.transformed(rotation_about_up(turn), np.array([3.0, 1.0, 0.2]))
    (place,) = struck_places(clip, 0, replace(BEAT, point=np.array([0.1, 0.2, 0.3])), 0.0)
    right, ahead = np.array([-np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), -np.cos(turn)])
    away = place - clip.positions[0, PERSON.joint("head")]
    np.testing.assert_allclose(away, [*(0.1 * right + 0.2 * ahead), 0.3], atol=1e-12)


def around(degrees: float, up: float = 0.08) -> Array:
    """A point around the head, on its level of a sphere's center."""
    return np.array([0.1 * np.sin(np.radians(degrees)), 0.1 * np.cos(np.radians(degrees)), up])


LEVEL = 0.09
"""Height over the head's joint of a sphere's center: in the middle of 18 cm with six gaps."""


@pytest.mark.parametrize("degrees", [76.0, -76.0, 130.0])
def test_a_point_farther_aside_is_out_of_sight(degrees: float) -> None:
    sentence = f"at frame 0 is {abs(degrees):.0f} degrees around the body of B, out of sight of A: choose"
    with pytest.raises(FootfallError, match=sentence):
        require_seen(STILL, replace(BEAT, point=around(degrees, LEVEL)), np.pi)


def test_a_point_on_top_is_seen_from_everywhere() -> None:
    point = np.array([0.0, -0.05, 0.27])
    _, outward = surface_point(STILL, replace(BEAT, point=point))
    assert outward[2] > abs(outward[1]) > 0.0
    require_seen(STILL, replace(BEAT, point=point), np.pi)


def test_the_surface_is_the_nearest_spheres() -> None:
    place, outward = surface_point(STILL, replace(BEAT, point=around(30.0, LEVEL)))
    center = STILL.positions[0, PERSON.joint("head")] + [0.0, 0.0, LEVEL]
    np.testing.assert_allclose(outward, [-0.5, -np.sqrt(0.75), 0.0], atol=1e-9)
    np.testing.assert_allclose(place, center + 0.08 * outward, atol=1e-9)


def test_the_nearest_of_two_sets_of_spheres_tell_their_gap_and_its_direction() -> None:
    first = np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]]), np.array([0.1, 0.5])
    second = np.array([[0.0, 2.0, 0.0], [5.0, 0.0, 1.0], [0.0, -9.0, 0.0]]), np.array([1.6, 0.7, 0.1])
    gap, way = nearest_surfaces(first, second)
    assert gap == pytest.approx(1.0 - 0.7 - 0.5)
    np.testing.assert_allclose(way, [0.0, 0.0, 1.0])


def test_a_joint_without_a_bone_is_a_sphere_of_its_end() -> None:
    small = posed(np.tile([0.0, 0.0, 0.98], (1, 1)))
    centers, radii = spheres_of(small, 0, "hand.L")
    np.testing.assert_allclose(centers, small.positions[:1, small.skeleton.joint("hand.L")][0][None])
    np.testing.assert_allclose(radii, [0.025], rtol=1e-6)
    centers, radii = spheres_of(small, 0, "head")
    assert len(centers) == 7
    np.testing.assert_allclose(radii, 0.08, rtol=1e-6)


def test_the_hand_of_a_child_is_smaller() -> None:
    child = person(0.5)
    clip = Clip(child, 60.0, np.zeros((1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (1, len(child), 1)))
    np.testing.assert_allclose(spheres_of(clip, 0, "hand.L")[1], [0.0125], rtol=1e-6)


def shifted(clip: Clip, way: Array) -> Clip:
    return clip.transformed(np.array([1.0, 0.0, 0.0, 0.0]), way)


def held(at: Array) -> Clip:
    """A body that holds a weapon of 88 cm along +X, the end of its upper hand at a place."""
    still = STILL.at(np.zeros(1))
    level = armed(still, "hand.R", np.array([0.0, 0.0, 0.88]))
    turns = level.rotations.copy()
    world = level.world[1][0]
    joint = level.skeleton.joint("hand.R")
    turn = rotation_between(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    parent = level.skeleton.parents[joint]
    turns[0, joint] = multiply(inverse(world[parent]), turn)
    clip = replace(level, rotations=turns)
    return shifted(clip, at - clip.positions[0, clip.skeleton.joint("weapon.R")])


def test_a_weapon_strikes_with_its_outer_half_and_goes_the_nearest_way() -> None:
    hilt = STILL.positions[0, PERSON.joint("head")] + np.array([-0.6, -0.3, LEVEL])
    striker = held(hilt)
    blade, radii = spheres_of(striker, 0, "weapon.R")
    assert len(blade) == 31
    np.testing.assert_allclose(blade[[0, -1]], [hilt, hilt + np.array([0.88, 0.0, 0.0])], atol=1e-9)
    head, sizes = spheres_of(STILL, 0, "head")
    gap, toward = nearest_surfaces((blade[16:], radii[16:]), (head, sizes))
    assert effector_gap(striker, 0, "hand.R", STILL, "head") == pytest.approx(gap)
    way = way_to_contact(striker, 0, "hand.R", STILL, "head", BEHIND)
    np.testing.assert_allclose(way, gap * toward, atol=1e-12)


@pytest.mark.parametrize(("depth", "out"), [(0.05, True), (0.004, False)])
def test_a_weapon_deep_in_another_part_is_brought_out_of_it(depth: float, out: bool) -> None:
    thigh, sizes = spheres_of(STILL, 0, "thigh.R")
    place = thigh[5] + [-0.85, 0.0, 0.0]
    below = np.array([0.0, sizes[5] + 0.0125 - depth, 0.0])
    striker = held(place + below)
    every = nearest_surfaces(
        tuple(one[16:] for one in spheres_of(striker, 0, "weapon.R")),  # type: ignore[arg-type]
        (
            BodyCapsules.from_skeleton(PERSON).sphere_centres(STILL)[0],
            BodyCapsules.from_skeleton(PERSON).radii,
        ),
    )
    assert (every[0] < -0.008) == out
    way = way_to_contact(striker, 0, "hand.R", STILL, "head", BEHIND)
    if out:
        np.testing.assert_allclose(way, every[0] * every[1], atol=1e-12)
    else:
        assert np.linalg.norm(way) > 0.3, "to the head"


@pytest.mark.parametrize("point", [(0.0, 0.1, LEVEL), (0.05, 0.08, 0.15), (0.05, 0.05, 0.24)])
def test_a_point_is_touched_with_what_is_least_inside_the_body(point: tuple[float, float, float]) -> None:
    body = STILL.at(np.zeros(2))
    place, outward = surface_point(body, replace(BEAT, point=np.array(point)))
    striker = held(place + np.array([-0.6, -0.2, -0.1]))
    blade, radii = (one[16:] for one in spheres_of(striker, 0, "weapon.R"))
    capsules = BodyCapsules.from_skeleton(PERSON)
    others = capsules.sphere_centres(body)[0]
    costs, ways = [], []
    for center, radius in zip(blade, radii, strict=True):
        way = place + radius * outward - center
        depth = max(
            (r + capsules.radii - np.linalg.norm(others - (c + way), axis=-1)).max()
            for c, r in zip(blade, radii, strict=True)
        )
        costs.append(10.0 * max(depth, 0.008) + np.linalg.norm(way))
        ways.append(way)
    found = way_to_point(striker, body, replace(BEAT, point=np.array(point)))
    np.testing.assert_allclose(found, ways[int(np.argmin(costs))], atol=1e-12)
