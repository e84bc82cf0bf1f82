"""Clips become a data set: what is in it, what is kept when it is built again, and what is said when it is broken."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.features.locomotion import POSE_FEEDBACK_GROUPS
from footfall.core.labelling import label_clip
from footfall.core.motion.bvh import read_bvh
from footfall.training.data.build import build_dataset, relative_names
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetError, DatasetSettings


def rows(dataset: Dataset, split: str | None = None) -> tuple[np.ndarray, np.ndarray]:
    clips = dataset.clips if split is None else dataset.clips_in_split(split)
    x, y, _ = zip(*(dataset.samples(clip) for clip in clips), strict=True)
    return np.concatenate(x), np.concatenate(y)


def stamps(dataset: Dataset) -> dict[str, int]:
    """When each clip's samples were last written."""
    return {clip.file: (dataset.path / "shards" / clip.shard / "x.npy").stat().st_mtime_ns for clip in dataset.clips}


def test_every_clip_is_there_once_plain_and_once_mirrored(dataset: Dataset):
    assert [clip.file for clip in dataset.clips] == ["quick.bvh", "slow.bvh", "small.bvh", "turning.bvh"]
    for clip in dataset.clips:
        assert [sequence.variant for sequence in clip.sequences] == ["speed 1, bend 0", "speed 1, bend 0, mirrored"]
        assert clip.sequences[0].stop == clip.sequences[1].start
        assert clip.sequences[-1].stop == clip.samples
        x, y, phase = dataset.samples(clip)
        assert x.shape == (clip.samples, dataset.input_layout.size)
        assert y.shape == (clip.samples, dataset.output_layout.size)
        assert phase.shape == (clip.samples,)
        assert isinstance(x, np.memmap)


def test_consecutive_rows_are_consecutive_frames(dataset: Dataset):
    """The pose that one row answers is the pose that the next row is given."""
    for clip in dataset.clips:
        x, y, _ = dataset.samples(clip)
        for sequence in clip.sequences:
            span = slice(sequence.start, sequence.stop)
            for name in POSE_FEEDBACK_GROUPS:
                given = dataset.input_layout.view(x[span], name)[1:]
                np.testing.assert_array_equal(given, dataset.output_layout.view(y[span], name)[:-1])


def test_mirrored_walkers_turn_the_other_way(dataset: Dataset):
    clip = next(clip for clip in dataset.clips if clip.file == "turning.bvh")
    _, y, phase = dataset.samples(clip)
    turn = dataset.output_layout.view(y, "root.angular_velocity")[:, 0]
    plain, mirrored = (slice(sequence.start, sequence.stop) for sequence in clip.sequences)
    np.testing.assert_allclose(turn[plain], -turn[mirrored], atol=1e-4)
    np.testing.assert_allclose((phase[mirrored] - phase[plain]) % 1.0, 0.5, atol=1e-5)


def test_other_speeds_are_other_paces_of_the_same_steps(tmp_path: Path, walks: list[Path]):
    dataset = build_dataset(walks[:1], tmp_path, DatasetSettings(mirror=False, speeds=(1.0, 0.8)), workers=1)
    clip = dataset.clips[0]
    _, y, _ = dataset.samples(clip)
    speed = np.linalg.norm(dataset.output_layout.view(y, "root.velocity"), axis=-1)
    rate = dataset.output_layout.view(y, "phase.rate")[:, 0]
    usual, slower = (slice(sequence.start, sequence.stop) for sequence in clip.sequences)
    assert speed[slower].mean() == pytest.approx(0.8 * speed[usual].mean(), rel=0.02)
    assert rate[slower].mean() == pytest.approx(0.8 * rate[usual].mean(), rel=0.02)
    assert clip.sequences[1].stop - slower.start == pytest.approx((usual.stop + 3) / 0.8 - 3, abs=2)


