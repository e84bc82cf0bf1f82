"""Damaged data sets, full disks and builds that were stopped."""

import errno
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.atomic import is_disk_full
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetError, DatasetSettings


def test_a_full_disk_is_reported_with_its_folder_and_leaves_nothing_half_written(
    tmp_path: Path, walks: list[Path], monkeypatch: pytest.MonkeyPatch
):
    def full(file: BinaryIO, header: object) -> None:
        """Write the first bytes; as on a real disk, the error names no file."""
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched, pytest.raises(DatasetError) as told:
        patched.setattr(np.lib.format, "write_array_header_1_0", full)
        build_dataset(walks[:2], tmp_path, workers=1)
    assert str(told.value) == f"The disk of '{tmp_path}' is full: free space and build again"
    assert is_disk_full(told.value), "a run that builds it tells of its own"
    assert not list(tmp_path.rglob("*.part*"))
    assert len(build_dataset(walks[:2], tmp_path, workers=1).clips) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[:500], "manifest.*damaged"),
        (lambda text: "[]", "manifest.*damaged"),
        (lambda text: "{}", "has format None"),
        (lambda text: text.replace('"format_version": 1', '"format_version": 7'), "has format 7"),
        (lambda text: text.replace('"x_mean"', '"x_men"'), "manifest.*damaged"),
        (lambda text: text.replace('"start"', '"stop"'), "manifest.*damaged"),
        (lambda text: text.replace("trajectory.gait", "trajectory.gate"), "a different input layout.*trajectory.gate"),
        (lambda text: json.dumps({**json.loads(text), "clips": []}), "do not match each other"),
    ],
)
def test_a_damaged_manifest_is_one_clear_sentence(
    tmp_path: Path, dataset: Dataset, change: Callable[[str], str], words: str
):
    shutil.copytree(dataset.path, tmp_path / "set")
    manifest = tmp_path / "set" / "manifest.json"
    manifest.write_text(change(manifest.read_text()))
    with pytest.raises(DatasetError, match=words):
        Dataset.open(tmp_path / "set")


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of a nested value, the first two of each list."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _places(part, (*path, key))


def test_a_manifest_with_anything_in_the_place_of_anything_is_refused_or_read(own_dataset: Dataset) -> None:
    """134 of 3838 damaged manifests ended with a traceback."""
    file = own_dataset.path / "manifest.json"
    text = file.read_text()
    junk: list[object] = [None, 5, "x", [], {}, [[]], -1, 2**62, 1e300]
    for number, place in enumerate(_places(json.loads(text))):
        document = json.loads(text)
        holder: Any = document
        for key in place[:-1]:
            holder = holder[key]
        if place:
            holder[place[-1]] = junk[number % len(junk)]
        file.write_text(json.dumps(document if place else junk))
        with suppress(FootfallError):
            Dataset.open(own_dataset.path)
    for damaged in ("[" * 100_000, text.replace("60", "9" * 5000), text.replace("60", "NaN"), text[:-1], ""):
        file.write_text(damaged)
        with pytest.raises(DatasetError):
            Dataset.open(own_dataset.path)


@pytest.mark.parametrize("byte", range(8, 80, 9))
def test_a_damaged_header_of_an_array_is_a_sentence(own_dataset: Dataset, byte: int) -> None:
    path = own_dataset.path / "shards" / own_dataset.clips[0].shard / "x.npy"
    content = bytearray(path.read_bytes())
    for junk in (b"'", b"(", b"\x00", b"9"):
        content[byte : byte + 1] = junk
        path.write_bytes(content)
        with suppress(FootfallError):
            Dataset.open(own_dataset.path)
    content[10:14] = b"{((\x00"
    path.write_bytes(content)
    with pytest.raises(FootfallError, match=r"damaged .*: build the data set again"):
        Dataset.open(own_dataset.path)


def test_samples_stay_until_the_manifest_names_new_ones(
    tmp_path: Path, write_walk: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    clip, settings = write_walk(tmp_path / "clips" / "walk.bvh", speed=1.0), DatasetSettings(validation_share=0.0)
    old = build_dataset([clip], tmp_path / "set", settings, workers=1)
    samples = old.samples(old.clips[0])[0].copy()
    write_walk(clip, speed=1.2)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Path, "replace", interrupted)
        build_dataset([clip], tmp_path / "set", settings, workers=1)
    kept = Dataset.open(tmp_path / "set")
    assert kept.manifest == old.manifest and np.array_equal(kept.samples(kept.clips[0])[0], samples)
    new = build_dataset([clip], tmp_path / "set", settings, workers=1)
    assert new.clips[0].shard != old.clips[0].shard
    assert [path.name for path in (tmp_path / "set" / "shards").iterdir()] == [new.clips[0].shard]


def interrupted(path: Path, to: Path) -> Path:
    """Move a file, unless it is a manifest."""
    if to.name == "manifest.json":
        raise KeyboardInterrupt
    return path.rename(to)
