import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.benchmarks.hand_labels import FOLDER, HandLabels, read_file, read_hand_clip, read_hand_labels
from footfall.core.errors import FootfallError

ENTRY: dict[str, Any] = {
    "clip": "somewhere/walk.bvh",
    "rate": 120.0,
    "frames": 100,
    "first": 10,
    "last": 89,
    "contacts": {
        "foot.L": [[0, 20], [40, 60]],
        "toe.L": [[5, 30], [45, 70]],
        "foot.R": [[22, 45]],
        "toe.R": [[25, 55], [80, 100]],
    },
    "strikes": {"L": [40], "R": [22, 80]},
    "gaits": [["walk", 0, 50], ["stand", 50, 80]],
    "actions": [["walk", 0, 100]],
    "periodic": True,
    "unsure": [["toe.R", 52, 57]],
    "remarks": "Made up.",
}


def written(folder: Path, **changes: object) -> Path:
    """A file with changes to the entry; ``None`` leaves a part out."""
    entry = {key: value for key, value in (ENTRY | changes).items() if value is not None}
    file = folder / "made_up.json"
    file.write_text(json.dumps(entry))
    return file


def test_frames_count_from_the_first_of_the_range(tmp_path: Path) -> None:
    hand = read_file(written(tmp_path))
    assert (len(hand), hand.contacts.shape, hand.unsure.shape) == (80, (80, 4), (80, 4))
    toe = hand.contacts[:, hand.joints.index("toe.L")]
    np.testing.assert_array_equal(np.flatnonzero(toe), [*range(20), *range(35, 60)])
    assert not hand.unsure[:, hand.joints.index("toe.L")].any()


def test_a_foot_is_surely_down_where_one_of_its_joints_is_and_surely_up_where_none_may_be(tmp_path: Path) -> None:
    hand = read_file(written(tmp_path, unsure=[["toe.R", 40, 57]]))
    down, up = hand.foot("R")
    np.testing.assert_array_equal(np.flatnonzero(down), [*range(12, 35), *range(70, 80)])
    np.testing.assert_array_equal(np.flatnonzero(~down & ~up), range(35, 47))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"strikes": {"L": [41], "R": [22, 80]}}, r"strikes of L are not the onsets .* \[40, 41\]"),
        ({"strikes": {"X": []}}, "no foot 'X'"),
        ({"rate": None}, "lacks 'rate'"),
        ({"last": 100}, "no range of a clip of 100"),
        ({"contacts": {"foot.L": []}}, "contacts of foot.R, toe.L, toe.R are not told"),
        ({"contacts": ENTRY["contacts"] | {"toe.L": [[5, 101]]}}, r"\[5, 101\) of toe.L"),
        ({"unsure": [["hand.L", 1, 2]]}, "unsure of hand.L"),
        ({"gaits": [["waltz", 1, 2]]}, "no gait 'waltz'"),
        ({"actions": [["walk", 1]]}, "not a file of labels"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(FootfallError, match=f"made_up.json.*{said}"):
        read_file(written(tmp_path, **changes))


@pytest.mark.skipif(not any(FOLDER.glob("*.json")), reason="there are no hand-checked labels in tests/data/labels")
def test_the_checked_clips_are_read_and_speak_of_the_clips(shared_data: Path) -> None:
    read = read_hand_labels()
    assert len({hand.clip for hand in read}) == len(read) >= 12
    for hand in read:
        fits_its_clip(hand, shared_data / "mocap")


def fits_its_clip(hand: HandLabels, data: Path) -> None:
    """Has a clip of its rate, long enough, and contacts of both feet."""
    clip = read_hand_clip(hand, data)
    assert clip.rate == pytest.approx(hand.rate, rel=1e-3) and hand.last < len(clip)
    assert hand.contacts.any(axis=0).all() and not hand.unsure.all(axis=0).any()
