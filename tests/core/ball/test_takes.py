"""Takes of ball play: the file that ships, and files that hold none."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.takes import TAKE_NAMES, BallTakes, ankle_middle, shipped_takes
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import root_track


@pytest.mark.parametrize("name", TAKE_NAMES)
def test_a_take_stands_over_the_origin_and_faces_ahead_at_its_contact(name: str) -> None:
    take = shipped_takes().takes[name]
    assert 0 < take.contact < len(take.clip)
    np.testing.assert_allclose(ankle_middle(take.clip)[take.contact], 0.0, atol=1e-4)
    assert root_track(take.clip).yaws[take.contact] == pytest.approx(0.0, abs=1e-4)


def test_takes_are_read_as_they_were_written(tmp_path: Path) -> None:
    takes = shipped_takes()
    takes.save(tmp_path / "takes.npz")
    again = BallTakes.load(tmp_path / "takes.npz")
    assert again.skeleton.matches(takes.skeleton) and again.skeleton.roles == takes.skeleton.roles
    for name in TAKE_NAMES:
        np.testing.assert_array_equal(again.takes[name].clip.rotations, takes.takes[name].clip.rotations)
        assert again.takes[name].contact == takes.takes[name].contact
    np.testing.assert_array_equal(again.holding, takes.holding)


def test_another_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FootfallError, match="contains no ball play"):
        BallTakes.load(tmp_path / "gone.npz")
    np.savez(tmp_path / "other.npz", rate=np.array(60.0))
    with pytest.raises(FootfallError, match="contains no ball play"):
        BallTakes.load(tmp_path / "other.npz")


def test_takes_at_another_rate_have_their_contact_at_the_same_time() -> None:
    takes = shipped_takes()
    assert takes.resampled(60.0) is takes
    for name, take in takes.resampled(30.0).takes.items():
        assert take.clip.rate == 30.0 and abs(take.contact / 30.0 - takes.takes[name].contact / 60.0) < 0.018