def test_actors_of_several_sizes_get_one_skeleton_the_same_on_both_sides(dataset: Dataset):
    skeleton = dataset.skeleton
    assert skeleton.leg_length == pytest.approx(0.84, rel=1e-3)  # three of four actors have it
    left, right = skeleton.names.index("lfemur"), skeleton.names.index("rfemur")
    np.testing.assert_allclose(skeleton.offsets[left], skeleton.offsets[right] * [-1, 1, 1])
    assert dataset.reference_rotations.shape == (len(dataset.joints), 4)
    rotations = dataset.output_layout.view(rows(dataset)[1], "pose.rotation")
    assert np.linalg.norm(rotations, axis=-1).max() < 2.0  # far from the seam of the exponential map


def test_normalisation_averages_deviations_over_each_group(dataset: Dataset):
    x, _ = rows(dataset, "training")
    normal, layout = dataset.normalization, dataset.input_layout
    np.testing.assert_allclose(normal.x_mean, x.mean(axis=0), atol=1e-4)
    own = x.astype(float).std(axis=0)
    where = layout.slices["trajectory.position"]
    np.testing.assert_allclose(normal.x_std[where], own[where].mean(), rtol=1e-4)
    where = layout.slices["pose.position"]
    np.testing.assert_allclose(normal.x_std[where], own[where].mean() / 0.1, rtol=1e-4)
    np.testing.assert_array_equal(normal.x_std[layout.slices["terrain.height"]], 1.0)  # flat: nothing varies


def test_the_split_is_by_take_and_the_same_for_the_same_seed(tmp_path: Path, walks: list[Path], dataset: Dataset):
    assert len(dataset.clips_in_split("validation")) == 1
    assert {clip.file for clip in dataset.clips_in_split("training")}.isdisjoint(
        clip.file for clip in dataset.clips_in_split("validation")
    )
    again = build_dataset(walks, tmp_path / "again", DatasetSettings(validation_share=0.2), workers=1)
    assert again.digest == dataset.digest
    for name in ("one", "two"):  # the same take on two rigs stays together
        (tmp_path / name).mkdir()
        for walk in walks[:2]:
            shutil.copy(walk, tmp_path / name / walk.name)
    two_rigs = build_dataset(
        sorted(tmp_path.glob("*/*.bvh")), tmp_path / "rigs", DatasetSettings(validation_share=0.1), workers=1
    )
    assert len({Path(clip.file).stem for clip in two_rigs.clips_in_split("validation")}) == 1
    assert len(two_rigs.clips_in_split("validation")) == 2


def test_the_start_is_a_real_standing_frame(dataset: Dataset):
    assert dataset.start["position"].shape == dataset.start["velocity"].shape == (len(dataset.joints), 3)
    assert dataset.start["rotation"].shape == (len(dataset.joints), 4)
    assert np.abs(dataset.start["velocity"]).max() < 0.1
    toes = [dataset.joints.index(name) for name in ("ltoes", "rtoes")]
    assert dataset.start["position"][toes, 2].max() < 0.06


def test_building_again_keeps_unchanged_shards(tmp_path: Path, walks: list[Path], write_walk: Callable[..., Path]):
    clips = [Path(shutil.copy(walk, tmp_path / walk.name)) for walk in walks[:3]]
    before = stamps(build_dataset(clips, tmp_path / "set", workers=1))
    write_walk(clips[1], speed=1.3)
    after = stamps(build_dataset(clips, tmp_path / "set", workers=1))
    assert [name for name in after if after[name] != before[name]] == [clips[1].name]
    read = read_bvh(clips[0])
    label_clip(read).save(clips[0].with_suffix(".labels.npz"))
    relabelled = stamps(build_dataset(clips, tmp_path / "set", workers=1))
    assert [name for name in after if relabelled[name] != after[name]] == [clips[0].name]
    without_mirror = build_dataset(clips, tmp_path / "set", DatasetSettings(mirror=False), workers=1)
    assert all(stamp != relabelled[name] for name, stamp in stamps(without_mirror).items())


def test_a_part_that_is_broken_is_built_again(tmp_path: Path, walks: list[Path]):
    dataset = build_dataset(walks[:2], tmp_path, workers=1)
    part = tmp_path / "shards" / dataset.clips[0].shard / "y.npy"
    part.write_bytes(part.read_bytes()[:1000])
    with pytest.raises(FootfallError, match=r"damaged.*build the data set again"):
        Dataset.open(tmp_path)
    build_dataset(walks[:2], tmp_path, workers=1)
    assert Dataset.open(tmp_path).digest == dataset.digest


