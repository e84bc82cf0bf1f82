"""Files of balls."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.ball_track import BallTrack, ball_file, read_ball, write_ball
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.dribbler import Dribbler
from footfall.tests.support.walker import Walker


@pytest.fixture(scope="module")
def clip() -> Clip:
    return Walker(seconds=0.5).clip()


def track_beside(clip: Clip) -> BallTrack:
    frames = np.arange(len(clip))
    positions = np.column_stack([0.01 * frames, -0.02 * frames, 1.0 + 0.0 * frames])
    contacts = np.column_stack([frames < 5, frames < 10])
    rotations = from_axis_angle(np.tile([1.0, 0.0, 0.0], (len(clip), 1)), 0.1 * frames)
    return BallTrack(clip.rate, 0.12, positions, rotations, contacts)


def test_what_is_written_is_read(clip: Clip, tmp_path: Path) -> None:
    written = track_beside(clip)
    file = ball_file(tmp_path / "play.bvh")
    assert file.name == "play.ball.csv"
    write_ball(file, written)
    read = read_ball(file, clip)
    np.testing.assert_allclose(read.positions, written.positions, atol=1e-5)
    np.testing.assert_allclose(read.rotations, written.rotations, atol=1e-6)
    np.testing.assert_array_equal(read.contacts, written.contacts)
    header, _, second, *_ = file.read_text().splitlines()
    assert header.startswith("frame,x_cm,y_cm,z_cm,hand_contact,left,right,qw")
    assert second.startswith("1,1.000,100.000,2.000,1,1,1,"), "centimeters, Y up"


def test_contacts_of_any_hand_are_those_of_the_near_hands(clip: Clip, tmp_path: Path) -> None:
    left, right = (clip.positions[:, clip.skeleton.joint(f"hand.{side}")] for side in "LR")
    lines = ["frame,x_cm,y_cm,z_cm,hand_contact"]
    for frame in range(len(clip)):
        x, y, z = 100.0 * (left[frame] + [0.1, 0.0, 0.0])
        lines.append(f"{frame},{x},{z},{-y},{int(frame < 4)}")
    file = tmp_path / "captured.ball.csv"
    file.write_text("\n".join(lines))
    assert np.linalg.norm(left - right, axis=1).min() > 0.3
    read = read_ball(file, clip)
    np.testing.assert_array_equal(read.contacts[:, 0], np.arange(len(clip)) < 4)
    assert not read.contacts[:, 1].any()
    np.testing.assert_allclose(read.positions - left, np.tile([0.1, 0.0, 0.0], (len(clip), 1)), atol=1e-9)


@pytest.mark.parametrize("text", ["", "frame,x_cm\n0,1", "frame,x_cm,y_cm,z_cm,hand_contact\n0,1,2,nan,0", "\x00\x01"])
def test_other_files_are_refused(clip: Clip, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.ball.csv"
    file.write_text(text)
    with pytest.raises(
        FootfallError, match=r"is not a ball file: it needs the columns frame, x_cm, y_cm, z_cm and hand_contact"
    ):
        read_ball(file, clip)


def test_the_file_of_another_clip_is_refused(clip: Clip, tmp_path: Path) -> None:
    file = tmp_path / "walk.ball.csv"
    write_ball(file, track_beside(clip))
    with pytest.raises(FootfallError, match=f"has {len(clip)} frames, but its clip"):
        read_ball(file, clip.cut(0, 10))


def test_a_captured_ball_is_known_throughout() -> None:
    track = Dribbler().ball()
    np.testing.assert_array_equal(track.known_runs(0.7), [[0, len(track)]])


def test_an_inferred_ball_is_known_from_contact_to_contact() -> None:
    track = Dribbler().ball()
    contacts = track.contacts.copy()
    contacts[:60] = contacts[150:220] = contacts[-20:] = False
    guessed = replace(track, contacts=contacts, is_inferred=True)
    found = guessed.known_runs(0.7)
    held = np.flatnonzero(contacts.any(axis=1))
    assert found[0, 0] == held[0] and found[-1, 1] == held[-1] + 1
    assert len(found) == 2 and found[0, 1] <= 150 and found[1, 0] >= 220
    np.testing.assert_array_equal(replace(guessed, contacts=contacts & False).known_runs(0.7), np.zeros((0, 2)))


def test_in_the_mirror_the_other_hand_touches_it() -> None:
    track = Dribbler().ball()
    mirrored = track.mirrored()
    np.testing.assert_array_equal(mirrored.contacts[:, 0], track.contacts[:, 1])
    np.testing.assert_allclose(mirrored.positions, track.positions * [-1.0, 1.0, 1.0])
    turned = replace(track, rotations=np.tile(from_axis_angle([0.0, 0.0, 1.0], 0.5), (len(track), 1))).mirrored()
    np.testing.assert_allclose(turned.rotations[0], from_axis_angle([0.0, 0.0, 1.0], -0.5))
