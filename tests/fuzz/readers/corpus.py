"""Valid files to begin with, made by the project's own writers, each once per process."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from footfall.core.labelling.labeller import label_clip
from footfall.core.labelling.labels import Labels
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh
from footfall.tests.support.walker import Walker
from footfall.tools.build.folders import SHARED

ROOT: Final = Path(__file__).resolve().parents[3]
PRESETS: Final = ROOT / "presets"
MAX_REAL_BYTES: Final = 200_000
"""Bytes of a real clip that inputs are made from; every input is written and read as a whole."""

Prepare = Callable[[Path], Sequence[bytes]]


@cache
def walk() -> Clip:
    """Two seconds of a procedural walk."""
    return Walker(seconds=2.0).clip()


@cache
def walk_labels() -> Labels:
    return label_clip(walk())


@cache
def walk_bvh() -> bytes:
    return written(lambda path: write_bvh(path, walk()), "walk.bvh")


def written(write: Callable[[Path], object], name: str) -> bytes:
    """Return what a writer writes to a path."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / name)
        return (Path(folder) / name).read_bytes()


def files(*paths: Path) -> Prepare:
    """Return a corpus of files that are there."""
    return lambda _folder: [path.read_bytes() for path in paths]


def contents(*make: Callable[[], bytes]) -> Prepare:
    """Return a corpus of contents that are made when they are needed."""
    return lambda _folder: [one() for one in make]


def real_clips(pattern: str, count: int = 2) -> list[bytes]:
    """Return the smallest real clips of a pattern below the shared data's ``mocap``; none where there are no data."""
    found = sorted((SHARED / "data" / "mocap").glob(pattern), key=lambda path: (path.stat().st_size, path))
    return [path.read_bytes() for path in found if 0 < path.stat().st_size < MAX_REAL_BYTES][:count]


@cache
def dataset_folder() -> Path:
    """Return the folder of the data set of two walks over patches, with its clips beside it, for this process."""
    from footfall.core.terrain.patches import build_patches
    from footfall.training.data.build import build_dataset
    from footfall.training.data.manifest import DatasetSettings

    folder = Path(tempfile.mkdtemp(prefix="footfall-fuzz-"))
    clips = [folder / "clips" / f"{name}.bvh" for name in ("first", "second")]
    clips[0].parent.mkdir()
    write_bvh(clips[0], Walker(seconds=2.0).clip())
    write_bvh(clips[1], Walker(seconds=2.0, turn=0.3).clip())
    build_patches(folder / "patches", count=20, seed=0)
    settings = DatasetSettings(validation_share=0.5, terrain="fitted", patches=str(folder / "patches"), grounds=2)
    build_dataset(clips, folder / "set", settings, workers=1)
    _name_shards(folder / "set")
    return folder


def _name_shards(folder: Path) -> None:
    """Name the shards of a data set by their clips alone, without the digest of the folder."""
    manifest = (folder / "manifest.json").read_text()
    for shard in list((folder / "shards").iterdir()):
        name = shard.name.partition("-")[0]
        manifest = manifest.replace(shard.name, name)
        shard.rename(shard.with_name(name))
    (folder / "manifest.json").write_text(manifest)


def from_dataset(pattern: str) -> Prepare:
    """Return a corpus of one file of the data set, with a copy of all that belongs to it beside it."""

    def prepare(folder: Path) -> list[bytes]:
        shutil.copytree(dataset_folder(), folder, dirs_exist_ok=True)
        return [next(iter(sorted(folder.glob(pattern)))).read_bytes()]

    return prepare
