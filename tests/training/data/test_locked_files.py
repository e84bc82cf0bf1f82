"""Data sets on a disk that locks open files, as that of Windows."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion.bvh import write_bvh
from footfall.tests.support.walker import Walker
from footfall.tests.support.windows_disk import WindowsDisk
from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings
from footfall.training.data.samples import write_memory_maps
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset

SETTINGS = DatasetSettings(validation_share=0.5)
TAKES = InteractionDatasetSettings(takes=3, validation_share=0.34)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WindowsDisk:
    return WindowsDisk(tmp_path, monkeypatch)


def clips(folder: Path, turn: float = 0.0) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / "first.bvh", folder / "second.bvh"]
    for number, path in enumerate(paths):
        write_bvh(path, Walker(seconds=2.0, turn=turn + 0.2 * number).clip())
    return paths


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_data_set_is_built_and_built_again_while_it_is_mapped(disk: WindowsDisk) -> None:
    out = disk.root / "set"
    first = build_dataset(clips(disk.root / "clips"), out, SETTINGS, workers=1)
    mapped = [first.samples(clip) for clip in first.clips]
    disk.hold(out / "manifest.json", times=2)
    again = build_dataset(clips(disk.root / "clips", turn=0.1), out, SETTINGS, workers=1)
    assert again.digest != first.digest and Dataset.open(out).digest == again.digest and mapped
    assert not [path for path in out.rglob("*") if ".part" in path.name]


def test_a_manifest_that_stays_open_is_named_and_the_data_set_is_as_it_was(disk: WindowsDisk) -> None:
    out = disk.root / "set"
    digest = build_dataset(clips(disk.root / "clips"), out, SETTINGS, workers=1).digest
    disk.hold(out / "manifest.json")
    with pytest.raises(PermissionError) as told:
        build_dataset(clips(disk.root / "clips", turn=0.1), out, SETTINGS, workers=1)
    assert told.value.filename == str(out / "manifest.json")
    assert Dataset.open(out).digest == digest
    assert not [path for path in out.rglob("*") if ".part" in path.name]


def test_a_data_set_of_takes_is_built_and_built_again(disk: WindowsDisk) -> None:
    out = disk.root / "set"
    for key in ("", "key", "key"):
        build_interaction_dataset(walker_take, BODY, out, TAKES, key=key)
    assert parts(out) == ["manifest.json", "shards"]


def test_takes_that_are_mapped_elsewhere_are_named_and_kept(disk: WindowsDisk) -> None:
    out = disk.root / "set"
    digest = build_interaction_dataset(walker_take, BODY, out, TAKES).digest
    disk.hold(out / "shards" / "take-00000" / "x.npy")
    with pytest.raises(PermissionError) as told:
        build_interaction_dataset(walker_take, BODY, out, TAKES)
    assert told.value.filename == str(out / "shards")
    assert Dataset.open(out).digest == digest and parts(out) == ["manifest.json", "shards"]


def test_a_second_run_maps_files_of_its_own_where_the_first_has_them_mapped(disk: WindowsDisk) -> None:

    paths = [disk.root / f"train.{name}.cache" for name in ("x", "y", "phase")]

    def blocks(value: float) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        return [tuple(np.full((2, size), value, np.float32) for size in (3, 2, 1))]

    first = write_memory_maps(blocks(1.0), paths, (3, 2, 1))
    second = write_memory_maps(blocks(2.0), paths, (3, 2, 1))
    assert [array.max() for array in first] == [1.0] * 3 and [array.max() for array in second] == [2.0] * 3
    del first, second
    write_memory_maps(blocks(3.0), paths, (3, 2, 1))
    assert len(parts(disk.root)) == 6, "the names of the first are used again, and no others are left"
