"""Structures under climbs: under a climber who holds exactly where he is put, and under real people."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import rotate, rotation_about_up
from footfall.core.scene.climb_fitting import (
    FLOOR_MARGIN_M,
    ClimbFit,
    Support,
    find_supports,
    fit_climbs,
    floor_height,
    soles,
)
from footfall.core.scene.climb_structure import ClimbStructure
from footfall.tests.support.climber import Climber
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


def test_steps_need_no_hands() -> None:
    (fit,) = fit_climbs(Climber(STEPS, holds_rails=False).clip())
    assert fit.structure.kind == "steps" and all(one.limb.startswith("foot") for one in fit.supports)
    np.testing.assert_allclose(fit.structure.levels, STEPS.levels, atol=2e-3)
    np.testing.assert_allclose(fit.structure.depths, STEPS.depths, atol=5e-3)


def test_who_walks_on_the_level_climbs_nothing() -> None:
    with pytest.raises(FootfallError, match="shows no climb"):
        fit_climbs(Walker(seconds=3.0).clip())


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
