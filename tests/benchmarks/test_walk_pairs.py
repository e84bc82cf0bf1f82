"""Captured walks and the bakes beside them."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.setup import Setup
from footfall.benchmarks.walk_pairs import ACTED, Captured, bake_pairs, captured_walks, spread_out
from footfall.core.evaluation.gait_analysis import analyze_gait
from footfall.tests.support.walker import Walker


def test_each_actor_has_its_turn() -> None:
    clip = Walker(seconds=1.0).clip()
    walks = [Captured(f"{actor}_{number}", actor, clip, 1.1) for actor in ("1", "2") for number in range(3)]
    assert [walk.name for walk in spread_out(walks, 3)] == ["1_0", "2_0", "1_1"]
    assert len(spread_out(walks, 99)) == 6 and spread_out([], 2) == []


def test_a_bake_walks_where_and_as_fast_as_its_person(shared_data: Path) -> None:
    setup = Setup(shared_data / "mocap")
    walk = next(walk for walk in captured_walks(setup) if walk.actor == "35")
    (baked,) = bake_pairs(setup.model(), [walk])
    assert baked.skeleton.matches(walk.clip.skeleton)
    assert len(baked) == pytest.approx(len(walk.clip), rel=0.05)
    ends = [[clip.positions[frame, 0, :2] for frame in (0, -1)] for clip in (walk.clip, baked)]
    assert np.abs(np.subtract(*ends)).max() < 0.1
    assert analyze_gait(baked)["speed_m_s"] == pytest.approx(walk.speed, rel=0.06)


def test_acted_walks_are_left_out(shared_data: Path) -> None:
    names = {walk.name for walk in captured_walks(Setup(shared_data / "mocap"), (0.5, 2.2), straight_share=0.0)}
    assert len(names) > 60 and not names & set(ACTED)
