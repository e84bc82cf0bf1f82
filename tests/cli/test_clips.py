"""Lists of clips, and names that cannot be files."""

from pathlib import Path

import pytest

from footfall.cli.clips import find_clips, find_tags, find_targets
from footfall.core.errors import FootfallError
from footfall.core.jobs.clip_tags import ClipTags, split_tags


@pytest.mark.parametrize(
    ("name", "reason"), [("a" * 300, "cannot be read: File name too long"), ("none.bvh", "There is no")]
)
def test_a_line_that_names_no_clip_is_told(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "clips.txt").write_text(f"{tmp_path / name}\n")
    with pytest.raises(FootfallError, match=reason):
        find_clips([tmp_path / "clips.txt"])


@pytest.mark.parametrize("twin", ["walk.bvh", "WALK.BVH", "deep/../Walk.bvh"])
def test_two_clips_that_are_one_file_on_disks_without_case_are_refused(twin: str, tmp_path: Path) -> None:
    clips = [(tmp_path / "a" / "Walk.bvh", Path("Walk.bvh")), (tmp_path / "b" / twin, Path(Path(twin).name))]
    with pytest.raises(FootfallError, match=r"Walk\.bvh' and .+ would both be written to '.+': rename one"):
        find_targets(clips, tmp_path / "out", ".labels.npz")
    apart = find_targets([*clips[:1], (tmp_path / "b" / "run.bvh", Path("run.bvh"))], tmp_path / "out", ".labels.npz")
    assert [path.name for path in apart.values()] == ["Walk.labels.npz", "run.labels.npz"]


def test_a_list_with_the_mark_and_the_line_ends_of_windows_names_what_it_says(tmp_path: Path) -> None:
    takes, single = tmp_path / "C# takes", tmp_path / "Jörg Müller = gut.bvh"
    takes.mkdir()
    for path in (takes / "walk.bvh", single):
        path.touch()
    lines = ["# clips", f"{takes} performer=anna # slow", "", f"  {single}\t# last"]
    (tmp_path / "clips.txt").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")
    assert [clip for clip, _ in find_clips([tmp_path / "clips.txt"])] == [takes / "walk.bvh", single]
    assert {clip.name: tags.performer for clip, tags in find_tags([tmp_path / "clips.txt"]).items()} == {
        "walk.bvh": "anna"
    }


@pytest.mark.parametrize(
    "path", ["C:\\Users\\Jörg Müller\\walk.bvh", "\\\\server\\share\\x", "c:walk.bvh", "D:\\a=b\\style=x.bvh"]
)
def test_paths_of_windows_are_read_with_their_tags(path: str) -> None:
    assert split_tags(f"{path} style=sad paces=0.5") == (path, ClipTags(style="sad", paces=(0.5,)))
