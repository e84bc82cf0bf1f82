"""Captured bends for a box are found, and brought to other heights over the same feet."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.interactions import pick_up_motion
from footfall.training.interactions.captured_clip import load_captured_clip
from footfall.training.interactions.clip_stitching import FootPoses
from footfall.training.interactions.pick_up_motion import PickUpMotion, find_pick_up, wrist_positions

SHIPPED = Path(pick_up_motion.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
TAKES, PUTS = "Male1_A5_PickUpBox", "Male1_B21_PutDownBoxToWalk"


@pytest.fixture(scope="module")
def clips(shared_data: Path) -> dict[str, Clip]:
    body = NetworkSkeleton.of(load_model(SHIPPED))
    folder = shared_data / "mocap/accad_male1/carry"
    return {
        name: load_captured_clip(folder / f"{name}.bvh", body).clip for name in (TAKES, PUTS, "Male1_B20_WalkWithBox")
    }


@pytest.fixture(scope="module")
def found(clips: dict[str, Clip]) -> dict[str, PickUpMotion]:
    both = {name: find_pick_up(clips[name]) for name in (TAKES, PUTS)}
    return {name: lift for name, lift in both.items() if lift is not None}


@pytest.mark.parametrize("name", [TAKES, PUTS])
def test_somebody_bends_and_stands_with_a_box(found: dict[str, PickUpMotion], name: str) -> None:
    lift = found[name]
    heights = wrist_positions(lift.motion.clip).mean(axis=1)[:, 2]
    assert heights.argmin() == lift.lowest_frame and abs(heights[lift.lowest_frame] - lift.lowest_height) < 1e-9
    assert 0.3 < lift.lowest_height < lift.free_height < lift.holding_height < 1.2, (
        "hands that hold something are higher"
    )
    assert abs(heights[-1] - lift.holding_height) < 0.1, "at its end it is held"
    assert (lift.motion.contacts[:, :2].any(axis=1) & lift.motion.contacts[:, 2:].any(axis=1)).all(), "both feet stand"
    sunk = lift.descent_share()
    assert sunk[lift.lowest_frame] == 1.0 and sunk[-1] < 0.1


def test_putting_down_is_played_backwards(clips: dict[str, Clip], found: dict[str, PickUpMotion]) -> None:
    heights = {name: wrist_positions(clips[name]).mean(axis=1)[:, 2] for name in (TAKES, PUTS)}
    assert heights[TAKES][:45].mean() < heights[TAKES][-45:].mean()
    assert heights[PUTS][:45].mean() > heights[PUTS][-45:].mean()
    for name, way in ((TAKES, 1), (PUTS, -1)):
        own, clip = found[name].motion.clip.positions[::way], clips[name]
        start = int(np.argmin(np.linalg.norm(clip.root_positions - own[0, 0], axis=1)))
        np.testing.assert_allclose(own, clip.positions[start : start + len(own)], atol=1e-9)


@pytest.mark.parametrize("name", [TAKES, PUTS])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_hands_come_to_any_height_over_the_same_feet(found: dict[str, PickUpMotion], name: str, share: float) -> None:
    lift = found[name]
    least, most = lift.height_range
    height = least + share * (most - least)
    made = lift.adapt_to_height(height)
    assert len(made) == len(lift)
    hands = wrist_positions(made.clip).mean(axis=1)[:, 2]
    assert abs(hands[lift.lowest_frame] - height) < 0.015 and hands.min() > height - 0.0165
    own, feet = FootPoses.of(lift.motion.clip), FootPoses.of(made.clip)
    np.testing.assert_allclose(feet.ankles, own.ankles, atol=0.01)
    np.testing.assert_allclose(feet.balls, own.balls, atol=0.01)
    assert np.linalg.norm(np.diff(made.clip.positions, axis=0), axis=-1).max() * made.clip.rate < 3.0
