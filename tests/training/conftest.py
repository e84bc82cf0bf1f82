"""Small clips of a procedural walker, as files."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from footfall.core.motion.bvh import write_bvh
from footfall.tests.support.walker import Walker
from footfall.training.config.config import TrainingConfig
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetSettings


@pytest.fixture(scope="session")
def write_walk() -> Callable[..., Path]:
    """Writes a walk as BVH: ``write_walk(path, speed=1.1, seconds=2.0, ...)``."""

    def write(path: Path, **walk: float) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bvh(path, Walker(**{"seconds": 2.0, **walk}).clip())
        return path

    return write


@pytest.fixture(scope="session")
def walks(tmp_path_factory: pytest.TempPathFactory, write_walk: Callable[..., Path]) -> list[Path]:
    """Four takes: slow with a rest, quick, turning, and a smaller actor who rests for longer. Tests only read them."""
    folder = tmp_path_factory.mktemp("walks")
    return [
        write_walk(folder / "slow.bvh", speed=0.8, turn=0.2, pause=1.0, seconds=4.0),
        write_walk(folder / "quick.bvh", speed=1.25, cycle=0.9, turn=-0.3),
        write_walk(folder / "turning.bvh", turn=0.4),
        write_walk(folder / "small.bvh", scale=0.9, pause=2.0, seconds=5.0, turn=0.1),
    ]


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory, walks: list[Path]) -> Dataset:
    """The data set of ``walks``. Tests only read it."""
    return build_dataset(walks, tmp_path_factory.mktemp("dataset"), DatasetSettings(validation_share=0.2), workers=1)


@pytest.fixture
def own_dataset(dataset: Dataset, tmp_path: Path) -> Dataset:
    """A copy of ``dataset`` for tests that write into its folder."""
    shutil.copytree(dataset.path, tmp_path / "own_dataset")
    return Dataset.open(tmp_path / "own_dataset")


@pytest.fixture
def tiny() -> TrainingConfig:
    """A training of a second or two, frames and windows, without judged walks."""
    return TrainingConfig(
        hidden=16,
        batch=128,
        epochs=6,
        dropout=0.1,
        pose_noise=0.3,
        unroll_steps=4,
        unroll_epochs=4,
        unroll_batch=16,
        validation_share=0.2,
        rollouts=0,
        device="cpu",
        threads=1,
    )
