from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.exact_labels import FAMILIES, Score
from footfall.benchmarks.procedural.scenes import motions, scene


def test_every_scene_is_of_one_family() -> None:
    members = [name for names in FAMILIES.values() for name in names]
    assert sorted(members) == sorted(motion.name for motion in motions())


@pytest.mark.parametrize("name", ["walk", "dog's walk"])
def test_labels_of_clean_motion_are_nearly_right(name: str) -> None:
    motion = next(motion for motion in motions() if motion.name == name)
    score = Score.of(scene(motion, 60.0, 0.0, np.random.default_rng(0)))
    assert score.f1 > 0.95 and np.abs(score.gaps).max() < 2 / 60 and score.phase < 0.02


def test_a_foot_that_comes_down_with_the_last_frames_is_not_asked_for() -> None:
    motion = next(motion for motion in motions() if motion.name == "walk")
    strikes = sum(len(times) for times in scene(motion, 60.0, 0.0, np.random.default_rng(0)).strikes.values())
    last = max(foot.starts[foot.starts < motion.seconds].max() for foot in motion.footfalls.values())
    shorter = replace(motion, seconds=last + 0.03)
    assert len(Score.of(scene(shorter, 60.0, 0.0, np.random.default_rng(0))).gaps) == strikes - 1
