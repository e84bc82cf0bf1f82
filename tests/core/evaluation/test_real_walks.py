"""The metrics on real people: what is usual, and that a stiffened copy is seen."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.evaluation import evaluate, mocap_row
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh


@pytest.fixture(scope="module")
def walks(shared_data: Path) -> list[Clip]:
    """Six straight walks of one actor at 1.2 m/s."""
    folder = shared_data / "mocap" / "cmu_asfamc" / "walk"
    return [read_bvh(folder / f"35_{number:02}.bvh").resampled(60.0) for number in range(2, 8)]


def test_the_mocap_row_of_plain_walks_is_what_is_usual(walks: list[Clip]) -> None:
    row = mocap_row(walks)
    usual = {
        "speed_m_s": (1.1, 1.35),
        "contact_share": (0.4, 0.65),
        "skate_mean_cm_s": (5, 20),  # heels roll and toes pivot in contact
        "toe_lift_cm": (8, 11),
        "hip_sway_cm": (2, 6),
        "penetration_mean_mm": (0, 5),
        "cross_track_mean_cm": (0.5, 3),
        "joint_rotation_deg_s": (50, 90),
    }
    for key, (low, high) in usual.items():
        assert low < row[key] < high, f"{key}: {row[key]}"


def test_a_walk_that_slides_skates_more(walks: list[Clip]) -> None:
    walk = walks[0]
    drifting = walk.root_positions + np.outer(np.arange(len(walk)) / walk.rate, [0.2, 0.0, 0.0])
    before, after = evaluate(walk), evaluate(replace(walk, root_positions=drifting))
    assert after["skate_mean_cm_s"] > before["skate_mean_cm_s"] + 3
