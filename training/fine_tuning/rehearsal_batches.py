"""Samples in which a given share are rehearsal samples."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ...core.features.locomotion import input_layout, phase_channel_count
from ...core.jobs.run_folder import RunFolder
from ...core.models.model_file import ControllerModel, load_model
from ...core.models.network import Float32
from ..config.config import TrainingConfig
from ..config.run_config import RunConfig
from ..data.dataset import Dataset
from ..data.manifest import ClipEntry, DatasetError
from ..data.samples import SplitSamples, load_samples, partition_range
from ..phases.phase_conditioning import condition_on_phases
from .fine_tuning import adapt_to_controller
from .pseudo_rehearsal import open_rehearsal
from .style_column import map_columns


@dataclass(frozen=True, eq=False)
class MixedSamples(SplitSamples):
    """New samples followed by rehearsal samples, with windows drawn in given shares.

    The share of rehearsal is fixed (Robins 1995).

    Attributes:
        new_count: number of new samples.
    """

    new_count: int
    rehearsal_share: float

    def window_starts(self, length: int) -> Tensor:
        """Return the first frames (W) of all windows of ``length`` frames, the scarcer kind repeated to its share."""
        starts = super().window_starts(length)
        kinds = [
            (starts[starts < self.new_count], 1.0 - self.rehearsal_share),
            (starts[starts >= self.new_count], self.rehearsal_share),
        ]
        kinds = [(own, share) for own, share in kinds if len(own) and share > 0.0]
        total = max((len(own) / share for own, share in kinds), default=0.0)
        evenly = [own[torch.arange(round(total * share)) * len(own) // round(total * share)] for own, share in kinds]
        return torch.cat(evenly) if evenly else starts[:0]


def load_run_samples(
    run: RunFolder,
    dataset: Dataset,
    config: RunConfig,
    split: str,
    device: torch.device,
    partition: tuple[int, int] = (0, 1),
    longest_window: int = 1,
) -> SplitSamples:
    """Load the samples of a split; in fine-tuning, they are mixed with rehearsal samples.

    Since mixed samples are few, every process holds all of them.

    Args:
        run: the run.
        dataset: the run's data set, with all inputs of the network.
        config: the run's configuration.
        split: name of the split.
        device: device of the batches.
        partition: index of the partition, and number of partitions.
        longest_window: number of frames of the longest window that will be requested.

    Raises:
        FootfallError: a part of a data set is damaged, or the old one was built for another controller.
    """
    limit = config.training.memory_limit
    share = config.training.replay_share
    if config.origin is None or share == 0.0:
        return load_samples(dataset, split, device, limit, partition, longest_window)
    new = load_samples(dataset, split, device, limit)
    if len(new) == 0:
        return new
    return mix_samples(
        new, load_samples(_open_rehearsal_dataset(run, config, device), split, device, limit), share, partition
    )


def mix_samples(
    new: SplitSamples, old: SplitSamples, rehearsal_share: float, partition: tuple[int, int] = (0, 1)
) -> MixedSamples:
    frames = len(new) + len(old)
    count = max(new.grounds.shape[1], old.grounds.shape[1])
    grounds = [samples.grounds[:, torch.arange(count) % samples.grounds.shape[1]] for samples in (new, old)]
    rough = torch.where(old.ground_index >= 0, old.ground_index + len(new.grounds), old.ground_index)
    return MixedSamples(
        x=torch.cat([new.x, old.x.to(new.x.device)]),
        y=torch.cat([new.y, old.y.to(new.y.device)]),
        phase=torch.cat([new.phase, old.phase.to(new.phase.device)]),
        sequences=torch.cat([new.sequences, old.sequences + len(new)]),
        device=new.device,
        grounds=torch.cat(grounds),
        ground_index=torch.cat([new.ground_index, rough]),
        ground_placement=new.ground_placement,
        frame_count=frames,
        first_frame=0,
        owned_range=partition_range(frames, partition),
        memory_mapped=new.memory_mapped or old.memory_mapped,
        new_count=len(new),
        rehearsal_share=rehearsal_share,
    )


def _open_rehearsal_dataset(run: RunFolder, config: RunConfig, device: torch.device) -> Dataset:
    """Open the training data set of the controller that a run continues, or generated data if it is not available."""
    assert config.origin is not None
    model = load_model(run.origin_path)
    if config.origin.rehearsal_dataset is None:
        return adapt_to_controller(open_rehearsal(run.replay_path), model, run.replay_path)
    return open_original_dataset(run, config.origin.rehearsal_dataset, model, config.training, device)


def open_original_dataset(
    run: RunFolder, path: Path, model: ControllerModel, settings: TrainingConfig, device: torch.device
) -> Dataset:
    """Open a data set that lacks a later added style, converted to the controller's present inputs.

    Raises:
        FootfallError: the data set was built for another controller.
    """
    seen = condition_on_phases(RunFolder(run.replay_path), Dataset.open(path), settings, device)
    if seen is None:
        raise DatasetError("The phases of the data set '{path}' are missing: resume the run to compute them", path=path)
    return adapt_to_controller(WidenedDataset.of(seen, tuple(model.gaits), run.replay_path), model, path)


@dataclass(frozen=True, eq=False)
class WidenedDataset(Dataset):
    """A data set with additional gaits that none of its frames shows; its normalization is unchanged.

    Attributes:
        original: the data set on disk.
        cache: folder for files derived from its samples.
    """

    original: Dataset
    cache: Path

    @staticmethod
    def of(dataset: Dataset, gaits: tuple[str, ...], cache: Path) -> "Dataset":
        """Return the data set with more gaits, or unchanged if ``gaits`` does not extend its own gaits."""
        own = tuple(dataset.gaits)
        if gaits[: len(own)] != own or gaits == own:
            return dataset
        channels = phase_channel_count(dataset.input_layout)
        layout = input_layout(dataset.joints, gaits, channels, len(dataset.performers))
        manifest = {**dataset.manifest, "gaits": list(gaits), "input_layout": layout.to_json()}
        cache.mkdir(parents=True, exist_ok=True)
        return WidenedDataset(dataset.path, manifest, dataset, cache)

    @property
    def cache_folder(self) -> Path:
        return self.cache

    def samples(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        x, y, phase = self.original.samples(clip)
        wide = np.zeros((len(x), self.input_layout.size), dtype=np.float32)
        wide[:, map_columns(self.input_layout, self.original.input_layout)] = x
        return wide, y, phase
