"""Batches are the same whenever they are drawn, however many processes share them, and wherever they are read from."""

from dataclasses import replace

import pytest
import torch

from footfall.tests.training.interactions.walker_takes import BODY, seated_take
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import load_samples
from footfall.training.interactions.augmentation.augmentation_pool import AugmentationPool
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.loop.batches import BatchLoader
from footfall.training.losses.stages import stages_of

CPU = torch.device("cpu")


@pytest.fixture(params=[0, 1], ids=["frames", "windows"])
def number(request: pytest.FixtureRequest) -> int:
    """Which stage."""
    return request.param


def batches(dataset: Dataset, config: TrainingConfig, number: int, part=(0, 1), limit: float = 1.0) -> BatchLoader:
    stage = stages_of(config)[number]
    return BatchLoader(
        load_samples(dataset, "training", CPU, limit, part, stage.window_frames), stage, number, config.seed
    )


def test_a_batch_is_known_by_its_step(dataset: Dataset, tiny: TrainingConfig, number: int):
    one, other = batches(dataset, tiny, number), batches(dataset, tiny, number)
    last = one.steps_per_epoch + 1
    drawn = [one[step].windows.x for step in range(last + 1)]
    assert torch.equal(drawn[last], other[last].windows.x)
    assert torch.equal(drawn[0], other[0].windows.x)
    assert not torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], batches(dataset, replace(tiny, seed=1), number)[0].windows.x)


def test_an_epoch_of_single_frames_sees_no_frame_twice(dataset: Dataset, tiny: TrainingConfig):
    drawn = batches(dataset, tiny, 0)
    rows = torch.cat([drawn[step].windows.x[:, 0] for step in range(drawn.steps_per_epoch)])
    assert len(torch.unique(rows, dim=0)) == len(rows) == drawn.steps_per_epoch * tiny.batch


@pytest.mark.parametrize("processes", [2, 3])
def test_processes_share_every_batch(dataset: Dataset, tiny: TrainingConfig, number: int, processes: int):
    whole = batches(dataset, tiny, number)
    shared = [batches(dataset, tiny, number, (rank, processes)) for rank in range(processes)]
    for step in (0, 1, whole.steps_per_epoch):
        parts = [one[step] for one in shared]
        assert sum(part.share for part in parts) == pytest.approx(1.0)
        assert all(part.frames == whole[step].frames for part in parts)
        for name in ("x", "y", "phase"):
            mine = torch.cat([getattr(part.windows, name).flatten(1) for part in parts])
            assert torch.equal(in_order(mine), in_order(getattr(whole[step].windows, name).flatten(1)))


def in_order(rows: torch.Tensor) -> torch.Tensor:
    """The rows (B, ...) sorted, for sets to be compared."""
    return torch.tensor(sorted(rows.tolist()))


def test_each_process_holds_its_share_of_the_samples_only(dataset: Dataset, tiny: TrainingConfig):
    whole = load_samples(dataset, "training", CPU, 1.0)
    parts = [load_samples(dataset, "training", CPU, 1.0, (rank, 2), longest_window=4) for rank in range(2)]
    assert [len(part) for part in parts] == [len(whole)] * 2
    half = len(whole) // 2
    assert [len(part.x) for part in parts] == [half + 3, len(whole) - half]
    torch.testing.assert_close(parts[1].x, whole.x[half:], rtol=0, atol=0)


def test_no_other_process_meets_a_half_written_file(own_dataset: Dataset):
    mapped = load_samples(own_dataset, "training", CPU, 0.0)
    before = mapped.x.clone()
    again = load_samples(own_dataset, "training", CPU, 0.0)
    assert torch.equal(mapped.x, before)
    assert torch.equal(again.x, before)
    assert not list(own_dataset.cache_folder.glob("*.part"))


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    settings = InteractionDatasetSettings(takes=2, validation_share=0.0)
    return build_interaction_dataset(seated_take, BODY, tmp_path_factory.mktemp("takes"), settings)


@pytest.mark.all_only("processes start for seconds")
def test_batches_with_other_objects_are_the_same_for_any_number_of_processes(takes: Dataset):
    stage = replace(stages_of(TrainingConfig(unroll_steps=4, unroll_batch=24))[1], batch=24)

    def drawn(share: float, parts: int, rank: int = 0) -> torch.Tensor:
        samples = load_samples(takes, "training", CPU, 1.0, (rank, parts), stage.window_frames)
        pool = AugmentationPool(takes, "training", share, 0, processes=1) if share else None
        with BatchLoader(samples, stage, 1, 0, augmentation=pool) as loader:
            return torch.cat([loader[step].windows.x.flatten(1) for step in (0, 1)])

    own, other = drawn(0.0, 1), drawn(0.6, 1)
    changed = (own != other).any(dim=1).float().mean()
    assert 0.0 < changed < 0.9
    assert torch.equal(in_order(other), in_order(torch.cat([drawn(0.6, 2, rank) for rank in range(2)])))