def test_files_damaged_by_a_power_failure_are_built_again(tmp_path: Path, walks: list[Path]):
    """Every file of a data set cut off, or with zeros in it: never an error of another kind than ours."""
    dataset = build_dataset(walks[:2], tmp_path, workers=1)
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    generator = np.random.default_rng(1)
    for path, content in kept.items():
        for damaged in (content[: generator.integers(len(content))], _with_zeros(content, generator)):
            path.write_bytes(damaged)
            if path.suffix != ".npy" or damaged[:128] != content[:128] or len(damaged) < len(content):
                with suppress(FootfallError):
                    Dataset.open(tmp_path)
                assert build_dataset(walks[:2], tmp_path, workers=1).digest == dataset.digest, path.name
            path.write_bytes(content)


def _with_zeros(content: bytes, generator: np.random.Generator) -> bytes:
    start = int(generator.integers(len(content)))
    end = min(start + 512, len(content))
    return content[:start] + bytes(end - start) + content[end:]


def test_half_written_files_of_a_build_that_was_killed_go(tmp_path: Path, walks: list[Path]):
    dataset = build_dataset(walks[:2], tmp_path, workers=1)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    half = tmp_path / "shards" / f"slow-{ended.pid}.partial"
    half.mkdir()
    (half / "x.npy").write_bytes(b"half")
    left_over = [tmp_path / f".manifest.json.{ended.pid}.part", tmp_path / "takes" / f".slow.npz.{ended.pid}.part"]
    for path in left_over:
        path.write_bytes(b"half")
    build_dataset(walks[:2], tmp_path, workers=1)
    assert not any(path.exists() for path in left_over)
    assert {path.name for path in (tmp_path / "shards").iterdir()} == {clip.shard for clip in dataset.clips}


def test_samples_are_on_the_disk_before_they_count(tmp_path: Path, walks: list[Path], monkeypatch: pytest.MonkeyPatch):
    synced: list[int] = []
    named: dict[str, set[int]] = {}
    sync, rename = os.fsync, Path.rename

    def told_sync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        sync(descriptor)

    def told_rename(self: Path, target: Path) -> Path:
        named[target.name] = {file.stat().st_ino for file in self.iterdir()}
        assert named[target.name] <= set(synced)
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", told_sync)
    monkeypatch.setattr(Path, "rename", told_rename)
    dataset = build_dataset(walks[:2], tmp_path, workers=1)
    assert set(named) == {clip.shard for clip in dataset.clips}


def test_labels_beside_a_clip_replace_its_own(tmp_path: Path, walks: list[Path]):
    clip = Path(shutil.copy(walks[0], tmp_path / "walk.bvh"))
    labels = label_clip(read_bvh(clip))
    replace(labels, phase=(labels.phase + 0.25) % 1.0).save(tmp_path / "walk.labels.npz")
    corrected = build_dataset([clip], tmp_path / "a", DatasetSettings(mirror=False), workers=1)
    (tmp_path / "walk.labels.npz").unlink()
    own = build_dataset([clip], tmp_path / "b", DatasetSettings(mirror=False), workers=1)
    shift = corrected.samples(corrected.clips[0])[2] - own.samples(own.clips[0])[2]
    walking = ~labels.standing[2:-1]
    assert walking[:100].all()
    np.testing.assert_allclose(shift[:100] % 1.0, 0.25, atol=1e-5)


def test_a_clip_that_cannot_be_used_is_skipped_with_its_reason(
    tmp_path: Path, walks: list[Path], write_walk: Callable[..., Path]
):
    (tmp_path / "broken.bvh").write_text("HIERARCHY nonsense")
    short = write_walk(tmp_path / "short.bvh", seconds=0.03)
    mislabelled = Path(shutil.copy(walks[0], tmp_path / "mislabelled.bvh"))
    label_clip(read_bvh(walks[3])).save(tmp_path / "mislabelled.labels.npz")
    clips = [walks[1], tmp_path / "broken.bvh", tmp_path / "missing.bvh", short, mislabelled]
    dataset = build_dataset(clips, tmp_path / "set", workers=1)
    reasons = {Path(skipped["file"]).name: skipped["reason"] for skipped in dataset.manifest["skipped"]}
    assert set(reasons) == {"broken.bvh", "missing.bvh", "short.bvh", "mislabelled.bvh"}
    assert "broken.bvh" in reasons["broken.bvh"]
    assert "cannot be read" in reasons["missing.bvh"]
    assert "short" in reasons["short.bvh"]
    assert "label the clip again" in reasons["mislabelled.bvh"]
    assert [Path(clip.file).name for clip in dataset.clips] == ["quick.bvh"]


