"""Structures under climbs: under a climber who holds exactly where he is put, and under real people."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction
from footfall.core.scene.climb_fitting import LIMBS, ClimbFit, fit_climbs
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
