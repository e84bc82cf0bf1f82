"""Readers of the trainer: settings, sources, data sets and their caches, takes and checkpoints."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from footfall.core.jobs.run_folder import RunFolder
from footfall.training.config.config import TrainingConfig
from footfall.training.config.run_config import RunConfig
from footfall.training.data.animal_takes import is_prepared
from footfall.training.data.clip_cache import analyze_clip, clip_key, load_analysis
from footfall.training.data.dataset import Dataset
from footfall.training.data.dataset_folder import read_network_skeleton, require_dataset_folder
from footfall.training.data.sources import source_of
from footfall.training.interactions.dataset import has_key
from footfall.training.interactions.take_record import LABEL_NAMES, TakeRecord

from ..reader import Reader
from .corpus import PRESETS, contents, dataset_folder, files, from_dataset, walk, written

SOURCE: Final = b'name = "Walks"\nlicence = "CC0-1.0"\ncredit = "us"\n'
DATASET: Final = "set"


def _run_config(folder: Path) -> list[bytes]:
    clip = folder / "walk.bvh"
    plain = RunConfig(TrainingConfig(), (clip,)).to_toml()
    return [plain.encode(), plain.replace("[training]", '[origin]\ncontroller = "a.safetensors"\n[training]').encode()]


def _open_dataset(folder: Path) -> object:
    """Read all of a data set, as a training does."""
    dataset = Dataset.open(folder)
    return dataset.digest, [dataset.samples_on_terrain(clip) for clip in dataset.clips], dataset.start, dataset.task


def _opened_above(levels: int) -> Callable[[Path], object]:
    return lambda path: _open_dataset(path.parents[levels])


def _analysis(folder: Path) -> list[bytes]:
    clip = dataset_folder() / "clips" / "first.bvh"
    analyze_clip(clip, folder)
    file = next(path for path in folder.rglob("*.npz") if not path.name.endswith(".labels.npz"))
    content = file.read_bytes()
    file.rename(folder / "analysis.npz")
    shutil.move(file.with_suffix(".labels.npz"), folder / "analysis.labels.npz")
    return [content]


def _read_analysis(path: Path) -> object:
    clip = dataset_folder() / "clips" / "first.bvh"
    return load_analysis(clip, clip_key(clip), path)


def _take() -> bytes:
    frames = len(walk())
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1))
    shapes = {"goal_positions": (3,), "goal_directions": (2,), "actions": (7,), "goal_actions": (7,), "contacts": (5,)}
    arrays = {
        "root_positions": walk().root_positions,
        "rotations": walk().rotations.astype(np.float32),
        "track_positions": walk().root_positions[:, :2],
        "track_yaws": np.zeros(frames),
        **{name: np.zeros((frames, *shapes.get(name, ()))) for name in LABEL_NAMES},
        "goal_object": np.zeros(frames, np.intp),
        "object_names": np.array(["Chair"]),
        "object_kinds": np.array(["seat"]),
        "object_positions": np.zeros((1, frames, 3)),
        "object_rotations": turn[None],
        "cuboid_counts": np.array([1]),
        "cuboid_lower": np.zeros((1, 3)),
        "cuboid_upper": np.ones((1, 3)),
    }
    return written(lambda path: np.savez_compressed(path, **arrays), "take.npz")


def _checkpoint() -> bytes:
    import torch

    from footfall.training.loop.checkpoint import BestNetwork, Checkpoint, to_bytes

    network = {"first.weight": torch.zeros(4, 3), "first.bias": torch.zeros(4)}
    best = BestNetwork("digest", 0, 10, 0.5, 0.6, network)
    learner = {"network": network, "optimizer": {"state": {}, "param_groups": []}}
    return to_bytes(Checkpoint("digest", 0, 10, 10, 1.0, 0.0, 0.5, 0.6, {"best": 0.5}, best, learner))


def _read_checkpoint(path: Path) -> object:
    import torch

    from footfall.training.loop.checkpoint import read_newest

    return read_newest(RunFolder(path.parents[1]), "digest", torch.device("cpu"))


def _autoencoder() -> bytes:
    import torch

    from footfall.training.config.checksummed_file import to_checksummed_bytes
    from footfall.training.phases.train_autoencoder import FORMAT_VERSION

    content = {"format_version": FORMAT_VERSION, "key": "key", "step": 1, "elapsed": 1.0, "done": False}
    return to_checksummed_bytes({**content, "network": {"a": torch.zeros(3)}, "optimiser": {}})


def _read_autoencoder(path: Path) -> object:
    from footfall.training.phases.train_autoencoder import read_state

    return read_state(path, "key")


def _read_phases(path: Path) -> object:
    from footfall.training.phases.phase_conditioning import prepare_folder, read_manifest

    folder = prepare_folder(RunFolder(path.parents[1]), "key")
    return folder, read_manifest(folder)


def _read_rehearsal(path: Path) -> object:
    from footfall.training.fine_tuning.pseudo_rehearsal import open_or_none

    return open_or_none(path.parent)


READERS: Final = (
    Reader(
        "training-settings",
        "own.toml",
        "toml",
        files(*sorted((PRESETS / "training").glob("*.toml"))),
        TrainingConfig.from_file,
    ),
    Reader("run-settings", "config.toml", "toml", _run_config, lambda path: RunConfig.from_run(RunFolder(path.parent))),
    Reader("source", "source.toml", "toml", contents(lambda: SOURCE), lambda path: source_of(path.parent / "walk.bvh")),
    Reader(
        "animal-rig-map",
        "rig_map.toml",
        "toml",
        files(PRESETS / "rigs" / "mann_dog.toml"),
        lambda path: is_prepared(path.parent / "walk.bvh"),
    ),
    Reader("data-set", f"{DATASET}/manifest.json", "json", from_dataset(f"{DATASET}/manifest.json"), _opened_above(0)),
    Reader(
        "network-skeleton",
        f"{DATASET}/network.json",
        "json",
        from_dataset(f"{DATASET}/network.json"),
        lambda path: (read_network_skeleton(path), require_dataset_folder(path.parent), has_key(path.parent, "")),
    ),
    Reader(
        "samples",
        f"{DATASET}/shards/first/x.npy",
        "npy",
        from_dataset(f"{DATASET}/shards/first/x.npy"),
        _opened_above(2),
    ),
    Reader("clip-analysis", "analysis.npz", "npz", _analysis, _read_analysis),
    Reader("take", "take.npz", "npz", contents(_take), lambda path: TakeRecord.load(path.parent, walk().skeleton)),
    Reader("checkpoint", "checkpoints/step-00000010.pt", "sealed", contents(_checkpoint), _read_checkpoint),
    Reader("autoencoder", "periodic.pt", "sealed", contents(_autoencoder), _read_autoencoder),
    Reader("phases-key", "phases/key", "text", contents(lambda: b"key"), _read_phases),
    Reader("rehearsal", "manifest.json", "json", contents(lambda: b'{"replay": 1}'), _read_rehearsal),
)
