"""The shipped controller walks like a human on every path and at every speed."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.measures.extremes import largest_joint_speed
from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.path.path_events import Cues, Jump
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.evaluation import evaluate
from footfall.core.evaluation.courses import course_points
from footfall.core.models.model_file import ControllerModel, load_model

COURSES = [("straight", 1.0), ("straight", 3.0), ("square", 1.3), ("circle", 0.7), ("circle", 1.7)]


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(Path(shipped_controller()))


@pytest.mark.parametrize(("name", "speed"), COURSES)
def test_it_walks_upright_with_its_arms_down_and_ends_standing(model: ControllerModel, name: str, speed: float):
    clip = make_walk(model, WalkRequest(WalkPath(course_points(name)), speed)).clip
    at, roles = clip.positions, clip.skeleton.roles
    hands = at[:, [roles["hand.L"], roles["hand.R"]]]
    assert (hands[..., 2].max(axis=1) < at[:, roles["neck"], 2] + 0.1).all(), "nobody waves"
    reach = np.linalg.norm((hands - at[:, [roles["hips"]]])[..., :2], axis=-1)
    assert reach.max() < 0.75, "nor holds an arm out"
    apart = np.linalg.norm((at[-30:, roles["foot.L"]] - at[-30:, roles["foot.R"]])[:, :2], axis=-1)
    assert apart.max() < 0.5, "it stands at the end"
    report = evaluate(clip, course_points(name), speed=speed, ground=0.0)
    for part in ("pelvis_lean_deg", "chest_lean_deg"):
        lean = report[part]
        assert isinstance(lean, float) and lean < (15 if speed < 2 else 25), part


@pytest.mark.parametrize("speed", [0.5, 1.5])
def test_it_goes_as_fast_as_it_is_told(model: ControllerModel, speed: float):
    clip = make_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [8 * speed + 4, 0.0]])), speed)).clip
    travelled = np.gradient(clip.positions[:, 0, 0]) * clip.rate
    # On the mean, since hips surge within each step.
    assert np.mean(travelled[180:-180]) == pytest.approx(speed, rel=0.07)


def test_no_joint_pops_in_sharp_turns(model: ControllerModel):
    """Arms and feet once popped at up to 120 rad/s where paths turn right back every few steps."""
    random = np.random.default_rng(6)
    headings = np.cumsum(random.uniform(np.radians(-171), np.radians(171), 7))
    legs = random.uniform(0.8, 2.5, 7)[:, None] * np.column_stack([np.cos(headings), np.sin(headings)])
    clip = make_walk(
        model, WalkRequest(WalkPath(np.concatenate([np.zeros((1, 2)), np.cumsum(legs, axis=0)])), 1.8, seed=6)
    ).clip
    assert largest_joint_speed(clip).value < 20


@pytest.mark.parametrize("speed", [0.9, 2.0])
def test_it_leaves_the_ground_where_it_is_told_to_jump(model: ControllerModel, speed: float):
    walk = make_walk(
        model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [0.0, 9.0]])), speed, cues=Cues(jumps=(Jump(4.0),)))
    )
    clip = walk.clip
    feet = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"], 2].min(axis=1)
    rise = feet - np.median(feet)
    assert rise.max() > 0.08, "both feet"
    assert abs(clip.root_positions[rise.argmax(), 1] - 4.0) < 0.5
