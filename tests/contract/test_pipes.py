"""No reader waits for a pipe without a writer, nor reads a device without end."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from footfall.cli.points import read_points
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.generator_file import load_generator
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import read_bvh
from footfall.core.rig.rig_map.file import load_rig_map
from footfall.core.terrain.image import read_heightfield, read_image
from footfall.training.config.checksummed_file import ChecksumError, load_checksummed
from footfall.training.data.clip_cache import clip_key

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes"),
    pytest.mark.timeout(20),
]


@pytest.mark.parametrize(
    ("read", "name"),
    [
        (read_points, "path.csv"),
        (lambda path: read_heightfield(path, 1.0), "heights.txt"),
        (read_image, "heights.png"),
        (load_rig_map, "rig.toml"),
        (load_model, "controller.safetensors"),
        (load_generator, "generator.safetensors"),
        (read_bvh, "walk.bvh"),
    ],
)
def test_pipes_and_devices_are_refused(read: Callable[[Path], object], name: str, tmp_path: Path) -> None:
    if read is read_image:
        pytest.importorskip("OpenImageIO")
    os.mkfifo(tmp_path / name)
    with pytest.raises(FootfallError, match=r"pipe|regular file"):
        read(tmp_path / name)
    (tmp_path / "device").mkdir()
    (tmp_path / "device" / name).symlink_to("/dev/zero")
    with pytest.raises(FootfallError, match=r"device|regular file"):
        read(tmp_path / "device" / name)


def test_pipes_in_a_run_do_not_hold_up_its_watching(tmp_path: Path) -> None:
    """Blender watches runs between two of its events: it would stand still."""
    run = RunFolder(tmp_path)
    for name in ("progress.jsonl", "state.json"):
        os.mkfifo(tmp_path / name)
    assert run.read_progress() == ([], 0) and run.read_state() is None


def test_pipes_for_clips_and_checkpoints(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FootfallError, match="regular file"):
        clip_key(tmp_path / "pipe")
    with pytest.raises(ChecksumError):
        load_checksummed(tmp_path / "pipe", torch.device("cpu"))
