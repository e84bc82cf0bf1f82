"""Bodies are displaced out of walls, smoothly, and stay in place where nothing is in their path."""

import numpy as np
import pytest

from footfall.core.control.passes.root_depenetration import depenetrate_root
from footfall.core.motion import Clip
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.tests.support.walker import Walker


def walk() -> Clip:
    return Walker(speed=1.2, seconds=3.0).clip()


def wall_beside(clip: Clip, aside: float) -> AnimatedCollider:
    """Return a wall along a walk; its near side is ``aside`` meters to the right of the middle of the path."""
    way = clip.positions[:, clip.skeleton.joint("hips"), :2]
    middle, ahead = way.mean(axis=0), way[-1] - way[0]
    ahead = ahead / np.linalg.norm(ahead)
    right = np.array([ahead[1], -ahead[0]])
    collider = Collider(np.array([[0.0, -0.3, 0.0]]), np.array([[0.5, 0.3, 2.0]]))
    turn = np.arctan2(right[1], right[0])
    rotation = np.array([np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)])
    return AnimatedCollider.static(PosedCollider(collider, np.append(middle + aside * right, 0.0), rotation), len(clip))


def stepping(clip: Clip) -> np.ndarray:
    """Return that the character does not stand."""
    return np.zeros(len(clip), dtype=bool)


def nothing_spared(clip: Clip) -> list[np.ndarray]:
    return [np.zeros((len(clip), len(BodyCapsules.from_skeleton(clip.skeleton).radii)), dtype=bool)]


def arms(clip: Clip) -> np.ndarray:
    """Return the spheres that are depenetrated by themselves."""
    body = BodyCapsules.from_skeleton(clip.skeleton)
    return np.isin(np.arange(len(body.radii)), body.sphere_indices(("upper_arm", "forearm", "hand")))


@pytest.mark.parametrize("aside", [0.05, 0.12])
def test_a_walk_into_the_corner_of_a_wall_passes_beside_it(aside: float) -> None:
    clip = walk()
    wall, others = wall_beside(clip, aside), ~arms(clip)
    body = BodyCapsules.from_skeleton(clip.skeleton)
    moved = depenetrate_root(clip, [wall], [np.broadcast_to(~others, (len(clip), len(others)))], stepping(clip))
    assert body.sphere_penetrations(clip, wall)[:, others].max() > 0.05
    assert body.sphere_penetrations(moved, wall)[:, others].max() < 0.015
    shift = moved.root_positions - clip.root_positions
    assert np.abs(shift[:, 2]).max() == 0.0
    assert np.linalg.norm(np.diff(shift, axis=0), axis=1).max() * clip.rate < 1.5, "no jump"
    np.testing.assert_allclose(shift[[0, -1]], 0.0, atol=0.01)


def test_a_body_does_not_glide_over_feet_that_stand() -> None:
    clip, wall = walk(), wall_beside(walk(), 0.05)
    free = depenetrate_root(clip, [wall], nothing_spared(clip), stepping(clip)).root_positions - clip.root_positions
    deepest, stands = int(np.linalg.norm(free, axis=1).argmax()), stepping(clip)
    start, stop = deepest - 20, deepest + 30
    stands[start:stop] = True
    shift = depenetrate_root(clip, [wall], nothing_spared(clip), stands).root_positions - clip.root_positions
    np.testing.assert_allclose(shift[start:stop], np.broadcast_to(shift[start], (stop - start, 3)), atol=1e-4)
    assert np.linalg.norm(shift[start]) == pytest.approx(np.linalg.norm(free[deepest]), abs=0.005)
    assert np.linalg.norm(np.diff(shift, axis=0), axis=1).max() < 0.03, "no jump at its ends"


def test_standing_obstacles_come_before_moving_ones_in_any_order() -> None:
    clip = walk()
    table, box = wall_beside(clip, 0.05), wall_beside(clip, 0.1)
    moving = box.positions + np.linspace(0.0, 0.01, len(clip))[:, None] * [0.0, 0.0, 1.0]
    carried = AnimatedCollider(box.collider, moving, box.rotations)
    alone = depenetrate_root(clip, [table], nothing_spared(clip), stepping(clip))
    for things in ([table, carried], [carried, table]):
        both = depenetrate_root(clip, things, nothing_spared(clip) * 2, stepping(clip))
        np.testing.assert_allclose(both.root_positions, alone.root_positions, atol=0.005)


def test_a_body_in_short_turns_left_and_right_of_walls_is_moved_no_faster_than_it_walks() -> None:
    clip = walk()
    right, left = wall_beside(clip, 0.1), wall_beside(clip, -0.6)
    ahead = clip.root_positions[-1] - clip.root_positions[0]
    ahead[2] = 0.0
    later = AnimatedCollider(left.collider, left.positions + 0.7 * ahead / np.linalg.norm(ahead), left.rotations)
    moved = depenetrate_root(clip, [right, later], nothing_spared(clip) * 2, stepping(clip))
    shift = moved.root_positions - clip.root_positions
    assert np.ptp(shift, axis=0).max() > 0.5, "it passes both"
    # As they are, displacements would add up to 6 cm in a frame, and 45 m/s^2.
    assert np.linalg.norm(np.diff(moved.root_positions, axis=0), axis=1).max() < 0.03
    assert np.linalg.norm(np.diff(shift, 2, axis=0), axis=1).max() * clip.rate**2 < 20.0
