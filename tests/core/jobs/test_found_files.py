"""Files below a folder: all of a kind, in bounded time, whatever is done to the folders meanwhile."""

import os
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.found_files import MAX_FOLDERS, files_below


def test_files_of_all_folders_are_found_sorted_and_whatever_the_case_of_their_suffix(tmp_path: Path) -> None:
    for name in ("b/walk.BVH", "a/run.bvh", "a/deep/er/jump.Bvh", "a/notes.txt", "a/bvh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [file.relative_to(tmp_path).as_posix() for file in files_below(tmp_path, (".bvh",))]
    assert found == ["a/deep/er/jump.Bvh", "a/run.bvh", "b/walk.BVH"]


def test_a_link_to_a_folder_above_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "walk.bvh").touch()
    (tmp_path / "round").symlink_to(tmp_path)
    assert files_below(tmp_path, (".bvh",)) == [tmp_path / "walk.bvh"]


def test_a_folder_that_is_removed_meanwhile_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "walk.bvh").touch()
    scandir = os.scandir

    def removed_before(place: str) -> object:
        if Path(place).name == "b":
            raise FileNotFoundError(place)
        return scandir(place)

    monkeypatch.setattr(os, "scandir", removed_before)
    monkeypatch.setattr(os, "listdir", removed_before)
    assert files_below(tmp_path, (".bvh",)) == [tmp_path / "a" / "walk.bvh"]


def test_a_whole_disk_is_refused_with_a_sentence(tmp_path: Path) -> None:
    for number in range(MAX_FOLDERS):
        (tmp_path / str(number)).mkdir()
    assert files_below(tmp_path, (".bvh",)) == []
    (tmp_path / "more").mkdir()
    with pytest.raises(
        FootfallError, match=rf"'.*' contains more than {MAX_FOLDERS} folders: choose a subfolder closer to the files$"
    ):
        files_below(tmp_path, (".bvh",))
