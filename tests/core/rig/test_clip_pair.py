"""Pairs of clips and their tables: read, and refused in a sentence."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.motion.bvh import write_bvh
from footfall.core.rig.clip_pair import ClipPair, find_pair, read_pairs
from footfall.tests.support.walker import Walker


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table and a pair of clips in a sub-folder, a meter apart."""
    clip = Walker(seconds=1.0).clip()
    (tmp_path / "dance").mkdir()
    write_bvh(tmp_path / "dance" / "a.bvh", clip)
    write_bvh(
        tmp_path / "dance" / "b.bvh", replace(clip, root_positions=clip.root_positions + np.array([1.0, 0.0, 0.0]))
    )
    (tmp_path / "PAIRS.csv").write_text("file_a,file_b,frames\na.bvh,b.bvh,60\n")
    return tmp_path


def test_a_table_names_pairs_in_one_space(folder: Path) -> None:
    (pair,) = read_pairs(folder / "PAIRS.csv")
    assert pair == ClipPair(folder / "dance" / "a.bvh", folder / "dance" / "b.bvh")
    leader, follower = pair.read()
    apart = follower.root_positions - leader.root_positions
    np.testing.assert_allclose(apart, np.tile([1.0, 0.0, 0.0], (len(leader), 1)), atol=1e-5)


def test_a_clip_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "PAIRS.csv").write_text("file_a,file_b\na.bvh,c.bvh\n")
    with pytest.raises(FootfallError, match=r"'c\.bvh', listed in 'PAIRS\.csv', does not exist"):
        read_pairs(folder / "PAIRS.csv")


@pytest.mark.parametrize("text", ("", "first,second\na.bvh,b.bvh\n", "file_a,file_b\na.bvh,\n"))
def test_a_table_without_the_columns_is_refused(folder: Path, text: str) -> None:
    (folder / "PAIRS.csv").write_text(text)
    with pytest.raises(FootfallError, match="not a table of pairs"):
        read_pairs(folder / "PAIRS.csv")


def test_clips_of_unequal_length_are_no_pair(folder: Path) -> None:
    write_bvh(folder / "dance" / "b.bvh", Walker(seconds=2.0).clip())
    (pair,) = read_pairs(folder / "PAIRS.csv")
    with pytest.raises(FootfallError, match="do not match"):
        pair.read()


def test_the_captured_pairs_are_as_far_apart_as_their_table_says(shared_data: Path) -> None:
    pairs = read_pairs(shared_data / "mocap" / "cmu_daz_pairs" / "PAIRS.csv")
    assert len(pairs) == 19
    leader, follower = next(pair for pair in pairs if pair.leader.name == "60_15b.bvh").read()
    hips = leader.skeleton.joint("hips"), follower.skeleton.joint("hips")
    apart = np.linalg.norm(leader.positions[:, hips[0]] - follower.positions[:, hips[1]], axis=-1)
    np.testing.assert_allclose([apart.min(), apart.max()], [0.261, 1.164], atol=0.005)


def test_a_clip_s_pair_is_that_of_the_table_in_its_own_folder_first(folder: Path) -> None:
    dance = folder / "dance"
    (dance / "PAIRS.csv").write_text("file_a,file_b\nb.bvh,a.bvh\n")
    assert find_pair(dance / "a.bvh") == ClipPair(dance / "b.bvh", dance / "a.bvh")


def test_a_clip_that_no_table_names_has_no_pair(folder: Path) -> None:
    other = folder / "dance" / "other.bvh"
    other.write_bytes((folder / "dance" / "a.bvh").read_bytes())
    assert find_pair(other) is None
    (folder / "PAIRS.csv").unlink()
    assert find_pair(folder / "dance" / "a.bvh") is None


def test_a_damaged_table_beside_a_clip_is_refused(folder: Path) -> None:
    (folder / "PAIRS.csv").write_text("first,second\n")
    with pytest.raises(FootfallError, match="not a table of pairs"):
        find_pair(folder / "dance" / "a.bvh")
    (folder / "PAIRS.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FootfallError, match="cannot be read as a table of pairs"):
        find_pair(folder / "dance" / "a.bvh")
