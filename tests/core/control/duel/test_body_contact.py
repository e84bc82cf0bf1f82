"""Contact of bodies: points at a surface, what is struck, and the ways that bring an end effector there."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from footfall.core.control.duel.beats import Beat
from footfall.core.control.duel.body_contact import (
    effector_gap,
    nearest_surfaces,
    require_point,
    spheres_of,
    struck_places,
    surface_point,
    way_to_contact,
    way_to_point,
)
from footfall.core.control.duel.weapon import armed
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


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (-0.0601, "at frame 7 is 6.0 cm inside the body of B: move the target to the surface"),
        (-0.0501, "at frame 7 is 5.0 cm inside the body of B"),
        (0.1501, "at frame 7 is 15.0 cm away from the body of B: move the target"),
        (0.2601, "at frame 7 is 26.0 cm away from the body of B: move the target"),
    ],
)
def test_misplaced_points_are_refused_with_the_distance(gap: float, sentence: str) -> None:
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


LEVEL = 0.09
"""Height over the head's joint of a sphere's center: in the middle of 18 cm with six gaps."""


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


@pytest.mark.parametrize("point", [(0.0, 0.1, LEVEL), (0.05, 0.08, 0.15), (0.05, 0.05, 0.24)])
def test_a_point_is_touched_with_the_part_least_inside_the_body(point: tuple[float, float, float]) -> None:
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
