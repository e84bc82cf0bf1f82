"""Plans of characters: another timing, and when two of them start alike."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.ball.accompaniment import PlannedBall
from footfall.core.control.ball.dribble import DribblePlan
from footfall.core.control.path.path import Path
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.runtime.control_variation import ControlVariation
from footfall.core.control.walk.follower_plan import FollowerPlan
from footfall.core.models.generator_kinds import ADVERSARIAL
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.generators import random_generator
from footfall.tests.support.timings import plain_timing

NORTH = Path(np.array([[0.0, 0.0], [0.0, 6.0]]))
TIMING = plain_timing(np.linspace(0.0, 6.0, 301), np.full(301, 1.2))
RIGHT_THEN_LEFT = DribblePlan(np.where(np.arange(301) < 150, 1.0, -1.0), 0.12, np.ones(301))


def ball(**changes: object) -> PlannedBall:
    return PlannedBall(replace(RIGHT_THEN_LEFT, **changes), None, 1.0, 0.0)  # type: ignore[arg-type]


PLAN = FollowerPlan(
    NORTH,
    TerrainProfile.from_path(NORTH, WalkScene(), 0.0),
    TIMING,
    1.2,
    WalkScene().ground,
    seed=3,
    performer=(1.0, 0.0),
    variation=None,
    responsiveness=0.5,
    accompaniment=ball(),
)


def test_plans_that_differ_in_path_and_timing_alone_start_alike() -> None:
    other = replace(
        PLAN,
        path=NORTH.scaled(2.0),
        timing=replace(TIMING, speeds=2 * TIMING.speeds),
        speed=0.8,
        accompaniment=ball(sides=RIGHT_THEN_LEFT.sides.copy()),
    )
    assert PLAN.starts_like(other)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 4},
        {"performer": (0.0, 1.0)},
        {"variation": ControlVariation(random_generator(ADVERSARIAL), 0.5, 3)},
        {"responsiveness": 0.6},
        {"accompaniment": None},
        {"accompaniment": ball(radius=0.11)},
        {"accompaniment": ball(sides=-RIGHT_THEN_LEFT.sides)},
        {"accompaniment": ball(shares=np.zeros(301))},
    ],
    ids=["seed", "performer", "variation", "responsiveness", "no ball", "radius", "hands", "shares"],
)
def test_each_of_the_other_settings_makes_another_start(change: dict) -> None:
    other = replace(PLAN, **change)
    assert not PLAN.starts_like(other)
    assert not other.starts_like(PLAN)
