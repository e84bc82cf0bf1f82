"""Structures under climbs: under a climber who holds exactly where he is put, and under real people."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import multiply, rotate, rotation_about_up
from footfall.core.scene.climb_fitting import (
    FLOOR_MARGIN_M,
    LIMBS,
    RAIL_MARGIN_M,
    ClimbFit,
    Support,
    _as_ladder,
    _cluster_levels,
    _facing,
    _holding_hands,
    _level_places,
    find_supports,
    fit_climbs,
    floor_height,
    soles,
)
from footfall.core.scene.climb_structure import ClimbStructure
from footfall.tests.support.climber import HOLD_FRAMES, REACH_M, STANCES, Climber
from footfall.tests.support.walker import Walker
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.interactions.captured_clip import load_captured_clip

SHIPPED = Path(__file__).parents[3] / "presets" / "controllers" / "locomotion.safetensors"
LADDER = ClimbStructure("ladder", np.array([0.3, 0.6, 0.9]), np.array([0.0, 0.1, 0.2]), 0.25, 2.3)
STEPS = ClimbStructure("steps", np.array([0.2, 0.4, 0.6]), np.array([0.0, 0.3, 0.6]), 0.42, 0.6)


@pytest.fixture(scope="module")
def ladder() -> ClimbFit:
    (fit,) = fit_climbs(Climber(LADDER).clip())
    return fit


def test_rungs_and_rails_are_found_where_feet_and_hands_hold(ladder: ClimbFit) -> None:
    found = ladder.structure
    assert found.kind == "ladder"
    np.testing.assert_allclose(found.levels, LADDER.levels, atol=2e-3)
    np.testing.assert_allclose(found.depths, LADDER.depths, atol=5e-3)
    assert found.half_width == pytest.approx(LADDER.half_width, abs=0.01)
    assert found.inclination == pytest.approx(LADDER.inclination, abs=0.02)
    np.testing.assert_allclose(ladder.position, [0.0, 0.0, 0.0], atol=0.02)
    np.testing.assert_allclose(facing_direction(np.array(ladder.yaw)), [0.0, -1.0], atol=0.02)


def test_each_foothold_and_each_hold_of_a_hand_is_found_once(ladder: ClimbFit) -> None:
    feet = [[one[side] for one in STANCES if one[side] >= 0] for side in (0, 1)]
    for side, levels in zip("LR", feet, strict=True):
        pairs = zip(ladder.supports, ladder.level_numbers, strict=True)
        own = [level for one, level in pairs if one.limb == f"foot.{side}"]
        assert own == [level for number, level in enumerate(levels) if number == 0 or levels[number - 1] != level]
    assert {one.limb for one in ladder.supports} == set(LIMBS)
    assert min(one.stop - one.start for one in ladder.supports) >= HOLD_FRAMES


def test_exact_holds_have_no_spread_and_hands_are_at_the_rails(ladder: ClimbFit) -> None:
    assert ladder.foot_spread() < 1e-3
    assert ladder.hand_distances().max() < 0.03
    assert 0.4 < ladder.held_share(len(Climber(LADDER).clip())) < 1.0
    assert REACH_M < 0.15, "rungs are under the arch"


def test_steps_need_no_hands() -> None:
    (fit,) = fit_climbs(Climber(STEPS, holds_rails=False).clip())
    assert fit.structure.kind == "steps" and all(one.limb.startswith("foot") for one in fit.supports)
    np.testing.assert_allclose(fit.structure.levels, STEPS.levels, atol=2e-3)
    np.testing.assert_allclose(fit.structure.depths, STEPS.depths, atol=5e-3)


def test_who_walks_on_the_level_climbs_nothing() -> None:
    with pytest.raises(FootfallError, match="shows no climb"):
        fit_climbs(Walker(seconds=3.0).clip())


def support(limb: str, start: int, stop: int, *position: float) -> Support:
    return Support(limb, start, stop, np.array(position), 0.0)


def ladder_fit(*supports: Support, levels: tuple[int, ...] = (), yaw: float = np.pi) -> ClimbFit:
    """The upright or inclined ladder at (1, 2, 0.5), for a climber that faces -Y unless told another yaw."""
    return ClimbFit(LADDER, np.array([1.0, 2.0, 0.5]), yaw, supports, levels, (10, 50))


def test_the_front_of_a_structure_is_turned_toward_the_climber() -> None:
    """A climber that faces -Y is before the front of a structure that is not turned; left hands are at +X."""
    fit = ladder_fit()
    np.testing.assert_allclose(fit.local(np.array([[1.3, 2.2, 0.9]])), [[0.3, 0.2, 0.4]], atol=1e-12)
    np.testing.assert_allclose(fit.posed(LADDER.rungs()).to_world(np.array([0.3, 0.2, 0.4])), [1.3, 2.2, 0.9])
    ahead = ladder_fit(yaw=0.0)
    np.testing.assert_allclose(ahead.local(np.array([[1.3, 2.2, 0.9]])), [[-0.3, -0.2, 0.4]], atol=1e-12)
    np.testing.assert_allclose(ahead.posed(LADDER.rungs()).to_world(np.array([-0.3, -0.2, 0.4])), [1.3, 2.2, 0.9])


def test_feet_spread_about_the_evenly_spaced_levels() -> None:
    feet = (support("foot.L", 0, 9, 1.0, 2.0, 0.83), support("foot.R", 0, 9, 1.0, 2.0, 1.06),
            support("hand.L", 0, 9, 1.2, 2.0, 9.0))  # fmt: skip
    # Their levels are 0.3 and 0.6 m over the origin, whose height is 0.5 m: they are 3 cm above and 4 cm below.
    spread = np.sqrt((0.03**2 + 0.04**2) / 2)
    assert ladder_fit(*feet, levels=(0, 1, -1)).foot_spread() == pytest.approx(spread)
    one = ClimbStructure("steps", np.array([0.3]), np.array([0.0]), 0.4, 0.3)
    alone = ClimbFit(one, np.zeros(3), 0.0, (support("foot.L", 0, 9, 0.0, 0.0, 0.32),), (0,), (0, 9))
    assert alone.foot_spread() == pytest.approx(0.02)


def test_the_skin_of_a_palm_is_two_centimeters_before_its_middle() -> None:
    # Beside the rail at +X, which is 4 cm thick about 0.27 m, and inside of it.
    depth = LADDER.depths_at(np.array([0.425]))[0]
    palms = [support("hand.L", 0, 9, 1.0 + x, 2.0 - depth, 0.5 + 0.425) for x in (0.29 + 0.05, 0.27, 0.29 + 0.01)]
    fit = ladder_fit(support("foot.L", 0, 9, 1.0, 2.0, 0.8), *palms, levels=(0, -1, -1, -1))
    np.testing.assert_allclose(fit.hand_distances(), [0.03, 0.0, 0.0], atol=1e-9)
    assert len(ladder_fit().hand_distances()) == 0


def test_three_limbs_of_four_hold_for_a_share_of_the_time() -> None:
    """The fit is of 40 frames, from 10 to 50; the limbs hold from 0, 20, 30 and 40 to the end or to frame 45."""
    supports = [support(limb, start, stop, 0.0, 0.0, 0.0)
                for limb, start, stop in zip(LIMBS, (0, 20, 30, 40), (60, 60, 60, 45), strict=True)]  # fmt: skip
    fit = ladder_fit(*supports)
    counts = fit.limbs_on(60)
    np.testing.assert_array_equal(counts[[0, 19, 20, 29, 30, 39, 40, 44, 45, 59]], [1, 1, 2, 2, 3, 3, 4, 4, 3, 3])
    assert fit.held_share(60) == pytest.approx(20 / 40)


def test_levels_are_apart_by_more_than_a_gap_and_numbered_from_below() -> None:
    levels, numbers = _cluster_levels([0.61, 0.3, 0.34, 0.59, 1.0], 0.12)
    np.testing.assert_allclose(levels, [0.32, 0.6, 1.0])
    assert numbers == [1, 0, 0, 1, 2]
    # A row of small steps is one level, however long.
    assert _cluster_levels([0.1, 0.2, 0.3, 0.4], 0.12)[1] == [0, 0, 0, 0]
    assert _cluster_levels([0.5], 0.12)[1] == [0]


def test_places_are_the_means_of_each_level_and_of_the_arrival_on_the_highest() -> None:
    feet = [support("foot.L", 0, 9, 0.1, 0.2, 0.3), support("foot.R", 0, 9, -0.2, 0.4, 0.3),
            support("foot.L", 9, 12, 0.3, 0.7, 0.6), support("foot.R", 9, 12, 5.0, 6.0, 0.6)]  # fmt: skip
    depths, across = _level_places(feet, [0, 0, 1, 1], 0.0)
    np.testing.assert_allclose(depths, [0.3, 0.7])
    assert across == pytest.approx(-0.05), "of the feet below the highest level"
    depths, across = _level_places(feet[:2], [0, 0], 0.0)
    np.testing.assert_allclose(depths, [0.2])
    assert across == pytest.approx(-0.05)
    turned, aside = _level_places(feet, [0, 0, 1, 1], np.pi)
    np.testing.assert_allclose(turned, [-0.3, -0.7])
    assert aside == pytest.approx(0.05)


def test_hands_hold_near_the_plane_of_the_levels_while_feet_are_on_them() -> None:
    def hand(start: int, stop: int, before: float) -> Support:
        return support("hand.L", start, stop, 1.2, 2.0 + before - LADDER.depths_at(np.array([1.3]))[0], 1.8)

    near = [hand(0, 11, 0.1), hand(20, 30, 0.29), hand(20, 30, -0.29), hand(49, 60, 0.0)]
    other = [hand(0, 10, 0.1), hand(50, 60, 0.1), hand(20, 30, 0.31), hand(20, 30, -0.31)]
    feet = [support("foot.L", 20, 30, 1.0, 2.0, 0.8)]
    assert _holding_hands(ladder_fit(), [*near, *other, *feet], 1.0) == near
    assert _holding_hands(ladder_fit(), feet, 1.0) == []
    assert _holding_hands(ladder_fit(), near, 0.5) == [near[0], near[3]], "half as large a body reaches half as far"


def test_a_ladder_is_between_the_hands_and_in_their_plane() -> None:
    feet = (support("foot.L", 12, 20, 1.0, 2.0, 0.8), support("foot.R", 20, 30, 1.0, 1.9, 1.1))
    fit = ladder_fit(*feet, levels=(0, 1))
    depth = LADDER.depths_at(np.array([1.5]))[0]
    hands = [support("hand.L", 11, 20, 1.0 + 0.4, 2.0 + 0.06 - depth, 2.0),
             support("hand.R", 15, 25, 1.0 - 0.3, 2.0 + 0.06 - depth, 2.0)]  # fmt: skip
    made = _as_ladder(fit, hands, 1.0)
    assert made.structure.kind == "ladder" and made.structure.half_width == pytest.approx(0.35)
    np.testing.assert_allclose(made.position, [1.05, 2.06, 0.5], atol=1e-9)
    assert made.structure.top == pytest.approx(1.5 + RAIL_MARGIN_M)
    assert [one.limb for one in made.supports] == ["hand.L", "foot.L", "hand.R", "foot.R"]
    assert made.level_numbers == (-1, 0, -1, 1) and made.frames == fit.frames and made.yaw == fit.yaw


def test_a_ladder_is_no_narrower_than_a_body_and_rungs_no_farther_than_a_foot_is_long() -> None:
    fit = ladder_fit(support("foot.L", 12, 20, 1.0, 2.0, 0.8), levels=(0,))
    depth = LADDER.depths_at(np.array([0.4]))[0]

    def made(before: float, *sides: float) -> ClimbFit:
        hands = [support("hand.L" if x > 0 else "hand.R", 11, 20, 1.0 + x, 2.0 + before - depth, 0.9) for x in sides]
        return _as_ladder(fit, hands, 1.0)

    narrow = made(0.3, 0.1, -0.05)
    assert narrow.structure.half_width == 0.2
    np.testing.assert_allclose(narrow.position, [1.025, 2.15, 0.5], atol=1e-9)
    np.testing.assert_allclose(made(-0.3, 0.3, -0.3).position, [1.0, 2.0, 0.5], atol=1e-9)
    # With one hand nothing is known of the middle; the rails end a rung over the highest level.
    alone = made(0.1, 0.3)
    np.testing.assert_allclose(alone.position, [1.0, 2.1, 0.5], atol=1e-9)
    assert alone.structure.half_width == 0.2 and alone.structure.top == pytest.approx(1.2)
    none = made(0.1)
    np.testing.assert_allclose(none.position, [1.0, 2.0, 0.5], atol=1e-9)
    assert none.structure.top == pytest.approx(1.2)


def test_supports_are_long_still_and_over_the_floor() -> None:
    clip = Climber(LADDER).clip()
    supports, floor = find_supports(clip), floor_height(clip)
    assert floor == pytest.approx(0.0, abs=0.01)
    assert [one.start for one in supports] == sorted(one.start for one in supports)
    for one in supports:
        assert one.stop - one.start >= 0.2 * clip.rate
        assert one.limb.startswith("hand") or one.position[2] > floor + FLOOR_MARGIN_M
        assert 0.0 <= one.spread < 0.05
    feet = soles(clip)
    for one in supports:
        if one.limb.startswith("foot"):
            track = feet[one.start : one.stop, "LR".index(one.limb[-1])]
            np.testing.assert_allclose(one.position, np.median(track, axis=0))
            assert one.spread == pytest.approx(np.linalg.norm(track - one.position, axis=1).max())


def test_between_two_climbs_both_feet_are_on_the_floor(ladder: ClimbFit) -> None:
    """The same climb twice is two fits of the same structure, one after the other."""
    clip = Climber(LADDER).clip()
    twice = replace(
        clip,
        root_positions=np.concatenate([clip.root_positions] * 2),
        rotations=np.concatenate([clip.rotations] * 2),
    )
    first, second = fit_climbs(twice)
    assert first.frames == ladder.frames
    assert second.frames == pytest.approx([frame + len(clip) for frame in first.frames], abs=2)
    np.testing.assert_allclose(second.structure.levels, first.structure.levels, atol=1e-3)


def test_a_ladder_that_is_put_through_a_body_is_deeper_in_it_than_one_that_it_climbs(ladder: ClimbFit) -> None:
    clip = Climber(LADDER).clip()
    far = replace(ladder, position=ladder.position + np.array([0.0, 5.0, 0.0]))
    assert far.penetration(clip) == 0.0
    through = replace(ladder, position=ladder.position + np.array([0.0, 0.35, 0.0]))
    assert through.penetration(clip) > ladder.penetration(clip) + 0.03


@pytest.mark.parametrize(
    "name, kind, spacing, degrees",
    [
        ("cmu_asfamc/climb/14_33", "ladder", 0.29, 70),
        ("cmu_daz_more/climb/13_33", "ladder", 0.29, 70),
        ("cmu_asfamc/stairs/14_22", "steps", 0.22, 34),
    ],
)
def test_two_actors_climbed_the_same_ladder_and_steps(
    shared_data: Path, name: str, kind: str, spacing: float, degrees: float
) -> None:
    body = NetworkSkeleton.of(load_model(SHIPPED))
    (fit,) = fit_climbs(load_captured_clip(shared_data / "mocap" / f"{name}.bvh", body).clip)
    assert fit.structure.kind == kind and len(fit.structure.levels) == 3
    assert fit.structure.spacing == pytest.approx(spacing, abs=0.015)
    assert np.degrees(fit.structure.inclination) == pytest.approx(degrees, abs=5)
    assert fit.foot_spread() < 0.015
    assert kind == "steps" or np.median(fit.hand_distances()) < 0.06


@pytest.mark.parametrize("structure", [LADDER, STEPS])
def test_a_climb_elsewhere_that_is_turned_has_the_same_structure_there(structure: ClimbStructure) -> None:
    clip = Climber(structure, holds_rails=structure is LADDER).clip()
    turn, offset = rotation_about_up(np.array(0.8)), np.array([3.0, -2.0, 0.4])
    (here,), (there,) = fit_climbs(clip), fit_climbs(clip.transformed(turn, offset))
    np.testing.assert_allclose(there.position, rotate(turn, here.position) + offset, atol=1e-6)
    assert np.cos(there.yaw - here.yaw - 0.8) == pytest.approx(1.0)
    np.testing.assert_allclose(there.structure.levels, here.structure.levels, atol=1e-6)
    np.testing.assert_allclose(there.structure.depths, here.structure.depths, atol=1e-6)
    assert there.structure.half_width == pytest.approx(here.structure.half_width)
    assert there.structure.top == pytest.approx(here.structure.top)
    assert (there.frames, there.level_numbers) == (here.frames, here.level_numbers)


def test_the_mean_facing_is_right_where_yaws_wrap() -> None:
    clip = Walker(seconds=2.0).clip()
    for yaw in (0.3, np.pi - 0.01, np.pi + 0.02, -2.0):
        turned = clip.transformed(rotation_about_up(np.array(yaw)), np.zeros(3))
        mean = _facing(turned, 10, 50) - _facing(clip, 10, 50)
        assert (np.cos(mean), np.sin(mean)) == pytest.approx((np.cos(yaw), np.sin(yaw)), abs=1e-9)
    spin = replace(clip, rotations=clip.rotations.copy())
    yaws = np.radians(np.arange(len(clip)))
    spin.rotations[:, 0] = multiply(rotation_about_up(yaws), clip.rotations[:, 0])
    assert _facing(spin, 20, 31) - _facing(clip, 20, 31) == pytest.approx(np.radians(25.0), abs=0.02)
