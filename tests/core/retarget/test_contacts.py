"""Feet and hands that touch: they stand as still as the source's, as high, and nothing sinks into the ground."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.heel import heel_positions
from footfall.core.motion.limb_ik import MAX_REACH_RATIO, Leg, solve_leg_ik, with_world_rotations
from footfall.core.motion.rotations import Array
from footfall.core.retarget.contacts import (
    CORRECTION_BLEND_S,
    SAME_FOOT_TOLERANCE_M,
    SolePoints,
    foot_correction,
    hand_correction,
    hips_drop,
)
from footfall.tests.support.walker import Walker, person

RATE, FRAMES = 60.0, 120
FOOT = np.array([0.2, 0.0, 0.0])
LEFT, RIGHT = (Leg.of(person(), side) for side in "LR")
Mask = NDArray[np.bool_]

seeds = st.integers(0, 10_000)


def touching(*runs: tuple[int, int]) -> Mask:
    """The frames (F) of these runs."""
    held = np.zeros(FRAMES, dtype=bool)
    for start, stop in runs:
        held[start:stop] = True
    return held


def foot(speed: float = 0.0, height: float = 0.0, place: float = 0.0) -> SolePoints:
    """A flat foot that slides along X at a speed, m/s, at a height."""
    heel = np.zeros((FRAMES, 3))
    heel[:, 0] = place + speed * np.arange(FRAMES) / RATE
    heel[:, 2] = height
    return SolePoints(heel, heel + FOOT)


def shifted(soles: SolePoints, shift: Array) -> SolePoints:
    return SolePoints(soles.heel + shift, soles.ball + shift)


def wandering(seed: int) -> SolePoints:
    """A foot that moves smoothly anyhow, half a meter to and fro and a decimeter up and down."""
    rng = np.random.default_rng(seed)
    times = np.arange(FRAMES)[:, None] / RATE
    track = sum(rng.normal(size=3) * [0.2, 0.2, 0.04] * np.sin(times * rate + rng.uniform(0, 6)) for rate in (2, 5, 9))
    tip = sum(rng.normal(size=3) * [0.0, 0.0, 0.02] * np.sin(times * rate + rng.uniform(0, 6)) for rate in (3, 7))
    return SolePoints(np.asarray(track), track + FOOT + tip)


def test_soles_are_heel_and_ball_or_the_ankles_where_one_body_has_no_toes() -> None:
    clip = Walker(seconds=1.0).clip()
    whole, footless = Leg.of(clip.skeleton, "R"), Leg(RIGHT.thigh, RIGHT.shin, RIGHT.foot, None)
    assert whole.toe is not None
    soles, _ = SolePoints.pair(clip, whole, clip, whole)
    np.testing.assert_array_equal(soles.ball, clip.positions[:, whole.toe])
    np.testing.assert_array_equal(soles.heel, heel_positions(clip, whole.foot, whole.toe))
    for pair in (SolePoints.pair(clip, whole, clip, footless), SolePoints.pair(clip, footless, clip, whole)):
        for ankle in pair:
            np.testing.assert_array_equal(ankle.heel, clip.positions[:, whole.foot])
            np.testing.assert_array_equal(ankle.ball, clip.positions[:, whole.foot])


@pytest.mark.parametrize("scale", [0.6, 1.0, 1.4])
@pytest.mark.parametrize("drift", [0.0, 0.1, -0.3])
def test_a_foot_that_slides_on_other_legs_stands_where_it_stood_on_average(scale: float, drift: float) -> None:
    held = touching((30, 60))
    source, target = foot(height=0.02), foot(drift, height=0.1, place=2.0)
    put = shifted(target, foot_correction(source, target, held, held, scale, RATE))
    stood = put.heel[29:61]
    np.testing.assert_allclose(stood, [[target.heel[29:61, 0].mean(), 0.0, scale * 0.02]] * 32, atol=1e-9)


@pytest.mark.parametrize("part", ["heel", "ball"])
def test_the_point_that_touches_is_the_one_that_stands(part: str) -> None:
    """A foot that rolls over its heel, or pivots over its ball, turns about that point."""
    held, none = touching((30, 60)), touching()
    source, target = foot(), wandering(1)
    heel, ball = (held, none) if part == "heel" else (none, held)
    put = shifted(target, foot_correction(source, target, heel, ball, 1.0, RATE))
    # The weight has come to the ball a few frames after its contact has begun.
    stood = getattr(put, part)[38:52]
    np.testing.assert_allclose(stood[:, :2], stood[:1, :2].repeat(14, axis=0), atol=1e-4)


def test_corrections_fade_and_feet_in_the_air_are_their_own() -> None:
    held = touching((40, 50))
    source, target = foot(height=0.02), foot(height=0.05)
    shift = foot_correction(source, target, held, held, 1.0, RATE)[:, 2]
    span = round(CORRECTION_BLEND_S * RATE)
    np.testing.assert_allclose(shift[39:51], -0.03)
    assert not shift[: 39 - span].any() and not shift[51 + span :].any()
    assert np.abs(np.diff(shift)).max() < 0.03 * 2 / span


@given(seeds, seeds, st.floats(0.4, 2.0), st.tuples(st.integers(0, 40), st.integers(45, 110)))
@example(0, 1, 1.0, (0, 110))
@example(0, 0, 0.99999, (0, 45))  # as good as the source's own: left alone
def test_no_point_gets_below_the_source_s_and_its_floor(
    seed: int, other: int, scale: float, run: tuple[int, int]
) -> None:
    held = touching(run)
    source, target = wandering(seed), wandering(other)
    shift = foot_correction(source, target, held, held, scale, RATE)
    put = shifted(target, shift)
    for theirs, own in ((source.heel, put.heel), (source.ball, put.ball)):
        floor = scale * np.minimum(theirs[:, 2], np.percentile(theirs[held, 2], 5))
        assert (own[:, 2] - floor).min() > (-1e-9 if shift.any() else -SAME_FOOT_TOLERANCE_M)


def test_a_hand_is_where_it_is_wanted_while_it_touches() -> None:
    wanted, own = wandering(2).heel, wandering(3).heel
    held = touching((30, 50), (90, 95))
    there = own + hand_correction(wanted, own, held, RATE)
    np.testing.assert_allclose(there[held], wanted[held], atol=1e-12)
    span = round(CORRECTION_BLEND_S * RATE)
    free = ~touching((30 - span, 50 + span), (90 - span, 95 + span))
    np.testing.assert_array_equal(there[free], own[free])
    assert not hand_correction(wanted, own, touching(), RATE).any()


def standing(knee: float = 0.1) -> Clip:
    """A standing person with ankles at some distance, meters, above straight legs."""
    skeleton: Skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (FRAMES, len(skeleton), 1))
    roots = np.tile([0.0, 0.0, 1.0], (FRAMES, 1))
    clip = Clip(skeleton, RATE, roots, rotations)
    positions, world = (array.copy() for array in clip.world)
    for leg in (LEFT, RIGHT):
        solve_leg_ik(skeleton, positions, world, leg, positions[:, leg.foot] + [0.0, 0.0, knee])
    return with_world_rotations(clip, roots, world)


def ankles(clip: Clip, left: Array) -> list[Array]:
    """Both ankles (F, 3), the left one lower by so much (F)."""
    places = [clip.positions[:, leg.foot].copy() for leg in (LEFT, RIGHT)]
    places[0][:, 2] -= left
    return places


@given(st.integers(5, 110), st.integers(1, 40), st.floats(0.0, 0.1))
@example(60, 1, 0.05)
def test_hips_sink_smoothly_and_in_time(start: int, length: int, depth: float) -> None:
    """However short a step down is, the ankle gets there, and hips do not jerk."""
    clip = standing()
    lower = np.where(touching((start, start + length)), 0.1 + depth, 0.0)
    drop = hips_drop(clip, [LEFT, RIGHT], ankles(clip, lower))
    needed = np.where(lower > 0, depth + (1 - MAX_REACH_RATIO) * 0.84, 0.0)
    assert (drop - needed).min() > -1e-9
    assert np.abs(np.diff(drop)).max() < (depth + 0.002) * 0.2
