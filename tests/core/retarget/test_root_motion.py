"""Root motion: what a carrier does and what the body does are together what was there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import inverse, multiply, rotate, rotation_about_up, to_matrix
from footfall.core.retarget.root_motion import (
    RootAxes,
    body_yaws,
    remove_root_motion,
    split_root_motion,
)
from footfall.tests.support.walker import Walker, person

AXES = st.builds(RootAxes, st.booleans(), st.booleans(), st.booleans(), st.booleans())


def random_clip(seed: int, frames: int = 30) -> Clip:
    """A person tumbling through space."""
    random = np.random.default_rng(seed)
    skeleton = person(random.uniform(0.5, 2.0))
    rotations = random.normal(size=(frames, len(skeleton), 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return Clip(skeleton, 30.0, np.cumsum(random.normal(size=(frames, 3)), axis=0), rotations)


@given(st.integers(0, 10_000), AXES, st.floats(-3, 3))
def test_the_carrier_and_the_rest_are_the_clip(seed: int, axes: RootAxes, ground: float) -> None:
    clip = random_clip(seed)
    positions, yaws, rest = split_root_motion(clip, axes, ground)
    assert positions.shape == (len(clip), 3) and yaws.shape == (len(clip),)
    turns = rotation_about_up(yaws)[:, None]
    carried = rotate(np.broadcast_to(turns, (*rest.positions.shape[:2], 4)), rest.positions) + positions[:, None]
    np.testing.assert_allclose(carried, clip.positions, atol=1e-9)
    world = multiply(np.broadcast_to(turns, rest.world[1].shape), rest.world[1])
    np.testing.assert_allclose(to_matrix(world), to_matrix(clip.world[1]), atol=1e-9)
    np.testing.assert_allclose(remove_root_motion(clip, positions, yaws).positions, rest.positions, atol=1e-9)


@given(st.integers(0, 10_000), AXES, st.floats(-3, 3))
def test_axes_that_are_not_the_carriers_stay_as_they_begin(seed: int, axes: RootAxes, ground: float) -> None:
    clip = random_clip(seed)
    positions, yaws, _ = split_root_motion(clip, axes, ground)
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    for axis, follows in enumerate((axes.x, axes.y)):
        expected = hips[:, axis] if follows else np.full(len(clip), hips[0, axis])
        np.testing.assert_allclose(positions[:, axis], expected, atol=1e-12)
    rise = hips[:, 2] - hips[0, 2] if axes.z else np.zeros(len(clip))
    np.testing.assert_allclose(positions[:, 2], ground + rise, atol=1e-9)
    assert axes.yaw or np.ptp(yaws) == 0
    assert abs(yaws[0]) <= np.pi + 1e-9


@given(st.floats(-3.1, 3.1), st.floats(0.1, 1.5) | st.floats(-1.5, -0.1))
def test_a_walker_in_a_circle_is_carried_facing_where_it_walks(heading: float, turn: float) -> None:
    clip = Walker(seconds=8.0, turn=turn, heading=heading).clip()
    positions, yaws, rest = split_root_motion(clip, RootAxes())
    steps = np.abs(np.diff(yaws))
    assert steps.max() < 0.2, "no jumps"
    assert abs((yaws[-1] - yaws[0]) - turn * clip.duration) < 0.35, "whole turns are counted"
    hips = rest.positions[:, rest.skeleton.joint("hips")]
    assert np.abs(hips[:, :2]).max() < 1e-9, "the hips are above the carrier"
    assert np.abs(body_yaws(rest)).max() < 0.3, "and face as at rest"
    assert np.ptp(positions[:, 2]) == 0.0


def test_the_carrier_is_turned_from_how_the_body_stands_at_rest() -> None:
    clip = Walker(seconds=3.0, heading=0.7).clip()
    _, yaws, _ = split_root_motion(clip, RootAxes())
    quarter = rotation_about_up(np.pi / 2)
    skeleton = clip.skeleton
    turned = Skeleton(
        skeleton.names, skeleton.parents, rotate(quarter, skeleton.offsets), rotate(quarter, skeleton.tips)
    )
    # The same poses of a body that is built looking another way.
    rotations = multiply(multiply(quarter, clip.rotations), inverse(quarter))
    rotations[:, 0] = multiply(clip.rotations[:, 0], inverse(quarter))
    rotations[:, 1:] = multiply(multiply(quarter, clip.rotations[:, 1:]), inverse(quarter))
    same = Clip(turned, clip.rate, clip.root_positions, rotations)
    np.testing.assert_allclose(same.positions, clip.positions, atol=1e-9)
    _, others, _ = split_root_motion(same, RootAxes())
    np.testing.assert_allclose(np.exp(1j * others), np.exp(1j * (yaws - np.pi / 2)), atol=1e-6)