def test_several_processes_build_the_same_as_one(tmp_path: Path, walks: list[Path], dataset: Dataset):
    (tmp_path / "broken.bvh").write_text("HIERARCHY nonsense")
    seen: list[tuple[int, int]] = []
    parallel = build_dataset(
        [*walks, tmp_path / "broken.bvh"],
        tmp_path / "set",
        DatasetSettings(validation_share=0.2),
        workers=2,
        progress=lambda done, total, text: seen.append((done, total)),
    )
    assert len(parallel.manifest["skipped"]) == 1
    assert (seen[0], seen[-1][1], len(seen)) == ((1, 10), 10, 9)
    for one, other in zip(parallel.clips, dataset.clips, strict=True):
        np.testing.assert_array_equal(parallel.samples(one)[0], dataset.samples(other)[0])


def test_no_clip_at_all(tmp_path: Path):
    with pytest.raises(DatasetError, match="no clips"):
        build_dataset([], tmp_path)
    with pytest.raises(DatasetError, match=r"None of the 1 clips.*missing\.bvh"):
        build_dataset([tmp_path / "missing.bvh"], tmp_path, workers=1)


@pytest.mark.parametrize(
    ("joint", "words"), [("tail", "joint 'tail' cannot be excluded"), ("lfoot", "walking needs it")]
)
def test_a_joint_that_cannot_be_excluded(tmp_path: Path, walks: list[Path], joint: str, words: str):
    with pytest.raises(DatasetError, match=words):
        build_dataset(walks[:1], tmp_path, DatasetSettings(exclude_joints=(joint,)), workers=1)


def test_no_ones_folders_are_in_the_manifest(dataset: Dataset, walks: list[Path]):
    assert str(walks[0].parent) not in (dataset.path / "manifest.json").read_text()
    assert os.sep not in dataset.clips[0].file


@pytest.mark.slow
def test_real_walks_make_a_data_set_with_their_credits(tmp_path: Path, shared_data: Path):
    folder = shared_data / "mocap" / "cmu_asfamc" / "walk"
    dataset = build_dataset([folder / "02_01.bvh", folder / "07_01.bvh"], tmp_path, workers=1)
    assert dataset.manifest["skipped"] == []
    assert len(dataset.joints) == 23
    assert "mocap.cs.cmu.edu" in dataset.clips[0].credit
    _, y = rows(dataset)
    forward = dataset.output_layout.view(y, "root.velocity")[:, 1]
    assert 0.9 < forward.mean() < 1.8


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ([PurePosixPath("/a/b/c.bvh")], ["c.bvh"]),
        ([PurePosixPath("/a/b/c.bvh"), PurePosixPath("/a/d.bvh")], ["b/c.bvh", "d.bvh"]),
        ([PurePosixPath("/a.bvh"), PurePosixPath("/b/c.bvh")], ["a.bvh", "b/c.bvh"]),
        ([PureWindowsPath("C:\\Jörg\\a.bvh"), PureWindowsPath("c:\\jörg\\B\\c.bvh")], ["a.bvh", "B/c.bvh"]),
        (
            [
                PureWindowsPath("C:\\x\\a.bvh"),
                PureWindowsPath("D:\\y\\b.bvh"),
                PureWindowsPath("\\\\server\\share\\a.bvh"),
            ],
            ["drive2/a.bvh", "drive3/b.bvh", "drive1/a.bvh"],
        ),
    ],
)
def test_clips_are_named_below_their_common_folder_on_each_drive(paths: list[PurePath], names: list[str]) -> None:
    assert list(map(relative_names(paths).get, paths)) == names
