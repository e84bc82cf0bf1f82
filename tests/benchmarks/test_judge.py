"""The judge's table; its walks are measured by the tests of the measures."""

from math import nan

import pytest

from footfall.benchmarks.baking import WalkTask, bake_all, off_path_cm, straight
from footfall.benchmarks.judge import GOALS, judge_standing, print_judgement
from footfall.benchmarks.setup import ROOT, Setup
from footfall.core.models.model_file import ControllerModel


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return Setup(ROOT).model()


def test_every_number_has_a_line_and_misses_are_marked() -> None:
    lines: list[str] = []
    print_judgement(dict.fromkeys(GOALS, nan) | {"sway_cm": 4.0}, lines.append)
    assert len(lines) == len(GOALS) + 2
    assert next(line for line in lines if "sway" in line).startswith(" ")
    assert next(line for line in lines if "bounce" in line).startswith("!")
    assert lines[-1].startswith("1 of")


def test_a_batch_bakes_each_walk_along_its_own_path(model: ControllerModel) -> None:
    paths = [straight(2.0), straight(3.0)]
    clips = bake_all(model, [WalkTask(path) for path in paths])
    assert len(clips[0]) < len(clips[1])
    assert all(off_path_cm(clip, path).mean() < 5 for clip, path in zip(clips, paths, strict=True))


def test_standing_is_judged(model: ControllerModel) -> None:
    numbers = judge_standing(model)
    assert set(numbers) < set(GOALS) and 0 < numbers["standing_knee_deg"] < 90
