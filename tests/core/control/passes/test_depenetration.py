"""Body parts that move around obstacles: the distance is a closed form, and nothing jumps."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.passes.depenetration import HORIZONTAL_DIRECTIONS, BodyPart, depenetrate
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, rotate, rotation_about_up
from footfall.core.scene.body_capsules import TRUNK_RADII_M, BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker

SHIFT_HOLD_S = 0.2
SHIFT_SMOOTHING_S = 0.07
STILL = np.array([1.0, 0.0, 0.0, 0.0])
CLIP = Walker(speed=1.2, seconds=3.0).clip()
"""Along +Y, as all clips here; the head, 8 cm around its joint, moves straight on."""
BODY = BodyCapsules.from_skeleton(CLIP.skeleton)
HEAD = CLIP.positions[:, CLIP.skeleton.joint("head")]
RADIUS = TRUNK_RADII_M["head"]
ACROSS = ((0, -1.0), (0, 1.0))
FREE = np.zeros((len(CLIP), len(BODY.radii)), dtype=bool)


def head(soft: float = 0.01, farthest: float = 0.2, ways: tuple[tuple[int, float], ...] = ACROSS) -> BodyPart:
    spheres = BODY.sphere_indices(("head",))
    return BodyPart(spheres, np.ones((len(CLIP), len(spheres))), ways, farthest, soft)


def trunk() -> BodyPart:
    spheres = BODY.sphere_indices(TRUNK_RADII_M)
    return BodyPart(spheres, np.ones((len(CLIP), len(spheres))), HORIZONTAL_DIRECTIONS, 0.2)


def placed(collider: Collider, at: Array, turn: Array = STILL, clip: Clip = CLIP) -> AnimatedCollider:
    return AnimatedCollider.static(PosedCollider(collider, at, turn), len(clip))


def wall(gap: float, side: float, length: float = 0.3) -> AnimatedCollider:
    """Return the end of a wall that begins at a distance to one side (1 is right) of the middle of a walk, halfway."""
    low, high = sorted((side * gap, side * (gap + 2.0)))
    collider = Collider(np.array([[low, -length / 2, 0.0]]), np.array([[high, length / 2, 2.5]]))
    return placed(collider, HEAD[len(CLIP) // 2] * [1.0, 1.0, 0.0])


def going_along(near: float) -> AnimatedCollider:
    """Return a slab that moves along on the right, at a distance from the middle of the head."""
    collider = Collider(np.array([[near, -0.5, -0.5]]), np.array([[near + 0.6, 0.5, 0.5]]))
    return AnimatedCollider(collider, HEAD, np.tile(STILL, (len(CLIP), 1)))


def steps(way: Array) -> float:
    """Return the largest speed of a displacement, m/s."""
    return float(np.linalg.norm(np.diff(way, axis=0), axis=1).max()) * CLIP.rate


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("gap", [-0.04, 0.02, 0.08])
def test_a_body_passes_the_end_of_a_wall_on_the_nearer_side(gap: float, side: float) -> None:
    way = depenetrate(BODY, CLIP, [wall(gap, side)], [FREE], trunk())
    assert way is not None
    assert (side * way[:, 0] <= 1e-12).all() and np.abs(way[:, 1:]).max() < 1e-12
    widest = max(TRUNK_RADII_M.values()) - 0.01 - gap
    assert 0.98 * widest < np.abs(way).max() < widest + 1e-9
    assert steps(way) < 1.01 * widest / (np.sqrt(2 * np.pi) * SHIFT_SMOOTHING_S), "no jump"
    hips = CLIP.positions[:, CLIP.skeleton.joint("hips"), 1]
    far = np.abs(hips - hips[len(CLIP) // 2]) > 0.15 + max(TRUNK_RADII_M.values()) + 1.2 * (
        SHIFT_HOLD_S + 4 * SHIFT_SMOOTHING_S
    )
    assert far.any() and np.abs(way[far]).max() < 1e-6, "zero far away"


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_body_leaves_a_post_on_the_nearer_side(side: float) -> None:
    post = Collider(np.array([[side * 0.01 - 0.02, -0.02, 0.0]]), np.array([[side * 0.01 + 0.02, 0.02, 2.5]]))
    part = replace(trunk(), directions=ACROSS)
    way = depenetrate(BODY, CLIP, [placed(post, HEAD[90] * [1.0, 1.0, 0.0])], [FREE], part)
    assert way is not None and (side * way[:, 0] <= 1e-12).all()
    assert np.abs(way).max() == pytest.approx(max(TRUNK_RADII_M.values()) - 0.01 + 0.01, rel=0.03)
    moved = replace(CLIP, root_positions=CLIP.root_positions + way)
    depths = BODY.sphere_penetrations(moved, placed(post, HEAD[90] * [1.0, 1.0, 0.0]))[:, part.sphere_indices]
    assert depths.max() < 0.012


@given(st.floats(-0.05, 0.1), st.floats(0.0, 0.04))
@settings(max_examples=examples(20))
def test_a_head_is_moved_by_its_excess_depth_in_a_thing_moving_along(near: float, soft: float) -> None:
    way = depenetrate(BODY, CLIP, [going_along(near)], [FREE], head(soft))
    too_deep = RADIUS - near - soft
    if too_deep < -1e-6:
        assert way is None, "out by so much stays"
    elif too_deep > 1e-6:
        assert way is not None
        np.testing.assert_allclose(way, np.tile([-too_deep, 0.0, 0.0], (len(CLIP), 1)), atol=1e-6)


def test_masked_spheres_cause_no_displacement() -> None:
    part, thing = head(), going_along(0.04)
    assert depenetrate(BODY, CLIP, [thing], [~FREE], part) is None
    others = FREE.copy()
    others[:, part.sphere_indices[1:]] = True
    assert depenetrate(BODY, CLIP, [thing], [others], part) is not None, "one sphere of it is not"
    until = FREE.copy()
    until[:90] = True
    way = depenetrate(BODY, CLIP, [thing], [until], part)
    assert way is not None
    np.testing.assert_allclose(way[[0, 60, 100, -1], 0], [0.0, 0.0, -0.03, -0.03], atol=1e-4)
    both = depenetrate(BODY, CLIP, [thing, wall(0.0, 1.0)], [FREE, ~FREE], part)
    np.testing.assert_allclose(both, depenetrate(BODY, CLIP, [thing], [FREE], part))


def test_two_things_are_passed_one_by_one() -> None:
    one, other = wall(0.0, -1.0), wall(0.04, 1.0)
    other = AnimatedCollider(other.collider, other.positions + np.array([0.0, 1.0, 0.0]), other.rotations)
    ways = [depenetrate(BODY, CLIP, [each], [FREE], head()) for each in (one, other)]
    both = depenetrate(BODY, CLIP, [one, other], [FREE, FREE], head())
    assert ways[0] is not None and ways[1] is not None and both is not None
    np.testing.assert_allclose(both, ways[0] + ways[1])
    assert both[:, 0].max() > 0.05 and both[:, 0].min() < -0.02


def test_a_slalom_is_cut_where_no_single_way_is_short_enough() -> None:
    lower = np.array([[-1.0, 0.0, 0.0], [-0.03, 0.65, 0.0]])
    collider = Collider(lower, np.array([[0.03, 0.1, 2.5], [1.0, 0.75, 2.5]]))
    slalom = placed(collider, HEAD[80] * [1.0, 1.0, 0.0])
    way = depenetrate(BODY, CLIP, [slalom], [FREE], head(farthest=0.15))
    assert way is not None
    ahead = HEAD[:, 1] - HEAD[80, 1]
    first, second = (int(np.abs(ahead - at).argmin()) for at in (0.05, 0.7))
    np.testing.assert_allclose(way[[first, second], 0], [0.1, -0.1], rtol=0.05)
    assert steps(way) < 2 * 0.1 / (np.sqrt(2 * np.pi) * SHIFT_SMOOTHING_S)


@pytest.mark.parametrize("yaw", [0.7, 2.0, -1.2])
def test_a_scene_turned_and_moved_as_a_whole_gives_the_same_displacement(yaw: float) -> None:
    turn, shift, thing = rotation_about_up(np.array(yaw)), np.array([3.0, -2.0, 0.5]), wall(0.02, 1.0)
    elsewhere = placed(thing.collider, rotate(turn, thing.positions[0]) + shift, turn)
    expected = depenetrate(BODY, CLIP, [thing], [FREE], trunk())
    way = depenetrate(BODY, CLIP.transformed(turn, shift), [elsewhere], [FREE], trunk())
    assert way is not None and expected is not None
    np.testing.assert_allclose(way, rotate(turn, expected), atol=1e-4)
